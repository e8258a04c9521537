// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/model/node_ops.hpp"

namespace ballast::ganeti::alloc {

/// Does the instance conform to the policy of the node's group there (sizes, then template)?
MaybeRefusal check_policy(const Cluster& cluster, NodeId node, const Instance& instance);

}  // namespace ballast::ganeti::alloc
