// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"
#include "ballast/kube/quantity.hpp"
#include "ballast/tidb/search/engine/engine.hpp"

#include "store_word.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

constexpr std::int64_t kResyncs = 150;  // five resync periods of 30 s

std::string shown_id(const Store& store) {
  return store.id == 0 ? fmt::format("the store of {}", store.pod)
                       : fmt::format("store {}", store.id);
}

}  // namespace

/// The operator's guard, asked again at every pod. Stores of all sets count.
Engine::Going Engine::max_replicas_guard(const LiveSet& live, const std::string& pod,
                                         const Store* store) {
  if (v16() && !live_.bootstrapped) return true;
  const std::int64_t up = live_.up_stores();
  const std::int64_t copies = input_.max_replicas;
  const bool is_up = store != nullptr && store->state == StoreState::Up;
  if (up > copies || (up == copies && !is_up)) return true;
  if (!v16()) {
    // This operator deletes the store, and it never becomes Tombstone.
    return refuse(
        Component::Tikv, live.name, pod, "U-TIKV-MAXREPLICAS",
        fmt::format("at least {} Up stores must stay for {} copies of each region", copies, copies),
        fmt::format("{}: the regions of {} would have nowhere to go, and the wait for Tombstone "
                    "would never end",
                    counted(up, "Up store"), pod));
  }
  return block(
      Component::Tikv, live.name, pod, "B-TIKV-MAXREPLICAS",
      fmt::format("more than {} Up stores for {} copies of each region, or a store that is not Up",
                  copies, copies),
      fmt::format("{}, {} copies wanted; {} could never finish moving its regions: lower "
                  "max-replicas first or stay at {}",
                  counted(up, "Up store"), copies, pod, live.pods.size()));
}

/// The operator lowers the replicas only where every pod of a batch is done: one that never is
/// keeps the others, whose stores are empty by then.
Engine::Going Engine::batch_guard(Component c, const std::string& set,
                                  const std::vector<std::int64_t>& batch) {
  if (c != Component::Tikv || !v16() || !live_.bootstrapped || batch.size() < 2) return true;
  const LiveSet& live = *running(c, set);
  std::int64_t up = live_.up_stores();
  std::vector<std::string> emptied;
  for (const std::int64_t ordinal : batch) {
    const std::string& pod = live.pod(ordinal)->name;
    const Store* store = live_.store_of(pod);
    const bool is_up = store != nullptr && store->state == StoreState::Up;
    const bool passes = up > input_.max_replicas || (up == input_.max_replicas && !is_up);
    if (!passes && emptied.empty()) return true;  // nothing of the batch begins
    if (!passes) {
      return block(
          c, set, pod, "B-TIKV-MAXREPLICAS",
          fmt::format("every pod of a batch of {} (scaleInParallelism) must pass the guard of {} "
                      "copies, for their replicas are lowered together",
                      batch.size(), input_.max_replicas),
          fmt::format(
              "{} would be emptied and stay as {} without data for ever: {} Up stores are "
              "left then, and {} could never leave; lower to {} pods, or scaleInParallelism "
              "to 1",
              join(emptied, ", "), of_count(emptied.size(), "a pod", "pods"), up, pod,
              live.pods.size() - emptied.size()));
    }
    emptied.push_back(pod);
    if (is_up) --up;
  }
  return true;
}

Engine::Going Engine::without_store(const LiveSet& live, const LivePod& pod) {
  const Time now = input_.options.now;
  const bool old = pod.created && now - *pod.created > kResyncs;
  if (v16() && !pod.ready) {
    if (old) return true;
    Line wait = make(Action::Wait, Component::Tikv, live.name, pod.name, "ready");
    wait.reason_code = "REPLICAS_LOWERED";
    wait.reason = "it has no store yet and is younger than 150 s: it may still get one";
    wait.waits.push_back(wait_for("150 s since its creation have passed", "150", "", kResyncs));
    watch_pod(wait, pod.name);
    emit(std::move(wait));
    return true;
  }
  if (v16() && pod.no_store_since && now - *pod.no_store_since > kResyncs) return true;
  return block(Component::Tikv, live.name, pod.name, "B-STORE-UNKNOWN",
               "PD must know a store of the pod, or the pod must not be Ready",
               "the pod is Ready and PD knows no store of it");
}

