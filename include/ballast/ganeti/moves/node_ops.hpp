// SPDX-License-Identifier: BSD-2-Clause
// What adding and removing an instance does to a node: the only place where these rules live. Each
// works on a node state in place and, where it refuses, leaves the state in an unspecified
// condition (callers work on copies).
#pragma once

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/model/refusal.hpp"

namespace ballast::ganeti {

/// The instance's side of an operation: the constant part and the placement that the operation
/// believes in.
struct InstanceRef {
  InstanceId id;
  const Instance* instance;
  Placement placement;
  bool is_new = false;  ///< not in the snapshot: takes its space from shared storage too
};

void remove_primary(const Cluster& cluster, NodeId node, NodeState& state,
                    const InstanceRef& instance);
void remove_secondary(const Cluster& cluster, NodeId node, NodeState& state,
                      const InstanceRef& instance);

/// Which checks an addition makes. None is for asking what a forbidden move would give; free
/// figures can then fall below zero.
enum class Checks : std::uint8_t { All, Hard, None };

MaybeRefusal add_primary(const Cluster& cluster, NodeId node, NodeState& state,
                         const InstanceRef& instance, Checks checks);
MaybeRefusal add_secondary(const Cluster& cluster, NodeId node, NodeState& state,
                           const InstanceRef& instance, NodeId primary, Checks checks,
                           bool ignore_disks = false);

/// `force` lifts the soft checks.
inline MaybeRefusal add_primary(const Cluster& cluster, NodeId node, NodeState& state,
                                const InstanceRef& instance, bool force) {
  return add_primary(cluster, node, state, instance, force ? Checks::Hard : Checks::All);
}
/// `primary` is the node that the peer entry is for; `ignore_disks` lifts the node's free disk and
/// unit checks.
inline MaybeRefusal add_secondary(const Cluster& cluster, NodeId node, NodeState& state,
                                  const InstanceRef& instance, NodeId primary, bool force,
                                  bool ignore_disks = false) {
  return add_secondary(cluster, node, state, instance, primary, force ? Checks::Hard : Checks::All,
                       ignore_disks);
}

/// Attaching while loading: no checks, and the figures that the snapshot already accounts for stay.
void load_primary(const Cluster& cluster, NodeId node, NodeState& state,
                  const InstanceRef& instance);
void load_secondary(const Cluster& cluster, NodeId node, NodeState& state,
                    const InstanceRef& instance);

/// Peers of a secondary: the memory that it keeps for each primary. An entry goes before the first
/// that is not larger.
void set_peer(NodeState& state, NodeId primary, std::int64_t memory);
void erase_peer(NodeState& state, NodeId primary);

/// A new instance's shared disks take their space from the unit on every node; add_primary does it
/// for its own node (`except`). Nothing happens where the storage is not shared or does not count.
void take_shared_storage(const Cluster& cluster, State& state, const InstanceRef& instance,
                         NodeId except);

/// Whether the policy of `node` lets the instance in: some (min, max) pair holds it, and its
/// template is allowed. The failure is that of the first pair. NIC counts are not compared.
MaybeRefusal check_policy(const Cluster& cluster, NodeId node, const Instance& instance);

/// --reserve: a step may neither bring free disk below the reserve nor lower what is below already.
/// `before` and `after` frame the whole step, so that exchanging an instance's roles (which moves
/// no disk) is exempt. Never lifted by force.
MaybeRefusal check_reserve(const Cluster& cluster, NodeId node, const NodeState& before,
                           const NodeState& after);

/// Migration tags of `from` are a subset of what `to` can receive.
MaybeRefusal check_migration(const Cluster& cluster, NodeId from, NodeId to);
std::int64_t common_location_tags(const Node& a, const Node& b);
/// How many desired locations of the instance the node lacks.
std::int64_t location_deficit(const Instance& instance, const Node& node);

}  // namespace ballast::ganeti
