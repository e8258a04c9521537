// SPDX-License-Identifier: BSD-2-Clause
// A pod that is on the new template already: what must hold before the next one is touched.
#include "ballast/tidb/search/basis/wellness.hpp"
#include "ballast/tidb/search/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

Engine::Going Engine::check_updated(const SetSpec& spec, LivePod& pod) {
  if (pod_well(spec.component, pod)) {
    wait_until_long_ready(spec, pod);
  } else if (!wait_until_well(spec, pod)) {
    return false;
  }
  if (!wait_for_leaders(spec, pod) && eviction_goes_on(pod)) end_eviction(spec, pod);
  pod.evict_begin.reset();
  return true;
}

/// Once no pod is outdated any longer the operator ends its evictions, for which the lowest pod
/// must be available: before that nothing of TiKV is handled, nor what comes after it.
Engine::Going Engine::end_rollout(Component c) {
  if (!v16() || c != Component::Tikv || live_.phase[index_of(c)] != "Upgrade") return true;
  for (const std::string& set : order_[index_of(c)]) {
    LiveSet* live = running(c, set);
    if (live == nullptr || live->pods.empty() || live->rolling()) continue;
    const SetSpec& spec = *wished(c, set);
    if (!await_lowest(spec, *live)) return false;
    end_evictions(spec, live->pods);
  }
  return true;
}

Engine::Going Engine::await_lowest(const SetSpec& spec, LiveSet& live) {
  LivePod& lowest = live.pods.front();
  if (!lowest.ready) return wait_until_well(spec, lowest);
  wait_until_long_ready(spec, lowest);
  return true;
}

/// Ready for as long as the annotation asks for.
void Engine::wait_until_long_ready(const SetSpec& spec, const LivePod& pod) {
  const std::int64_t wanted = input_.desired.min_ready_s[index_of(spec.component)];
  if (!v16() || wanted == 0 || !pod.ready_since) return;
  const std::int64_t ready_for = input_.options.now - *pod.ready_since;
  if (ready_for > wanted) return;
  Line wait = make(Action::Wait, spec.component, spec.name, pod.name, "ready");
  wait.until_ready = true;
  wait.reason_code = "ROLLING_CONTINUES";
  wait.reason =
      fmt::format("it is Ready for {} s, {} s are asked for (annotation)", ready_for, wanted);
  wait.waits.push_back(wait_for(fmt::format("pod {} is Ready for {} s", pod.name, wanted),
                                fmt::format("{} s", wanted), fmt::format("{} s", ready_for),
                                wanted - ready_for));
  watch_pod(wait, pod.name);
  emit(std::move(wait));
}

/// Begun for a restart that is done, or no longer needed: the annotation goes with a restarted pod.
bool Engine::eviction_goes_on(const LivePod& pod) const {
  const Store* store = live_.store_of(pod.name);
  if (!v16() || store == nullptr || store->state == StoreState::Tombstone) return false;
  const bool rolls_out = live_.phase[index_of(Component::Tikv)] == "Upgrade";
  return pod.evict_begin || (rolls_out && store->leaders_before && !pod.evict_end);
}

/// An eviction that still goes on is ended once the pod is well.
void Engine::end_eviction(const SetSpec& spec, LivePod& pod) {
  Store* store = live_.store_of(pod.name);
  Line wait = make(Action::Wait, spec.component, spec.name, pod.name, "eviction ends");
  wait.reason_code = "ROLLING_CONTINUES";
  wait.reason = "its leaders were taken away for a restart that is done, or no longer needed";
  wait.store = store->id;
  wait.substeps.emplace_back("remove the eviction scheduler");
  wait.waits.push_back(wait_for("its eviction scheduler is gone"));
  wait.commands.push_back({CommandUse::Watch, pdctl("scheduler show")});
  emit(std::move(wait));
  store->leaders_before.reset();
}

