// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"
#include "ballast/tidb/search/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ballast::tidb {

/// Whether the pod is one of the wished ones, failover pods left out.
bool Engine::is_wished(Component c, const std::string& pod) const {
  const auto split = split_pod_name(pod);
  if (!split) return false;
  for (const SetSpec& spec : input_.desired.of(c)) {
    if (spec.statefulset != split->first) continue;
    return std::ranges::binary_search(ordinals(spec.replicas, spec.slots), split->second);
  }
  return false;
}

bool Engine::wished_pods_well(const SetSpec& spec, const LiveSet& live) const {
  // Before v1.1 the failover pods had to be well too.
  const std::int64_t count = v16() ? spec.replicas : target(spec.component, spec.name);
  return std::ranges::all_of(ordinals(count, spec.slots), [&](std::int64_t ordinal) {
    const LivePod* pod = live.pod(ordinal);
    return pod != nullptr && pod_well(spec.component, *pod);
  });
}

/// What the operator keeps of the records of a set.
std::vector<Failure> Engine::records_left(Component c, const std::string& set) const {
  const LiveSet& live = *running(c, set);
  const SetSpec& spec = *wished(c, set);
  if (c == Component::Tikv && !v16()) return live.failures;
  if (c != Component::Tikv && v16() && !input_.options.auto_failover) return live.failures;
  const bool allowed =
      c != Component::Tikv || spec.recover_failover ||
      spec.recover_by_uid == live_.failover_uid;  // both absent: statuses from before v1.3
  if (allowed && wished_pods_well(spec, live)) return {};
  std::vector<Failure> left = live.failures;
  if (c == Component::Tikv)
    std::erase_if(left, [&](const Failure& f) { return !is_wished(c, f.pod); });
  if (c == Component::Tidb && v16()) {
    std::erase_if(left, [&](const Failure& f) {
      const auto split = split_pod_name(f.pod);
      const LivePod* pod = split ? live.pod(split->second) : nullptr;
      return pod != nullptr && pod_well(c, *pod);
    });
  }
  return left;
}

void Engine::recover(Component c) {
  for (const std::string& set : order_[index_of(c)]) {
    LiveSet* live = running(c, set);
    if (live == nullptr || live->failures.empty()) continue;
    std::vector<Failure> left = records_left(c, set);
    const std::size_t dropped = live->failures.size() - left.size();
    if (dropped == 0) continue;
    std::vector<std::string> pods;
    for (const Failure& failure : live->failures) {
      if (std::ranges::find(left, failure.pod, &Failure::pod) == left.end())
        pods.push_back(failure.pod);
    }
    Line step =
        make(Action::FailoverClear, c, set, live->statefulset, fmt::format("records {}", dropped));
    step.count = static_cast<std::int64_t>(dropped);
    step.dropped = std::move(pods);
    step.reason_code = "FAILOVER_ENDED";
    step.reason = left.empty() && wished_pods_well(*wished(c, set), *live)
                      ? "all wished pods are well again"
                      : "their pods are well again or no longer wished";
    step.commands.push_back(
        {CommandUse::Watch,
         kubectl(fmt::format("get tc {} -o jsonpath='{{.status.{}}}'", cluster_, name_of(c)))});
    emit(std::move(step));
    live->failures = std::move(left);
  }
}

bool Engine::limit_reached(const SetSpec& spec, const LiveSet& live, const std::string& pod) {
  if (!v16() && spec.component != Component::Tidb) return false;
  const std::int64_t used = spec.component == Component::Pd
                                ? std::ranges::count_if(live.failures, &Failure::member_deleted)
                                : static_cast<std::int64_t>(live.failures.size());
  if (used < spec.max_failover) return false;
  std::vector<std::string>& left = unreplaced_[live.statefulset];
  if (std::ranges::find(left, pod) == left.end()) left.push_back(pod);
  std::erase_if(out_.warnings, [&](const plan::Warning& w) {
    return w.code == "W-FAILOVER-LIMIT" && w.subject.name == live.statefulset;
  });
  warn("W-FAILOVER-LIMIT", live.statefulset,
       fmt::format("failover pods used: {} of {}; {} {} failed, nothing more is replaced by "
                   "itself",
                   used, spec.max_failover, join(left, ", "),
                   of_count(left.size(), "stays", "stay")));
  return true;
}

