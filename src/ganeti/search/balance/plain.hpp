// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "ballast/ganeti/score/sheet.hpp"
#include "ballast/ganeti/search/balance/step_finder.hpp"

namespace ballast::ganeti {

/// Looks at every candidate. With a sheet the score comes from it, without one from the whole
/// model.
class PlainFinder final : public StepFinder {
 public:
  PlainFinder(const Cluster& cluster, const State& state, const Part& part,
              const BalanceOptions& options, const ScoreSheet* sheet);

  StepChoice best(double current) override;
  void moved(InstanceId, const Placement&) override {}

  /// Lowers `best` to the first best move of the instance that is below `best_score`; false: the
  /// reference would die here.
  bool consider_all(InstanceId instance, StepChoice& best, double& best_score) const;

 private:
  bool consider(InstanceId instance, Move move, StepChoice& best, double& best_score) const;
  /// What the move changes in the price of breached rules.
  [[nodiscard]] double price_of(InstanceId instance, const MoveEffect& effect) const;
  [[nodiscard]] double score_after(InstanceId instance, const MoveEffect& effect) const;

  const Cluster& cluster_;
  const State& state_;
  const Part& part_;
  const BalanceOptions& options_;
  std::vector<NodeId> targets_;
  const ScoreSheet* sheet_;
  bool has_prices_;
};

}  // namespace ballast::ganeti
