// SPDX-License-Identifier: BSD-2-Clause
// The score word for word as ballast-score(7) tells it: what the evaluators have to give.
#pragma once

#include <cmath>
#include <set>

#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/score/node_values.hpp"

namespace ballast::test {

using namespace ganeti;

inline double plain_sum(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

/// Population standard deviation in two passes, which is the reference's order of rounding.
inline double plain_deviation(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = plain_sum(values) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / count);
}

/// Pairs of a location tag and an exclusion tag beyond the first of each.
inline double plain_tag_pairs(const Cluster& cluster, const State& state,
                              std::span<const NodeId> nodes) {
  std::set<std::pair<TagId, TagId>> pairs;
  std::int64_t count = 0;
  for (const NodeId node : nodes) {
    if (cluster[node].is_offline) continue;
    for (const auto& [pair, times] : state[node].location_exclusions) {
      pairs.insert(pair);
      count += times;
    }
  }
  return static_cast<double>(count - static_cast<std::int64_t>(pairs.size()));
}

/// By type and key, over the online nodes that hold the unit.
inline std::vector<UnitDeviation> plain_units(const Cluster& cluster, const State& state,
                                              std::span<const NodeId> nodes) {
  std::vector<UnitDeviation> result;
  if (!cluster.has_storage) return result;
  for (const StorageKeyId unit : scored_units(cluster, nodes)) {
    std::vector<double> now;
    std::vector<double> forth;
    for (const NodeId node : nodes) {
      const auto fraction = unit_fraction(cluster, cluster[node], state[node], unit);
      if (cluster[node].is_offline || !fraction) continue;
      now.push_back(fraction->now);
      forth.push_back(fraction->forth);
    }
    result.push_back({unit, plain_deviation(now), plain_deviation(forth)});
  }
  return result;
}

inline ScoreDetail plain_score(const Cluster& cluster, const State& state,
                               std::span<const NodeId> nodes) {
  ScoreDetail detail;
  PerMetric<std::vector<double>> values;
  for (const NodeId node : nodes) {
    detail.has_values = detail.has_values || !cluster[node].is_offline;
    const auto of_node = node_values(cluster[node], state[node]);
    for (const MetricId k : kMetricIds) {
      if ((kMetrics[k].scope == Scope::Offline) == cluster[node].is_offline)
        values[k].push_back(of_node[k]);
    }
  }
  if (!detail.has_values) return detail;
  for (const MetricId k : kMetricIds)
    detail.values[k] = is_deviation(k) ? plain_deviation(values[k]) : plain_sum(values[k]);
  detail.values[MetricId::LocationExclusion] = plain_tag_pairs(cluster, state, nodes);
  detail.units = plain_units(cluster, state, nodes);
  if (cluster.has_storage) {
    std::vector<double> now;
    std::vector<double> forth;
    for (const UnitDeviation& unit : detail.units) {
      now.push_back(unit.deviation);
      forth.push_back(unit.forth_deviation);
    }
    const auto count = static_cast<double>(now.size());
    detail.values[MetricId::FreeDisk] = now.empty() ? 0 : plain_sum(now) / count;
    detail.values[MetricId::ForthFreeDisk] = now.empty() ? 0 : plain_sum(forth) / count;
  }
  for (const MetricId k : kMetricIds) detail.total += weight_of(k) * detail.values[k];
  return detail;
}

}  // namespace ballast::test
