// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/core/result.hpp"
#include "ballast/ganeti/model/snapshot.hpp"

#include <string>
#include <vector>

namespace ballast::ganeti::cli {

/// --add-node GROUP,COUNT,DISK,MEMORY,CPUS[,SPINDLES][;SIZE,TYPE,KEY]...: empty nodes that are not
/// there yet, named new-1, new-2, ... They use for themselves what the group's nodes use at most.
/// Where storage counts and no unit is said, they have the units of the group's first node: its
/// shared pools, and the given disk as its one local unit. Before the pipeline.
Status add_nodes(Snapshot& snapshot, const std::vector<std::string>& specifications);

}  // namespace ballast::ganeti::cli
