// SPDX-License-Identifier: BSD-2-Clause
#include "group_state.hpp"

#include <algorithm>
#include <limits>

namespace ballast::tidb {

namespace {

/// Keeps those that are preferred, where there are any.
void prefer(std::vector<std::size_t>& left, const std::function<bool(std::size_t)>& preferred) {
  if (std::ranges::none_of(left, preferred)) return;
  std::erase_if(left, [&](std::size_t i) { return !preferred(i); });
}

bool counts(const Instance& instance) { return !instance.marked && !instance.offline; }

}  // namespace

std::int64_t GroupCounts::maximum() const { return desired + std::min(surge, outdated); }

GroupCounts counts_of(const GroupState& group) {
  GroupCounts result;
  for (const Instance& instance : group.instances) {
    if (!counts(instance)) continue;
    if (instance.pod.updated) {
      ++result.updated;
      if (!instance.pod.ready || instance.fresh) ++result.unavailable_updated;
    } else {
      ++result.outdated;
      if (!instance.pod.running) ++result.unavailable_outdated;
    }
  }
  result.desired = group.target();
  if (group.restarts && group.wished != nullptr) {
    result.surge = group.wished->max_surge;
    result.most_unavailable = 0;
  }
  return result;
}

Move next_move(const GroupCounts& counts) {
  if (counts.updated == counts.desired && counts.outdated == 0)
    return counts.unavailable_updated > 0 ? Move::Wait : Move::Finish;
  if (counts.actual() < counts.maximum()) return Move::Add;
  if (counts.actual() > counts.maximum())
    return counts.updated > counts.desired ? Move::RemoveUpdated : Move::MarkOutdated;
  if (counts.updated < counts.desired) {
    if (counts.unavailable_outdated > 0) return Move::UpdateBroken;
    return counts.available() <= counts.minimum() ? Move::Wait : Move::Update;
  }
  const bool is_short = counts.available() <= counts.minimum() && counts.unavailable_updated > 0;
  return is_short ? Move::Wait : Move::MarkOutdated;
}

bool is_short_after_removal(const GroupCounts& counts) {
  return counts.available() <= counts.minimum() &&
         !(counts.updated == counts.desired && counts.outdated == 0);
}

std::size_t weakest(const GroupState& group, bool updated, const std::string& leader,
                    const std::vector<std::size_t>& preferred) {
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < group.instances.size(); ++i) {
    const Instance& instance = group.instances[i];
    if (instance.pod.updated == updated && counts(instance)) left.push_back(i);
  }
  const auto pod = [&](std::size_t i) -> const LivePod& { return group.instances[i].pod; };
  prefer(left, [&](std::size_t i) { return std::ranges::find(preferred, i) != preferred.end(); });
  if (!leader.empty()) prefer(left, [&](std::size_t i) { return pod(i).name != leader; });
  prefer(left, [&](std::size_t i) { return !pod(i).running; });
  prefer(left, [&](std::size_t i) { return !pod(i).ready || group.instances[i].fresh; });
  constexpr auto kNone = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t lowest = kNone;
  for (const std::size_t i : left) lowest = std::min(lowest, pod(i).priority.value_or(kNone));
  prefer(left, [&](std::size_t i) { return pod(i).priority.value_or(kNone) == lowest; });
  return left.front();
}

std::vector<std::size_t> fullest(
    const GroupState& group, const std::vector<std::int64_t>& weights,
    const std::function<std::optional<std::size_t>(const Instance&)>& topology_of) {
  std::vector<std::vector<std::size_t>> of(weights.size());
  std::vector<std::size_t> elsewhere;
  for (std::size_t i = 0; i < group.instances.size(); ++i) {
    if (!counts(group.instances[i])) continue;
    const auto at = topology_of(group.instances[i]);
    (at ? of[*at] : elsewhere).push_back(i);
  }
  if (!elsewhere.empty()) return elsewhere;
  std::int64_t all = 0;
  std::int64_t weight = 0;
  for (std::size_t t = 0; t < of.size(); ++t) {
    all += static_cast<std::int64_t>(of[t].size());
    weight += weights[t];
  }
  std::vector<std::size_t> result;
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  for (std::size_t t = 0; t < of.size(); ++t) {
    if (of[t].empty()) continue;
    const auto held = static_cast<std::int64_t>(of[t].size());
    const std::int64_t here = held == 1 ? -static_cast<std::int64_t>(of.size()) : held;
    const std::int64_t above = here * weight - all * weights[t];
    if (above < most) continue;
    if (above > most) result.clear();
    most = above;
    result.insert(result.end(), of[t].begin(), of[t].end());
  }
  std::ranges::sort(result);
  return result;
}

}  // namespace ballast::tidb
