// SPDX-License-Identifier: BSD-2-Clause
#include "pair_loops.hpp"

#include <cmath>

#include "ballast/ganeti/score/running.hpp"

namespace ballast::ganeti::alloc::loops {

void add_constant(double* __restrict score, std::size_t count, double value) {
  for (std::size_t i = 0; i < count; ++i) score[i] += value;
}

void add_deviation(double* __restrict score, std::size_t count, const Deviation& before,
                   const Changes& changes) {
  const double* __restrict change = changes.change;
  const double* __restrict scaled = changes.scaled;
  const double* __restrict squared = changes.squared;
  const double twice_sum = before.twice_sum;
  const double variance = before.variance;
  const double count_squared = before.count_squared;
  const double weight = before.weight;
  for (std::size_t i = 0; i < count; ++i) {
    const double by = growth(scaled[i], twice_sum, change[i], squared[i]);
    score[i] += weight * std::sqrt(grown(variance, by, count_squared));
  }
}

void add_sum(double* __restrict score, std::size_t count, double sum, double weight,
             const double* __restrict change) {
  for (std::size_t i = 0; i < count; ++i) score[i] += weight * (sum + change[i]);
}

}  // namespace ballast::ganeti::alloc::loops
