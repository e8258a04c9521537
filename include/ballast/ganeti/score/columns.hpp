// SPDX-License-Identifier: BSD-2-Clause
// What the nodes put into the score, column by column: a column is summed up again, from left to
// right as the reference does, only where one of its values has changed.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "ballast/ganeti/score/candidates.hpp"

namespace ballast::ganeti::alloc {

/// One node's values by column: the metrics in their order, then the free fraction of
/// each scored unit, then the same with planned instances. NaN where the node lacks the unit.
using ColumnValues = std::vector<double>;

/// A node as an instance would leave it.
struct ColumnChange {
  NodeId node;
  const ColumnValues* after = nullptr;
};

class CapacityColumns {
 public:
  using Aggregate = AllocatorStatistics::Aggregate;
  using Aggregates = std::vector<Aggregate>;

  /// Both must outlive this. `state` may change, if it is told.
  CapacityColumns(const Cluster& cluster, const State& state);

  void update(NodeId node);
  [[nodiscard]] ColumnValues values_of(NodeId node, const NodeState& state) const;
  /// Whether each value that counts is a number and finite; else sums of them say nothing.
  [[nodiscard]] bool is_finite() const { return infinite_ == 0; }

  /// Of the present state, from scratch.
  const Aggregates& aggregates();
  /// The allocator's own update rule.
  static void apply(Aggregates& aggregates, const ColumnValues& before, const ColumnValues& after);
  [[nodiscard]] double score_of(const Aggregates& aggregates) const;
  /// How far score_of() after one apply() can be from the sum from scratch.
  [[nodiscard]] static double error_of(const Aggregates& aggregates, double score);
  /// The score from scratch for each change alone, to the last bit. Changes ascend by node, which
  /// is online; what is summed up without deviation changes by whole numbers.
  [[nodiscard]] std::vector<double> exact_scores(std::span<const ColumnChange> changes);

 private:
  struct Column {
    std::size_t members;         ///< which positions_ say where a node's value stands
    std::vector<double> values;  ///< of its members, in node order
    double largest = 0;          ///< none of the values so far was larger, signs apart
    bool is_stale = true;
  };

  void set_finite(NodeId node, const ColumnValues& values);
  void sum_up(std::size_t column);
  /// First of the columns of units that stand for a storage metric.
  [[nodiscard]] std::size_t first_unit_of(MetricId metric) const {
    return kMetricCount + (kMetrics[metric].is_forth ? units_.size() : 0);
  }
  [[nodiscard]] double value_of(const Aggregates& aggregates, MetricId metric) const;
  std::vector<double> exact_values(std::size_t column, std::span<const ColumnChange> changes);
  /// Adds weight x value of one metric to each score.
  void add_metric(MetricId metric, std::span<const ColumnChange> changes,
                  std::vector<double>& scores);
  void add_units(MetricId metric, std::span<const ColumnChange> changes,
                 std::vector<double>& scores);

  const Cluster& cluster_;
  const State& state_;
  std::vector<StorageKeyId> units_;
  std::vector<std::vector<std::int32_t>> positions_;  ///< by members, node index; -1: no member
  std::vector<Column> columns_;
  Aggregates aggregates_;
  std::vector<bool> is_node_finite_;
  std::size_t infinite_ = 0;
  double tag_value_ = 0;  ///< new instances have no tags: it stays
  /// Columns of one exact_scores() that were worked out: many are equal, value for value.
  std::vector<std::pair<std::size_t, std::vector<double>>> done_;
};

/// The deviation of `column` for each change of one value, `position` -> `value`, exactly as a sum
/// from left to right over all values gives it. Sums that have become equal are continued once.
std::vector<double> deviations_with(std::span<const double> column,
                                    std::span<const std::pair<std::size_t, double>> changes);

}  // namespace ballast::ganeti::alloc
