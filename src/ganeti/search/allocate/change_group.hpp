// SPDX-License-Identifier: BSD-2-Clause
// Instances that move to another node group.
#pragma once

#include <vector>

#include "ballast/ganeti/search/allocate/evacuate.hpp"

namespace ballast::ganeti::alloc {

/// Each to the group of `allowed` that takes it best; what a rule keeps together, to the first such
/// group that takes all of them. `scope` is the one that `evacuation` changes.
void change_groups(Evacuator& evacuation, const ScopedCluster& scope,
                   const std::vector<InstanceId>& instances, const EngineOptions& options,
                   const std::vector<GroupId>& allowed);

}  // namespace ballast::ganeti::alloc
