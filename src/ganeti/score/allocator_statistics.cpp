// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>

#include "ballast/ganeti/score/candidates.hpp"
#include "ballast/ganeti/score/node_values.hpp"

namespace ballast::ganeti {
namespace {

using Aggregate = AllocatorStatistics::Aggregate;

/// From scratch, in node order: sum and mean square deviation.
template <class Each>
Aggregate started(const Each& each_value) {
  Aggregate aggregate;
  each_value([&](double value) {
    aggregate.count += 1;
    aggregate.sum += value;
    aggregate.largest = std::max(aggregate.largest, std::abs(value));
  });
  const double mean = aggregate.sum / aggregate.count;
  double squares = 0;
  each_value([&](double value) {
    const double off = value - mean;
    squares += off * off;
  });
  aggregate.variance = squares / aggregate.count;
  return aggregate;
}

}  // namespace

void update_sum(Aggregate& aggregate, double before, double after) {
  aggregate.sum += after - before;
  aggregate.largest = std::max(aggregate.largest, std::abs(after));
}

void update_deviation(Aggregate& aggregate, double before, double after) {
  const double change = after - before;
  const double square_change = after * after - before * before;
  const double n = aggregate.count;
  const double grown = (n * square_change - 2 * aggregate.sum * change) - change * change;
  const double variance = aggregate.variance + grown / (n * n);
  aggregate.sum += change;
  aggregate.variance = 0 <= variance ? variance : 0;  // not a number becomes 0 too
  aggregate.largest = std::max(aggregate.largest, std::abs(after));
}

AllocatorStatistics::AllocatorStatistics(const Cluster& cluster,
                                         std::span<const NodeState* const> states,
                                         std::span<const NodeId> nodes)
    : cluster_(&cluster),
      columns_(cluster.has_storage ? scored_units(cluster, nodes) : std::vector<StorageKeyId>()) {
  std::vector<CandidateValues> values;
  for (const NodeId node : nodes) {
    values.push_back(candidate_values(cluster, node, *states[node.index()], columns_));
    if (cluster[node].is_offline) continue;
    has_online_ = true;
    add_locations(states[node.index()]->location_exclusions, 1);
  }
  for (const MetricId k : kMetricIds) {
    const bool wants_offline = kMetrics[k].scope == Scope::Offline;
    aggregates_[k] = started([&](const auto& visit) {
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (cluster[nodes[i]].is_offline == wants_offline) visit(values[i].metrics[k]);
      }
    });
  }
  const auto start_unit = [&](std::size_t column, auto member) {
    return started([&](const auto& visit) {
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const double value = (values[i].*member)[column];
        if (!cluster[nodes[i]].is_offline && !std::isnan(value)) visit(value);
      }
    });
  };
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    units_.push_back(start_unit(column, &CandidateValues::units));
    forth_units_.push_back(start_unit(column, &CandidateValues::forth_units));
  }
}

void AllocatorStatistics::add_locations(const LocationCounts& counts, std::int64_t sign) {
  for (const auto& [key, count] : counts) {
    locations_[key] += sign * count;
    location_total_ += sign * count;
  }
}

void AllocatorStatistics::update(NodeId node, const NodeState& before, const NodeState& after) {
  const bool is_offline = (*cluster_)[node].is_offline;
  const CandidateValues x = candidate_values(*cluster_, node, before, columns_);
  const CandidateValues y = candidate_values(*cluster_, node, after, columns_);
  for (const MetricId k : kMetricIds) {
    if ((kMetrics[k].scope == Scope::Offline) != is_offline) continue;
    if (kMetrics[k].statistic == Statistic::Sum)
      update_sum(aggregates_[k], x.metrics[k], y.metrics[k]);
    if (kMetrics[k].statistic == Statistic::Deviation)
      update_deviation(aggregates_[k], x.metrics[k], y.metrics[k]);
  }
  if (is_offline) return;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    if (std::isnan(x.units[column])) continue;
    update_deviation(units_[column], x.units[column], y.units[column]);
    update_deviation(forth_units_[column], x.forth_units[column], y.forth_units[column]);
  }
  add_locations(before.location_exclusions, -1);
  add_locations(after.location_exclusions, 1);
}

double AllocatorStatistics::units_value(const std::vector<Aggregate>& units) const {
  double sum = 0;
  for (const Aggregate& unit : units) sum += std::sqrt(unit.variance);
  return units.empty() ? 0 : sum / static_cast<double>(units.size());
}

double AllocatorStatistics::score() const {
  if (!has_online_) return 0;
  double score = 0;
  for (const MetricId k : kMetricIds) {
    const Aggregate& aggregate = aggregates_[k];
    double value = kMetrics[k].statistic == Statistic::Deviation ? std::sqrt(aggregate.variance)
                                                                 : aggregate.sum;
    if (kMetrics[k].statistic == Statistic::TagMap)
      value = static_cast<double>(location_total_ - static_cast<std::int64_t>(locations_.size()));
    if (cluster_->has_storage && k == MetricId::FreeDisk) value = units_value(units_);
    if (cluster_->has_storage && k == MetricId::ForthFreeDisk) value = units_value(forth_units_);
    score += kMetrics[k].weight * value;
  }
  return score;
}

}  // namespace ballast::ganeti
