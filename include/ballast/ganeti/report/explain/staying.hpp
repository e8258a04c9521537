// SPDX-License-Identifier: BSD-2-Clause
// What stays on nodes that were to be emptied, and the rule that keeps it there.
#pragma once

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"
#include "ballast/plan/plan.hpp"

#include <vector>

namespace ballast::ganeti {

/// One entry (code STAYS) for each instance of the part whose primary or mirror is on an offline
/// node of it in `state`, the state after the last step: its rule as gate, required and observed
/// figures. `options`: those of the search.
std::vector<plan::Blocked> staying_instances(const Cluster& cluster, const State& state,
                                             const Part& part, const BalanceOptions& options);

/// "n1 is not empty afterwards: 2 of 5 instances stay"; empty where nothing stays. `before` is the
/// state that the plan begins in.
std::string staying_headline(const Cluster& cluster, const State& before, const State& after,
                             const Part& part);

}  // namespace ballast::ganeti
