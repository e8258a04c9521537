// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/model/ids_of.hpp"

#include <algorithm>
#include <iterator>

namespace ballast::ganeti {

std::vector<Part> parts_of(const Cluster& cluster, const State& state) {
  std::vector<Part> parts(cluster.groups.size());
  for (const NodeId node : node_ids(cluster))
    parts[cluster[node].group.index()].nodes.push_back(node);
  for (const InstanceId id : instance_ids(cluster)) {
    const NodeId primary = state[id].primary;
    if (!primary.is_none()) parts[cluster[primary].group.index()].instances.push_back(id);
  }
  std::vector<Part> result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].nodes.empty()) continue;
    parts[i].group = GroupId(i);
    result.push_back(std::move(parts[i]));
  }
  return result;
}

Part part_of(const Cluster& cluster, const State& state, GroupId group) {
  Part part{group, {}, {}};
  for (const NodeId node : node_ids(cluster)) {
    if (cluster[node].group == group) part.nodes.push_back(node);
  }
  for (const InstanceId id : instance_ids(cluster)) {
    const NodeId primary = state[id].primary;
    if (!primary.is_none() && cluster[primary].group == group) part.instances.push_back(id);
  }
  return part;
}

Part whole_part(const Cluster& cluster) {
  Part part;
  std::ranges::copy(node_ids(cluster), std::back_inserter(part.nodes));
  std::ranges::copy(instance_ids(cluster), std::back_inserter(part.instances));
  return part;
}

}  // namespace ballast::ganeti
