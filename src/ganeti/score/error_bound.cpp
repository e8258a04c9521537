// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "ballast/ganeti/score/candidates.hpp"
#include "ballast/ganeti/score/root_bounds.hpp"

namespace ballast::ganeti {
namespace {

using Aggregate = AllocatorStatistics::Aggregate;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// One further update changes one value by at most 2M, and the deviation by 2M / sqrt(n).
double error_after_update(const Aggregate& aggregate) {
  return deviation_error(aggregate, 2 * aggregate.largest / std::sqrt(aggregate.count));
}

double units_error(std::span<const Aggregate> units) {
  double error = 0;
  for (const Aggregate& unit : units) error += error_after_update(unit);
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
                           ? error_after_update(aggregates_[k])
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
