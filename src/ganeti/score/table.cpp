// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/table.hpp"
#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/score/metrics.hpp"

namespace ballast::ganeti {

std::string_view metric_name(const Cluster& cluster, MetricId metric) {
  return cluster.has_storage && is_storage(metric) ? kMetrics[metric].unit_name
                                                   : kMetrics[metric].name;
}

std::string score_table(const Cluster& cluster, const ScoreDetail& detail) {
  using Align = TextTable::Align;
  TextTable table{{{"Field", Align::Left}, {"Value", Align::Right}, {"Weight", Align::Right}}, {}};
  if (!detail.has_values) return table.render("  ");
  for (const MetricId k : kMetricIds) {
    table.rows.push_back({std::string(metric_name(cluster, k)), fixed(detail.values[k], 8),
                          "x" + fixed(kMetrics[k].weight, 2)});
    if (!is_storage(k)) continue;
    for (const UnitDeviation& unit : detail.units) {
      const double deviation = kMetrics[k].is_forth ? unit.forth_deviation : unit.deviation;
      table.rows.push_back({"  " + to_string(cluster[unit.unit]), fixed(deviation, 8), ""});
    }
  }
  return table.render("  ");
}

}  // namespace ballast::ganeti
