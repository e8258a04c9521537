// SPDX-License-Identifier: BSD-2-Clause
// Both halves of a mirrored instance go elsewhere: all pairs of targets in flat loops.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "evacuate_steps.hpp"

namespace ballast::ganeti::alloc {

/// Pairs (new primary, new secondary) among which the one with the least exact score is, in the
/// order of the slow search; empty where no pair is possible. Nothing where the flat loops cannot
/// tell: then each pair has to be looked at. `scored` are the nodes whose score counts.
using TargetPair = std::pair<NodeId, NodeId>;
std::optional<std::vector<TargetPair>> promising_pairs(const ScopedCluster& scope,
                                                       const Record& record,
                                                       std::span<const NodeId> targets,
                                                       std::span<const NodeId> scored, bool force);

}  // namespace ballast::ganeti::alloc
