// SPDX-License-Identifier: BSD-2-Clause
// Plans that were made earlier, perhaps on another snapshot: replay, what is left of them, the way
// back.
#pragma once

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/moves/move.hpp"
#include "ballast/ganeti/moves/tier.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"
#include "ballast/plan/replay.hpp"

#include <tl/expected.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ballast::ganeti {

/// Actions of steps whose subject is a node.
inline constexpr std::string_view kReboot = "reboot";
inline constexpr std::string_view kPowerOff = "power_off";
inline constexpr std::string_view kPowerOn = "power_on";
/// Actions of steps whose subject is an instance that stays where it is.
inline constexpr std::string_view kStop = "stop";
inline constexpr std::string_view kStart = "start";

/// A plan's step in terms of the model: a move of an instance, something that is done to a node, or
/// neither: then `stays` is stopped or started where it is.
struct ResolvedStep {
  NodeId node;
  InstanceId instance;
  Placement from;
  Placement to;
  Move move;
  InstanceId stays;
  std::optional<Tier> tier = std::nullopt;  ///< its disks go there, and `move` means nothing
};

/// Names of a cluster, and what a plan's steps mean there.
class StepResolver {
 public:
  explicit StepResolver(const Cluster& cluster);

  [[nodiscard]] tl::expected<ResolvedStep, plan::Problem> resolve(const plan::Step& step) const;
  [[nodiscard]] const Cluster& cluster() const { return cluster_; }

 private:
  [[nodiscard]] tl::expected<Placement, plan::Problem> placement(const Value& value) const;

  const Cluster& cluster_;
  std::unordered_map<std::string_view, NodeId> nodes_;
  std::unordered_map<std::string_view, InstanceId> instances_;
};

/// In index order, each once.
std::vector<NodeId> touched_nodes(const ResolvedStep& step);

/// The move that leads an instance from a placement to another, where several do the one of that
/// action or else the first; none where there is no such move.
std::optional<Move> move_between(const Instance& instance, const Placement& from,
                                 const Placement& to, std::string_view action = {});

/// The steps of the present phase with the nodes that they touch. Steps of a phase may run at the
/// same time unless one waits for the other, directly or by way of others.
class SamePhase {
 public:
  /// The earlier step that may run at the same time and touches a node of this one, where one of
  /// the two is done to the node itself; none, and the step is remembered.
  std::optional<int> find_clash(const plan::Step& step, const std::vector<NodeId>& nodes);

 private:
  struct Use {
    int step;
    bool is_of_node;
    std::vector<NodeId> nodes;
    std::set<int> waited_for;  ///< directly and by way of others, within the phase
  };
  int phase_ = 0;
  std::vector<Use> uses_;
};

/// State of a cluster under replay.
class PlanState final : public plan::ReplayState {
 public:
  /// `nodes`: where margins are looked for. `force` lifts the soft checks, as --ignore-soft-errors
  /// does. Nodes that `plan` switches off count as offline from the start: nothing may move to
  /// them, and what leaves them is checked as if it had to.
  PlanState(Cluster cluster, State start, std::vector<NodeId> nodes, bool force,
            const plan::Plan& plan);

  /// Besides the rules of moves: a node that is switched off is not the master; a node that is
  /// rebooted is online, and of no mirrored instance do both nodes reboot in one phase; what is
  /// stopped is started later; what may
  /// run at the same time as a step on a node (same phase, no wait between them) does not touch it.
  std::optional<plan::Problem> apply(const plan::Step& step) override;
  /// Everything on a node that is switched off, places reserved for forthcoming instances
  /// included; what runs on a node that is rebooted and was not stopped by a step.
  [[nodiscard]] std::vector<std::string> at_stake(const plan::Step& step) override;
  /// Free memory beyond what is reserved for the failure of another node, and free disk (of the
  /// units that count), in bytes.
  [[nodiscard]] std::vector<plan::Margin> margins() const override;
  [[nodiscard]] const State& state() const { return state_; }
  /// With the flags of nodes that were switched on or off.
  [[nodiscard]] const Cluster& cluster() const { return cluster_; }
  [[nodiscard]] const StepResolver& resolver() const { return resolver_; }

 private:
  std::optional<plan::Problem> apply_move(const std::string& name, const ResolvedStep& step);
  std::optional<plan::Problem> apply_tier_change(const ResolvedStep& step);
  std::optional<plan::Problem> apply_to_node(const plan::Step& step, NodeId node);
  std::optional<plan::Problem> switch_power(NodeId node, bool on);
  std::optional<plan::Problem> reboot(NodeId node, int phase);
  std::optional<plan::Problem> stop_or_start(const plan::Step& step, InstanceId instance);
  [[nodiscard]] std::vector<InstanceId> held_by(NodeId node) const;
  [[nodiscard]] bool runs(InstanceId instance) const;

  Cluster cluster_;
  StepResolver resolver_;  ///< of cluster_
  State state_;
  std::vector<NodeId> nodes_;
  bool force_;
  std::vector<bool> is_on_;  ///< by NodeId
  int reboot_phase_ = 0;
  std::vector<NodeId> rebooting_;         ///< in that phase
  std::set<InstanceId> stopped_;          ///< by steps
  std::map<InstanceId, int> last_start_;  ///< by which step
  SamePhase same_phase_;
  JoinedMoves joined_;
};

/// One entry per step: has it been made already? None in the state whose fingerprint the plan has.
/// Else, where all that the plan touches is as after one number of steps, that many are: none if it
/// is as before the first, all if it is as after the last. Else (steps of one phase were made in
/// another order) each instance tells it of its own: its steps are made in order, and where its
/// placement tells several numbers, the least counts. A power switch is made where the node is as
/// it leaves it. A reboot, a stop and a start leave no trace: they count as not made. Steps up to
/// the number `made` count as made, as somebody says who knows. Problems: steps whose instance is
/// in no state that the plan knows.
struct PlanProgress {
  std::vector<bool> is_done;
  std::vector<plan::StepProblem> problems;
};
PlanProgress progress_of(const Cluster& cluster, const State& state, const plan::Plan& plan,
                         int made = 0);

/// The way back from the end of `plan`: its moves and power switches reversed, last first, with
/// commands and costs; reboots, stops and starts are left out. Problems where a step has no move
/// back.
tl::expected<plan::Plan, std::vector<plan::StepProblem>> reversed_plan(const Cluster& cluster,
                                                                       const plan::Plan& plan);

}  // namespace ballast::ganeti
