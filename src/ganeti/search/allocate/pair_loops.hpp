// SPDX-License-Identifier: BSD-2-Clause
// The inner loops over all secondaries of one primary. Each adds one metric to the running scores;
// the order of the calls is the order of summation, so the results are the reference's to the last
// bit.
#pragma once

#include <cstddef>

namespace ballast::ganeti::alloc::loops {

/// score[i] += value
void add_constant(double* score, std::size_t count, double value);

/// A deviation metric's state before the secondary changes.
struct Deviation {
  double twice_sum;
  double variance;
  double count_squared;
  double weight;
};
/// What each secondary does to a metric: change = after - before; scaled = count * (after^2 -
/// before^2); squared = change^2.
struct Changes {
  const double* change;
  const double* scaled;
  const double* squared;
};
/// score[i] += weight * deviation after change i
void add_deviation(double* score, std::size_t count, const Deviation& before,
                   const Changes& changes);

/// score[i] += weight * (sum + change[i])
void add_sum(double* score, std::size_t count, double sum, double weight, const double* change);

}  // namespace ballast::ganeti::alloc::loops
