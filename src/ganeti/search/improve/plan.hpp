// SPDX-License-Identifier: BSD-2-Clause
// What plans are compared by, and how a plan is cut.
#pragma once

#include "ballast/ganeti/search/improve/improve.hpp"

namespace ballast::ganeti {

PlanFigures figures_of(const Cluster& cluster, const BalanceResult& plan);

WeakestMoment weakest_moment(const Cluster& cluster, const State& start, const Part& part,
                             const BalanceOptions& options, const std::vector<BalanceStep>& steps);

/// Nowhere worse.
bool is_no_worse(const PlanFigures& a, const PlanFigures& b);
/// Nowhere worse, and somewhere better.
bool is_better(const PlanFigures& a, const PlanFigures& b);

/// The first `count` steps only; the state is computed anew.
void cut(const Cluster& cluster, const State& start, const Part& part,
         const BalanceOptions& options, std::size_t count, BalanceResult& plan);

/// Cuts the plan where the data that it copies would pass the limit.
void limit_data(const Cluster& cluster, const State& start, const Part& part,
                const BalanceOptions& options, std::int64_t most_mib, BalanceResult& plan);

}  // namespace ballast::ganeti
