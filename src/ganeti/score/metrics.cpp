// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/score/metrics.hpp"

#include <cmath>

#include "ballast/ganeti/score/node_values.hpp"

namespace ballast::ganeti {

namespace {

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

// Population standard deviation in two passes: the reference's very order of rounding.
double deviation_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = sum_of(values) / count;
  double squares = 0;
  for (const double value : values) {
    const double distance = value - mean;
    squares += distance * distance;
  }
  return std::sqrt(squares / count);
}

std::vector<UnitDeviation> unit_deviations(const Cluster& cluster, const State& state,
                                           std::span<const NodeId> nodes) {
  std::vector<UnitDeviation> result;
  for (const StorageKeyId unit : scored_units(cluster, nodes)) {
    std::vector<double> now;
    std::vector<double> forth;
    for (const NodeId node : nodes) {
      if (cluster[node].is_offline) continue;
      if (const auto fraction = unit_fraction(cluster, cluster[node], state[node], unit)) {
        now.push_back(fraction->now);
        forth.push_back(fraction->forth);
      }
    }
    result.push_back({unit, deviation_of(now), deviation_of(forth)});
  }
  return result;
}

void set_storage_metrics(ScoreDetail& detail) {
  double now = 0;
  double forth = 0;
  for (const UnitDeviation& unit : detail.units) {
    now += unit.deviation;
    forth += unit.forth_deviation;
  }
  const auto count = static_cast<double>(detail.units.size());
  detail.values[MetricId::FreeDisk] = detail.units.empty() ? 0 : now / count;
  detail.values[MetricId::ForthFreeDisk] = detail.units.empty() ? 0 : forth / count;
}

}  // namespace

ScoreDetail score_detail(const Cluster& cluster, const State& state,
                         std::span<const NodeId> nodes) {
  PerMetric<std::vector<double>> values;
  bool has_online = false;
  for (const NodeId node : nodes) {
    const bool is_offline = cluster[node].is_offline;
    has_online = has_online || !is_offline;
    const auto of_node = node_values(cluster[node], state[node]);
    for (const MetricId k : kMetricIds) {
      if ((kMetrics[k].scope == Scope::Offline) == is_offline) values[k].push_back(of_node[k]);
    }
  }
  ScoreDetail detail;
  if (!has_online) return detail;
  detail.has_values = true;
  for (const MetricId k : kMetricIds) {
    switch (kMetrics[k].statistic) {
      case Statistic::Deviation:
        detail.values[k] = deviation_of(values[k]);
        break;
      case Statistic::Sum:
        detail.values[k] = sum_of(values[k]);
        break;
      case Statistic::TagMap:
        detail.values[k] = location_exclusion_value(
            cluster, nodes, [&](NodeId node) -> const NodeState& { return state[node]; });
        break;
    }
  }
  if (cluster.has_storage) {
    detail.units = unit_deviations(cluster, state, nodes);
    set_storage_metrics(detail);
  }
  for (const MetricId k : kMetricIds) detail.total += kMetrics[k].weight * detail.values[k];
  return detail;
}

double full_score(const Cluster& cluster, const State& state, std::span<const NodeId> nodes) {
  return score_detail(cluster, state, nodes).total;
}

double score_lower_bound(const Cluster& cluster, const State& state,
                         std::span<const NodeId> nodes) {
  if (nodes.size() < 2) return 0;
  double total = 0;
  double largest = cluster[nodes.front()].total_mem;
  std::int64_t reserved = 0;
  for (const NodeId node : nodes) {
    total += cluster[node].total_mem;
    largest = std::max(largest, cluster[node].total_mem);
    for (const auto& [primary, memory] : state[node].peers) reserved += memory;
  }
  const double less = total - largest;
  if (!(less > 0)) return 0;
  const auto demand = static_cast<double>(reserved);
  return weight_of(MetricId::ReservedTotal) * (demand / less - demand / total);
}

}  // namespace ballast::ganeti
