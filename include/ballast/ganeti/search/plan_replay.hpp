// SPDX-License-Identifier: BSD-2-Clause
// Plans that were made earlier, perhaps on another snapshot: replay, what is left of them, the way
// back.
#pragma once

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/model/move.hpp"
#include "ballast/plan/replay.hpp"

#include <tl/expected.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ballast::ganeti {

/// A plan's step in terms of the model. No instance: the step changes no placement (a reboot, a
/// power switch).
struct ResolvedStep {
  InstanceId instance;
  Placement from;
  Placement to;
  Move move;
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

/// The one move that leads from a placement to another; none where there is no such move.
std::optional<Move> move_between(const Placement& from, const Placement& to);

/// State of a cluster under replay. The cluster must outlive it.
class PlanState final : public plan::ReplayState {
 public:
  /// `nodes`: where margins are looked for. `force` lifts the soft checks, as --ignore-soft-errors
  /// does.
  PlanState(const Cluster& cluster, State start, std::vector<NodeId> nodes, bool force);

  std::optional<plan::Problem> apply(const plan::Step& step) override;
  /// Free memory beyond what is reserved for the failure of another node, and free disk (of the
  /// units that count), in bytes.
  [[nodiscard]] std::vector<plan::Margin> margins() const override;
  [[nodiscard]] const State& state() const { return state_; }

 private:
  StepResolver resolver_;
  State state_;
  std::vector<NodeId> nodes_;
  bool force_;
};

/// One entry per step: has it been made already? An instance's steps are made in order, so its
/// placement tells how many are; where it tells several numbers, the least counts. Problems: steps
/// whose instance is in no state that the plan knows.
struct PlanProgress {
  std::vector<bool> is_done;
  std::vector<plan::StepProblem> problems;
};
PlanProgress progress_of(const Cluster& cluster, const State& state, const plan::Plan& plan);

/// The way back from the end of `plan`: its moves reversed, last first, with commands and costs.
/// Problems where a step has no move back.
tl::expected<plan::Plan, std::vector<plan::StepProblem>> reversed_plan(const Cluster& cluster,
                                                                       const plan::Plan& plan);

}  // namespace ballast::ganeti
