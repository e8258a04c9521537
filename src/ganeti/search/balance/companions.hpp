// SPDX-License-Identifier: BSD-2-Clause
// Instances that a rule keeps together leave their node together: moves that no single step can
// make.
#pragma once

#include <optional>
#include <vector>

#include "ballast/ganeti/search/balance/joint_move.hpp"

namespace ballast::ganeti {

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

 private:
  const Cluster& cluster_;
  const Part& part_;
  const BalanceOptions& options_;
};

}  // namespace ballast::ganeti
