// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/strings.hpp"
#include "ballast/kube/quantity.hpp"
#include "ballast/tidb/search/basis/changes.hpp"
#include "ballast/tidb/search/basis/end_state.hpp"
#include "ballast/tidb/search/placement/group_spread.hpp"
#include "group_planner.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

Line GroupPlanner::make(Action action, const GroupState& group, std::string object,
                        std::string detail, std::string code, std::string reason) {
  Line step;
  step.action = action;
  step.component = group.component;
  step.set = group.spec().name;
  step.object = std::move(object);
  step.detail = std::move(detail);
  step.reason_code = std::move(code);
  step.reason = std::move(reason);
  step.bytes = 0;
  return step;
}

void GroupPlanner::emit(GroupState& group, Line step) {
  step.phase = phase_;
  group.end = phase_;
  out_.steps.push_back(std::move(step));
}

void GroupPlanner::warn(std::string code, std::string subject, std::string text) {
  add_warning(out_, std::move(code), std::move(subject), std::move(text));
}

/// The pod where its name is known, else all pods of the group.
std::string GroupPlanner::watch_of(const GroupState& group, const std::string& pod) const {
  if (!pod.ends_with('?')) return kubectl(fmt::format("get pod {} -o wide", pod));
  return kubectl(fmt::format("get pod -l pingcap.com/group={},pingcap.com/component={} -o wide",
                             group.spec().name, name_of(group.component)));
}

Instance GroupPlanner::fresh(GroupState& group) {
  Instance instance;
  instance.pod.name = fmt::format("{}-??????", group.spec().statefulset);
  if (!group.placed.empty()) {
    instance.key = group.placed.front().pod;
    instance.pod.node = group.placed.front().node;
    group.placed.erase(group.placed.begin());
  }
  if (!group.turns.empty()) {
    instance.topology = group.turns.front();
    group.turns.erase(group.turns.begin());
  }
  if (group.component == Component::Tikv) {
    Store store;
    store.pod = instance.pod.name;
    live_.stores.push_back(std::move(store));
  }
  if (group.component == Component::Pd) {
    Member member;
    member.name = instance.pod.name;
    live_.members.push_back(std::move(member));
  }
  return instance;
}

void GroupPlanner::create(GroupState& group) {
  const SetSpec& spec = *group.wished;
  const std::string code = input_.live.exists ? "NEW_SET" : "NEW_CLUSTER";
  if (group.component != Component::Tikv) {
    emit(group, make(Action::CreateService, group, spec.statefulset, "-", code,
                     "clients reach the group through it"));
  }
  emit(group, make(Action::CreateService, group, spec.statefulset + "-peer", "-", code,
                   "headless, gives the instances their names"));
  emit(group, make(Action::CreateConfigMap, group, spec.statefulset, "-", code,
                   "one per instance, from the group's config"));
  const bool first = group.component == Component::Pd && !spec.bootstrapped && !input_.live.exists;
  Line step = make(Action::CreateStatefulSet, group, spec.statefulset,
                   fmt::format("replicas {}", spec.replicas), code,
                   first ? "starts a new PD cluster with its replicas as initial number"
                         : "instances are created and join");
  step.count = spec.replicas;
  if (spec.replicas > 0)
    step.waits.push_back(wait_for(fmt::format("every instance of {} is Ready", spec.statefulset)));
  for (const Capacity::Placed& one : group.placed) {
    step.placements.push_back(fmt::format("{}-?????? on {}{}", spec.statefulset, one.node,
                                          one.volume.empty() ? "" : ", volume " + one.volume));
  }
  step.commands.push_back({CommandUse::Watch, watch_of(group, "?")});
  const std::size_t at = out_.steps.size();
  emit(group, std::move(step));
  for (std::int64_t i = 0; i < spec.replicas; ++i) group.instances.push_back(fresh(group));
  if (spec.replicas > 0 && !spec.spread.empty()) {
    out_.steps[at].substeps.push_back(
        fmt::format("spread by weight: {}", counts_text(spec.spread, spread_of(group))));
  }
  group.done = true;
}

void GroupPlanner::update_template(GroupState& group) {
  Line step = make(Action::UpdateTemplate, group, group.spec().statefulset,
                   fmt::format("fields {}", join(group.fields, ",")), "TEMPLATE_CHANGED",
                   "a new revision of the group; instances follow one by one");
  step.changes = template_changes(group.live->spec, group.spec(), Form::Groups);
  if (group.start > 1) {
    step.waits.push_back(
        wait_for(group.component == Component::Tikv
                     ? "PD and TiFlash are at the new version, healthy and up to date"
                     : "PD, TiFlash and TiKV are at the new version, healthy and up to date"));
  }
  step.commands.push_back(
      {CommandUse::Watch,
       kubectl(fmt::format("get {}group {}", name_of(group.component), group.spec().name))});
  emit(group, std::move(step));
}

