// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/search/squeeze/squeeze.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::ganeti {

/// A squeeze or an expansion as the value that all renderers print, without what the tool knows:
/// nodes are switched on, instances move, empty nodes are switched off. `cluster` and `state` are
/// those of the snapshot.
plan::Plan squeeze_plan(const Cluster& cluster, const State& state, SqueezePlan found);

/// The cluster in which commands name instances in full, as hsqueeze does.
Cluster with_full_instance_names(Cluster cluster);

}  // namespace ballast::ganeti
