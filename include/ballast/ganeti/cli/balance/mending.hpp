// SPDX-License-Identifier: BSD-2-Clause
// hbal --repair and --only-above: plans that put a few things right; and rules of administrators
// that are broken at the start.
#pragma once

#include "ballast/ganeti/cli/balance/better_plan.hpp"

#include <string>
#include <string_view>

namespace ballast::ganeti::cli {

/// memory=80%[,cpu=SHARE%][,disk=SHARE%]
Result<Thresholds> parse_thresholds(std::string_view text);
std::string to_string(const Thresholds& thresholds);  ///< "memory=80%,cpu=75%"

FoundPlan repair_plan(const Snapshot& snapshot, const Part& part, const Settings& settings);
FoundPlan relief_plan(const Snapshot& snapshot, const Part& part, const Settings& settings,
                      const Thresholds& thresholds);

/// What the step-by-step search and its better kind begin with where rules are broken: the steps
/// that mend them. None where nothing is broken.
BalanceResult mended_rules(const Snapshot& snapshot, const Part& part, const Settings& settings);

/// One line for each rule that is broken; empty where none is.
std::string breach_lines(std::string_view heading, const Cluster& cluster, const State& state,
                         const Part& part);
/// The same as warnings of a plan: what is left at its end (RULE_BROKEN), and notes for what it
/// mends (RULE_MENDED).
void add_breaches(const Cluster& cluster, const State& before, const State& after, const Part& part,
                  plan::Plan& plan);

}  // namespace ballast::ganeti::cli
