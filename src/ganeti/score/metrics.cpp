// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/score/metrics.hpp"

#include <cmath>

#include "ballast/ganeti/score/node_values.hpp"

namespace ballast::ganeti {

const std::array<Metric, kMetricCount> kMetrics{{
    {"free_mem_cv", 0.5, Statistic::Deviation, Scope::Online},
    {"free_disk_cv", 0.5, Statistic::Deviation, Scope::Online},
    {"n1_cnt", 1, Statistic::Sum, Scope::Online},
    {"reserved_mem_cv", 1, Statistic::Deviation, Scope::Online},
    {"offline_all_cnt", 4, Statistic::Sum, Scope::Offline},
    {"offline_pri_cnt", 16, Statistic::Sum, Scope::Offline},
    {"vcpu_ratio_cv", 0.5, Statistic::Deviation, Scope::Online},
    {"cpu_load_cv", 1, Statistic::Deviation, Scope::Online},
    {"mem_load_cv", 1, Statistic::Deviation, Scope::Online},
    {"disk_load_cv", 1, Statistic::Deviation, Scope::Online},
    {"net_load_cv", 1, Statistic::Deviation, Scope::Online},
    {"pri_tags_score", 2, Statistic::Sum, Scope::Online},
    {"spindles_cv", 0.5, Statistic::Deviation, Scope::Online},
    {"free_mem_cv_forth", 0.5, Statistic::Deviation, Scope::Online},
    {"free_disk_cv_forth", 0.5, Statistic::Deviation, Scope::Online},
    {"vcpu_ratio_cv_forth", 0.5, Statistic::Deviation, Scope::Online},
    {"spindles_cv_forth", 0.5, Statistic::Deviation, Scope::Online},
    {"location_score", 1, Statistic::Sum, Scope::Online},
    {"location_exclusion_score", 1, Statistic::TagMap, Scope::Online},
    {"reserved_mem_rtotal", 0.25, Statistic::Sum, Scope::Online},
}};

namespace {

constexpr std::size_t kDiskMetric = 1;
constexpr std::size_t kForthDiskMetric = 14;

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
  detail.values[kDiskMetric] = detail.units.empty() ? 0 : now / count;
  detail.values[kForthDiskMetric] = detail.units.empty() ? 0 : forth / count;
}

}  // namespace

ScoreDetail score_detail(const Cluster& cluster, const State& state,
                         std::span<const NodeId> nodes) {
  std::array<std::vector<double>, kMetricCount> values;
  bool has_online = false;
  for (const NodeId node : nodes) {
    const bool is_offline = cluster[node].is_offline;
    has_online = has_online || !is_offline;
    const auto of_node = node_values(cluster[node], state[node]);
    for (std::size_t k = 0; k < kMetricCount; ++k) {
      if ((kMetrics[k].scope == Scope::Offline) == is_offline) values[k].push_back(of_node[k]);
    }
  }
  ScoreDetail detail;
  if (!has_online) return detail;
  detail.has_values = true;
  for (std::size_t k = 0; k < kMetricCount; ++k) {
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
  for (std::size_t k = 0; k < kMetricCount; ++k)
    detail.total += kMetrics[k].weight * detail.values[k];
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
  return 0.25 * (demand / less - demand / total);
}

}  // namespace ballast::ganeti
