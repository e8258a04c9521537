// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/cli/plan_output.hpp"
#include "ballast/cli/run_main.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"

#include <string>

namespace ballast::tools {

/// hplan diff: two plans, two snapshots of Ganeti (text data or allocator requests), or two states
/// of an operator's cluster (files or folders). kDone; with --detailed-exit-code kHasChanges where
/// they differ.
int run_diff(const std::string& first, const std::string& second,
             const ganeti::cli::Settings& settings, const cli::PlanOutput& output,
             cli::Streams& streams);

}  // namespace ballast::tools
