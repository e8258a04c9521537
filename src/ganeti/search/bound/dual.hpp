// SPDX-License-Identifier: BSD-2-Clause
// A lower bound of the relaxed score for any prices, and its slope, by which prices are improved.
#pragma once

#include <vector>

#include "relaxation.hpp"

namespace ballast::ganeti::bound {

/// What a cell of the search limits: the deviation of each amount, that of the reserved share of
/// memory, and the mean of that share.
inline constexpr std::size_t kReserve = kAmounts;
inline constexpr std::size_t kReserveMean = kAmounts + 1;
inline constexpr std::size_t kSides = kAmounts + 2;
using Sides = std::array<double, kSides>;

/// All placements with each side between these.
struct Cell {
  Sides low{};
  Sides high{};
};

/// Weight in the score of that side's deviation; 0 for the mean.
double weight_of_side(const Relaxation& relaxation, std::size_t side);

/// By column: how far from the centre its nodes are thought to lie. Any values give a bound, good
/// ones a good bound.
using Offsets = std::vector<Amounts>;

struct Seen {
  double value = 0;            ///< bound of the score in the cell
  double smooth = 0;           ///< the same with soft minima, never above value
  Offsets slope;               ///< of `smooth`
  Sides at{};                  ///< where the relaxed optimum seems to lie
  double reserve_squares = 0;  ///< mean of the squared reserved share there
};

class Dual {
 public:
  Dual(const Relaxation& relaxation, const Cell& cell);

  /// `softness`: about how far, in score, the soft minima may lie below the hard ones.
  [[nodiscard]] Seen look(const Offsets& offsets, double softness) const;
  /// Of a squared distance from the centre, for one node.
  [[nodiscard]] const Amounts& price() const { return price_; }

 private:
  class Look;

  const Relaxation* relaxation_;
  Amounts price_{};
  std::vector<double> reserve_cost_;   ///< by column: the least that the reserve of a node costs
  std::vector<double> reserve_share_;  ///< by column: the reserved share at which it does
  double constant_ = 0;
};

}  // namespace ballast::ganeti::bound
