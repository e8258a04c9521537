// SPDX-License-Identifier: BSD-2-Clause
// One pass of the operator over a group: everything that it does before it waits.
#include "ballast/core/strings.hpp"
#include "ballast/tidb/search/basis/wellness.hpp"
#include "group_planner.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

/// What a pass may not do is found before its first step: the operator does all of it at once.
GroupPlanner::Going GroupPlanner::pass(GroupState& group) {
  const GroupState before = group;
  const Live live = live_;
  const Capacity capacity = capacity_;
  const std::size_t steps = out_.steps.size();
  const std::int64_t away = members_away_;
  if (run_pass(group)) return true;
  Line block = std::move(out_.steps.back());
  out_.steps.resize(steps);
  out_.steps.push_back(std::move(block));
  group = before;
  live_ = live;
  capacity_ = capacity;
  members_away_ = away;
  return false;
}

GroupPlanner::Going GroupPlanner::run_pass(GroupState& group) {
  settle(group);
  group.restarts = group.component == Component::Tidb && counts_of(group).outdated > 0;
  if (wait_until_available(group)) return true;
  const std::size_t first = out_.steps.size();
  for (;;) {
    const Move move = next_move(counts_of(group));
    if (move == Move::Wait) return wait_for_broken(group, first);
    if (move == Move::Finish) return finish(group, first);
    if (!take(group, move)) return false;
    const bool removes = move == Move::RemoveUpdated || move == Move::MarkOutdated;
    // The pass ends here; whether anything is left to wait for shows in the next one.
    if (removes && took_available_ && over_maximum_ && is_short_after_removal(counts_of(group)))
      return wait_for_broken(group, first);
  }
}

GroupPlanner::Going GroupPlanner::take(GroupState& group, Move move) {
  const GroupCounts counts = counts_of(group);
  over_maximum_ = counts.actual() > counts.maximum();
  switch (move) {
    case Move::Add:
      return add(group);
    case Move::Update:
    case Move::UpdateBroken:
      return update(group, move == Move::UpdateBroken);
    case Move::RemoveUpdated:
      return remove(group, weakest_of(group, true, true));
    default:
      return mark(group, weakest_of(group, false, true));
  }
}

/// What the last pass made is there by now, and so is what was coming up by itself meanwhile.
void GroupPlanner::settle(GroupState& group) {
  const bool has_waited = group.paused || std::ranges::any_of(group.instances, &Instance::fresh);
  group.paused = false;
  for (Instance& instance : group.instances) {
    LivePod& pod = instance.pod;
    const bool comes =
        instance.fresh ||
        (has_waited && stuck_because(pod, pod.not_ready_since, input_.options).empty());
    instance.fresh = false;
    if (!comes) continue;
    pod.ready = true;
    pod.running = true;
  }
}

/// A Ready instance that is not so for long enough holds the whole group back. True: it was waited.
bool GroupPlanner::wait_until_available(GroupState& group) {
  if (group.waited || group.wished == nullptr || !changes(group)) return false;
  group.waited = true;
  const std::int64_t wanted = input_.desired.min_ready_s[index_of(group.component)];
  const std::size_t before = out_.steps.size();
  for (const Instance& instance : group.instances) {
    const LivePod& pod = instance.pod;
    if (!pod.ready || !pod.ready_since || instance.marked) continue;
    const std::int64_t ready_for = input_.options.now - *pod.ready_since;
    if (ready_for >= wanted) continue;
    Line step = make(Action::Wait, group, pod.name, "ready", "ROLLING_CONTINUES",
                     fmt::format("it is Ready for {} s; nothing is done to the group before {} s",
                                 ready_for, wanted));
    step.until_ready = true;
    step.waits.push_back(wait_for(fmt::format("{} is Ready for {} s", pod.name, wanted),
                                  fmt::format("{} s", wanted), fmt::format("{} s", ready_for),
                                  wanted - ready_for));
    emit(group, std::move(step));
  }
  return out_.steps.size() > before;
}

