// SPDX-License-Identifier: BSD-2-Clause
#include "set_places.hpp"

#include <algorithm>

#include "ballast/ganeti/model/ids_of.hpp"

namespace ballast::ganeti {

std::optional<Placement> told_place(InstanceId instance, const RebootGroup& group) {
  const auto told = std::ranges::find(group.moves, instance, &RebootPlacement::instance);
  if (told == group.moves.end()) return std::nullopt;
  return Placement{told->primary, told->secondary, 0};
}

std::vector<NodeId> set_targets(const Cluster& cluster, const State& state, InstanceId instance,
                                const RebootGroup& group) {
  const Placement& now = state[instance];
  std::vector<NodeId> targets;
  const auto add_target = [&](NodeId node) {
    const bool is_usable = !node.is_none() && node != now.primary && !cluster[node].is_offline &&
                           cluster[node].group == cluster[now.primary].group &&
                           std::ranges::find(group.nodes, node) == group.nodes.end();
    if (is_usable && std::ranges::find(targets, node) == targets.end()) targets.push_back(node);
  };
  if (const auto told = told_place(instance, group)) add_target(told->primary);
  add_target(now.secondary);
  for (const NodeId node : node_ids(cluster)) add_target(node);
  return targets;
}

std::optional<std::vector<std::pair<InstanceId, Placement>>> places_on(
    const Cluster& cluster, const State& state, NodeId target, const std::vector<InstanceId>& set,
    const RebootGroup& group, const RebootOptions& options) {
  std::vector<std::pair<InstanceId, Placement>> places;
  for (const InstanceId i : set) {
    const Placement& now = state[i];
    const auto told = told_place(i, group);
    const bool is_mirrored = has_secondary(cluster[i].disk_template);
    if (told && told->primary == target) {
      places.emplace_back(i, *told);
    } else if (is_mirrored && now.secondary == target && !options.offline_maintenance) {
      places.emplace_back(i, Placement{target, now.primary, 0});
    } else if (!is_mirrored && told) {
      places.emplace_back(i, Placement{target, NodeId(), 0});
    } else {
      return std::nullopt;
    }
  }
  return places;
}

std::set<NodeId> mirror_partners(const Cluster& cluster, const State& state, NodeId node) {
  std::set<NodeId> partners;
  const NodeState& now = state[node];
  for (const auto* held : {&now.primaries, &now.secondaries}) {
    for (const InstanceId i : *held) {
      const Placement& at = state[i];
      if (has_secondary(cluster[i].disk_template))
        partners.insert(at.primary == node ? at.secondary : at.primary);
    }
  }
  return partners;
}

}  // namespace ballast::ganeti
