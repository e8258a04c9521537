// SPDX-License-Identifier: BSD-2-Clause
#include <limits>

#include "ballast/ganeti/score/candidates.hpp"
#include "ballast/ganeti/score/node_values.hpp"

namespace ballast::ganeti {

CandidateValues candidate_values(const Cluster& cluster, NodeId id, const NodeState& state,
                                 std::span<const StorageKeyId> columns) {
  constexpr double kLacks = std::numeric_limits<double>::quiet_NaN();
  const Node& node = cluster[id];
  CandidateValues values;
  values.metrics = node_values(node, state);
  for (const StorageKeyId unit : columns) {
    const auto fraction = unit_fraction(cluster, node, state, unit);
    values.units.push_back(fraction ? fraction->now : kLacks);
    values.forth_units.push_back(fraction ? fraction->forth : kLacks);
  }
  return values;
}

}  // namespace ballast::ganeti
