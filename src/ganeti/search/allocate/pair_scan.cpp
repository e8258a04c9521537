// SPDX-License-Identifier: BSD-2-Clause
#include "pair_scan.hpp"

#include <algorithm>
#include <cmath>

#include "ballast/ganeti/score/node_values.hpp"
#include "pair_loops.hpp"

namespace ballast::ganeti::alloc {
namespace {

bool is_all_finite(const PerMetric<double>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value); });
}

}  // namespace

PairScan::PairScan(const Question& question, const AllocatorStatistics& base)
    : world_(question.world),
      instance_(question.instance),
      secondaries_(question.secondaries),
      force_(question.force),
      base_(base),
      position_(question.world.cluster->nodes.size(), -1),
      exceptions_(question.world.cluster->nodes.size()) {
  const Cluster& cluster = *world_.cluster;
  is_usable_ = base.has_values() && !base.has_tag_map() &&
               std::all_of(question.scored.begin(), question.scored.end(),
                           [&](NodeId node) { return is_finite(node); });
  const auto has_locations = [&](NodeId node) { return !cluster[node].location_tags.empty(); };
  // A planned instance has no share in the nodes' location scores yet.
  has_locations_ =
      !instance_.instance->is_forthcoming &&
      (std::any_of(secondaries_.begin(), secondaries_.end(), has_locations) ||
       std::any_of(question.primaries.begin(), question.primaries.end(), has_locations));
  for (const NodeId node : secondaries_) is_usable_ = is_usable_ && !cluster[node].is_offline;
  // The tags of a new primary make the tag map count.
  is_usable_ = is_usable_ && !(has_locations_ && !instance_.instance->exclusion_tags.empty());
  for (std::size_t i = 0; i < secondaries_.size() && is_usable_; ++i) prepare_secondary(i);
  if (is_usable_) prepare_columns();
}

bool PairScan::is_finite(NodeId node) const {
  const Node& data = (*world_.cluster)[node];
  return data.is_offline || is_all_finite(node_values(data, world_[node]));
}

void PairScan::prepare_secondary(std::size_t position) {
  const Cluster& cluster = *world_.cluster;
  const NodeId node = secondaries_[position];
  const NodeState& before = world_[node];
  position_[node.index()] = static_cast<std::int32_t>(position);
  for (const auto& [primary, memory] : before.peers) {
    if (world_.has(primary)) exceptions_[primary.index()].push_back(position);
  }
  const NodeId nobody(cluster.nodes.size());
  NodeState after = before;
  const auto no = add_secondary(cluster, node, after, instance_, nobody, force_);
  status_.push_back(no ? static_cast<std::int8_t>(no->reason) : kFits);
  before_.push_back(candidate_values(cluster, node, before, base_.columns()));
  after_.push_back(no ? before_.back() : candidate_values(cluster, node, after, base_.columns()));
  is_usable_ = is_all_finite(after_.back().metrics);
}

template <class Value>
PairScan::Column PairScan::column_of(double count, Value value) const {
  Column column;
  for (std::size_t i = 0; i < secondaries_.size(); ++i) {
    const double x = value(before_[i]);
    const double y = value(after_[i]);
    // A node without that unit has no share in its deviation.
    const bool counts = !std::isnan(x);
    const double change = counts ? y - x : 0;
    column.change.push_back(change);
    column.scaled.push_back(counts ? count * (y * y - x * x) : 0);
    column.squared.push_back(change * change);
    column.is_changed = column.is_changed || (counts && x != y);
  }
  return column;
}

void PairScan::prepare_columns() {
  for (const MetricId k : kMetricIds) {
    if (kMetrics[k].scope == Scope::Offline || kMetrics[k].statistic == Statistic::TagMap) continue;
    columns_[k] = column_of(base_.aggregates()[k].count,
                            [k](const CandidateValues& values) { return values.metrics[k]; });
  }
  for (std::size_t u = 0; u < base_.columns().size(); ++u) {
    units_.push_back(column_of(base_.units()[u].count,
                               [u](const CandidateValues& values) { return values.units[u]; }));
    forth_units_.push_back(
        column_of(base_.forth_units()[u].count,
                  [u](const CandidateValues& values) { return values.forth_units[u]; }));
  }
}

void PairScan::prepare_bound(AllocatorStatistics& statistics) const {
  for (const CandidateValues& values : after_) statistics.expect(values);
}

void PairScan::add_units(std::span<const Column> columns,
                         std::span<const AllocatorStatistics::Aggregate> units, double weight,
                         std::vector<double>& score) const {
  std::vector<double> total(score.size(), 0.0);
  for (std::size_t u = 0; u < units.size(); ++u) {
    const Column& column = columns[u];
    if (!column.is_changed) {
      loops::add_constant(total.data(), total.size(), std::sqrt(units[u].variance));
      continue;
    }
    const loops::Deviation before{2 * units[u].sum, units[u].variance,
                                  units[u].count * units[u].count, 1};
    loops::add_deviation(total.data(), total.size(), before,
                         {column.change.data(), column.scaled.data(), column.squared.data()});
  }
  const auto count = static_cast<double>(units.size());
  for (std::size_t i = 0; i < score.size(); ++i)
    score[i] += weight * (units.empty() ? 0 : total[i] / count);
}

void PairScan::add_locations(NodeId primary, double sum, double weight,
                             std::vector<double>& score) const {
  const Node& first = (*world_.cluster)[primary];
  for (std::size_t i = 0; i < score.size(); ++i) {
    const Node& second = (*world_.cluster)[secondaries_[i]];
    score[i] += weight * (sum + static_cast<double>(common_location_tags(first, second)));
  }
}

