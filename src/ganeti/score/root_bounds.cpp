// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/score/root_bounds.hpp"

#include <cmath>
#include <limits>

namespace ballast::ganeti {

double deviation_error(const Running::Aggregate& aggregate, double fall) {
  // The update rule turns a variance that is not a number into 0; the sum keeps it.
  if (!std::isfinite(aggregate.sum)) return std::numeric_limits<double>::infinity();
  if (aggregate.largest == 0 || aggregate.count == 0) return 0;
  const double square = aggregate.largest * aggregate.largest;
  const double of_variance =
      (16 * aggregate.count + 200) * std::numeric_limits<double>::epsilon() * square;
  const double least = std::sqrt(aggregate.variance) - fall;
  const double crude = std::sqrt(of_variance);
  return least > crude ? of_variance / least : crude;
}

double sum_error(const Running::Aggregate& aggregate) {
  return aggregate.count * aggregate.count * std::numeric_limits<double>::epsilon() *
         aggregate.largest;
}

double chord_slope(double base, double low, double high) {
  return chord_of_roots(1, std::sqrt(base + low), std::sqrt(base + high));
}

}  // namespace ballast::ganeti
