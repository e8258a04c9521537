// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/score/columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "ballast/ganeti/score/node_values.hpp"
#include "ballast/ganeti/score/root_bounds.hpp"

namespace ballast::ganeti::alloc {
namespace {

constexpr std::size_t kOnline = 0;
constexpr std::size_t kOffline = 1;
constexpr std::size_t kFirstUnit = 2;

/// The metric that a column stands for; none: it is a unit's.
std::optional<MetricId> metric_of(std::size_t column) {
  return column < kMetricCount ? std::optional(kMetricIds[column]) : std::nullopt;
}

bool is_deviation(std::size_t column) {
  const auto metric = metric_of(column);
  return !metric || ganeti::is_deviation(*metric);
}

bool is_offline_column(std::size_t column) {
  const auto metric = metric_of(column);
  return metric && kMetrics[*metric].scope == Scope::Offline;
}

std::vector<std::int32_t> numbered(const std::vector<bool>& is_member) {
  std::vector<std::int32_t> positions(is_member.size(), -1);
  std::int32_t next = 0;
  for (std::size_t n = 0; n < is_member.size(); ++n) {
    if (is_member[n]) positions[n] = next++;
  }
  return positions;
}

}  // namespace

CapacityColumns::CapacityColumns(const Cluster& cluster, const State& state)
    : cluster_(cluster), state_(state), is_node_finite_(cluster.nodes.size(), true) {
  const std::vector<NodeId> nodes = whole_part(cluster).nodes;
  if (cluster.has_storage) units_ = scored_units(cluster, nodes);
  std::vector<std::vector<bool>> members(kFirstUnit + units_.size());
  for (auto& one : members) one.resize(cluster.nodes.size());
  for (const NodeId node : nodes) {
    members[cluster[node].is_offline ? kOffline : kOnline][node.index()] = true;
    if (cluster[node].is_offline) continue;
    for (const StorageUnit& unit : cluster[node].units) {
      const auto place = std::lower_bound(units_.begin(), units_.end(), unit.key) - units_.begin();
      if (cluster.has_storage)
        members[kFirstUnit + static_cast<std::size_t>(place)][node.index()] = true;
    }
  }
  for (const auto& one : members) positions_.push_back(numbered(one));
  for (std::size_t c = 0; c < kMetricCount + 2 * units_.size(); ++c) {
    const std::size_t of = !metric_of(c)          ? kFirstUnit + (c - kMetricCount) % units_.size()
                           : is_offline_column(c) ? kOffline
                                                  : kOnline;
    const auto count = std::count(members[of].begin(), members[of].end(), true);
    columns_.push_back({of, std::vector<double>(static_cast<std::size_t>(count)), 0, true});
  }
  aggregates_.resize(columns_.size());
  for (const NodeId node : nodes) update(node);
  tag_value_ = location_exclusion_value(
      cluster, nodes, [&](NodeId node) -> const NodeState& { return state[node]; });
}

ColumnValues CapacityColumns::values_of(NodeId node, const NodeState& state) const {
  const auto metrics = node_values(cluster_[node], state);
  ColumnValues values(metrics.begin(), metrics.end());
  values.resize(columns_.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const auto fraction = unit_fraction(cluster_, cluster_[node], state, units_[u]);
    if (!fraction) continue;
    values[kMetricCount + u] = fraction->now;
    values[kMetricCount + units_.size() + u] = fraction->forth;
  }
  return values;
}

void CapacityColumns::update(NodeId node) {
  const ColumnValues values = values_of(node, state_[node]);
  set_finite(node, values);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    Column& column = columns_[c];
    const std::int32_t position = positions_[column.members][node.index()];
    if (position < 0) continue;
    double& old = column.values[static_cast<std::size_t>(position)];
    if (old == values[c]) continue;
    old = values[c];
    column.largest = std::max(column.largest, std::abs(old));
    column.is_stale = true;
  }
}

void CapacityColumns::set_finite(NodeId node, const ColumnValues& values) {
  bool is_finite = true;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const bool counts = !cluster_[node].is_offline &&
                        (c < kMetricCount || positions_[columns_[c].members][node.index()] >= 0);
    is_finite = is_finite && (!counts || std::isfinite(values[c]));
  }
  infinite_ += is_finite ? 0U : 1U;
  infinite_ -= is_node_finite_[node.index()] ? 0U : 1U;
  is_node_finite_[node.index()] = is_finite;
}

void CapacityColumns::sum_up(std::size_t c) {
  Column& column = columns_[c];
  column.is_stale = false;
  Aggregate& aggregate = aggregates_[c];
  aggregate.count = static_cast<double>(column.values.size());
  aggregate.sum = 0;
  aggregate.largest = column.largest;
  for (const double value : column.values) aggregate.sum += value;
  if (!is_deviation(c)) return;
  const double mean = aggregate.sum / aggregate.count;
  double squares = 0;
  for (const double value : column.values) {
    const double off = value - mean;
    squares += off * off;
  }
  aggregate.variance = squares / aggregate.count;
}

