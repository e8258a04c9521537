// SPDX-License-Identifier: BSD-2-Clause
// A new instance on its nodes: all that may stand in its way, for everybody who places one.
#pragma once

#include "ballast/ganeti/moves/node_ops.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"

namespace ballast::ganeti {

/// On the primary of `ref.placement`, whose state is `before`: policy, room, reserves, rules of
/// administrators. `is_joined`: its companions come along. `view` shows other nodes to the rules.
/// `after` becomes the state with it.
MaybeRefusal put_primary(const Cluster& cluster, const NodeState& before, const InstanceRef& ref,
                         Checks checks, bool is_joined, const NodeView& view, NodeState& after);
/// The same for its mirror on `node`, which no policy concerns.
MaybeRefusal put_secondary(const Cluster& cluster, NodeId node, const NodeState& before,
                           const InstanceRef& ref, Checks checks, bool is_joined,
                           const NodeView& view, NodeState& after);

}  // namespace ballast::ganeti
