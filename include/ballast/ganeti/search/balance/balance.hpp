// SPDX-License-Identifier: BSD-2-Clause
// The reference's balancing loop: in each round the move that lowers the score most, first of
// equals.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/moves/move.hpp"

namespace ballast::ganeti {

struct BalanceOptions {
  std::int64_t max_length = -1;  ///< negative: unlimited
  double min_score = 1e-9;
  bool stops_by_score = true;  ///< at min_score above the lower bound, and where the score is NaN
  double min_gain = 0.01;
  double min_gain_limit = 0.1;
  bool disk_moves = true;
  bool instance_moves = true;
  bool evacuation = false;  ///< only instances on offline nodes
  bool restricted_migration = false;
  bool ignore_soft_errors = false;
  int threads = 1;  ///< never changes the result
};

struct BalanceStep {
  InstanceId instance;
  Move move;
  Placement before;
  Placement after;
  double score = 0;  ///< after the step
  std::string
      purpose{};  ///< what it is for, where that is not the score: "mends ...", "brings ..."
};

enum class BalanceStop { LengthLimit, ScoreReached, NoBetterMove, GainTooSmall, ReferenceWouldDie };

struct BalanceResult {
  std::vector<BalanceStep> steps;
  State state;  ///< after the last step
  double score_before = 0;
  double score_after = 0;
  double lower_bound = 0;
  BalanceStop stop = BalanceStop::NoBetterMove;
};

/// Called after each accepted step (progress); may be empty.
using StepSeen = std::function<void(const BalanceStep&, std::size_t index)>;

/// `state` is the state before the first step, `part` the nodes and instances that take part.
/// Deterministic, whatever `threads` says.
BalanceResult balance(const Cluster& cluster, const State& state, const Part& part,
                      const BalanceOptions& options, const StepSeen& seen = {});

/// Job sets as the reference cuts them: from the last step to the first, sets in the order of
/// execution; each a range of step indices.
std::vector<std::vector<std::size_t>> job_sets(const Cluster& cluster,
                                               const std::vector<BalanceStep>& steps);

}  // namespace ballast::ganeti
