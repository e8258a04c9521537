// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"
#include "ballast/ganeti/cli/options/start.hpp"

namespace ballast::ganeti::cli {

/// --mond: puts measured loads in place of the assumed ones, from the nodes' daemons or from a
/// file. Says on standard error what is missing; an exit status where the run ends for it.
OrExit<void> apply_monitoring(Snapshot& snapshot, const Settings& settings, Output& output);

}  // namespace ballast::ganeti::cli
