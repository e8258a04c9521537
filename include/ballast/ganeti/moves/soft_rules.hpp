// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/moves/move.hpp"
#include "ballast/ganeti/moves/node_ops.hpp"

namespace ballast::ganeti {

/// The soft rule that a move is made against: one that evaluate() lifts because it is forced, or
/// because the instance leaves an offline node. None: the move keeps all rules, or cannot be made.
MaybeRefusal soft_refusal(const Cluster& cluster, const State& state, InstanceId instance,
                          Move move);

}  // namespace ballast::ganeti
