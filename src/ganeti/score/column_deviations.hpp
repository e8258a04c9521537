// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace ballast::ganeti {

/// The deviation of `column` for each change of one value, `position` -> `value`, exactly as a sum
/// from left to right over all values gives it. Sums that have become equal are continued once.
std::vector<double> deviations_with(std::span<const double> column,
                                    std::span<const std::pair<std::size_t, double>> changes);

}  // namespace ballast::ganeti