/// Pods come and go by slots alone: the number of pods is as wished, so failures are dealt with in
/// the same pass.
bool Engine::changes_places(Component c) const {
  return v16() && std::ranges::any_of(order_[index_of(c)], [&](const std::string& set) {
           const LiveSet* live = running(c, set);
           return live != nullptr && live->replicas == target(c, set) && !additions(c, set).empty();
         });
}

Engine::Going Engine::fail_over(Component c) {
  if (!input_.options.auto_failover) return true;
  if (c == Component::Tikv) return fail_over_tikv();
  while (const auto set = c == Component::Pd ? fail_over_pd() : fail_over_tidb()) {
    if (!template_goes_along(c, *set)) return false;
    if (!scale_out_set(*wished(c, *set))) return false;
  }
  return stop_code_.empty();
}

/// All stores that are due are recorded in one pass.
Engine::Going Engine::fail_over_tikv() {
  const Component c = Component::Tikv;
  std::set<std::string> failed;
  for (const std::string& pod : due_stores()) {
    const auto split = split_pod_name(pod);
    for (const std::string& set : order_[index_of(c)]) {
      LiveSet* live = running(c, set);
      if (live == nullptr || live->statefulset != split->first) continue;
      const SetSpec& spec = *wished(c, set);
      if (spec.max_failover == 0 || limit_reached(spec, *live, pod)) continue;
      const Store& store = *live_.store_of(pod);
      Line step = make(Action::FailoverMark, c, set, pod, fmt::format("store {}", store.id));
      step.ordinal = split->second;
      step.reason_code = "PEER_FAILED";
      step.reason = fmt::format("store {} is Down for longer than {} s", store.id,
                                input_.options.failover_period_s[1]);
      step.store = store.id;
      step.substeps.push_back(
          fmt::format("record the store in status.tikv.failureStores of set {}", set));
      step.commands.push_back({CommandUse::Watch, pdctl(fmt::format("store {}", store.id))});
      step.commands.push_back(
          {CommandUse::Check,
           kubectl(
               fmt::format("get tc {} -o jsonpath='{{.status.tikv.failureStores}}'", cluster_))});
      emit(std::move(step));
      if (live_.failover_uid.empty()) live_.failover_uid = "(new)";
      Failure failure;
      failure.pod = pod;
      failure.id = store.id;
      live->failures.push_back(std::move(failure));
      failed.insert(set);
    }
  }
  for (const std::string& set : order_[index_of(c)]) {
    if (failed.contains(set) && !template_goes_along(c, set)) return false;
    if (!scale_out_set(*wished(c, set))) return false;
  }
  return true;
}

/// Pods of stores that are Down for long enough, by store id. A record without a time is left out.
std::vector<std::string> Engine::due_stores() {
  std::vector<std::string> pods;
  for (const Store& store : live_.stores) {
    if (store.state != StoreState::Down || store.tiflash || store.peer || !store.since) continue;
    if (input_.options.now - *store.since <= input_.options.failover_period_s[1] ||
        !is_wished(Component::Tikv, store.pod))
      continue;
    const auto recorded = [&](const LiveSet& set) {
      return std::ranges::find(set.failures, store.pod, &Failure::pod) != set.failures.end();
    };
    if (std::ranges::none_of(live_.of(Component::Tikv), recorded)) pods.push_back(store.pod);
  }
  return pods;
}

