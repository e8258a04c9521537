// SPDX-License-Identifier: BSD-2-Clause
// What a node puts into the score, as columns: the metrics in their order, then the free fraction
// of each scored unit, then the same with planned instances. All that adds up columns, from scratch
// or by running sums, makes a score of them by the one rule that stands here.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "ballast/ganeti/metrics/table.hpp"
#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti {

/// One node's values by column; NaN where it lacks the unit.
using ColumnValues = std::vector<double>;

class ScoreColumns {
 public:
  /// `cluster` must outlive this. Units count where an online node of `nodes` holds them.
  ScoreColumns(const Cluster& cluster, std::span<const NodeId> nodes);

  [[nodiscard]] std::size_t size() const { return kMetricCount + 2 * units_.size(); }
  /// Scored, by type, then key; empty where storage does not count.
  [[nodiscard]] std::span<const StorageKeyId> units() const { return units_; }
  [[nodiscard]] static constexpr std::size_t column_of(MetricId metric) { return index_of(metric); }
  /// First of the columns of the units that stand for a storage metric.
  [[nodiscard]] std::size_t first_unit_of(MetricId metric) const {
    return kMetricCount + (kMetrics[metric].is_forth ? units_.size() : 0);
  }
  /// None: the column is a unit's.
  [[nodiscard]] static std::optional<MetricId> metric_of(std::size_t column) {
    return column < kMetricCount ? std::optional(kMetricIds[column]) : std::nullopt;
  }
  [[nodiscard]] static bool is_deviation(std::size_t column) {
    return column >= kMetricCount || ganeti::is_deviation(kMetricIds[column]);
  }
  /// Whether the value of a node counts there.
  [[nodiscard]] static bool counts(std::size_t column, double value, bool is_offline) {
    return column < kMetricCount
               ? (kMetrics[kMetricIds[column]].scope == Scope::Offline) == is_offline
               : !is_offline && value == value;
  }
  /// Whether units stand for the metric.
  [[nodiscard]] bool is_by_units(MetricId metric) const {
    return cluster_->has_storage && is_storage(metric);
  }
  /// What a value of the column counts in the score, but for rounding; 0 where units stand for it.
  [[nodiscard]] double weight_of(std::size_t column) const;

  [[nodiscard]] ColumnValues values_of(NodeId node, const NodeState& state) const;

  /// `value_of(column)` gives what the column's values came to: a deviation, a sum, a count of tag
  /// pairs.
  template <class ValueOf>
  [[nodiscard]] double metric_value(MetricId metric, ValueOf&& value_of) const {
    return is_by_units(metric) ? mean_of_units(metric, value_of) : value_of(column_of(metric));
  }
  /// In the reference's order of summation.
  template <class ValueOf>
  [[nodiscard]] double score(ValueOf&& value_of) const {
    double score = 0;
    for (const MetricId k : kMetricIds) score += ganeti::weight_of(k) * metric_value(k, value_of);
    return score;
  }

 private:
  template <class ValueOf>
  [[nodiscard]] double mean_of_units(MetricId metric, ValueOf&& value_of) const {
    double sum = 0;
    const std::size_t first = first_unit_of(metric);
    for (std::size_t u = 0; u < units_.size(); ++u) sum += value_of(first + u);
    return units_.empty() ? 0 : sum / static_cast<double>(units_.size());
  }

  const Cluster* cluster_;
  std::vector<StorageKeyId> units_;
};

}  // namespace ballast::ganeti
