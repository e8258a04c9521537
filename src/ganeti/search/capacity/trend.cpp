// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/capacity/trend.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace ballast::ganeti {
namespace {

/// Student's t for 95 %, two-sided, by degrees of freedom from 1.
double student_t(std::size_t freedom) {
  constexpr std::array kTable{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                              2.306,  2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
                              2.131,  2.120, 2.110, 2.101, 2.093, 2.086};
  constexpr double kMany = 1.96;
  constexpr double kBeyond = 2.06;
  constexpr std::size_t kLarge = 100;
  if (freedom <= kTable.size()) return kTable.at(freedom - 1);
  return freedom < kLarge ? kBeyond : kMany;
}

}  // namespace

Trend linear_trend(std::span<const DayFigure> figures) {
  const auto count = static_cast<double>(figures.size());
  double mean_day = 0;
  double mean = 0;
  for (const DayFigure& one : figures) {
    mean_day += one.day / count;
    mean += one.figure / count;
  }
  double spread = 0;
  double product = 0;
  for (const DayFigure& one : figures) {
    spread += (one.day - mean_day) * (one.day - mean_day);
    product += (one.day - mean_day) * (one.figure - mean);
  }
  Trend trend{product / spread, std::nullopt};
  if (figures.size() < 3) return trend;
  double rest = 0;
  for (const DayFigure& one : figures) {
    const double off = one.figure - mean - trend.per_day * (one.day - mean_day);
    rest += off * off;
  }
  const std::size_t freedom = figures.size() - 2;
  trend.error = student_t(freedom) * std::sqrt(rest / static_cast<double>(freedom) / spread);
  return trend;
}

std::optional<double> days_until_gone(double left, double per_day) {
  if (left <= 0) return 0;
  if (!(per_day > 0)) return std::nullopt;
  return left / per_day;
}

}  // namespace ballast::ganeti
