// SPDX-License-Identifier: BSD-2-Clause
// Moves of one instance, as values; evaluating one never changes the state.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/moves/node_ops.hpp"

namespace ballast::ganeti {

enum class MoveKind : std::uint8_t {
  Failover,            ///< F: swap primary and secondary
  FailoverToAny,       ///< FA: shared storage, to any node
  ReplacePrimary,      ///< RP: failover, replace secondary, failover
  ReplaceSecondary,    ///< RS
  ReplaceAndFailover,  ///< RF: replace secondary, then failover
  FailoverAndReplace,  ///< FR: failover, then replace secondary
};

struct Move {
  MoveKind kind = MoveKind::Failover;
  NodeId target;  ///< none for Failover
  /// Of moves that take instances along which a rule keeps together, so that they are parted only
  /// in between: how many are left, this one included. 0: the move stands alone.
  std::int32_t joined = 0;
  friend bool operator==(const Move&, const Move&) = default;
};

/// The nodes that a move changes, in their state after it, and the instance's new placement.
struct MoveEffect {
  struct Changed {
    NodeId node;
    NodeState state;
  };
  std::array<Changed, 3> nodes;
  int count = 0;
  Placement placement;
};

/// A missing secondary where the reference dies (drbd without one): reason Internal, rule Internal.
tl::expected<MoveEffect, Refusal> evaluate(const Cluster& cluster, const State& state,
                                           InstanceId instance, Move move, bool force);
/// What would have to happen if a node failed: forced, and neither reserves nor unknown units stand
/// in the way, nor rules of administrators.
tl::expected<MoveEffect, Refusal> evaluate_emergency(const Cluster& cluster, const State& state,
                                                     InstanceId instance, Move move);
/// What a move would give if no rule forbade it; fails only where there is no secondary to work
/// with.
tl::expected<MoveEffect, Refusal> evaluate_unchecked(const Cluster& cluster, const State& state,
                                                     InstanceId instance, Move move);
void apply(State& state, InstanceId instance, MoveEffect&& effect);

/// "f r:node3 f": aliases.
std::string moves_text(const Cluster& cluster, Move move, const Placement& after);
/// How names stand in commands.
enum class Names : std::uint8_t {
  Quoted,     ///< for a shell, where they are not plainly harmless
  AsTheyAre,  ///< as the reference prints them
};
/// Commands without "gnt-instance ": "migrate -f inst1", "replace-disks -n node3 inst1".
std::vector<std::string> commands_of(const Cluster& cluster, InstanceId instance, Move move,
                                     const Placement& after, Names names = Names::Quoted);
/// Does the move copy the whole instance from node to node, stopped meanwhile: to any node, without
/// a mirror or shared storage (plain, file)? Only a reboot asks for such moves.
bool is_copied_whole(const Instance& instance, MoveKind kind);
/// MiB that the move copies over the network (full disks to each new mirror or new local place;
/// nothing for shared storage).
std::int64_t copied_mib(const Cluster& cluster, InstanceId instance, Move move);

}  // namespace ballast::ganeti