/// Content that is reloaded in place.
void GroupPlanner::update_config(GroupState& group) {
  if (group.wished->config_rollout || group.live->spec.config_rollout) return;
  if (differing(group.live->spec.config, group.wished->config).empty()) return;
  Line step = make(Action::UpdateConfigMap, group, group.spec().statefulset, "-",
                   "TEMPLATE_CHANGED", "config is reloaded without a restart");
  step.changes = config_changes(group.live->spec, *group.wished, Form::Groups);
  emit(group, std::move(step));
}

void GroupPlanner::expand(GroupState& group) {
  const auto& now = group.live->spec.storage_bytes;
  const auto& then = group.wished->storage_bytes;
  if (!now || !then || *now == *then) return;
  const std::string change =
      fmt::format("{}->{}", kube::format_bytes(*now), kube::format_bytes(*then));
  if (*then < *now) {
    warn("W-STORAGE-SHRINK", group.spec().statefulset,
         fmt::format("storage {} is refused, nothing changes; the other way: a new group with the "
                     "wished storage, then drain the old one",
                     change));
    return;
  }
  for (const Instance& instance : group.instances) {
    const std::string claim = claim_name("data", instance.pod.name);
    Line step = make(Action::ExpandVolume, group, claim, change, "STORAGE_RAISED",
                     "the claim is enlarged in place, where its StorageClass allows it");
    step.changes = {{claim + ".spec.resources.requests.storage", kube::format_bytes(*now),
                     kube::format_bytes(*then)}};
    if (!claim.ends_with('?'))
      step.commands.push_back({CommandUse::Watch, kubectl("get pvc " + claim)});
    emit(group, std::move(step));
  }
}

GroupPlanner::Going GroupPlanner::add(GroupState& group) {
  // A store on its way out comes back before a new one is made.
  const auto leaving = std::ranges::find_if(group.instances, &Instance::offline);
  if (leaving != group.instances.end()) {
    leaving->offline = false;
    leaving->pod.updated = true;
    leaving->fresh = true;
    Line step = make(Action::ScaleOut, group, leaving->pod.name, "offline taken back",
                     "REPLICAS_RAISED", "its store has not left yet: the removal is taken back");
    step.replicas_before = step.replicas_after = group.existing();
    step.substeps.emplace_back("set spec.offline: false on the instance");
    step.commands.push_back({CommandUse::Watch, watch_of(group, step.object)});
    if (Store* store = store_of(group, *leaving)) store->state = StoreState::Up;
    emit(group, std::move(step));
    return true;
  }
  if (group.placed.empty() && group.turns.empty() && !place(group, 1)) return false;
  const std::int64_t count = group.existing();
  const GroupCounts counts = counts_of(group);
  const bool surges = counts.outdated > 0 && counts.actual() >= group.target();
  Instance instance = fresh(group);
  instance.fresh = true;
  Line step = make(
      Action::ScaleOut, group, instance.pod.name, fmt::format("replicas {}->{}", count, count + 1),
      surges ? "TEMPLATE_CHANGED" : "REPLICAS_RAISED",
      surges ? "the surge of the roll-out: one more instance until it is done"
             : "one instance more, on the newest template; all new ones are created at once");
  step.replicas_before = count;
  step.replicas_after = count + 1;
  if (instance.topology) {
    std::vector<std::int64_t> spread = spread_of(group);
    ++spread[*instance.topology];
    step.substeps.push_back(fmt::format("comes to {}, then: {}",
                                        name_of(group.spec().spread[*instance.topology]),
                                        counts_text(group.spec().spread, spread)));
  }
  step.waits.push_back(wait_for("the new instance is Ready", "", "",
                                input_.desired.min_ready_s[index_of(group.component)]));
  step.commands.push_back({CommandUse::Watch, watch_of(group, instance.pod.name)});
  emit(group, std::move(step));
  group.instances.push_back(std::move(instance));
  return true;
}

/// Outdated and one too many: it goes when the roll-out is done.
GroupPlanner::Going GroupPlanner::mark(GroupState& group, std::size_t index) {
  Instance& instance = group.instances[index];
  const Component c = group.component;
  if (c == Component::Tikv && !may_remove_store(group, instance)) return false;
  if (c == Component::Pd && !may_remove_member(group, instance)) return false;
  took_available_ = instance.pod.running;
  instance.marked = true;
  Line step = make(Action::MarkInstance, group, instance.pod.name, "-",
                   group.live->replicas <= group.target() ? "TEMPLATE_CHANGED" : "REPLICAS_LOWERED",
                   "one too many and outdated: marked now, deleted when the roll-out is done");
  step.substeps.emplace_back("annotate the instance with core.pingcap.com/defer-delete");
  step.commands.push_back({CommandUse::Watch, watch_of(group, instance.pod.name)});
  emit(group, std::move(step));
  return true;
}

