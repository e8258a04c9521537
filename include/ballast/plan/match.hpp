// SPDX-License-Identifier: BSD-2-Clause
// A plan held against the plan that its planner makes from today's input. For systems whose steps
// are taken by an operator: what it has done is seen by what it would still do.
#pragma once

#include "ballast/plan/plan.hpp"
#include "ballast/plan/replay.hpp"

#include <vector>

namespace ballast::plan {

struct Match {
  struct Pair {
    int planned = 0;
    int today = 0;  ///< the step of today's plan that does the same
  };
  std::vector<int> made;     ///< steps before the first that is left: made, or not needed any more
  std::vector<int> left;     ///< steps that today's plan has, too
  std::vector<int> dropped;  ///< later steps that today's plan lacks
  std::vector<int> added;    ///< steps of today's plan that the plan lacks
  std::vector<Pair> pairs;   ///< of the steps that are left, by their number in the plan
};

/// Steps match by action, subject and targets, else by action and subject alone; where a plan does
/// the same several times, the last times match. Waits are left out: they come and go with the
/// time.
Match match_plans(const Plan& planned, const Plan& today);

/// Are both plans of one snapshot, at one time?
bool is_of_one_snapshot(const Plan& planned, const Plan& today);

/// What does not hold, with the numbers of `planned`: dropped steps, and added ones at the step
/// that they come before; steps in another order than today's; steps that today's plan makes with
/// more targets, from or to elsewhere. On the snapshot that the plan was made from nothing can be
/// made yet, and every step must be as today's: order, phase, targets, waits, gates, figures.
std::vector<StepProblem> mismatches(const Plan& planned, const Plan& today, const Match& match);

/// Today's plan as the rest of the other: notes say what is made, warnings what was not planned.
Plan rest_of(const Plan& planned, Plan today);

}  // namespace ballast::plan
