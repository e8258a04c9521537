// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/words.hpp"
#include "ballast/tidb/search/basis/wellness.hpp"
#include "ballast/tidb/search/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace ballast::tidb {

namespace {

constexpr std::int64_t kNoLimit = 2147483647;  // of pods that come or go at the same time

}  // namespace

std::vector<std::int64_t> Engine::additions(Component c, const std::string& set) const {
  const SetSpec* spec = wished(c, set);
  const LiveSet* live = running(c, set);
  if (spec == nullptr || live == nullptr) return {};
  std::vector<std::int64_t> result = ordinals(target(c, set), spec->slots);
  std::erase_if(result, [&](std::int64_t ordinal) { return live->pod(ordinal) != nullptr; });
  return result;
}

/// Highest first.
std::vector<std::int64_t> Engine::removals(Component c, const std::string& set) const {
  const SetSpec* spec = wished(c, set);
  const LiveSet* live = running(c, set);
  if (live == nullptr) return {};
  const std::vector<std::int64_t> stay =
      spec == nullptr ? std::vector<std::int64_t>{} : ordinals(target(c, set), spec->slots);
  std::vector<std::int64_t> result;
  for (auto pod = live->pods.rbegin(); pod != live->pods.rend(); ++pod) {
    if (!std::ranges::binary_search(stay, pod->ordinal)) result.push_back(pod->ordinal);
  }
  return result;
}

/// How many pods of a set come or go at the same time, at most.
std::int64_t Engine::pods_in_a_pass(Component c, const std::string& set, bool out) const {
  const SetSpec* spec = wished(c, set);
  if (!v16()) return c == Component::Tidb ? kNoLimit : 1;
  if (c == Component::Pd || spec == nullptr) return 1;
  return out ? spec->scale_out_parallelism : spec->scale_in_parallelism;
}

/// The same in words.
std::string Engine::pace_of(Component c, const std::string& set, bool out) const {
  const std::int64_t most = pods_in_a_pass(c, set, out);
  if (most == 1) return "one pod at a time";
  return most == kNoLimit ? "all at once" : fmt::format("up to {} at a time", most);
}

/// Batch of the next step of a set: consecutive steps of one set and direction share one, up to the
/// parallelism.
std::optional<std::int64_t> Engine::batch_for(Component c, const std::string& set, bool out) {
  const std::int64_t size = pods_in_a_pass(c, set, out);
  const std::string key = fmt::format("{}/{}/{}", name_of(c), set, out);
  if (size <= 1) {
    batch_key_.clear();
    return std::nullopt;
  }
  if (batch_key_ != key || batch_room_ == 0) {
    ++next_batch_;
    batch_key_ = key;
    batch_room_ = size;
  }
  --batch_room_;
  return next_batch_;
}

Engine::Going Engine::scale(Component c) {
  if (!template_of_no_pods(c)) return false;
  const auto& order = order_[index_of(c)];
  for (const std::string& set : order) {
    const SetSpec& spec = *wished(c, set);
    if (running(c, set) == nullptr && !create_set(spec)) return false;
    if (!scale_out_set(spec)) return false;
    if (input_.options.set_order && !scale_in_set(c, set)) return false;
  }
  if (!input_.options.set_order) {
    for (const std::string& set : order) {
      if (!scale_in_set(c, set)) return false;
    }
  }
  return remove_sets(c);
}

Engine::Going Engine::remove_sets(Component c) {
  for (const std::string& set : removed_[index_of(c)]) {
    const LiveSet* live = running(c, set);
    if (live != nullptr && !live->pods.empty()) {
      warn(
          "W-REMOVE-UNDRAINED", live->statefulset,
          fmt::format("{} still has {}: better lower it to 0 first and remove the entry afterwards",
                      set, counted(live->pods.size(), "pod")));
    }
    if (!scale_in_set(c, set)) return false;
  }
  for (const std::string& set : removed_[index_of(c)]) delete_set(c, set);
  if (c == Component::Tidb && !removed_[index_of(c)].empty() && input_.desired.of(c).size() == 1 &&
      start_.of(c).size() > 1) {
    const std::string& left = input_.desired.of(c).front().name;
    service(Action::DeleteService, c, left, set_service(cluster_, left),
            "one set is left: the main service is enough");
  }
  return true;
}

