// SPDX-License-Identifier: BSD-2-Clause
// hcheck --what-if tier=NAMES:TYPE/KEY: a question whose answer is a plan.
#pragma once

#include <string>

#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/model/snapshot.hpp"

namespace ballast::ganeti::cli {

bool asks_for_tier(const std::string& loss);

/// Which instances can go there, by which commands, what is copied and how much of it while they
/// are down; in all forms of a plan. kFailed where one cannot go, unless --detailed-exit-code says
/// it.
Exit answer_tier(const Snapshot& snapshot, const Settings& settings, const std::string& question,
                 Output& output);

}  // namespace ballast::ganeti::cli
