// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/balance/candidates.hpp"

namespace ballast::ganeti {

namespace {

bool is_offline(const Cluster& cluster, NodeId node) {
  return !node.is_none() && cluster[node].is_offline;
}

// The secondary can take over. Where only one group is balanced, an instance with its secondary
// elsewhere is not movable at all.
bool is_secondary_online(const Cluster& cluster, const Placement& placement) {
  return !placement.secondary.is_none() && !cluster[placement.secondary].is_offline;
}

bool is_tried(const MoveKindRow& row, const BalanceOptions& options, bool is_primary_online,
              bool is_secondary_online) {
  if (row.has(Leg::Replace) && !options.disk_moves) return false;
  if ((row.has(Leg::Swap) || row.has(Leg::GoTo)) && !options.instance_moves) return false;
  if (row.legs.front() == Leg::Swap && !is_secondary_online) return false;
  if (!options.restricted_migration || row.restricted == Restricted::Yes) return true;
  return row.restricted == Restricted::OffOfflinePrimary && !is_primary_online;
}

}  // namespace

MoveKinds kinds_for(Mirroring mirroring, const BalanceOptions& options, bool is_primary_online,
                    bool is_secondary_online) {
  MoveKinds result;
  for (const MoveKindRow& row : kMoveKinds) {
    if (row.mirroring != mirroring ||
        !is_tried(row, options, is_primary_online, is_secondary_online))
      continue;
    if (row.has_target()) {
      result.kinds[static_cast<std::size_t>(result.count++)] = row.kind;
    } else {
      result.failover = true;
    }
  }
  return result;
}

bool is_considered(const Cluster& cluster, const State& state, const BalanceOptions& options,
                   InstanceId id) {
  const Instance& instance = cluster[id];
  if (!instance.is_movable || !instance.auto_balance) return false;
  if (!options.evacuation) return true;
  const Placement& placement = state[id];
  return is_offline(cluster, placement.primary) ||
         (has_secondary(instance.disk_template) && is_offline(cluster, placement.secondary));
}

MoveKinds move_kinds(const Cluster& cluster, const State& state, const BalanceOptions& options,
                     InstanceId id) {
  return kinds_for(mirroring_of(cluster[id].disk_template), options,
                   !is_offline(cluster, state[id].primary),
                   is_secondary_online(cluster, state[id]));
}

std::vector<NodeId> target_nodes(const Cluster& cluster, const Part& part) {
  std::vector<NodeId> targets;
  for (const NodeId node : part.nodes) {
    if (!cluster[node].is_offline) targets.push_back(node);
  }
  return targets;
}

}  // namespace ballast::ganeti
