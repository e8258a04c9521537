// SPDX-License-Identifier: BSD-2-Clause
// hplan's share that asks the planners of operators again.
#pragma once

#include "ballast/cli/options.hpp"
#include "ballast/plan/plan.hpp"

#include <string>
#include <vector>

namespace ballast::tools {

/// Adds the input options of hfdb and htidb; what is given is collected in `words`, which must
/// outlive the table.
void add_operator_options(std::vector<cli::Option>& options, std::vector<std::string>& words);

/// The plan that the planner of `plan` makes today, with the plan's own options and `words`; with
/// `is_way_back` the one that leads back from its end, and what that does not bring back as notes.
Result<plan::Plan> plan_today(const plan::Plan& plan, const std::vector<std::string>& words,
                              bool is_way_back);

}  // namespace ballast::tools
