// SPDX-License-Identifier: BSD-2-Clause
// The words of hsqueeze.
#pragma once

#include <string>

#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/search/squeeze/squeeze.hpp"

namespace ballast::ganeti::cli {

/// "Offline candidates: ..." and "Online candidates: ...", full names.
std::string squeeze_candidates(const Cluster& cluster, const SqueezePlan& plan);

/// The heading and one full name a line.
std::string squeeze_nodes(const Cluster& cluster, const SqueezePlan& plan, bool with_heading);

/// To standard output ("" or "-") or into a shell script.
OrExit<void> give_squeeze_commands(const SqueezePlan& plan, const std::string& file,
                                   Output& output);

}  // namespace ballast::ganeti::cli
