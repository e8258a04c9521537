// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/score/metrics.hpp"

#include <algorithm>

#include "ballast/ganeti/score/sheet.hpp"

namespace ballast::ganeti {

ScoreDetail score_detail(const Cluster& cluster, const State& state,
                         std::span<const NodeId> nodes) {
  return ScoreSheet(cluster, state, nodes).detail();
}

double full_score(const Cluster& cluster, const State& state, std::span<const NodeId> nodes) {
  return ScoreSheet(cluster, state, nodes).total();
}

double score_lower_bound(const Cluster& cluster, const State& state,
                         std::span<const NodeId> nodes) {
  if (nodes.size() < 2) return 0;
  double total = 0;
  double largest = cluster[nodes.front()].total_mem;
  std::int64_t reserved = 0;
  for (const NodeId node : nodes) {
    total += cluster[node].total_mem;
    largest = std::max(largest, cluster[node].total_mem);
    for (const auto& [primary, memory] : state[node].peers) reserved += memory;
  }
  const double less = total - largest;
  if (!(less > 0)) return 0;
  const auto demand = static_cast<double>(reserved);
  return weight_of(MetricId::ReservedTotal) * (demand / less - demand / total);
}

}  // namespace ballast::ganeti
