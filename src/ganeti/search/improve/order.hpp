// SPDX-License-Identifier: BSD-2-Clause
// From an end state to a plan: the net moves as feasible steps, in a good order.
#pragma once

#include <functional>

#include "reach.hpp"
#include "walk.hpp"

namespace ballast::ganeti {

/// What the steps are made for, and what they must keep.
struct OrderTask {
  const Cluster& cluster;
  const State& start;
  const Part& part;
  const BalanceOptions& options;
  bool never_worse = false;  ///< only steps that lower the score
  Cost most;                 ///< a detour may not go beyond
  Prices prices;
  /// Share of the time that has passed; empty: there is no limit. Late, no detours are made, and
  /// later still no steps.
  std::function<double()> time_used = {};
};

struct OrderedPlan {
  BalanceResult plan;
  std::size_t stuck = 0;  ///< instances that did not get where they should
};

/// The steps from the start to the wanted placements (by InstanceId), best value first. Where an
/// instance finds no room on the direct way, it makes a detour; one that cannot come nearer stays.
OrderedPlan order_steps(const OrderTask& task, const std::vector<Placement>& wanted);

/// The same steps, brought forward past others with which they share no node, so that job sets
/// grow. Unchanged where a score would then rise that may not.
void gather_job_sets(const OrderTask& task, BalanceResult& plan);

}  // namespace ballast::ganeti
