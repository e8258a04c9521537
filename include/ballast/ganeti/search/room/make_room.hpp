// SPDX-License-Identifier: BSD-2-Clause
// Room for an instance that does not exist yet: the fewest moves after which the allocator finds a
// place for it, and among these the smallest.
#pragma once

#include "ballast/ganeti/search/allocate/allocator.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"

namespace ballast::ganeti {

struct MakeRoomOptions {
  std::size_t most_moves = 5;
  AllocatorOptions how;  ///< how the allocator is asked
  /// Nodes that instances are moved off although the wanted one fits there: global N+1.
  std::vector<NodeId> also_from;
};

struct MakeRoomResult {
  bool is_found = false;      ///< the allocator accepts the instance after the steps
  BalanceResult plan;         ///< no steps: it fits as things are, or nothing was found
  std::vector<NodeId> nodes;  ///< where the allocator would put it: primary, then secondary if any
};

/// The disks of the instance that `question` is about have resolved units where storage counts.
/// Moves keep all rules that `options` leave in force. One move: all that take something off the
/// most promising nodes are tried. More: the most promising sequences are kept from move to move,
/// so that a shorter or smaller plan can be missed, and none found does not prove that there is
/// none. Smaller: fewer MiB to copy, then less memory moved. Deterministic.
MakeRoomResult make_room(const Cluster& cluster, const State& state, const Part& part,
                         const BalanceOptions& options, const AllocateRequest& question,
                         const MakeRoomOptions& room = {});

}  // namespace ballast::ganeti
