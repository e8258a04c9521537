// SPDX-License-Identifier: BSD-2-Clause
// The steps of run_pipeline that have a file of their own.
#pragma once

#include "ballast/ganeti/loading/pipeline.hpp"

namespace ballast::ganeti {

/// Exclusion, location and migration tags of instances and nodes. Symbols of an earlier run stay
/// known; their ids may change.
void set_tags(Snapshot& snapshot, const std::vector<std::string>& exclusion_prefixes);

/// Units, capacities and the unit of each disk.
void set_storage(Snapshot& snapshot, const PipelineOptions& options);

/// Attaches every instance to its nodes and finishes the nodes: peers, policy limits, split
/// instances.
void attach_instances(Snapshot& snapshot);

}  // namespace ballast::ganeti
