// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/plan/plan.hpp"

#include "names.hpp"

#include <string>

namespace ballast::report {

/// Before and after: a bar chart per gauge with what changes most, a table for all else that
/// changes. Empty where nothing does.
std::string html_charts(const PageView& page);

/// The score's metrics with their storage units; empty without a score.
std::string html_score(const plan::Plan& plan);

}  // namespace ballast::report
