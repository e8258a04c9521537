// SPDX-License-Identifier: BSD-2-Clause
#include "panel.hpp"

#include <array>
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

namespace {

constexpr std::size_t kPart = 4;
constexpr std::size_t kParts = kWidth / kPart;
/// Four neighbours of a row.
using Part = double __attribute__((vector_size(kPart * sizeof(double))));
using Parts = Part[kTogether][kParts];

}  // namespace

BALLAST_WIDE_VECTORS void add_rows_together(const double* rows, std::size_t count, double* sums) {
  Parts local;
  std::memcpy(&local, sums, sizeof local);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t p = 0; p < kParts; ++p) {
      Part row;
      std::memcpy(&row, rows + r * kWidth + p * kPart, sizeof row);
      for (std::size_t k = 0; k < kTogether; ++k) local[k][p] += row;
    }
  }
  std::memcpy(sums, &local, sizeof local);
}

BALLAST_WIDE_VECTORS void add_squares_together(const double* rows, std::size_t count,
                                               const double* means, double* squares) {
  Parts local;
  Parts mean;
  std::memcpy(&local, squares, sizeof local);
  std::memcpy(&mean, means, sizeof mean);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t p = 0; p < kParts; ++p) {
      Part row;
      std::memcpy(&row, rows + r * kWidth + p * kPart, sizeof row);
      for (std::size_t k = 0; k < kTogether; ++k) {
        const Part distance = row - mean[k][p];
        local[k][p] += distance * distance;
      }
    }
  }
  std::memcpy(squares, &local, sizeof local);
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

}  // namespace ballast::ganeti::panel
