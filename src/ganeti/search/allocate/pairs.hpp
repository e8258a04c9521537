// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/search/allocate/engine.hpp"

namespace ballast::ganeti::alloc {

/// All ordered pairs of a primary and a secondary, scored by the incremental statistics.
Solution search_pairs(const ScopedCluster& scope, const Record& wanted,
                      const Candidates& candidates, const EngineOptions& options);

/// Adds counts; of two choices the earlier stays only if it is strictly better.
void fold(Solution& all, Solution&& one);

/// The plain form, pair by pair: what the fast one is tested against.
Solution search_pairs_one_by_one(const ScopedCluster& scope, const Record& wanted,
                                 const Candidates& candidates, const EngineOptions& options);

}  // namespace ballast::ganeti::alloc
