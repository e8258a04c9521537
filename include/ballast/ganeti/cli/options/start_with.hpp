// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/cli/options/start.hpp"

#include <vector>

namespace ballast::ganeti::cli {

/// As start, with options that only this tool has after those of the catalogue. A tool without
/// completion_of_arguments takes no arguments.
OrExit<Started> start_with(const Frame& frame, std::vector<ballast::cli::Option> more,
                           const ballast::cli::Invocation& invocation,
                           ballast::cli::Streams& streams);

}  // namespace ballast::ganeti::cli
