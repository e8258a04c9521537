// SPDX-License-Identifier: BSD-2-Clause
// The least that N+1 costs in the score, whatever the placement.
#pragma once

#include "ballast/ganeti/search/balance/balance.hpp"

namespace ballast::ganeti::bound {

/// Below both metrics of reserved memory together (their weighted sum) in every placement that
/// moves can reach.
double least_reserve_score(const Cluster& cluster, const State& state, const Part& part);

/// What the deviations of numbers of instances come to in the score: `at_least` or more, and
/// `besides` plus `of_secondaries` times the deviation of the number of secondaries on a node, or
/// more.
struct Spread {
  double at_least = 0;
  double besides = 0;
  double of_secondaries = 0;
};
/// Below the two metrics of reserved memory and those deviations together: few nodes that hold all
/// large secondaries reserve little, but deviate.
double least_reserve_and_spread(const Cluster& cluster, const State& state, const Part& part,
                                const Spread& spread);

}  // namespace ballast::ganeti::bound
