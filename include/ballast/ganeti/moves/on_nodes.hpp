// SPDX-License-Identifier: BSD-2-Clause
// The moves of an instance that is not the state's own, on nodes that somebody else keeps.
#pragma once

#include "ballast/ganeti/moves/move.hpp"

namespace ballast::ganeti {

/// Where a move finds the nodes as they are.
class NodeStates {
 public:
  virtual const NodeState& at(NodeId node) const = 0;

 protected:
  ~NodeStates() = default;
};

/// As evaluate(), but neither reserves nor unknown units are looked at. Nodes are looked up in the
/// order in which the reference needs them, which tells what it dies of.
tl::expected<MoveEffect, Refusal> evaluate_on(const Cluster& cluster, const NodeStates& nodes,
                                              const InstanceRef& instance, Move move,
                                              Checks checks);

}  // namespace ballast::ganeti
