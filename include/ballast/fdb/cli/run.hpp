// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/cli/run_main.hpp"

namespace ballast::fdb {

/// hfdb: parse, load, search, report. Returns the exit status.
int run(const cli::Invocation& invocation, cli::Streams& streams);

}  // namespace ballast::fdb
