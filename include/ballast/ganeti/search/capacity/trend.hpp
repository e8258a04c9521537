// SPDX-License-Identifier: BSD-2-Clause
// A straight line through figures of several days, and how sure its slope is.
#pragma once

#include <optional>
#include <span>

namespace ballast::ganeti {

struct DayFigure {
  double day = 0;
  double figure = 0;
};

struct Trend {
  double per_day = 0;           ///< least squares
  std::optional<double> error;  ///< half the width of the 95 % interval of it; none: two days only
};

/// Precondition: at least two different days.
Trend linear_trend(std::span<const DayFigure> figures);

/// Days until `left` is used up at that growth per day, 0 where nothing is left; none: it does not
/// shrink.
std::optional<double> days_until_gone(double left, double per_day);

}  // namespace ballast::ganeti
