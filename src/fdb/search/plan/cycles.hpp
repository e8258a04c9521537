// SPDX-License-Identifier: BSD-2-Clause
// Who waits for whom at a dead end.
#pragma once

#include <string>
#include <vector>

#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {

/// Groups (several that stand alike are joined by ", ") of which each waits for the next and the
/// last for the first. Empty where the dead end is no cycle of groups.
std::vector<std::string> find_cycle(const World& world, const TraceStep& dead_end);

}  // namespace ballast::fdb
