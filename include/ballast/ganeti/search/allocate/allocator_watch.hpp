// SPDX-License-Identifier: BSD-2-Clause
// The allocator's run with somebody looking on: what explanations are made of.
#pragma once

#include "ballast/ganeti/search/allocate/evacuate.hpp"

namespace ballast::ganeti::alloc {

struct Watch {
  /// Before a new instance is placed; the scope as it is then.
  std::function<void(const ScopedCluster&, const NewInstance&)> allocation;
  /// Before an instance gets a secondary: it has left its primary's lists in that scope.
  std::function<void(const ScopedCluster&, const Record&, const Candidates&)> mirroring;
  Evacuator::Seen evacuation;
};

AllocatorAnswer answer_watched(const Cluster& cluster, const State& state, const Request& request,
                               const AllocatorOptions& options, const Watch& watch);

}  // namespace ballast::ganeti::alloc
