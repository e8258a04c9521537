// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "ballast/cli/options.hpp"
#include "ballast/fdb/cli/command.hpp"

namespace ballast::fdb {

/// The options write to `command`, which must outlive the table.
std::vector<cli::Option> option_table(Command& command);
cli::Usage usage();

}  // namespace ballast::fdb
