// SPDX-License-Identifier: BSD-2-Clause
// The parts of request explanations, each on the scope as it is when an instance's turn comes.
#pragma once

#include "ballast/ganeti/report/explain/allocation.hpp"
#include "ballast/ganeti/search/allocate/evacuate.hpp"

namespace ballast::ganeti::alloc {

/// `restricted`: the request's own list of nodes. Without the search for room.
AllocationExplanation explain_new(const ScopedCluster& scope, const NewInstance& wanted,
                                  const std::optional<std::vector<std::string>>& restricted,
                                  const AllocatorOptions& options);

/// A secondary for `record`, which has left its primary's lists: what search_pairs() is asked.
AllocationExplanation explain_mirror(const ScopedCluster& scope, const Record& record,
                                     const Candidates& candidates, const AllocatorOptions& options);

/// Looks for moves of existing instances that make room, where moves can help at all.
void look_for_room(const ScopedCluster& scope, const AllocateRequest& request,
                   const AllocatorOptions& options, std::size_t most_moves,
                   AllocationExplanation& explanation);

/// Options and sizes with which it would fit, where it does not.
void look_for_ways(const ScopedCluster& scope, const AllocateRequest& request,
                   const AllocatorOptions& options, std::size_t most_moves,
                   AllocationExplanation& explanation);

/// A scope as a cluster: instances that the run has placed stand at its end.
struct Scene {
  Cluster cluster;
  State state;
};
Scene scene_of(const ScopedCluster& scope);

/// Every target, or ordered pair of targets, with the rule that the first refused step meets.
AllocationExplanation explain_move(const ScopedCluster& scope, const Record& record,
                                   const Evacuator::Plan& plan);

}  // namespace ballast::ganeti::alloc
