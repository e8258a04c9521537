// SPDX-License-Identifier: BSD-2-Clause
// Which nodes can be switched off, or must be switched on, so that every node still takes an
// instance of a given size.
#pragma once

#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/search/balance.hpp"

namespace ballast::ganeti {

struct SqueezeOptions {
  double minimal_resources = 2;  ///< x the standard instance: below it, nodes are switched on
  double target_resources =
      2;  ///< x the standard instance: as long as it is kept, nodes are switched off
};

enum class SqueezeAction { Nothing, Expand, Squeeze };

struct SqueezePlan {
  std::vector<NodeId> offline_candidates;  ///< fullest first
  std::vector<NodeId> online_candidates;   ///< in index order
  SqueezeAction action = SqueezeAction::Nothing;
  bool is_enough = true;      ///< false: expanding with every candidate does not reach the minimum
  std::vector<NodeId> nodes;  ///< to switch, in the order of the candidates
  Cluster cluster;            ///< with the flags of `nodes` switched
  BalanceResult balance;  ///< the moves that go with it; none for Nothing, then `balance.state` is
                          ///< the loaded one
  bool reference_would_die = false;  ///< a mirrored instance without a secondary got in the way
};

/// The whole cluster counts as one set: moves may cross groups (a quirk that is kept).
SqueezePlan plan_squeeze(const Cluster& cluster, const State& state, const SqueezeOptions& options);

}  // namespace ballast::ganeti