/// Of pods that need no restart any longer.
void Engine::end_evictions(const SetSpec& spec, std::span<LivePod> pods) {
  for (LivePod& pod : pods) {
    if (spec.component == Component::Tikv && eviction_goes_on(pod)) end_eviction(spec, pod);
    pod.evict_begin.reset();
  }
}

/// A restarted store gets two thirds of its leaders back first. The annotation of the end of the
/// eviction is written in the pass that begins to wait, so without it the wait begins now.
bool Engine::wait_for_leaders(const SetSpec& spec, const LivePod& pod) {
  const Store* store = spec.component == Component::Tikv ? live_.store_of(pod.name) : nullptr;
  if (!v16() || store == nullptr) return false;
  const Time now = input_.options.now;
  if (pod.evict_end && now - *pod.evict_end > spec.transfer_back_s) return false;
  // Nothing tells how many there were: only a fresh restart is a reason to wait.
  const bool untold = !store->leaders_before && !store->in_status && pod.evict_end;
  if (!store->leaders_before && !untold) return false;
  const std::int64_t before = store->leaders_before.value_or(kFewLeaders);
  if (before < kFewLeaders) return false;
  const std::int64_t needed = before * 2 / 3;
  if (!untold && store->leaders.value_or(0) >= needed) return false;
  const std::string shown_now = store->leaders ? fmt::format("{}", *store->leaders) : "?";
  const std::string shown_needed = untold ? "?" : fmt::format("{}", needed);
  Line wait = make(Action::Wait, spec.component, spec.name, pod.name,
                   fmt::format("leaders {}/{}", shown_now, shown_needed));
  wait.reason_code = "ROLLING_CONTINUES";
  wait.reason = "leaders come back to the restarted store before the next pod is touched";
  wait.waits.push_back(wait_for(
      untold ? fmt::format("two thirds of the leaders of store {} are back (how many it had is not "
                           "known), or {} s have passed",
                           store->id, spec.transfer_back_s)
             : fmt::format("store {} leads {} regions again, or {} s have passed", store->id,
                           needed, spec.transfer_back_s),
      shown_needed, shown_now));
  if (eviction_goes_on(pod)) wait.substeps.emplace_back("remove the eviction scheduler");
  wait.commands.push_back({CommandUse::Watch, pdctl(fmt::format("store {}", store->id))});
  emit(std::move(wait));
  return true;
}

/// Holds everything while it is not well; what may pass by itself becomes a wait.
Engine::Going Engine::wait_until_well(const SetSpec& spec, LivePod& pod) {
  const Component c = spec.component;
  std::optional<Time> since = pod.not_ready_since;
  if (c == Component::Tidb && !pod.healthy && pod.unhealthy_since) since = pod.unhealthy_since;
  if (const Member* member = c == Component::Pd ? live_.member_of(pod.name) : nullptr;
      member != nullptr && !member->healthy && !since)
    since = member->since;
  if (const Store* store = c == Component::Tikv ? live_.store_of(pod.name) : nullptr;
      store != nullptr && !since)
    since = store->since;
  if (std::string observed = stuck_because(pod, since, input_.options); !observed.empty()) {
    if (!block_or_wait(c, spec.name, pod.name, "B-UPGRADED-NOT-WELL",
                       "a restarted pod must be well before the next one is touched",
                       std::move(observed)))
      return false;
  } else {
    Line wait = make(Action::Wait, c, spec.name, pod.name, "ready");
    wait.until_ready = true;
    wait.reason_code = "ROLLING_CONTINUES";
    wait.reason = "it was restarted and is not well yet";
    wait.waits.push_back(wait_for(fmt::format("pod {} is Ready and well", pod.name)));
    watch_pod(wait, pod.name);
    emit(std::move(wait));
  }
  pod.ready = true;
  pod.healthy = true;
  if (Member* member = live_.member_of(pod.name)) member->healthy = true;
  if (Store* store = live_.store_of(pod.name);
      store != nullptr && store->state != StoreState::Tombstone)
    store->state = StoreState::Up;
  return true;
}

}  // namespace ballast::tidb