const CapacityColumns::Aggregates& CapacityColumns::aggregates() {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].is_stale) sum_up(c);
  }
  return aggregates_;
}

void CapacityColumns::apply(Aggregates& aggregates, const ColumnValues& before,
                            const ColumnValues& after) {
  for (std::size_t c = 0; c < aggregates.size(); ++c) {
    if (before[c] == after[c] || std::isnan(before[c])) continue;
    if (is_deviation(c)) {
      update_deviation(aggregates[c], before[c], after[c]);
    } else if (!is_offline_column(c)) {
      update_sum(aggregates[c], before[c], after[c]);
    }
  }
}

double CapacityColumns::value_of(const Aggregates& aggregates, MetricId metric) const {
  if (cluster_.has_storage && is_storage(metric)) {
    const std::size_t first = first_unit_of(metric);
    double sum = 0;
    for (std::size_t u = 0; u < units_.size(); ++u)
      sum += std::sqrt(aggregates[first + u].variance);
    return units_.empty() ? 0 : sum / static_cast<double>(units_.size());
  }
  if (kMetrics[metric].statistic == Statistic::TagMap) return tag_value_;
  const Aggregate& aggregate = aggregates[index_of(metric)];
  return ganeti::is_deviation(metric) ? std::sqrt(aggregate.variance) : aggregate.sum;
}

double CapacityColumns::score_of(const Aggregates& aggregates) const {
  double score = 0;
  for (const MetricId k : kMetricIds) score += weight_of(k) * value_of(aggregates, k);
  return score;
}

double CapacityColumns::error_of(const Aggregates& aggregates, double score) {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  double error = 64 * kEpsilon * (std::abs(score) + 1);
  for (std::size_t c = 0; c < aggregates.size(); ++c) {
    if (!is_deviation(c)) continue;
    error += weight_of(metric_of(c).value_or(MetricId::FreeDisk)) * deviation_error(aggregates[c]);
  }
  return error;
}

std::vector<double> CapacityColumns::exact_values(std::size_t c,
                                                  std::span<const ColumnChange> changes) {
  const Column& column = columns_[c];
  std::vector<double> values(
      changes.size(), is_deviation(c) ? std::sqrt(aggregates_[c].variance) : aggregates_[c].sum);
  std::vector<std::pair<std::size_t, double>> changed;
  std::vector<std::size_t> places;
  changed.reserve(changes.size());
  places.reserve(changes.size());
  const std::vector<std::int32_t>& positions = positions_[column.members];
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const std::int32_t position = positions[changes[i].node.index()];
    if (position < 0) continue;
    const auto place = static_cast<std::size_t>(position);
    const double after = (*changes[i].after)[c];
    if (after == column.values[place]) continue;
    changed.emplace_back(place, after);
    places.push_back(i);
    if (!is_deviation(c)) values[i] = aggregates_[c].sum + (after - column.values[place]);
  }
  if (!is_deviation(c) || changed.empty()) return values;
  const auto deviations = deviations_with(column.values, changed);
  for (std::size_t i = 0; i < places.size(); ++i) values[places[i]] = deviations[i];
  return values;
}

void CapacityColumns::add_metric(MetricId metric, std::span<const ColumnChange> changes,
                                 std::vector<double>& scores) {
  const std::size_t of = index_of(metric);
  const auto is_same = [&](const auto& other) {
    const Column& column = columns_[of];
    const Column& done = columns_[other.first];
    return done.members == column.members && done.values == column.values &&
           std::all_of(changes.begin(), changes.end(), [&](const ColumnChange& change) {
             return (*change.after)[of] == (*change.after)[other.first];
           });
  };
  const double weight = weight_of(metric);
  if (kMetrics[metric].statistic == Statistic::TagMap) {
    for (double& score : scores) score += weight * tag_value_;
    return;
  }
  auto known = is_deviation(of) ? std::find_if(done_.begin(), done_.end(), is_same) : done_.end();
  if (known == done_.end()) {
    done_.emplace_back(of, exact_values(of, changes));
    known = done_.end() - 1;
  }
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += weight * known->second[i];
  if (!is_deviation(of)) done_.pop_back();
}

void CapacityColumns::add_units(MetricId metric, std::span<const ColumnChange> changes,
                                std::vector<double>& scores) {
  std::vector<double> sums(changes.size());
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const auto values = exact_values(first_unit_of(metric) + u, changes);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += values[i];
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double value = units_.empty() ? 0 : sums[i] / static_cast<double>(units_.size());
    scores[i] += kMetrics[metric].weight * value;
  }
}

std::vector<double> CapacityColumns::exact_scores(std::span<const ColumnChange> changes) {
  aggregates();
  done_.clear();
  std::vector<double> scores(changes.size());
  for (const MetricId k : kMetricIds) {
    if (cluster_.has_storage && is_storage(k)) {
      add_units(k, changes, scores);
    } else {
      add_metric(k, changes, scores);
    }
  }
  return scores;
}

}  // namespace ballast::ganeti::alloc
