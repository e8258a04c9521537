// SPDX-License-Identifier: BSD-2-Clause
// The plan of several objects of one database.
#pragma once

#include <string>
#include <vector>

#include "ballast/fdb/search/simulate/together.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::fdb {

struct JointPlan {
  plan::Plan plan;
  std::vector<TraceStep> trace;       ///< in the order of the plan, dead ends last
  std::vector<std::string> problems;  ///< rules that a part of the plan breaks
};

/// One plan of all of them: the steps in the order of time, each with its object (system.object).
JointPlan plan_together(const std::vector<ObjectWish>& wishes, const PlanOptions& options);

}  // namespace ballast::fdb
