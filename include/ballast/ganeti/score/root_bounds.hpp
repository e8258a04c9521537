// SPDX-License-Identifier: BSD-2-Clause
// Bounds for standard deviations that are known by a variance: docs/screens.md proves them.
#pragma once

#include "ballast/ganeti/score/running.hpp"

namespace ballast::ganeti {

/// How far the root of a running variance can be from the exact deviation; infinite where nothing
/// can be said. `fall`: by how much the deviation may fall by updates that are still to come.
double deviation_error(const Running::Aggregate& aggregate, double fall = 0);
double sum_error(const Running::Aggregate& aggregate);

/// Slope of the line through weight * sqrt(x) where the roots are `low` and `high`, which the root,
/// being concave, is nowhere below between them; 0 where both are 0.
constexpr double chord_of_roots(double weight, double low, double high) {
  return low + high == 0 ? 0 : weight / (low + high);
}
/// The same of sqrt(base + x) for x = low and x = high. base + low is not below 0, base + high
/// above.
double chord_slope(double base, double low, double high);

}  // namespace ballast::ganeti
