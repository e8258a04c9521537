// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti {

std::vector<Part> parts_of(const Cluster& cluster, const State& state) {
  std::vector<Part> parts(cluster.groups.size());
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
    parts[cluster.nodes[i].group.index()].nodes.emplace_back(i);
  }
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const NodeId primary = state.placements[i].primary;
    if (!primary.is_none()) parts[cluster[primary].group.index()].instances.emplace_back(i);
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
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
    if (cluster.nodes[i].group == group) part.nodes.emplace_back(i);
  }
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const NodeId primary = state.placements[i].primary;
    if (!primary.is_none() && cluster[primary].group == group) part.instances.emplace_back(i);
  }
  return part;
}

Part whole_part(const Cluster& cluster) {
  Part part;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) part.nodes.emplace_back(n);
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) part.instances.emplace_back(i);
  return part;
}

}  // namespace ballast::ganeti