void Engine::delete_set(Component c, const std::string& set) {
  LiveSet* live = running(c, set);
  if (live == nullptr) return;
  Line step = make(Action::DeleteStatefulSet, c, set, live->statefulset);
  step.reason_code = "SET_REMOVED";
  step.reason = fmt::format("{} is no longer wished and has no pods", set);
  step.commands.push_back(
      {CommandUse::Watch, kubectl(fmt::format("get statefulset {} -o wide", live->statefulset))});
  emit(std::move(step));
  if (c == Component::Tidb && start_.of(c).size() > 1) {
    service(Action::DeleteService, c, set, set_service(cluster_, set), "its set is gone");
  }
  Line config = make(Action::DeleteConfigMap, c, set, live->spec.config_map);
  config.reason_code = "SET_REMOVED";
  config.reason = "its set is gone";
  emit(std::move(config));
  auto& all = live_.of(c);
  all.erase(all.begin() + (live - all.data()));
}

Engine::Going Engine::scale_out_set(const SetSpec& spec) {
  const Component c = spec.component;
  const std::vector<std::int64_t> added = additions(c, spec.name);
  if (added.empty()) return true;
  std::int64_t total = 0;
  for (const std::string& set : order_[index_of(c)]) total += target(c, set);
  std::vector<std::string> pods;
  for (const std::int64_t ordinal : added) pods.push_back(pod_name(spec.statefulset, ordinal));
  std::vector<Capacity::Placed> placed;
  if (const auto refusal = capacity_.add(spec, pods, total, placed)) {
    if (!refuse(c, spec.name, refusal->pod, "U-CAPACITY", "every new pod needs a node",
                refusal->text))
      return false;
  }
  const bool changes =
      !template_difference(c, spec.name).empty() && start_.find(c, spec.name) != nullptr;
  const LiveSet& live = *running(c, spec.name);
  if (v16() && !live.pods.empty() && (changes || live.gives_old_template())) {
    warn("W-SCALE-OLD-TEMPLATE", spec.statefulset,
         changes ? "new pods start on the old template and are restarted afterwards; apply the "
                   "upgrade first, then raise replicas"
                 : "a roll-out goes on: new pods start on the old template and are restarted "
                   "afterwards; let it end first, then raise replicas");
  }
  for (std::size_t i = 0; i < added.size(); ++i) {
    // Where pods only change places the operator does not take the set as scaling.
    const bool begins = i % static_cast<std::size_t>(pods_in_a_pass(c, spec.name, true)) == 0;
    if (begins && running(c, spec.name)->replicas == target(c, spec.name) &&
        !template_goes_along(c, spec.name))
      return false;
    if (!scale_out_pod(spec, added[i])) return false;
    if (i < placed.size()) {
      out_.steps.back().node = placed[i].node;
      out_.steps.back().volume = placed[i].volume;
    }
  }
  return true;
}

/// Claims of the new ordinal that are left over: marked ones are deleted, others block or are
/// reused.
Engine::Going Engine::stale_claims(const SetSpec& spec, const std::string& pod,
                                   std::int64_t ordinal, Line& step) {
  (void)ordinal;
  for (const std::string& claim_template : spec.claim_templates) {
    const std::string name = claim_name(claim_template, pod);
    const auto claim = std::ranges::find(live_.claims, name, &Claim::name);
    if (claim == live_.claims.end()) continue;
    if (claim->deferred) {
      step.substeps.push_back(fmt::format(
          "delete claim {}, marked when its pod was scaled in; wait until it is gone", name));
      step.commands.push_back({CommandUse::Watch, kubectl(fmt::format("get pvc {}", name))});
      live_.claims.erase(claim);
    } else if (v16() && spec.component != Component::Pd) {
      return block(spec.component, spec.name, pod, "B-STALE-CLAIM",
                   fmt::format("no claim {} without the deferred-deletion mark may be left", name),
                   fmt::format("claim {} exists and is not marked", name));
    } else {
      warn("W-CLAIM-REUSED", name,
           spec.component == Component::Pd
               ? "is left over and reused; a PD that finds old member data may not join"
               : "is left over and reused");
    }
  }
  return true;
}

