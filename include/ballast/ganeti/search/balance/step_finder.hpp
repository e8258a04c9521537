// SPDX-License-Identifier: BSD-2-Clause
// How the balancing loop asks for its next step; what differs between the plain search and the fast
// one.
#pragma once

#include "ballast/ganeti/search/balance/balance.hpp"

namespace ballast::ganeti {

struct StepChoice {
  enum class Kind { Found, None, ReferenceWouldDie };
  Kind kind = Kind::None;
  InstanceId instance;
  Move move;
  double score = 0;
  double price = 0;  ///< of rules that it breaks, less that of rules that it mends
};

class StepFinder {
 public:
  StepFinder() = default;
  StepFinder(const StepFinder&) = delete;
  StepFinder& operator=(const StepFinder&) = delete;
  virtual ~StepFinder() = default;

  /// The move that gives the lowest score below `current`; of equals the earliest in the order of
  /// candidates.
  virtual StepChoice best(double current) = 0;
  /// The state has changed by this move, which took the instance away from `before`.
  virtual void moved(InstanceId instance, const Placement& before) = 0;
};

/// The loop around a finder that reads `result.state`. `result` holds the state at the start.
void balance_with(StepFinder& finder, const Cluster& cluster, const Part& part,
                  const BalanceOptions& options, const StepSeen& seen, BalanceResult& result);

/// Every candidate is evaluated on the model and scored from scratch: slow, and the truth that the
/// fast search is tested against.
BalanceResult balance_plainly(const Cluster& cluster, const State& state, const Part& part,
                              const BalanceOptions& options, const StepSeen& seen = {});

}  // namespace ballast::ganeti
