// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/decimal.hpp"
#include "ballast/core/table.hpp"
#include "ballast/ganeti/score/metrics.hpp"

namespace ballast::ganeti {

namespace {

constexpr std::size_t kDiskMetric = 1;
constexpr std::size_t kForthDiskMetric = 14;

}  // namespace

std::string_view metric_name(const Cluster& cluster, std::size_t index) {
  if (cluster.has_storage && index == kDiskMetric) return "storage_cv";
  if (cluster.has_storage && index == kForthDiskMetric) return "storage_cv_forth";
  return kMetrics[index].name;
}

std::string score_table(const Cluster& cluster, const ScoreDetail& detail) {
  using Align = TextTable::Align;
  TextTable table{{{"Field", Align::Left}, {"Value", Align::Right}, {"Weight", Align::Right}}, {}};
  if (!detail.has_values) return table.render("  ");
  for (std::size_t k = 0; k < kMetricCount; ++k) {
    table.rows.push_back({std::string(metric_name(cluster, k)), fixed(detail.values[k], 8),
                          "x" + fixed(kMetrics[k].weight, 2)});
    if (k != kDiskMetric && k != kForthDiskMetric) continue;
    for (const UnitDeviation& unit : detail.units) {
      const double deviation = k == kDiskMetric ? unit.deviation : unit.forth_deviation;
      table.rows.push_back({"  " + to_string(cluster[unit.unit]), fixed(deviation, 8), ""});
    }
  }
  return table.render("  ");
}

}  // namespace ballast::ganeti
