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

}  // namespace

MoveKinds mirrored_kinds(const BalanceOptions& options, bool is_primary_online,
                         bool is_secondary_online) {
  using enum MoveKind;
  const bool can_failover = options.instance_moves && is_secondary_online;
  MoveKinds result;
  result.failover = can_failover;
  if (!options.disk_moves) return result;
  if (!options.instance_moves || (options.restricted_migration && is_primary_online)) {
    result.count = 1;
    result.kinds = {ReplaceSecondary};
  } else if (!can_failover) {
    result.count = 2;
    result.kinds = {ReplaceSecondary, ReplaceAndFailover};
  } else if (options.restricted_migration) {
    result.count = 3;
    result.kinds = {ReplaceSecondary, ReplaceAndFailover, FailoverAndReplace};
  } else {
    result.count = 4;
    result.kinds = {ReplaceSecondary, ReplaceAndFailover, ReplacePrimary, FailoverAndReplace};
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
  MoveKinds result;
  switch (mirroring_of(cluster[id].disk_template)) {
    case Mirroring::None:
      break;
    case Mirroring::External:
      if (options.instance_moves) {
        result.count = 1;
        result.kinds = {MoveKind::FailoverToAny};
      }
      break;
    case Mirroring::Internal:
      result = mirrored_kinds(options, !cluster[state[id].primary].is_offline,
                              is_secondary_online(cluster, state[id]));
      break;
  }
  return result;
}

std::vector<NodeId> target_nodes(const Cluster& cluster, const Part& part) {
  std::vector<NodeId> targets;
  for (const NodeId node : part.nodes) {
    if (!cluster[node].is_offline) targets.push_back(node);
  }
  return targets;
}

}  // namespace ballast::ganeti