void GroupPlanner::drain(const GroupState& group, const Instance& instance, Line& step) {
  const Store* known = live_.store_of(instance.pod.name);
  if (known != nullptr && known->state == StoreState::Tombstone) {
    step.substeps.emplace_back("delete the instance and its claims, for its store is gone");
    return;
  }
  Store* store = store_of(group, instance);
  const bool offline = store != nullptr && store->state == StoreState::Offline;
  if (!offline) step.substeps.emplace_back("set spec.offline: true on the instance");
  step.substeps.emplace_back(
      "wait until its store is Removed (reversible until then by raising replicas)");
  step.substeps.emplace_back("delete the instance and its claims");
  step.bytes =
      store != nullptr && store->pod == instance.pod.name ? store->used_bytes : std::nullopt;
  if (store != nullptr) store->state = StoreState::Tombstone;
}

GroupPlanner::Going GroupPlanner::remove(GroupState& group, std::size_t index) {
  const Component c = group.component;
  const Instance instance = group.instances[index];
  took_available_ = instance.pod.ready && !instance.fresh;
  if (c == Component::Tikv && !may_remove_store(group, instance)) return false;
  if (c == Component::Pd && !may_remove_member(group, instance)) return false;
  const std::int64_t total = group.existing();
  const bool surge =
      group.wished != nullptr && instance.marked && group.live->replicas <= group.target();
  Line step = make(Action::ScaleIn, group, instance.pod.name,
                   fmt::format("replicas {}->{}", total, total - 1),
                   group.wished == nullptr ? "SET_REMOVED"
                   : surge                 ? "TEMPLATE_CHANGED"
                                           : "REPLICAS_LOWERED",
                   instance.marked    ? "marked before; the roll-out is done"
                   : instance.offline ? "its store is offline already"
                                      : "weakest instance first: fullest topology, not leader, not "
                                        "running, not Ready; all that leave go at once");
  step.replicas_before = total;
  step.replicas_after = total - 1;
  if (c == Component::Tikv) drain(group, instance, step);
  if (c == Component::Pd) {
    step.substeps = {"if it is leader: transfer to the peer healthy longest", "delete the member"};
    if (const Member* member = member_of(group, instance)) {
      if (live_.leader == member->name) live_.leader.clear();
      live_.members.erase(live_.members.begin() + (member - live_.members.data()));
    }
  }
  step.waits.push_back(wait_for("the instance is gone"));
  step.commands.push_back({CommandUse::Watch, watch_of(group, instance.pod.name)});
  capacity_.remove(instance.pod.name);
  capacity_.remove(instance.key);
  emit(group, std::move(step));
  group.instances.erase(group.instances.begin() + static_cast<std::ptrdiff_t>(index));
  return true;
}

GroupPlanner::Going GroupPlanner::update(GroupState& group, bool broken) {
  const Component c = group.component;
  Instance& instance = group.instances[weakest_of(group, false, false)];
  if (c == Component::Pd && !may_restart_member(group, instance)) return false;
  Line step = make(Action::RestartPod, group, instance.pod.name, "-",
                   group.fields.empty() ? "ROLLING_CONTINUES" : "TEMPLATE_CHANGED",
                   broken ? "outdated and not running: updated at once"
                          : "outdated; updated in place, those that are not well first");
  if (c == Component::Pd) {
    step.substeps.emplace_back("if it is leader: transfer to the peer healthy longest");
    if (Member* member = member_of(group, instance)) member->healthy = true;
    if (live_.leader == instance.pod.name) live_.leader.clear();
  }
  if (c == Component::Tikv) {
    step.substeps.emplace_back("wait until no other store is down");
    step.substeps.emplace_back("evict its leaders");
    for (const Store& store : live_.stores) {
      if (store.tiflash || store.pod == instance.pod.name || store.state != StoreState::Down)
        continue;
      step.waits.push_back(wait_for("no store is down", "no store down",
                                    fmt::format("store {} of {} is Down", store.id, store.pod)));
    }
    if (Store* store = store_of(group, instance);
        store != nullptr && store->state != StoreState::Offline)
      store->state = StoreState::Up;
  }
  step.waits.push_back(
      wait_for("the instance is Ready", "", "", input_.desired.min_ready_s[index_of(c)]));
  step.commands.push_back({CommandUse::Watch, watch_of(group, instance.pod.name)});
  step.node = capacity_.node_of(instance.pod.name);
  emit(group, std::move(step));
  instance.pod.updated = true;
  instance.fresh = true;
  return true;
}

}  // namespace ballast::tidb
