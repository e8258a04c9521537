// SPDX-License-Identifier: BSD-2-Clause
// A state that moves forth and back by steps that the model allows, with its score.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ballast/ganeti/moves/trial_state.hpp"
#include "ballast/ganeti/score/sheet.hpp"
#include "ballast/ganeti/search/balance/candidates.hpp"

namespace ballast::ganeti {

class WorkState {
 public:
  WorkState(const Cluster& cluster, const State& start, const Part& part,
            const BalanceOptions& options);

  [[nodiscard]] const State& state() const { return trial_.state(); }
  [[nodiscard]] double score() const { return score_ ? *score_ : sheet_.total(); }
  [[nodiscard]] const std::vector<NodeId>& targets() const { return targets_; }
  /// The kinds that the options allow for the instance now; none where it takes no part.
  [[nodiscard]] MoveKinds kinds(InstanceId instance) const {
    return is_considered(cluster_, state(), options_, instance)
               ? move_kinds(cluster_, state(), options_, instance)
               : MoveKinds{};
  }
  [[nodiscard]] bool allows(InstanceId instance, Move move) const;

  /// What the move would do; none where it is impossible.
  [[nodiscard]] std::optional<MoveEffect> effect(InstanceId instance, Move move) const;
  [[nodiscard]] double score_of(const MoveEffect& effect) const {
    return sheet_.total_with(std::span(effect.nodes).first(static_cast<std::size_t>(effect.count)));
  }
  /// Makes the move where it is possible; false: nothing changed.
  bool make(InstanceId instance, Move move);
  /// Takes back the last moves that were made and not kept.
  void take_back();
  void keep();
  /// The score that the move would give; none where it is impossible, or would not lead below
  /// `limit`, which is mostly told by running sums.
  [[nodiscard]] std::optional<double> score_below(double limit, InstanceId instance,
                                                  Move move) const;

 private:
  void count(Running& sums, std::span<const MoveEffect::Changed> changed) const;

  const Cluster& cluster_;
  const BalanceOptions& options_;
  TrialState trial_;
  std::vector<NodeId> targets_;
  ScoreSheet sheet_;
  Running sums_;  ///< of the state now; from scratch whenever moves are kept
  Running kept_sums_;
  std::optional<double> score_;  ///< none: not asked for since the last moves
  double kept_score_ = 0;
};

}  // namespace ballast::ganeti
