// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/cli/sources/load.hpp"

namespace ballast::ganeti::cli {

/// A run whose command line is read and whose snapshot is loaded: how most tools begin.
struct LoadedRun {
  Settings settings;
  Output output;
  Snapshot snapshot;
};

/// For tools that take options only. An exit status where the run ends here: help, version, a wrong
/// command line, a snapshot that cannot be read.
OrExit<LoadedRun> open_run(const Frame& frame, const ballast::cli::Invocation& invocation,
                           ballast::cli::Streams& streams);

}  // namespace ballast::ganeti::cli
