// SPDX-License-Identifier: BSD-2-Clause
// The cluster score, and how it is shown.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/ganeti/metrics/table.hpp"
#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti {

/// One storage unit's share of the storage metric: the standard deviation of free/total over the
/// online nodes that hold it.
struct UnitDeviation {
  StorageKeyId unit;
  double deviation = 0;
  double forth_deviation = 0;
};

struct ScoreDetail {
  bool has_values = false;  ///< false: no online node, the score is 0
  PerMetric<double> values;
  std::vector<UnitDeviation> units;  ///< empty where storage does not count
  double total = 0;
};

/// Of a state that is asked about once; a ScoreSheet answers more. `nodes` in index order.
double full_score(const Cluster& cluster, const State& state, std::span<const NodeId> nodes);
ScoreDetail score_detail(const Cluster& cluster, const State& state, std::span<const NodeId> nodes);

/// Lower bound due to N+1 reservations.
double score_lower_bound(const Cluster& cluster, const State& state, std::span<const NodeId> nodes);

/// The printed name: storage_cv instead of free_disk_cv once storage counts.
std::string_view metric_name(const Cluster& cluster, MetricId metric);
/// The verbose table ("Field Value Weight"), one indented line per unit below the storage metric.
std::string score_table(const Cluster& cluster, const ScoreDetail& detail);

}  // namespace ballast::ganeti
