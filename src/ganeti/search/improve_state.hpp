// SPDX-License-Identifier: BSD-2-Clause
// A state that moves forth and back, with its score and what it would cost to get there from the
// start.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ballast/ganeti/score/sheet.hpp"
#include "ballast/ganeti/search/candidates.hpp"

namespace ballast::ganeti {

/// Steps and copied MiB from one placement to another, by the shortest way.
struct Distance {
  int steps = 0;
  std::int64_t copied_mib = 0;
};
Distance distance(const Cluster& cluster, InstanceId instance, const Placement& from,
                  const Placement& to);

class WorkState {
 public:
  WorkState(const Cluster& cluster, const State& start, const Part& part,
            const BalanceOptions& options);

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] double score() const { return score_; }
  [[nodiscard]] const std::vector<NodeId>& targets() const { return targets_; }
  /// The kinds that the options allow for the instance now; the reference's rule for which
  /// instances take part is the caller's.
  [[nodiscard]] MoveKinds kinds(InstanceId instance) const {
    return move_kinds(cluster_, state_, options_, instance);
  }
  [[nodiscard]] bool allows(InstanceId instance, Move move) const;

  /// Makes the move where it is possible; false: nothing changed.
  bool make(InstanceId instance, Move move);
  /// Takes back the last moves that were made and not kept.
  void take_back();
  void keep() { made_.clear(); }
  /// The score that the move would give; none where it is impossible.
  [[nodiscard]] std::optional<double> score_after(InstanceId instance, Move move) const;

 private:
  struct Made {
    InstanceId instance;
    MoveEffect before;  ///< the nodes and the placement as they were
    double score;
  };
  const Cluster& cluster_;
  const BalanceOptions& options_;
  State state_;
  std::vector<NodeId> targets_;
  ScoreSheet sheet_;
  double score_ = 0;
  std::vector<Made> made_;
};

/// The steps from `start` to the wanted placements (by InstanceId), best value first; instances
/// that no feasible step brings nearer stay where they are. `never_worse`: only steps that lower
/// the score.
BalanceResult order_steps(const Cluster& cluster, const State& start, const Part& part,
                          const BalanceOptions& options, const std::vector<Placement>& wanted,
                          bool never_worse);

}  // namespace ballast::ganeti
