// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/search/allocate/engine.hpp"

namespace ballast::ganeti::alloc {

Solution search_singles(const ScopedCluster& scope, const Record& wanted,
                        std::span<const NodeId> primaries, const EngineOptions& options);

/// Some node of the scope keeps room free (--reserve).
bool has_reserves(const Cluster& cluster, const ScopedCluster& scope);

/// The new instance's mirror on one node; the state is the node's after it.
MaybeRefusal place_secondary(const ScopedCluster& scope, const Record& record, NodeId primary,
                             NodeId secondary, bool force, NodeState& state);

/// The new instance on one node, policy and reserves included; the state is the node's after it.
MaybeRefusal place_primary(const ScopedCluster& scope, Record& record, NodeId primary,
                           NodeId secondary, bool force, NodeState& state);

}  // namespace ballast::ganeti::alloc