/// One member: marked, replaced, and a pod added by the caller.
std::optional<std::string> Engine::fail_over_pd() {
  const Component c = Component::Pd;
  for (const std::string& set : order_[index_of(c)]) {
    LiveSet* live = running(c, set);
    const SetSpec& spec = *wished(c, set);
    if (live == nullptr || spec.max_failover == 0) continue;
    for (const LivePod& pod : live->pods) {
      const Member* member = live_.member_of(pod.name);
      if (member == nullptr || member->healthy || !is_wished(c, pod.name)) continue;
      const auto record = std::ranges::find(live->failures, pod.name, &Failure::pod);
      if (record != live->failures.end() && record->member_deleted) continue;
      if (record == live->failures.end()) {
        if (!member->since ||
            input_.options.now - *member->since <= input_.options.failover_period_s[0])
          continue;
        if (limit_reached(spec, *live, pod.name)) continue;
      }
      if (!synced(c, set, pod.name)) return std::nullopt;
      if (record == live->failures.end()) {
        Line step =
            make(Action::FailoverMark, c, set, pod.name, fmt::format("member {}", member->id));
        step.ordinal = pod.ordinal;
        step.reason_code = "PEER_FAILED";
        step.reason = fmt::format("the member is unhealthy for longer than {} s",
                                  input_.options.failover_period_s[0]);
        step.substeps.emplace_back(
            "record the member in status.pd.failureMembers, memberDeleted false");
        step.commands.push_back({CommandUse::Watch, pdctl("health")});
        emit(std::move(step));
        Failure failure;
        failure.pod = pod.name;
        failure.id = member->id;
        live->failures.push_back(std::move(failure));
        replace_member(*live, live->failures.back());
      } else {
        replace_member(*live, *record);
      }
      return set;
    }
  }
  return std::nullopt;
}

void Engine::replace_member(LiveSet& live, Failure& failure) {
  const auto split = split_pod_name(failure.pod);
  Member* member = live_.member_of(failure.pod);
  Line step = make(Action::FailoverReplace, Component::Pd, live.name, failure.pod,
                   fmt::format("member {}", failure.id));
  step.ordinal = split ? split->second : -1;
  step.reason_code = "PEER_FAILED";
  step.reason = "the member gets an empty claim and joins anew under the same ordinal";
  step.substeps.push_back(fmt::format("delete member {}", failure.id));
  step.substeps.push_back(fmt::format("delete pod {}", failure.pod));
  for (const std::string& claim_template : live.spec.claim_templates) {
    step.substeps.push_back(
        fmt::format("delete claim {}", claim_name(claim_template, failure.pod)));
  }
  step.substeps.emplace_back("set memberDeleted: true");
  step.waits.push_back(
      wait_for(fmt::format("pod {} is there again and its member has joined", failure.pod)));
  step.commands.push_back({CommandUse::Watch, pdctl("member")});
  step.commands.push_back(
      {CommandUse::Hand, pdctl(fmt::format("member delete id {}", failure.id))});
  step.commands.push_back({CommandUse::Hand, kubectl(fmt::format("delete pod {}", failure.pod))});
  emit(std::move(step));
  failure.member_deleted = true;
  if (member != nullptr) member->healthy = true;
  if (LivePod* pod = split ? live.pod(split->second) : nullptr) {
    pod->ready = true;
    pod->waiting_reason.clear();
  }
  if (live_.leader == failure.pod) live_.leader.clear();
}

std::optional<std::string> Engine::fail_over_tidb() {
  const Component c = Component::Tidb;
  for (const std::string& set : order_[index_of(c)]) {
    LiveSet* live = running(c, set);
    const SetSpec& spec = *wished(c, set);
    if (live == nullptr || spec.max_failover == 0) continue;
    for (const LivePod& pod : live->pods) {
      // Failover pods that fail count as well, and so does a record without a time.
      if (pod.healthy) continue;
      if (pod.unhealthy_since &&
          input_.options.now - *pod.unhealthy_since <= input_.options.failover_period_s[2])
        continue;
      if (std::ranges::find(live->failures, pod.name, &Failure::pod) != live->failures.end())
        continue;
      if (!pod.scheduled) {
        note("N-NOT-SCHEDULED",
             fmt::format(
                 "{} has failed but has no node: one more pod would not help, nothing is added",
                 pod.name));
        continue;
      }
      if (limit_reached(spec, *live, pod.name)) continue;
      Line step = make(Action::FailoverMark, c, set, pod.name);
      step.ordinal = pod.ordinal;
      step.reason_code = "PEER_FAILED";
      step.reason =
          pod.unhealthy_since
              ? fmt::format("the member is unhealthy for longer than {} s",
                            input_.options.failover_period_s[2])
              : "the member is unhealthy, and its record has no time, so it counts at once";
      step.substeps.emplace_back("record the pod in status.tidb.failureMembers");
      watch_pod(step, pod.name);
      emit(std::move(step));
      Failure failure;
      failure.pod = pod.name;
      live->failures.push_back(std::move(failure));
      return set;
    }
  }
  return std::nullopt;
}

}  // namespace ballast::tidb
