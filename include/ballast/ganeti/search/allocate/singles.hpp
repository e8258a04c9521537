// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/search/allocate/engine.hpp"

namespace ballast::ganeti::alloc {

Solution search_singles(const World& world, const Record& wanted, std::span<const NodeId> primaries,
                        const EngineOptions& options);

/// The new instance on one node, policy included; the state is the node's after it.
MaybeRefusal place_primary(const World& world, Record& record, NodeId primary, NodeId secondary,
                           bool force, NodeState& state);

}  // namespace ballast::ganeti::alloc
