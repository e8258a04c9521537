// SPDX-License-Identifier: BSD-2-Clause
// How long a plan takes at least.
#pragma once

#include "ballast/plan/plan.hpp"

#include <cstdint>
#include <optional>

namespace ballast::plan {

struct Transfer {
  std::optional<double> rate_mib;  ///< MiB/s of one transfer; none: copies are not counted
  std::int64_t parallel = 1;       ///< transfers at a time; precondition: > 0
};

/// Seconds from the plan's clock on, before which its operator cannot come to the step; 0 where the
/// planner does not say ("after_seconds" among the system's own facts).
std::int64_t earliest_seconds(const Step& step);

/// Fills Cost::seconds_at_least of each step that copies, the total, and the assumption "TIME" that
/// says what was counted. A bound from below: phases follow each other; within one, a step takes
/// its rule waits and its copy, and all copies share the transfers. A step of Ganeti is one
/// transfer; what a step of a database moves is spread over all of them.
void estimate_time(Plan& plan, const Transfer& transfer);

/// Fills Totals::per_node from the links of the steps of a Ganeti plan.
void count_traffic(Plan& plan);

}  // namespace ballast::plan
