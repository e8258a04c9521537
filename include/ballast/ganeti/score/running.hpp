// SPDX-License-Identifier: BSD-2-Clause
// The score by running sums: the allocator's own update rule. For pairs its last bits are part of
// the answers, for others it is a screen, which knows how far it can be off.
#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "ballast/ganeti/score/columns.hpp"
#include "ballast/ganeti/score/tag_pairs.hpp"

namespace ballast::ganeti {

class Running {
 public:
  /// One column.
  struct Aggregate {
    double count = 0;
    double sum = 0;
    double variance = 0;
    double largest = 0;       ///< no value that was counted is larger, signs apart
    bool is_updated = false;  ///< else the sum is that from scratch
  };
  /// From scratch, by column, as a ScoreSheet gives them.
  Running(std::shared_ptr<const ScoreColumns> columns, std::vector<Aggregate> aggregates,
          std::shared_ptr<const TagPairs> tag_pairs);

  /// So many online nodes with the same values.
  struct NodesAlike {
    const ColumnValues* values;
    double count;
  };
  /// But for rounding as the nodes one by one would give it; there are no tags.
  Running(std::shared_ptr<const ScoreColumns> columns, std::span<const NodesAlike> nodes);

  /// `before` must be the values that the node had when it was counted last.
  void update(const ColumnValues& before, const ColumnValues& after, bool is_offline = false);
  /// The same with the node's tag pairs.
  void update(const Cluster& cluster, NodeId node, const NodeState& before, const NodeState& after);
  /// Whole numbers only: the order of additions does not matter for them.
  void add_to_sum(MetricId metric, double change) { of(metric).sum += change; }

  [[nodiscard]] double score() const;
  /// What the column's values come to.
  [[nodiscard]] double value_of(std::size_t column) const {
    if (ScoreColumns::is_deviation(column)) return std::sqrt(aggregates_[column].variance);
    return column == ScoreColumns::column_of(MetricId::LocationExclusion)
               ? static_cast<double>(tag_pairs_->conflicts())
               : aggregates_[column].sum;
  }
  struct Estimate {
    double score = 0;
    double error = 0;  ///< so far the exact score can be off; not finite: nothing is known
    [[nodiscard]] double least() const { return score - error; }
    [[nodiscard]] double most() const { return score + error; }
  };
  [[nodiscard]] Estimate estimate() const { return {score(), error(false)}; }
  /// Values that may be counted later: error_of_next() allows for them.
  void expect(const ColumnValues& values);
  /// The error after one further update to expected values.
  [[nodiscard]] double error_of_next() const { return error(true); }

  [[nodiscard]] const ScoreColumns& columns() const { return *columns_; }
  [[nodiscard]] std::span<const Aggregate> aggregates() const { return aggregates_; }
  [[nodiscard]] const Aggregate& operator[](MetricId metric) const {
    return aggregates_[ScoreColumns::column_of(metric)];
  }
  /// False: no online node, the score is 0.
  [[nodiscard]] bool has_values() const { return (*this)[MetricId::FreeMem].count > 0; }
  /// Whether each value that counts is a number and finite; else sums of them say nothing.
  [[nodiscard]] bool is_finite() const;
  /// Tag pairs have no place in columns.
  [[nodiscard]] bool has_tag_pairs() const { return !tag_pairs_->empty(); }

 private:
  [[nodiscard]] Aggregate& of(MetricId metric) {
    return aggregates_[ScoreColumns::column_of(metric)];
  }
  [[nodiscard]] double error(bool is_one_to_come) const;
  void update_tag_pairs(const NodeState& before, const NodeState& after);

  std::shared_ptr<const ScoreColumns> columns_;
  std::vector<Aggregate> aggregates_;
  std::shared_ptr<const TagPairs> tag_pairs_;  ///< shared by copies until one of them changes it
  bool are_tag_pairs_updated_ = false;
};

/// What an update adds to n * n variances, of which `scaled` is n * (after^2 - before^2), `change`
/// after - before and `squared` change^2: in the reference's order.
constexpr double growth(double scaled, double twice_sum, double change, double squared) {
  return (scaled - twice_sum * change) - squared;
}
/// The variance after it; not a number becomes 0 too.
constexpr double grown(double variance, double by, double count_squared) {
  const double after = variance + by / count_squared;
  return 0 <= after ? after : 0;
}

}  // namespace ballast::ganeti
