// SPDX-License-Identifier: BSD-2-Clause
// The allocator's scope with rules out of the way: the smallest set of changes after which an
// instance would fit.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ballast/ganeti/report/explain/allocation.hpp"
#include "ballast/ganeti/search/kernel/scoped_cluster.hpp"

namespace ballast::ganeti::alloc {

/// The candidate's steps on that scope, with that record.
using Attempt =
    std::function<MaybeRefusal(const ScopedCluster&, const Record&, const CandidateVerdict&)>;

/// Of the first 400 candidates the one with the fewest refusals to lift, then the least shortage of
/// the first one. None: nothing that can be lifted is enough. `record` is that of the instance.
std::optional<SmallestChange> smallest_change(const ScopedCluster& scope, const Record& record,
                                              const std::vector<CandidateVerdict>& candidates,
                                              const Attempt& attempt);

}  // namespace ballast::ganeti::alloc
