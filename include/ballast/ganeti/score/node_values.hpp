// SPDX-License-Identifier: BSD-2-Clause
// What one node contributes to each metric.
#pragma once

#include <algorithm>
#include <optional>

#include "ballast/ganeti/score/metrics.hpp"

namespace ballast::ganeti {

/// The node's value for each metric; 0 for the tag map, which has no
/// single value. The values of both scopes are filled in: which of them count is decided by
/// Node::is_offline.
PerMetric<double> node_values(const Node& node, const NodeState& state);

/// Free fraction of the node's unit of that type and key, as the storage metric sees it.
struct UnitFraction {
  double now = 0;
  double forth = 0;
};
/// None: the node has no such unit.
std::optional<UnitFraction> unit_fraction(const Cluster& cluster, const Node& node,
                                          const NodeState& state, StorageKeyId unit);

/// The units that at least one online node of the set holds, by type, then key.
std::vector<StorageKeyId> scored_units(const Cluster& cluster, std::span<const NodeId> nodes);

/// Count of merged (location tag, exclusion tag) pairs beyond the first of each, over the online
/// nodes; `state_of(NodeId)` gives the state to look at.
template <class StateOf>
double location_exclusion_value(const Cluster& cluster, std::span<const NodeId> nodes,
                                StateOf&& state_of) {
  std::vector<std::pair<TagId, TagId>> keys;
  std::int64_t count = 0;
  for (const NodeId node : nodes) {
    if (cluster[node].is_offline) continue;
    for (const auto& [key, times] : state_of(node).location_exclusions) {
      keys.push_back(key);
      count += times;
    }
  }
  std::sort(keys.begin(), keys.end());
  const auto unique = std::unique(keys.begin(), keys.end()) - keys.begin();
  return static_cast<double>(count - unique);
}

}  // namespace ballast::ganeti
