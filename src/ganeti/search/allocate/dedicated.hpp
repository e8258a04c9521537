// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/search/allocate/engine.hpp"

namespace ballast::ganeti::alloc {

/// Dedicated clusters: the placement that loses the fewest test instances of the group's policy; no
/// capacity test.
Solution search_dedicated(const ScopedCluster& scope, const Record& wanted,
                          const Candidates& candidates, const EngineOptions& options);

}  // namespace ballast::ganeti::alloc
