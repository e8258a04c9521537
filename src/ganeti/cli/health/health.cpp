// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/health/health.hpp"

#include <set>

namespace ballast::ganeti::cli {

BadNodes bad_nodes(const Cluster& cluster, const State& state, std::span<const NodeId> nodes) {
  BadNodes bad;
  std::set<InstanceId> instances;
  for (const NodeId node : nodes) {
    const NodeState& figures = state[node];
    if (cluster[node].is_offline || !figures.fails_n1) continue;
    bad.nodes.push_back(node);
    instances.insert(figures.primaries.begin(), figures.primaries.end());
    instances.insert(figures.secondaries.begin(), figures.secondaries.end());
  }
  bad.instance_count = instances.size();
  return bad;
}

std::vector<InstanceId> split_instances(const Cluster& cluster, const State& state) {
  std::vector<InstanceId> split;
  for (std::size_t i = 0; i < state.placements.size(); ++i) {
    const Placement& place = state.placements[i];
    if (!place.secondary.is_none() &&
        cluster[place.primary].group != cluster[place.secondary].group)
      split.emplace_back(i);
  }
  return split;
}

}  // namespace ballast::ganeti::cli
