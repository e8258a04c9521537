// SPDX-License-Identifier: BSD-2-Clause
// Which moves the balancer looks at, in the reference's order.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/moves/kinds.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"

namespace ballast::ganeti {

/// The kinds of moves that are tried for one instance: the plain failover first, then for each
/// target node in index order `kinds` in order.
struct MoveKinds {
  bool failover = false;
  int count = 0;
  std::array<MoveKind, kMoveKinds.size()> kinds{};

  [[nodiscard]] std::span<const MoveKind> per_target() const {
    return std::span(kinds).first(static_cast<std::size_t>(count));
  }
};

/// Calls `visit` with each move of an instance in the reference's order; a target that the instance
/// is on already is passed over. Where `visit` returns a bool, false ends it, and is returned.
template <class Visit>
bool for_each_move(const MoveKinds& kinds, const Placement& placement,
                   std::span<const NodeId> targets, Visit&& visit) {
  const auto goes_on = [&visit](Move move) {
    if constexpr (std::is_same_v<decltype(visit(move)), bool>) {
      return visit(move);
    } else {
      visit(move);
      return true;
    }
  };
  if (kinds.failover && !goes_on({MoveKind::Failover, NodeId()})) return false;
  for (const NodeId target : targets) {
    if (target == placement.primary || target == placement.secondary) continue;
    for (const MoveKind kind : kinds.per_target()) {
      if (!goes_on({kind, target})) return false;
    }
  }
  return true;
}

/// Movable, balanced automatically and, for an evacuation, on an offline node.
bool is_considered(const Cluster& cluster, const State& state, const BalanceOptions& options,
                   InstanceId instance);
/// What the options let one try with instances of which only this is known.
MoveKinds kinds_for(Mirroring mirroring, const BalanceOptions& options, bool is_primary_online,
                    bool is_secondary_online);
MoveKinds move_kinds(const Cluster& cluster, const State& state, const BalanceOptions& options,
                     InstanceId instance);
/// The part's online nodes in index order.
std::vector<NodeId> target_nodes(const Cluster& cluster, const Part& part);

}  // namespace ballast::ganeti
