// SPDX-License-Identifier: BSD-2-Clause
// What the planners of operators write besides what they print.
#pragma once

#include "ballast/cli/options.hpp"
#include "ballast/core/result.hpp"
#include "ballast/plan/plan.hpp"

#include <string>
#include <vector>

namespace ballast::cli {

struct PlanFiles {
  std::string plan;     ///< the plan in JSON; empty: none
  std::string metrics;  ///< for Prometheus; empty: none
  bool quiet_if_nothing = false;
};

/// --save-plan, --metrics, --quiet-if-nothing. `files` must outlive the parsing.
std::vector<Option> plan_file_options(PlanFiles& files);

Status write_plan_files(const plan::Plan& plan, const PlanFiles& files);

/// Nothing to do and nothing in the way: what --quiet-if-nothing is silent about.
bool is_nothing(const plan::Plan& plan);

}  // namespace ballast::cli
