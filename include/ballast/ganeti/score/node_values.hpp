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

}  // namespace ballast::ganeti
