// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "ballast/ganeti/score/candidates.hpp"

namespace ballast::ganeti {
namespace {

using Aggregate = AllocatorStatistics::Aggregate;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// With n values of at most M, the sum is off by at most n * n * M roundings, each step of the
/// update rule by a few M * M, and both ways of getting at the variance by less than (4n + 200) * M
/// * M roundings after four updates.
double variance_error(const Aggregate& aggregate) {
  const double square = aggregate.largest * aggregate.largest;
  return (4 * aggregate.count + 200) * kEpsilon * square;
}

/// Two roots r and s with |r*r - s*s| <= e differ by at most e / max(r, s), and by sqrt(e). One
/// further update changes one value by at most 2M, and the deviation by 2M / sqrt(n).
double deviation_error(const Aggregate& aggregate) {
  // The update rule turns a variance that is not a number into 0; the sum keeps it.
  if (!std::isfinite(aggregate.sum)) return std::numeric_limits<double>::infinity();
  if (aggregate.largest == 0 || aggregate.count == 0) return 0;
  const double error = variance_error(aggregate);
  const double least =
      std::sqrt(aggregate.variance) - 2 * aggregate.largest / std::sqrt(aggregate.count);
  const double crude = std::sqrt(error);
  return least > crude ? error / least : crude;
}

double sum_error(const Aggregate& aggregate) {
  return aggregate.count * aggregate.count * kEpsilon * aggregate.largest;
}

double units_error(std::span<const Aggregate> units) {
  double error = 0;
  for (const Aggregate& unit : units) error += deviation_error(unit);
  return units.empty() ? 0 : error / static_cast<double>(units.size());
}

}  // namespace

void AllocatorStatistics::expect(const CandidateValues& values) {
  const auto widen = [](Aggregate& aggregate, double value) {
    aggregate.largest = std::max(aggregate.largest, std::abs(value));
  };
  for (const MetricId k : kMetricIds) widen(aggregates_[k], values.metrics[k]);
  for (std::size_t column = 0; column < values.units.size(); ++column) {
    if (std::isnan(values.units[column])) continue;
    widen(units_[column], values.units[column]);
    widen(forth_units_[column], values.forth_units[column]);
  }
}

double AllocatorStatistics::error_bound() const {
  // The incremental tag map keeps keys that no node holds any more.
  if (has_tag_map()) return std::numeric_limits<double>::infinity();
  double error = 0;
  for (const MetricId k : kMetricIds) {
    double of_metric = kMetrics[k].statistic == Statistic::Deviation
                           ? deviation_error(aggregates_[k])
                           : sum_error(aggregates_[k]);
    if (kMetrics[k].statistic == Statistic::TagMap) of_metric = 0;
    if (!columns_.empty() && k == MetricId::FreeDisk) of_metric = units_error(units_);
    if (!columns_.empty() && k == MetricId::ForthFreeDisk) of_metric = units_error(forth_units_);
    error += kMetrics[k].weight * of_metric;
  }
  // The terms are added up in the same order on both sides.
  return error + 4 * kMetricCount * kEpsilon * std::abs(score());
}

}  // namespace ballast::ganeti
