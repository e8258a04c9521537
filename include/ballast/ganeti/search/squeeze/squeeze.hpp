// SPDX-License-Identifier: BSD-2-Clause
// Which nodes can be switched off, or must be switched on, so that every node still takes an
// instance of a given size.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/model/refusal.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"

namespace ballast::ganeti {

struct SqueezeOptions {
  double minimal_resources = 2;  ///< x the standard instance: below it, nodes are switched on
  double target_resources =
      2;  ///< x the standard instance: as long as it is kept, nodes are switched off
  /// Nodes with places of forthcoming instances stay on (the reference does not see those places).
  bool keeps_reserved = false;
};

enum class SqueezeAction { Nothing, Expand, Squeeze };

/// Why a set of nodes cannot be switched: an instance would be left on an offline node, or a node
/// would not take the reference instance.
struct SqueezeObstacle {
  InstanceId stranded;  ///< none: `node` does not take the reference instance
  NodeId node;
  Refusal refusal;
};

struct SqueezePlan {
  std::vector<NodeId> offline_candidates;  ///< fullest first
  std::vector<NodeId> online_candidates;   ///< in index order
  SqueezeAction action = SqueezeAction::Nothing;
  bool is_enough = true;      ///< false: expanding with every candidate does not reach the minimum
  std::vector<NodeId> nodes;  ///< to switch, in the order of the candidates
  Cluster cluster;            ///< with the flags of `nodes` switched
  BalanceResult balance;  ///< the moves that go with it; none for Nothing, then `balance.state` is
                          ///< the loaded one
  std::vector<std::pair<NodeId, SqueezeObstacle>>
      kept;  ///< candidates that stay on, in the order in which they were tried
  /// With keeps_reserved: nodes that are no candidates, and a forthcoming instance of each.
  std::vector<std::pair<NodeId, InstanceId>> reserved;
  std::optional<SqueezeObstacle> cause;     ///< why it must be expanded
  std::optional<SqueezeObstacle> shortage;  ///< what is missing where is_enough is false
  /// Where is_enough is false: the largest --minimal-resources for which it would be; none: for
  /// none.
  std::optional<double> enough_for;
  bool reference_would_die = false;  ///< a mirrored instance without a secondary got in the way
};

/// Some node that is to be switched off has a place for a forthcoming instance.
bool takes_reserved_places(const SqueezePlan& plan, const State& state);

/// The whole cluster counts as one set: moves may cross groups (a quirk that is kept).
SqueezePlan plan_squeeze(const Cluster& cluster, const State& state, const SqueezeOptions& options);

}  // namespace ballast::ganeti
