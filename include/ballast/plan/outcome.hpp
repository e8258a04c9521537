// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/plan/plan.hpp"

namespace ballast::plan {

/// Blocked, changes or no change: what the plan's blocks and steps come to.
Outcome outcome_of(const Plan& plan);

}  // namespace ballast::plan
