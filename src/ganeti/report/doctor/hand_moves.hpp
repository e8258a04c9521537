// SPDX-License-Identifier: BSD-2-Clause
// What moving by hand would gain: instances that no balancer may move, taken offline, copied and
// started elsewhere.
#pragma once

#include <span>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti {

struct HandMove {
  InstanceId instance;
  NodeId from;
  NodeId to;
  std::int64_t copied_mib = 0;
};

struct HandMoves {
  std::vector<HandMove> moves;
  double score_before = 0;
  double score_after = 0;
};

/// Step by step the move that lowers the score most, of equals the first; at most `most` moves,
/// each worth at least `min_gain`. The same rules of fit as for any move.
HandMoves move_by_hand(const Cluster& cluster, const State& state, const Part& part,
                       std::span<const InstanceId> instances, std::size_t most, double min_gain);

}  // namespace ballast::ganeti
