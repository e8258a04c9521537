// SPDX-License-Identifier: BSD-2-Clause
// Instances that a rule keeps together leave their node together: moves that no single step can
// make.
#pragma once

#include <optional>
#include <vector>

#include "ballast/ganeti/search/balance/work_state.hpp"

namespace ballast::ganeti {

struct JointMove {
  std::vector<std::pair<InstanceId, Move>> moves;  ///< in the order in which they are made
  double score = 0;                                ///< after the last
};

class CompanionFinder {
 public:
  CompanionFinder(const Cluster& cluster, const Part& part, const BalanceOptions& options)
      : cluster_(cluster), part_(part), options_(options) {}

  /// Whether there is any rule that asks for it.
  [[nodiscard]] bool is_needed() const;
  /// The joint move to the lowest score below `limit`, with at most so many steps (negative: any
  /// number); of equals the first by instance, then by target.
  [[nodiscard]] std::optional<JointMove> best(const State& state, double limit,
                                              std::int64_t most_steps) const;
  /// All companions of `id` to the target, each by the kind of move that gives the lowest score.
  /// None where one of them cannot go.
  [[nodiscard]] static std::optional<JointMove> joint_move(WorkState& work,
                                                           const std::vector<InstanceId>& all,
                                                           NodeId target);

 private:
  const Cluster& cluster_;
  const Part& part_;
  const BalanceOptions& options_;
};

}  // namespace ballast::ganeti
