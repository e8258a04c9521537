// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/core/value.hpp"
#include "ballast/tidb/cli/settings.hpp"

namespace ballast::tidb {

/// With these the planner is asked again later (hplan): every option that shapes a plan and has not
/// its default, but for files, time and profile. Keys are long names with "_", values those of the
/// command line.
Value shaping_options(const Settings& settings);

}  // namespace ballast::tidb
