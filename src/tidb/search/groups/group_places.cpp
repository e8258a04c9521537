// SPDX-License-Identifier: BSD-2-Clause
// Where the instances of groups stand and come to.
#include "ballast/tidb/search/placement/group_spread.hpp"
#include "group_planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ballast::tidb {

/// None where its node is not known, or is of no topology.
std::optional<std::size_t> GroupPlanner::topology_of(const GroupState& group,
                                                     const Instance& instance) const {
  if (instance.topology) return instance.topology;
  const Machine* node = capacity_.node(instance.pod.node);
  return node == nullptr ? std::nullopt : tidb::topology_of(group.spec().spread, *node);
}

/// How many instances each topology of the group holds.
std::vector<std::int64_t> GroupPlanner::spread_of(const GroupState& group) const {
  std::vector<std::int64_t> counts(group.spec().spread.size(), 0);
  for (const Instance& instance : group.instances) {
    if (const auto at = topology_of(group, instance)) ++counts[*at];
  }
  return counts;
}

bool GroupPlanner::is_spread_known(const GroupState& group) const {
  return !group.spec().spread.empty() &&
         std::ranges::all_of(group.instances, [&](const Instance& instance) {
           return instance.topology || capacity_.node(instance.pod.node) != nullptr;
         });
}

/// The operator looks at topologies where the group is spread by them, at whom to remove, and
/// (TiDB) at whom to update.
std::size_t GroupPlanner::weakest_of(const GroupState& group, bool updated, bool leaves) const {
  std::vector<std::size_t> preferred;
  if (leaves && is_spread_known(group)) {
    std::vector<std::int64_t> weights;
    for (const Topology& topology : group.spec().spread) weights.push_back(topology.weight);
    preferred = fullest(group, weights,
                        [&](const Instance& instance) { return topology_of(group, instance); });
  }
  return weakest(group, updated, group.component == Component::Pd ? live_.leader : "", preferred);
}

/// Finds nodes for the next `count` instances of the group: for all of them, or for none.
GroupPlanner::Going GroupPlanner::place(GroupState& group, std::int64_t count) {
  if (is_spread_known(group)) return place_by_weight(group, count);
  std::vector<std::string> keys;
  for (std::int64_t i = 1; i <= count; ++i)
    keys.push_back(fmt::format("{}-??????+{}", group.spec().statefulset, ++next_key_));
  const auto refusal = capacity_.add(group.spec(), keys, group.target(), group.placed);
  if (!refusal) return true;
  return refuse(group, fmt::format("{}-??????", group.spec().statefulset), "U-CAPACITY",
                "every new instance needs a node", refusal->text);
}

/// The operator pins each new instance to its topology.
GroupPlanner::Going GroupPlanner::place_by_weight(GroupState& group, std::int64_t count) {
  const std::vector<Topology>& spread = group.spec().spread;
  std::vector<std::int64_t> counts = spread_of(group);
  for (const std::size_t turn : group.turns) ++counts[turn];
  std::vector<Capacity::Placed> placed;
  std::vector<std::size_t> turns;
  for (std::int64_t i = 1; i <= count; ++i) {
    turns.push_back(emptiest(spread, counts));
    ++counts[turns.back()];
    SetSpec pinned = group.spec();
    for (const auto& [key, value] : spread[turns.back()].labels)
      pinned.placement.node_selector[key] = value;
    const std::string key = fmt::format("{}-??????+{}", group.spec().statefulset, ++next_key_);
    std::vector<Capacity::Placed> one;
    const auto refusal = capacity_.add(pinned, {key}, group.target(), one);
    if (refusal) {
      for (const Capacity::Placed& other : placed) capacity_.remove(other.pod);
      return refuse(group, fmt::format("{}-??????", group.spec().statefulset), "U-CAPACITY",
                    fmt::format("the next instance belongs to {} ({})",
                                name_of(spread[turns.back()]), counts_text(spread, counts)),
                    refusal->text);
    }
    std::ranges::move(one, std::back_inserter(placed));
  }
  std::ranges::move(placed, std::back_inserter(group.placed));
  group.turns.insert(group.turns.end(), turns.begin(), turns.end());
  return true;
}

}  // namespace ballast::tidb
