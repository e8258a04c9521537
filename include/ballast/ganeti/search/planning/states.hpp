// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/plan/replay.hpp"

#include <vector>

namespace ballast::ganeti {

/// Replays the plan and fills in what only the states between its steps tell: the figures that each
/// step expects and leaves at the nodes that it touches, which nodes lack N+1 memory until when,
/// the weakest moment, the summaries before and after; a warning AGAINST_POLICY for each step that
/// is made against a soft rule. Returns the steps that do not hold.
std::vector<plan::StepProblem> fill_states(plan::Plan& plan, const Cluster& cluster,
                                           const State& start, const Part& part, bool force);

}  // namespace ballast::ganeti
