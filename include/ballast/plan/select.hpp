// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/plan/plan.hpp"

#include <vector>

namespace ballast::plan {

/// Numbers steps from 1 and phases from 1 without gaps, and counts both in the totals, with the
/// bytes of all steps and the subjects that change their place; the other totals are dropped.
/// References by number (waits, until, warnings, blocked) follow; those to steps that are not in
/// the plan any more are dropped, and so is the estimate of the whole time.
void renumber(Plan& plan);

/// Keeps the steps for which `keep` holds (one entry per step), then renumbers.
void keep_steps(Plan& plan, const std::vector<bool>& keep);

}  // namespace ballast::plan
