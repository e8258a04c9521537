// SPDX-License-Identifier: BSD-2-Clause
// What planners of Ganeti clusters share when they turn moves into steps of a plan.
#pragma once

#include "ballast/core/value.hpp"
#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/moves/move.hpp"
#include "ballast/plan/plan.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::ganeti {

/// One move as step `n`: action, subject, placements, the check of the placement, commands, cost
/// and what has no mirror meanwhile. Phase, reason and waits are the planner's.
plan::Step move_step(const Cluster& cluster, int n, InstanceId instance, Move move,
                     const Placement& before, const Placement& after);

/// The action of a step that takes back a move, before that of the move.
inline constexpr std::string_view kUndo = "undo_";

/// Whether that action is the move, be the instance running or not; with kUndo before it, whether
/// it is one that can be taken back.
bool is_action_of(std::string_view action, Move move, const Instance& instance);

/// A shell command that succeeds where the instance is at this place.
std::string placement_check(const Cluster& cluster, InstanceId instance,
                            const Placement& placement);

/// primary and, where there is one, secondary: node names.
Value placement_value(const Cluster& cluster, const Placement& placement);

/// In index order, each once.
std::vector<NodeId> touched_nodes(const Placement& before, const Placement& after);

/// Steps that touch the same node cannot run at the same time, nor steps of instances that a rule
/// ties together over several nodes: remembers which step touched each node and rule last. A
/// program may start a step as soon as all that it waits for are done.
class NodeUse {
 public:
  explicit NodeUse(const Cluster& cluster)
      : cluster_(cluster),
        last_step_(cluster.nodes.size(), 0),
        last_of_rule_(cluster.rules.list.size(), 0) {}
  /// Step `n` touches these nodes and, where it moves one, this instance. A wait for each step that
  /// touched one of them last, the latest first; none for what another wait brings with it.
  std::vector<plan::Wait> touch(int n, const std::vector<NodeId>& nodes,
                                InstanceId instance = InstanceId());

 private:
  const Cluster& cluster_;
  std::vector<int> last_step_;                     ///< by NodeId; 0: none
  std::vector<int> last_of_rule_;                  ///< by RuleId; 0: none
  std::map<int, std::vector<bool>> steps_before_;  ///< by step: all that it waits for, by number
};

}  // namespace ballast::ganeti