void PairScan::add_metric(MetricId metric, NodeId primary, const AllocatorStatistics& statistics,
                          std::vector<double>& score) const {
  const auto& aggregate = statistics.aggregates()[metric];
  const Column& column = columns_[metric];
  const double weight = kMetrics[metric].weight;
  const bool is_deviation = kMetrics[metric].statistic == Statistic::Deviation;
  if (metric == MetricId::Location && has_locations_ &&
      !(*world_.cluster)[primary].location_tags.empty()) {
    add_locations(primary, aggregate.sum, weight, score);
  } else if (!column.is_changed) {
    const double value = kMetrics[metric].statistic == Statistic::TagMap ? 0
                         : is_deviation ? std::sqrt(aggregate.variance)
                                        : aggregate.sum;
    loops::add_constant(score.data(), score.size(), weight * value);
  } else if (is_deviation) {
    const loops::Deviation before{2 * aggregate.sum, aggregate.variance,
                                  aggregate.count * aggregate.count, weight};
    loops::add_deviation(score.data(), score.size(), before,
                         {column.change.data(), column.scaled.data(), column.squared.data()});
  } else {
    loops::add_sum(score.data(), score.size(), aggregate.sum, weight, column.change.data());
  }
}

namespace {

/// The deviation after a secondary's change, as loops::add_deviation computes it.
double deviation_after(const AllocatorStatistics::Aggregate& aggregate,
                       const PairScan::Column& column, std::size_t position) {
  const double grown = (column.scaled[position] - 2 * aggregate.sum * column.change[position]) -
                       column.squared[position];
  const double after = aggregate.variance + grown / (aggregate.count * aggregate.count);
  return std::sqrt(0 <= after ? after : 0);
}

}  // namespace

double PairScan::units_value(std::size_t position, std::span<const Column> columns,
                             std::span<const AllocatorStatistics::Aggregate> units) {
  double total = 0;
  for (std::size_t u = 0; u < units.size(); ++u) {
    total += columns[u].is_changed ? deviation_after(units[u], columns[u], position)
                                   : std::sqrt(units[u].variance);
  }
  return units.empty() ? 0 : total / static_cast<double>(units.size());
}

double PairScan::score_of(std::size_t position, const AllocatorStatistics& statistics) const {
  const bool has_storage = world_.cluster->has_storage;
  double score = 0;
  for (const MetricId k : kMetricIds) {
    const auto& aggregate = statistics.aggregates()[k];
    const Column& column = columns_[k];
    double value = 0;
    if (has_storage && k == MetricId::FreeDisk) {
      value = units_value(position, units_, statistics.units());
    } else if (has_storage && k == MetricId::ForthFreeDisk) {
      value = units_value(position, forth_units_, statistics.forth_units());
    } else if (kMetrics[k].statistic == Statistic::Deviation) {
      value = column.is_changed ? deviation_after(aggregate, column, position)
                                : std::sqrt(aggregate.variance);
    } else if (kMetrics[k].statistic != Statistic::TagMap) {
      value = column.is_changed ? aggregate.sum + column.change[position] : aggregate.sum;
    }
    score += kMetrics[k].weight * value;
  }
  return score;
}

std::int8_t PairScan::place_exception(NodeId primary, std::size_t position,
                                      NodeState& after) const {
  const NodeId node = secondaries_[position];
  after = world_[node];
  const auto no = add_secondary(*world_.cluster, node, after, instance_, primary, force_);
  return no ? static_cast<std::int8_t>(no->reason) : kFits;
}

double PairScan::score_of_exception(NodeId primary, std::size_t position, const NodeState& after,
                                    const AllocatorStatistics& statistics) const {
  const Cluster& cluster = *world_.cluster;
  const NodeId node = secondaries_[position];
  AllocatorStatistics one = statistics;
  one.update(node, world_[node], after);
  // The pair's location score stands in the primary's sum, which does not know it yet.
  if (has_locations_) {
    one.add_to_sum(MetricId::Location,
                   static_cast<double>(common_location_tags(cluster[primary], cluster[node])));
  }
  return one.score();
}

void PairScan::fix_exceptions(NodeId primary, const AllocatorStatistics& statistics,
                              std::vector<std::int8_t>& status, std::vector<double>& score) const {
  NodeState after;
  for (const std::size_t i : exceptions(primary)) {
    if (secondaries_[i] == primary) continue;
    status[i] = place_exception(primary, i, after);
    if (status[i] == kFits) score[i] = score_of_exception(primary, i, after, statistics);
  }
}

void PairScan::scan_exceptions(NodeId primary, const AllocatorStatistics& statistics,
                               std::vector<std::int8_t>& status, std::vector<double>& score) const {
  status.assign(secondaries_.size(), kSkipped);
  score.assign(secondaries_.size(), 0.0);
  fix_exceptions(primary, statistics, status, score);
}

void PairScan::scan(NodeId primary, const AllocatorStatistics& statistics,
                    std::vector<std::int8_t>& status, std::vector<double>& score) const {
  const bool has_storage = world_.cluster->has_storage;
  status = status_;
  score.assign(secondaries_.size(), 0.0);
  for (const MetricId k : kMetricIds) {
    if (has_storage && k == MetricId::FreeDisk) {
      add_units(units_, statistics.units(), kMetrics[k].weight, score);
    } else if (has_storage && k == MetricId::ForthFreeDisk) {
      add_units(forth_units_, statistics.forth_units(), kMetrics[k].weight, score);
    } else {
      add_metric(k, primary, statistics, score);
    }
  }
  fix_exceptions(primary, statistics, status, score);
  const std::int32_t own = position_[primary.index()];
  if (own >= 0) status[static_cast<std::size_t>(own)] = kSkipped;
}

}  // namespace ballast::ganeti::alloc
