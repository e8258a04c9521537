// SPDX-License-Identifier: BSD-2-Clause
#include "panel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "ballast/core/wide_vectors.hpp"

namespace ballast::ganeti::panel {

using Sums = std::array<double, kWidth>;

BALLAST_WIDE_VECTORS void add_rows(const double* rows, std::size_t count, double* sums) {
  Sums local;
  std::memcpy(local.data(), sums, sizeof local);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < kWidth; ++c) local[c] += rows[r * kWidth + c];
  }
  std::memcpy(sums, local.data(), sizeof local);
}

BALLAST_WIDE_VECTORS void widen(const double* rows, std::size_t count, double* largest) {
  Sums local;
  std::memcpy(local.data(), largest, sizeof local);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < kWidth; ++c)
      local[c] = std::max(local[c], std::abs(rows[r * kWidth + c]));
  }
  std::memcpy(largest, local.data(), sizeof local);
}

BALLAST_WIDE_VECTORS void add_squares(const double* rows, std::size_t count, const double* means,
                                      double* squares) {
  Sums local;
  Sums mean;
  std::memcpy(local.data(), squares, sizeof local);
  std::memcpy(mean.data(), means, sizeof mean);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < kWidth; ++c) {
      const double distance = rows[r * kWidth + c] - mean[c];
      local[c] += distance * distance;
    }
  }
  std::memcpy(squares, local.data(), sizeof local);
}

BALLAST_WIDE_VECTORS void add_masked_squares(const double* rows, const double* masks,
                                             std::size_t count, const double* means,
                                             double* squares) {
  Sums local;
  Sums mean;
  std::memcpy(local.data(), squares, sizeof local);
  std::memcpy(mean.data(), means, sizeof mean);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < kWidth; ++c) {
      // Adding the square of 0 leaves a sum that starts at +0 as it is.
      const double distance = (rows[r * kWidth + c] - mean[c]) * masks[r * kWidth + c];
      local[c] += distance * distance;
    }
  }
  std::memcpy(squares, local.data(), sizeof local);
}

std::vector<double> transposed(const double* rows, std::size_t count) {
  std::vector<double> columns(count * kWidth);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < kWidth; ++c) columns[c * count + r] = rows[r * kWidth + c];
  }
  return columns;
}

}  // namespace ballast::ganeti::panel
