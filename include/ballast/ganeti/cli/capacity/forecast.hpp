// SPDX-License-Identifier: BSD-2-Clause
// hspace --forecast OLD... NEW: growth between dated snapshots, and when something is full.
#pragma once

#include <string>
#include <vector>

#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"
#include "ballast/ganeti/cli/options/start.hpp"

namespace ballast::ganeti::cli {

/// Reads the snapshots (text files), and tells by group and storage unit what is used, how that
/// grows and when it is used up, with the uncertainty. Dates come from --dates or from the files'
/// names. Returns the exit status.
Exit tell_forecast(const std::vector<std::string>& files, const Settings& settings, Output& output);

}  // namespace ballast::ganeti::cli
