// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/search/capacity/why_full.hpp"

#include "filler.hpp"

namespace ballast::ganeti::alloc {

/// Each candidate of the scene on the run's final state. `state`: the initial one. Partners that
/// take the new instance as secondary are left out.
std::vector<FullNode> who_refuses(const Cluster& cluster, const State& state,
                                  const CapacityScene& scene, const CapacityRun& run);

/// For a run that tried nothing: the nodes and whose failover finds no memory there.
std::vector<FullNode> nodes_that_lack_memory(const Cluster& cluster, const State& state,
                                             std::span<const NodeId> nodes);

}  // namespace ballast::ganeti::alloc
