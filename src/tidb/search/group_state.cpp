// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/group_state.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace ballast::tidb {

namespace {

/// Keeps those that are preferred, where there are any.
void prefer(std::vector<std::size_t>& left, const std::function<bool(std::size_t)>& preferred) {
  if (std::ranges::none_of(left, preferred)) return;
  std::erase_if(left, [&](std::size_t i) { return !preferred(i); });
}

}  // namespace

std::int64_t GroupState::updated() const {
  return std::ranges::count_if(instances, [](const Instance& i) { return i.pod.updated; });
}

std::int64_t GroupState::available() const {
  return std::ranges::count_if(instances, [](const Instance& i) { return i.pod.ready; });
}

Move next_move(const GroupState& group) {
  const std::int64_t updated = group.updated();
  const std::int64_t outdated = group.outdated();
  if (updated == group.target() && outdated == 0) return Move::None;
  const bool surges = group.component == Component::Tidb && group.wished != nullptr;
  const std::int64_t surge = surges ? group.wished->max_surge : 0;
  const std::int64_t most = group.target() + std::min(surge, outdated);
  if (group.total() < most) return Move::Add;
  if (group.total() > most)
    return updated > group.target() ? Move::RemoveUpdated : Move::RemoveOutdated;
  if (updated < group.target() && !surges) return Move::Update;
  return Move::RemoveOutdated;
}

std::size_t weakest(const GroupState& group, bool updated, const std::string& leader,
                    const std::function<std::string(const Instance&)>& zone_of,
                    const std::function<std::int64_t(const std::string&)>& weight_of) {
  std::vector<std::size_t> left;
  std::map<std::string, std::int64_t> in_zone;
  for (std::size_t i = 0; i < group.instances.size(); ++i) {
    ++in_zone[zone_of(group.instances[i])];
    if (group.instances[i].pod.updated == updated) left.push_back(i);
  }
  const auto pod = [&](std::size_t i) -> const LivePod& { return group.instances[i].pod; };
  if (!in_zone.contains("")) {
    // Whether there are more in `a` for its weight than in `b`.
    const auto is_fuller = [&](const std::string& a, const std::string& b) {
      return in_zone[a] * weight_of(b) > in_zone[b] * weight_of(a);
    };
    std::string fullest = zone_of(group.instances[left.front()]);
    for (const std::size_t i : left) {
      if (const std::string zone = zone_of(group.instances[i]); is_fuller(zone, fullest))
        fullest = zone;
    }
    prefer(left, [&](std::size_t i) { return !is_fuller(fullest, zone_of(group.instances[i])); });
  }
  if (!leader.empty()) prefer(left, [&](std::size_t i) { return pod(i).name != leader; });
  prefer(left, [&](std::size_t i) { return !pod(i).running; });
  prefer(left, [&](std::size_t i) { return !pod(i).ready; });
  constexpr auto kNone = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t lowest = kNone;
  for (const std::size_t i : left) lowest = std::min(lowest, pod(i).priority.value_or(kNone));
  prefer(left, [&](std::size_t i) { return pod(i).priority.value_or(kNone) == lowest; });
  return left.front();
}

}  // namespace ballast::tidb
