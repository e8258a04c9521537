// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/words.hpp"
#include "ballast/tidb/search/basis/end_state.hpp"
#include "group_planner.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

GroupPlanner::Going GroupPlanner::block(const GroupState& group, const std::string& object,
                                        std::string code, std::string required,
                                        std::string observed) {
  if (code != "B-GATE") stop_code_ = code;
  Line step = make(Action::Blocked, group, object, "-", "", "");
  step.phase = phase_;
  out_.steps.push_back(
      blocked(std::move(step), std::move(code), std::move(required), std::move(observed)));
  return false;
}

GroupPlanner::Going GroupPlanner::refuse(const GroupState& group, const std::string& object,
                                         std::string code, std::string required,
                                         std::string observed) {
  if (!input_.options.allow_unsafe)
    return block(group, object, std::move(code), std::move(required), std::move(observed));
  out_.wave_through(code, object, required, observed);
  return true;
}

/// The store of an instance; of one without a known name, any of its group, those that are Up
/// first.
Store* GroupPlanner::store_of(const GroupState& group, const Instance& instance) {
  Store* any = nullptr;
  const std::string prefix = group.spec().statefulset + "-";
  for (Store& store : live_.stores) {
    if (store.tiflash || store.state == StoreState::Tombstone) continue;
    if (store.pod == instance.pod.name) return &store;
    const bool better =
        any == nullptr || (any->state != StoreState::Up && store.state == StoreState::Up);
    if (instance.pod.name.ends_with('?') && store.pod.starts_with(prefix) && better) any = &store;
  }
  return any;
}

Member* GroupPlanner::member_of(const GroupState& group, const Instance& instance) {
  Member* any = nullptr;
  const std::string prefix = group.spec().statefulset + "-";
  for (Member& member : live_.members) {
    if (member.name == instance.pod.name) return &member;
    const bool better = any == nullptr || (!any->healthy && member.healthy);
    if (instance.pod.name.ends_with('?') && member.name.starts_with(prefix) && better)
      any = &member;
  }
  return any;
}

/// The operator does not look at the quorum, and PD groups proceed at the same time: what other
/// groups take away in this phase counts.
GroupPlanner::Going GroupPlanner::may_restart_member(const GroupState& group,
                                                     const Instance& instance) {
  const Member* member = member_of(group, instance);
  const auto all = static_cast<std::int64_t>(live_.members.size());
  if (all > 0 && all < 3) {
    add_warning(out_, "W-PD-SMALL", "pd",
                fmt::format("{} cannot do without one: PD is away while one restarts",
                            counted(all, "PD member")));
  }
  if (member == nullptr || !member->healthy) return true;
  const std::int64_t others = live_.healthy_members() - members_away_ - 1;
  ++members_away_;
  if (all < 3 || others >= all / 2 + 1) return true;
  return refuse(group, instance.pod.name, "U-PD-QUORUM",
                fmt::format("while it restarts {} of {} members must be healthy", all / 2 + 1, all),
                members_away_ > 1 ? fmt::format("only {} would be: another PD group restarts an "
                                                "instance at the same time",
                                                others)
                                  : fmt::format("only {} would be", others));
}

/// Others of the group that are marked, whose member is healthy or whose store is Up: they leave as
/// well.
std::int64_t GroupPlanner::others_marked(const GroupState& group, const Instance& instance) {
  return std::ranges::count_if(group.instances, [&](const Instance& other) {
    if (!other.marked || other.offline || other.key == instance.key) return false;
    if (group.component == Component::Pd) {
      const Member* member = member_of(group, other);
      return member != nullptr && member->healthy;
    }
    const Store* store = store_of(group, other);
    return store != nullptr && store->state == StoreState::Up;
  });
}

GroupPlanner::Going GroupPlanner::may_remove_member(const GroupState& group,
                                                    const Instance& instance) {
  const Member* member = member_of(group, instance);
  if (member == nullptr) return true;
  const std::int64_t marked = others_marked(group, instance);
  const std::int64_t after = static_cast<std::int64_t>(live_.members.size()) - 1 - marked;
  const std::int64_t healthy =
      live_.healthy_members() - marked - members_away_ - (member->healthy ? 1 : 0);
  if (after <= 0 || healthy >= after / 2 + 1) return true;
  return refuse(
      group, instance.pod.name, "U-PD-QUORUM",
      fmt::format("after its removal {} of {} members must be healthy", after / 2 + 1, after),
      fmt::format("only {} would be", healthy));
}

GroupPlanner::Going GroupPlanner::may_remove_store(const GroupState& group,
                                                   const Instance& instance) {
  const Store* store = store_of(group, instance);
  const bool is_up = store != nullptr && store->state == StoreState::Up;
  const std::int64_t up = live_.up_stores() - others_marked(group, instance);
  const std::int64_t copies = input_.max_replicas;
  if (up > copies || (up == copies && !is_up)) return true;
  return refuse(
      group, instance.pod.name, "U-TIKV-MAXREPLICAS",
      fmt::format("more than {} Up stores for {} copies of each region, or a store that is not Up",
                  copies, copies),
      fmt::format("{}, {} copies wanted; its regions would have nowhere to go",
                  counted(up, "Up store"), copies));
}

}  // namespace ballast::tidb