/// What must hold before PD gets one more member.
Engine::Going Engine::may_join(const SetSpec& spec, const LiveSet& live, const std::string& pod) {
  const Component c = Component::Pd;
  if (!synced(c, spec.name, pod)) return false;
  if (v16() || !live.failures.empty()) return true;
  for (const LivePod& one : live.pods) {
    Member* member = live_.member_of(one.name);
    if (member != nullptr && member->healthy) continue;
    if (!block_or_wait(c, spec.name, pod, "B-PD-UNHEALTHY",
                       "all members of the set must be healthy",
                       fmt::format("{} is not", one.name))) {
      return false;
    }
    if (member != nullptr) member->healthy = true;
  }
  return true;
}

/// Why the pod comes: a record of the failover module, or the wish. The copy of a lost store is the
/// cost.
void Engine::explain_scale_out(const SetSpec& spec, const LiveSet& live, Line& step) {
  const Component c = spec.component;
  const std::int64_t records = adding_records(c, spec.name);
  const auto stay = ordinals(spec.replicas, spec.slots);
  if (records == 0 || std::ranges::binary_search(stay, step.ordinal)) {
    step.reason_code = start_.find(c, spec.name) == nullptr ? "NEW_SET" : "REPLICAS_RAISED";
    step.reason = fmt::format("{} is raised to {}; lowest ordinal first, {}", spec.name,
                              target(c, spec.name), pace_of(c, spec.name, true));
    return;
  }
  step.reason_code = "FAILOVER_RECORDED";
  step.reason = fmt::format("{} of {} {}", counted(records, "failure record"), spec.name,
                            of_count(records, "adds a pod", "add a pod each"));
  if (c != Component::Tikv) return;
  std::size_t nth = 0;
  for (const std::int64_t ordinal : ordinals(target(c, spec.name), spec.slots)) {
    if (ordinal < step.ordinal && !std::ranges::binary_search(stay, ordinal)) ++nth;
  }
  if (nth >= live.failures.size()) return;
  const Store* lost = live_.store_of(live.failures[nth].pod);
  step.bytes = lost == nullptr ? std::nullopt : lost->used_bytes;
}

/// A pass that scales writes the partition as it is without a roll-out.
void Engine::hold_back(LiveSet& live) const {
  if (v16() && live.partition)
    live.partition = static_cast<std::int64_t>(live.pods.size() + live.spec.slots.size());
}

/// The pod as it is once the step is done.
void Engine::add_pod(const SetSpec& spec, LiveSet& live, std::int64_t ordinal) {
  const Component c = spec.component;
  const std::string pod = pod_name(spec.statefulset, ordinal);
  LivePod fresh;
  fresh.ordinal = ordinal;
  fresh.name = pod;
  const bool is_old = v16() ? live.gives_old_template()
                            : live.rolling() && live.partition && ordinal < *live.partition;
  fresh.updated = template_difference(c, spec.name).empty() && !is_old;
  const auto place = std::ranges::lower_bound(live.pods, ordinal, {}, &LivePod::ordinal);
  live.pods.insert(place, std::move(fresh));
  live.replicas = static_cast<std::int64_t>(live.pods.size());
  hold_back(live);
  if (c == Component::Tikv) {
    std::erase_if(live_.stores, [&](const Store& s) {
      return s.pod == pod && !s.tiflash && s.state == StoreState::Tombstone;
    });
    Store store;
    store.pod = pod;
    live_.stores.push_back(std::move(store));
  }
  if (c == Component::Pd && live_.member_of(pod) == nullptr) {
    Member member;
    member.name = pod;
    live_.members.push_back(std::move(member));
  }
}

Engine::Going Engine::scale_out_pod(const SetSpec& spec, std::int64_t ordinal) {
  const Component c = spec.component;
  LiveSet& live = *running(c, spec.name);
  const std::string pod = pod_name(spec.statefulset, ordinal);
  const auto count = static_cast<std::int64_t>(live.pods.size());
  Line step =
      make(Action::ScaleOut, c, spec.name, pod, fmt::format("replicas {}->{}", count, count + 1));
  step.ordinal = ordinal;
  step.replicas_before = count;
  step.replicas_after = count + 1;
  if (!stale_claims(spec, pod, ordinal, step)) return false;
  if (c == Component::Pd && !may_join(spec, live, pod)) return false;
  explain_scale_out(spec, live, step);
  step.substeps.push_back(fmt::format("raise replicas of {} to {}", spec.statefulset, count + 1));
  static constexpr std::array kWaits{"member {} is healthy", "pod {} is Ready and its store Up",
                                     "pod {} is Ready and healthy"};
  step.waits.push_back(wait_for(fmt::format(fmt::runtime(kWaits[index_of(c)]), pod), "", "",
                                input_.desired.min_ready_s[index_of(c)]));
  step.batch = batch_for(c, spec.name, true);
  watch_pod(step, pod);
  if (c == Component::Pd) step.commands.push_back({CommandUse::Watch, pdctl("member")});
  emit(std::move(step));
  add_pod(spec, live, ordinal);
  return true;
}