/// The pass ends here. What it made will come; an instance that was broken before holds the group.
GroupPlanner::Going GroupPlanner::wait_for_broken(GroupState& group, std::size_t first) {
  // Whether anything is left to wait for shows in the next pass.
  if (out_.steps.size() > first) {
    group.paused = true;
    tell_dangers(group, first);
    return true;
  }
  for (Instance& instance : group.instances) {
    LivePod& pod = instance.pod;
    if (pod.ready || !pod.updated || instance.marked || instance.offline) continue;
    const std::string stuck = stuck_because(pod, pod.not_ready_since, input_.options);
    if (!stuck.empty() && !input_.options.assume_healthy) {
      const GroupCounts counts = counts_of(group);
      return block(group, pod.name, "B-UPGRADED-NOT-WELL",
                   counts.outdated == 0
                       ? "every instance must be Ready before the group is done"
                       : fmt::format("more than {} instances must be available before one is taken "
                                     "away",
                                     counts.minimum()),
                   stuck);
    }
    Line step = make(Action::Wait, group, pod.name, "ready", "ROLLING_CONTINUES",
                     stuck.empty() ? "it is not Ready yet, and nothing is taken away meanwhile"
                                   : fmt::format("taken as passing by itself: {}", stuck));
    step.until_ready = true;
    step.waits.push_back(wait_for(fmt::format("{} is Ready", pod.name)));
    step.commands.push_back({CommandUse::Watch, watch_of(group, pod.name)});
    emit(group, std::move(step));
    pod.ready = true;
    pod.running = true;
  }
  tell_dangers(group, first);
  return true;
}

/// All is as wished: what was marked goes, and a group that is no longer wished with it.
GroupPlanner::Going GroupPlanner::finish(GroupState& group, std::size_t first) {
  const auto leaves = [](const Instance& i) { return i.marked || i.offline; };
  for (;;) {
    const auto next = std::ranges::find_if(group.instances, leaves);
    if (next == group.instances.end()) break;
    if (!remove(group, static_cast<std::size_t>(next - group.instances.begin()))) return false;
  }
  tell_dangers(group, first);
  group.done = true;
  if (group.wished == nullptr) {
    emit(group,
         make(Action::DeleteStatefulSet, group, group.live->statefulset, "-", "SET_REMOVED",
              "the group is no longer wished and has no instances; its services go with it"));
  }
  return true;
}

/// Members or stores that leave in one pass, with what that leaves.
void GroupPlanner::tell_dangers(const GroupState& group, std::size_t first) {
  const Component c = group.component;
  std::vector<int> leaving;
  for (std::size_t i = first; i < out_.steps.size(); ++i) {
    if (out_.steps[i].action == Action::ScaleIn && out_.steps[i].set == group.spec().name)
      leaving.push_back(static_cast<int>(i) + 1);
  }
  const auto k = static_cast<std::int64_t>(leaving.size());
  if (k < 2 || c == Component::Tidb) return;
  std::string text;
  if (c == Component::Pd) {
    const auto after = static_cast<std::int64_t>(live_.members.size());
    const std::int64_t before = after + k;
    text = fmt::format(
        "{} PD members leave in one pass, {} -> {}: {} of {} make the majority, and {} would stay "
        "if "
        "all of them went before PD has let go of them; {}",
        k, before, after, before / 2 + 1, before, after,
        after < 3 ? "what stays survives no loss"
                  : fmt::format("{} of {} are needed then", after / 2 + 1, after));
  } else {
    const std::int64_t up = live_.up_stores();
    text = fmt::format(
        "{} stores go offline in one pass, {} Up stores -> {}, with {} copies of each "
        "region: up to {} copies of a region are on stores that leave at the same time",
        k, up + k, up, input_.max_replicas, std::min(k, input_.max_replicas));
  }
  out_.warnings.push_back({"W-LEAVE-TOGETHER",
                           severity_of("W-LEAVE-TOGETHER"),
                           std::move(text),
                           std::move(leaving),
                           {"", group.spec().statefulset, ""}});
}

}  // namespace ballast::tidb
