// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/score/columns.hpp"

#include <limits>

#include "ballast/ganeti/score/node_values.hpp"

namespace ballast::ganeti {

ScoreColumns::ScoreColumns(const Cluster& cluster, std::span<const NodeId> nodes)
    : cluster_(&cluster) {
  if (cluster.has_storage) units_ = scored_units(cluster, nodes);
}

double ScoreColumns::weight_of(std::size_t column) const {
  if (const auto metric = metric_of(column))
    return is_by_units(*metric) ? 0 : ganeti::weight_of(*metric);
  const MetricId metric = column < first_unit_of(MetricId::ForthFreeDisk) ? MetricId::FreeDisk
                                                                          : MetricId::ForthFreeDisk;
  return ganeti::weight_of(metric) / static_cast<double>(units_.size());
}

ColumnValues ScoreColumns::values_of(NodeId node, const NodeState& state) const {
  const auto metrics = node_values((*cluster_)[node], state);
  ColumnValues values;
  values.reserve(size());
  values.assign(metrics.begin(), metrics.end());
  values.resize(size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const auto fraction = unit_fraction(*cluster_, (*cluster_)[node], state, units_[u]);
    if (!fraction) continue;
    values[first_unit_of(MetricId::FreeDisk) + u] = fraction->now;
    values[first_unit_of(MetricId::ForthFreeDisk) + u] = fraction->forth;
  }
  return values;
}

}  // namespace ballast::ganeti