Engine::Going Engine::scale_in_set(Component c, const std::string& set) {
  const std::vector<std::int64_t> gone = removals(c, set);
  const auto size = static_cast<std::size_t>(pods_in_a_pass(c, set, false));
  for (std::size_t i = 0; i < gone.size(); ++i) {
    const std::span batch = std::span(gone).subspan(i, std::min(size, gone.size() - i));
    if (i % size == 0 && !batch_guard(c, set, {batch.begin(), batch.end()})) return false;
    if (c == Component::Pd && !force_pd()) return false;
    if (running(c, set)->pod(gone[i]) == nullptr) continue;
    if (!scale_in_pod(c, set, gone[i])) return false;
  }
  return true;
}

Engine::Going Engine::scale_in_pod(Component c, const std::string& set, std::int64_t ordinal) {
  LiveSet& live = *running(c, set);
  const LivePod pod = *live.pod(ordinal);
  const auto count = static_cast<std::int64_t>(live.pods.size());
  Line step =
      make(Action::ScaleIn, c, set, pod.name, fmt::format("replicas {}->{}", count, count - 1));
  step.ordinal = ordinal;
  step.replicas_before = count;
  step.replicas_after = count - 1;
  const SetSpec* spec = wished(c, set);
  const bool after_failover = spec != nullptr && start_.find(c, set) != nullptr &&
                              !start_.find(c, set)->failures.empty() && live.failures.empty() &&
                              start_.find(c, set)->spec.replicas == spec->replicas;
  step.reason_code = spec == nullptr  ? "SET_REMOVED"
                     : after_failover ? "FAILOVER_ENDED"
                                      : "REPLICAS_LOWERED";
  step.reason =
      spec == nullptr
          ? fmt::format("{} is no longer wished: drained first", set)
          : fmt::format("{} is lowered to {}; {}highest ordinal first, {}", set, target(c, set),
                        spec->slots.empty() ? "" : "slots left out, ", pace_of(c, set, false));
  watch_pod(step, pod.name);
  if (c == Component::Pd && !scale_in_pd(live, pod.name, step)) return false;
  if (c == Component::Tikv && !scale_in_tikv(live, pod, step)) return false;
  if (c == Component::Tidb) step.risks.emplace_back("open connections to it are cut");
  step.batch = batch_for(c, set, false);
  finish_scale_in(live, std::move(step));
  return true;
}

void Engine::finish_scale_in(LiveSet& live, Line step) {
  const std::string pod = step.object;
  for (const std::string& claim_template : live.spec.claim_templates) {
    const std::string name = claim_name(claim_template, pod);
    step.substeps.push_back(fmt::format("mark claim {} for later deletion", name));
    step.commands.push_back(
        {CommandUse::Hand,
         kubectl(fmt::format("annotate pvc {} tidb.pingcap.com/pvc-defer-deleting=\"$(date "
                             "-u +%Y-%m-%dT%H:%M:%SZ)\"",
                             name))});
    const auto known = std::ranges::find(live_.claims, name, &Claim::name);
    if (known != live_.claims.end()) {
      known->deferred = true;
    } else {
      Claim claim;
      claim.name = name;
      claim.deferred = true;
      live_.claims.push_back(std::move(claim));
    }
  }
  if (step.evicts) step.substeps.emplace_back("remove the eviction scheduler");
  step.substeps.push_back(
      fmt::format("lower replicas of {} to {}", live.statefulset, step.replicas_after));
  step.waits.push_back(wait_for(fmt::format("pod {} is gone", pod)));
  const std::int64_t ordinal = step.ordinal;
  const bool awaits_majority = step.awaits_majority;
  live.replicas = step.replicas_after;
  emit(std::move(step));
  capacity_.remove(pod);
  std::erase_if(live.pods, [&](const LivePod& p) { return p.ordinal == ordinal; });
  hold_back(live);
  std::erase_if(live_.members, [&](const Member& m) { return m.name == pod; });
  if (awaits_majority) regain_majority(live_);
}

}  // namespace ballast::tidb
