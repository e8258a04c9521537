// SPDX-License-Identifier: BSD-2-Clause
// Taking from and giving back to a node's storage units, for the node operations alone.
#pragma once

#include "ballast/ganeti/model/unit_rules.hpp"
#include "ballast/ganeti/moves/node_ops.hpp"

namespace ballast::ganeti {

/// Which of a capacity's two figures an operation works on.
struct FreeFigure {
  std::int64_t Capacity::*free;
  std::int64_t Capacity::*excess;
  Rule UnitRule::*rule;  ///< which name a rule refuses under
};
extern const FreeFigure kRealFigure;
extern const FreeFigure kShadowFigure;

/// The node's capacity for `unit`, or -1.
std::int32_t capacity_index(const Node& node, StorageKeyId unit);

/// Gives the instance's space back to the units that it came from. Shared storage keeps its figure.
void give_units(const Node& node, NodeState& state, const Instance& instance,
                const FreeFigure& figure);
/// Takes it without looking: for the snapshot's own placements and where disks are ignored. A
/// missing unit is passed over.
void take_units(const Node& node, NodeState& state, const InstanceRef& instance,
                const FreeFigure& figure);
/// Takes disk by disk; the first that does not fit refuses.
MaybeRefusal fit_units(const Node& node, NodeId id, NodeState& state, const InstanceRef& instance,
                       const FreeFigure& figure);
/// Takes a new instance's shared disks from all nodes that have the unit, but for `except`.
void take_shared_storage(const Cluster& cluster, State& state, const InstanceRef& instance,
                         NodeId except, const FreeFigure& figure);
/// The rules that are asked once all disks are taken.
MaybeRefusal check_taken_units(const Node& node, NodeId id, const NodeState& state,
                               const InstanceRef& instance, const FreeFigure& figure);

}  // namespace ballast::ganeti
