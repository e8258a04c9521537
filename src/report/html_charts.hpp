// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/plan/plan.hpp"

#include <string>

namespace ballast::report {

/// Before and after: a bar chart per gauge, a table for all other figures. Empty where the plan has
/// neither.
std::string html_charts(const plan::Plan& plan);

/// The score's metrics with their storage units; empty without a score.
std::string html_score(const plan::Plan& plan);

}  // namespace ballast::report
