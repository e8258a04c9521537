// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/cli/output.hpp"
#include "ballast/ganeti/cli/settings.hpp"
#include "ballast/ganeti/cli/start.hpp"
#include "ballast/ganeti/model/pipeline.hpp"

namespace ballast::ganeti::cli {

/// --explain: applies the limits and says, for the instance's group, what each of its moves would give or why it is forbidden. The name
/// is exact, or the only one that goes on with a dot.
Exit explain_instance(Snapshot& snapshot, const Settings& settings, Output& output);

}  // namespace ballast::ganeti::cli
