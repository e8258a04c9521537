// SPDX-License-Identifier: BSD-2-Clause
// Sums over rows of 16 columns, each column added up in row order: the compiler keeps the 16
// running sums in registers.
#pragma once

#include <cstddef>

namespace ballast::ganeti::panel {

inline constexpr std::size_t kWidth = 16;

/// sums[c] += rows[r][c], for r = 0 .. count-1 in that order.
void add_rows(const double* rows, std::size_t count, double* sums);
/// squares[c] += (rows[r][c] - means[c])^2
void add_squares(const double* rows, std::size_t count, const double* means, double* squares);

/// So many sets of sums that the same rows are added to at once: each addition waits for the one
/// before, so that several chains take little more time than one. As many as registers hold.
inline constexpr std::size_t kTogether = 3;
/// As add_rows() and add_squares(), [set][column].
void add_rows_together(const double* rows, std::size_t count, double* sums);
void add_squares_together(const double* rows, std::size_t count, const double* means,
                          double* squares);
/// squares[c] += (rows[r][c] - means[c])^2 where masks[r][c] is 1, and nothing where it is 0.
void add_masked_squares(const double* rows, const double* masks, std::size_t count,
                        const double* means, double* squares);

}  // namespace ballast::ganeti::panel
