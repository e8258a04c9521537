// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti::cli {

struct BadNodes {
  std::vector<NodeId> nodes;       ///< online, not N+1 happy; in index order
  std::size_t instance_count = 0;  ///< distinct primaries and secondaries on them
};
BadNodes bad_nodes(const Cluster& cluster, const State& state, std::span<const NodeId> nodes);

/// Instances whose primary and secondary node belong to different groups, in index order.
std::vector<InstanceId> split_instances(const Cluster& cluster, const State& state);

}  // namespace ballast::ganeti::cli
