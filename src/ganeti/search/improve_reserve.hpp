// SPDX-License-Identifier: BSD-2-Clause
// The least that N+1 costs in the score, whatever the placement.
#pragma once

#include "ballast/ganeti/search/balance.hpp"

namespace ballast::ganeti {

/// Below both metrics of reserved memory together (their weighted sum) in every placement that
/// moves can reach.
double least_reserve_score(const Cluster& cluster, const State& state, const Part& part);

}  // namespace ballast::ganeti
