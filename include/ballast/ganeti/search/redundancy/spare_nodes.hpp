// SPDX-License-Identifier: BSD-2-Clause
// How many nodes a cluster can do without: the largest set that may be down at the same time, and
// the nodes that may leave for good, one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"

namespace ballast::ganeti {

/// Nodes of one group that may be down together: what_if() then leaves no instance down. Nodes that
/// are offline already count neither as down nor as places.
struct DownTogether {
  GroupId group;
  std::vector<NodeId> nodes;  ///< in index order
  std::size_t online = 0;     ///< nodes of the group that are up
  bool is_largest = false;  ///< every larger set was ruled out, taking it that a set with a set in
                            ///< it that leaves something down does so too
};

/// One for each group with online nodes. At most `most_tries` sets are played through in each.
std::vector<DownTogether> nodes_down_together(const Cluster& cluster, const State& state,
                                              std::size_t most_tries = 4000);

/// A node that leaves, with the moves that empty it first.
struct LeavingNode {
  NodeId node;
  std::vector<BalanceStep> steps;
  std::int64_t copied_mib = 0;
};

/// Why a node cannot leave.
struct KeptNode {
  enum class Why : std::uint8_t {
    InstanceStays,   ///< `instance` does not leave it
    LosesN1,         ///< `other` would lack memory for failovers
    CannotBeEmptied  ///< `other` could not be emptied any more
  };
  NodeId node;
  Why why = Why::InstanceStays;
  InstanceId instance;
  NodeId other;
};

struct Leaving {
  std::vector<LeavingNode> nodes;  ///< in order; each on the cluster without those before
  std::vector<KeptNode> kept;      ///< where fewer leave than were asked for: all others
};

/// The next `count` nodes that may leave for good: everything on them moves away by the rules of
/// balancing (mirrors are made anew), no node that is N+1 happy or can be emptied ceases to be. The
/// one with the fewest MiB to copy, then the fewest steps, goes first. A way that needs moves of
/// instances elsewhere is not looked for. `options` without evacuation, which is set here.
Leaving nodes_to_leave(const Cluster& cluster, const State& state, std::size_t count,
                       const BalanceOptions& options);

}  // namespace ballast::ganeti
