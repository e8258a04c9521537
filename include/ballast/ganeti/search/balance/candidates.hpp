// SPDX-License-Identifier: BSD-2-Clause
// Which moves the balancer looks at, in the reference's order.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"

namespace ballast::ganeti {

/// The kinds of moves that are tried for one instance: the plain failover first, then for each
/// target node in index order `kinds` in order.
struct MoveKinds {
  bool failover = false;
  int count = 0;
  std::array<MoveKind, 4> kinds{};
};

/// Movable, balanced automatically and, for an evacuation, on an offline node.
bool is_considered(const Cluster& cluster, const State& state, const BalanceOptions& options,
                   InstanceId instance);
/// The same for a mirrored instance of which only this is known: whether its nodes are online.
MoveKinds mirrored_kinds(const BalanceOptions& options, bool is_primary_online,
                         bool is_secondary_online);
MoveKinds move_kinds(const Cluster& cluster, const State& state, const BalanceOptions& options,
                     InstanceId instance);
/// The part's online nodes in index order.
std::vector<NodeId> target_nodes(const Cluster& cluster, const Part& part);

}  // namespace ballast::ganeti