/// Leaders away, store deleted, regions away, Tombstone.
void Engine::drain_store(Store& store, const LivePod& pod, Line& step) {
  const std::string id = store_word(store, pdctl("store"));
  step.store = store.id;
  const bool offline = store.state == StoreState::Offline;
  if (store.id == 0) step.commands.push_back({CommandUse::Check, pdctl("store")});
  if (!offline && v16() && store.leaders.value_or(1) > 0) {
    step.evicts = true;
    step.substeps.push_back(
        store.leaders ? fmt::format("evict leaders of {} ({} now{}), at most 5m", shown_id(store),
                                    *store.leaders, pod.scale_in_time ? ", begun already" : "")
                      : fmt::format("evict leaders of {}, at most 5m", shown_id(store)));
    step.commands.push_back(
        {CommandUse::Hand, pdctl(fmt::format("scheduler add evict-leader-scheduler {}", id))});
  }
  if (!offline) {
    step.substeps.push_back(fmt::format("delete {} in PD", shown_id(store)));
    step.commands.push_back({CommandUse::Hand, pdctl(fmt::format("store delete {}", id))});
    step.commands.push_back({CommandUse::Undo, pdctl(fmt::format("store cancel-delete {}", id))});
  }
  step.substeps.push_back(store.regions
                              ? fmt::format("wait until {} is Tombstone ({} to move)",
                                            shown_id(store), counted(*store.regions, "region"))
                              : fmt::format("wait until {} is Tombstone", shown_id(store)));
  step.waits.push_back(wait_for(fmt::format("{} is Tombstone", shown_id(store)), "Tombstone",
                                std::string(name_of(store.state))));
  step.commands.push_back({CommandUse::Watch, pdctl(fmt::format("store {}", id))});
  step.bytes = store.used_bytes;
}

void Engine::check_room(const Store& leaving) {
  if (!leaving.used_bytes) return;
  double room = 0;
  for (const Store& store : live_.stores) {
    if (&store == &leaving || store.tiflash || store.state != StoreState::Up) continue;
    if (!store.available_bytes || !store.capacity_bytes) return;
    room +=
        std::max(0.0, static_cast<double>(*store.available_bytes) -
                          (1 - live_.low_space_ratio) * static_cast<double>(*store.capacity_bytes));
  }
  if (room >= static_cast<double>(*leaving.used_bytes)) return;
  warn("W-DRAIN-NO-ROOM", leaving.pod,
       fmt::format("{} holds {}; the other Up stores can take only {} before they are low on space",
                   shown_id(leaving), kube::format_bytes(*leaving.used_bytes),
                   kube::format_bytes(static_cast<std::int64_t>(room))));
}

Engine::Going Engine::scale_in_tikv(LiveSet& live, const LivePod& pod, Line& step) {
  Store* store = live_.store_of(pod.name);
  const Store* live_store =
      store != nullptr && store->state != StoreState::Tombstone ? store : nullptr;
  if (!max_replicas_guard(live, pod.name, live_store)) return false;
  if (store == nullptr) {
    if (!without_store(live, pod)) return false;
    const auto count = static_cast<std::int64_t>(live.pods.size());
    step.replicas_before = count;
    return true;
  }
  // An eviction that was begun ends with the store.
  step.evicts = v16() && pod.scale_in_time.has_value();
  if (store->state == StoreState::Tombstone) {
    if (pod.store_label && *pod.store_label != store->id && store->id != 0) {
      return block(Component::Tikv, live.name, pod.name, "B-STORE-UNKNOWN",
                   fmt::format("the pod's store id label must be that of {}", shown_id(*store)),
                   fmt::format("it is {}", *pod.store_label));
    }
    return true;
  }
  check_room(*store);
  drain_store(*store, pod, step);
  if (v16() && store->leaders.value_or(1) > 0 && store->state != StoreState::Offline) {
    step.commands.push_back(
        {CommandUse::Hand, pdctl(fmt::format("scheduler remove evict-leader-scheduler-{}",
                                             store_word(*store, pdctl("store"))))});
  }
  // Its data move to others: what is Up there has less room from now on.
  store->state = StoreState::Tombstone;
  return true;
}

}  // namespace ballast::tidb
