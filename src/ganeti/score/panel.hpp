// SPDX-License-Identifier: BSD-2-Clause
// Sums over rows of 16 columns, each column added up in row order: the compiler keeps the 16
// running sums in registers.
#pragma once

#include <cstddef>
#include <vector>

namespace ballast::ganeti::panel {

inline constexpr std::size_t kWidth = 16;

/// sums[c] += rows[r][c], for r = 0 .. count-1 in that order.
void add_rows(const double* rows, std::size_t count, double* sums);
/// largest[c] is at least |rows[r][c]|, for all r.
void widen(const double* rows, std::size_t count, double* largest);
/// squares[c] += (rows[r][c] - means[c])^2
void add_squares(const double* rows, std::size_t count, const double* means, double* squares);
/// squares[c] += (rows[r][c] - means[c])^2 where masks[r][c] is 1, and nothing where it is 0.
void add_masked_squares(const double* rows, const double* masks, std::size_t count,
                        const double* means, double* squares);

/// Column after column.
std::vector<double> transposed(const double* rows, std::size_t count);

}  // namespace ballast::ganeti::panel
