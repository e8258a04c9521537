// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/planning/cluster_totals.hpp"
#include "ballast/ganeti/model/ids_of.hpp"

#include <algorithm>

#include "ballast/ganeti/score/metrics.hpp"

namespace ballast::ganeti {
namespace {

void add_node(ClusterTotals& totals, const Node& node, const NodeState& state) {
  const std::int64_t available = available_mem(node, state);
  totals.free_mem += unallocated_mem(node, state);
  totals.available_mem += available;
  totals.largest_available_mem = std::max(totals.largest_available_mem, available);

  const std::int64_t disk = state.free_disk < node.low_disk ? 0 : state.free_disk - node.low_disk;
  totals.free_disk += state.free_disk;
  totals.available_disk += disk;
  totals.largest_available_disk = std::max(totals.largest_available_disk, disk);

  totals.free_spindles += state.free_spindles;
  totals.inst_mem += state.inst_mem;
  totals.inst_disk += truncated(node.total_disk) - state.free_disk;
  totals.inst_spindles += node.total_spindles - state.free_spindles;
  totals.inst_cpus += state.used_cpu;
  totals.overhead_mem += state.lost_mem + node.node_mem;
  totals.total_mem += node.total_mem;
  totals.total_disk += node.total_disk;
  totals.total_spindles += static_cast<double>(node.total_spindles);
  totals.total_cpus += node.total_cpu;
  totals.virtual_cpus += floored(node.vcpu_ratio * node.total_cpu);
  totals.used_cpus += static_cast<double>(state.used_cpu) / node.vcpu_ratio;
  totals.instances += static_cast<std::int64_t>(state.primaries.size());
}

}  // namespace

ClusterTotals cluster_totals(const Cluster& cluster, const State& state) {
  ClusterTotals totals;
  for (const NodeId node : node_ids(cluster)) add_node(totals, cluster[node], state[node]);
  totals.score = full_score(cluster, state, whole_part(cluster).nodes);
  return totals;
}

}  // namespace ballast::ganeti
