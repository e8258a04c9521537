// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/score/running.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ballast/ganeti/score/root_bounds.hpp"

namespace ballast::ganeti {
namespace {

using Aggregate = Running::Aggregate;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

void widen(Aggregate& aggregate, double value) {
  aggregate.largest = std::max(aggregate.largest, std::abs(value));
}

/// An update to the same value leaves an aggregate of ordinary numbers as it is.
bool changes_nothing(const Aggregate& aggregate, double before, double after) {
  return before == after && std::isfinite(aggregate.sum) && std::isfinite(before * before) &&
         aggregate.variance >= 0;
}

void update_deviation(Aggregate& aggregate, double before, double after) {
  const double change = after - before;
  const double n = aggregate.count;
  const double scaled = n * (after * after - before * before);
  aggregate.variance =
      grown(aggregate.variance, growth(scaled, 2 * aggregate.sum, change, change * change), n * n);
  aggregate.sum += change;
}

}  // namespace

Running::Running(std::shared_ptr<const ScoreColumns> columns, std::vector<Aggregate> aggregates,
                 std::shared_ptr<const TagPairs> tag_pairs)
    : columns_(std::move(columns)),
      aggregates_(std::move(aggregates)),
      tag_pairs_(std::move(tag_pairs)) {}

Running::Running(std::shared_ptr<const ScoreColumns> columns, std::span<const NodesAlike> nodes)
    : Running(columns, std::vector<Aggregate>(columns->size()), std::make_shared<TagPairs>()) {
  for (std::size_t c = 0; c < aggregates_.size(); ++c) {
    Aggregate& aggregate = aggregates_[c];
    const auto each = [&](const auto& visit) {
      for (const NodesAlike& alike : nodes) {
        const double value = (*alike.values)[c];
        if (ScoreColumns::counts(c, value, false)) visit(value, alike.count);
      }
    };
    each([&](double value, double count) {
      aggregate.count += count;
      aggregate.sum += count * value;
      widen(aggregate, value);
    });
    each([&](double value, double count) {
      const double off = value - aggregate.sum / aggregate.count;
      aggregate.variance += count * off * off / aggregate.count;
    });
  }
}

void Running::update(const ColumnValues& before, const ColumnValues& after, bool is_offline) {
  for (std::size_t c = 0; c < aggregates_.size(); ++c) {
    Aggregate& aggregate = aggregates_[c];
    if (changes_nothing(aggregate, before[c], after[c]) ||
        !ScoreColumns::counts(c, before[c], is_offline))
      continue;
    if (ScoreColumns::is_deviation(c)) {
      update_deviation(aggregate, before[c], after[c]);
    } else {
      aggregate.sum += after[c] - before[c];
    }
    widen(aggregate, after[c]);
    aggregate.is_updated = true;
  }
}

void Running::update(const Cluster& cluster, NodeId node, const NodeState& before,
                     const NodeState& after) {
  const bool is_offline = cluster[node].is_offline;
  update(columns_->values_of(node, before), columns_->values_of(node, after), is_offline);
  if (!is_offline && before.location_exclusions != after.location_exclusions)
    update_tag_pairs(before, after);
}

void Running::update_tag_pairs(const NodeState& before, const NodeState& after) {
  auto pairs = std::make_shared<TagPairs>(*tag_pairs_);
  pairs->change(before.location_exclusions, after.location_exclusions);
  tag_pairs_ = std::move(pairs);
  are_tag_pairs_updated_ = true;
}

double Running::value_of(std::size_t column) const {
  if (column == ScoreColumns::column_of(MetricId::LocationExclusion))
    return static_cast<double>(tag_pairs_->conflicts());
  const Aggregate& aggregate = aggregates_[column];
  return ScoreColumns::is_deviation(column) ? std::sqrt(aggregate.variance) : aggregate.sum;
}

double Running::score() const {
  if (!has_values()) return 0;
  return columns_->score([&](std::size_t column) { return value_of(column); });
}

bool Running::is_finite() const {
  return std::all_of(aggregates_.begin(), aggregates_.end(), [](const Aggregate& one) {
    return one.count == 0 || (std::isfinite(one.sum) && std::isfinite(one.variance));
  });
}

void Running::expect(const ColumnValues& values) {
  for (std::size_t c = 0; c < aggregates_.size(); ++c) {
    if (!std::isnan(values[c])) widen(aggregates_[c], values[c]);
  }
}

double Running::error(bool is_one_to_come) const {
  // Pairs that no node has any more are still counted, as the reference does.
  if (are_tag_pairs_updated_) return std::numeric_limits<double>::infinity();
  double error = 0;
  for (std::size_t c = 0; c < aggregates_.size(); ++c) {
    const Aggregate& one = aggregates_[c];
    const double weight = columns_->weight_of(c);
    if (!ScoreColumns::is_deviation(c) || weight == 0) continue;
    // One further update changes one value by at most 2M, and the deviation by 2M / sqrt(n).
    const double fall = is_one_to_come ? 2 * one.largest / std::sqrt(one.count) : 0;
    error += weight * deviation_error(one, fall);
  }
  // All other sums are of whole numbers.
  const Aggregate& reserved = (*this)[MetricId::ReservedTotal];
  if (is_one_to_come || reserved.is_updated)
    error += weight_of(MetricId::ReservedTotal) * sum_error(reserved);
  // The terms are added up in the same order on both sides.
  return error + 4 * kMetricCount * kEpsilon * (std::abs(score()) + 1);
}

}  // namespace ballast::ganeti
