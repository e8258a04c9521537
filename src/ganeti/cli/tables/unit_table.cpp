// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/tables/unit_table.hpp"

#include <algorithm>

#include "ballast/core/decimal.hpp"
#include "ballast/core/table.hpp"
#include "ballast/ganeti/score/metrics.hpp"

namespace ballast::ganeti::cli {
namespace {

void add_unit(UnitSummary& summary, const Capacity& capacity) {
  summary.smallest_free_mib = summary.nodes == 0
                                  ? capacity.free_mib
                                  : std::min(summary.smallest_free_mib, capacity.free_mib);
  summary.largest_free_mib = std::max(summary.largest_free_mib, capacity.free_mib);
  // One pool seen from many nodes is there once.
  if (capacity.is_shared && summary.nodes != 0) {
    summary.total_mib = std::max(summary.total_mib, capacity.total_mib);
    summary.free_mib = std::max(summary.free_mib, capacity.free_mib);
  } else {
    summary.total_mib += capacity.total_mib;
    summary.free_mib += capacity.free_mib;
  }
  ++summary.nodes;
}

double deviation_of(const ScoreDetail& score, StorageKeyId unit) {
  const auto found = std::ranges::find(score.units, unit, &UnitDeviation::unit);
  return found == score.units.end() ? 0 : found->deviation;
}

}  // namespace

std::vector<UnitSummary> unit_summaries(const Cluster& cluster, const State& state,
                                        std::span<const NodeId> nodes) {
  std::vector<UnitSummary> all(cluster.has_storage ? cluster.storage_keys.size() : 0);
  for (std::size_t k = 0; k < all.size(); ++k) all[k].unit = StorageKeyId(k);
  if (all.empty()) return all;
  for (const NodeId node : nodes) {
    if (cluster[node].is_offline) continue;
    for (const StorageUnit& unit : cluster[node].units) {
      add_unit(all[unit.key.index()],
               state[node].capacities[static_cast<std::size_t>(unit.capacity)]);
    }
  }
  std::erase_if(all, [](const UnitSummary& summary) { return summary.nodes == 0; });
  const ScoreDetail score = score_detail(cluster, state, nodes);
  for (UnitSummary& summary : all) summary.deviation = deviation_of(score, summary.unit);
  return all;
}

std::string unit_table(const Cluster& cluster, const State& state, std::span<const NodeId> nodes,
                       const State* after) {
  const std::vector<UnitSummary> units = unit_summaries(cluster, state, nodes);
  if (units.empty()) return "";
  using Align = TextTable::Align;
  TextTable table{{{"Unit", Align::Left},
                   {"Nodes", Align::Right},
                   {"Total", Align::Right},
                   {"Free", Align::Right},
                   {"Min_Free", Align::Right},
                   {"Max_Free", Align::Right},
                   {"Metric", Align::Right}},
                  {}};
  if (after != nullptr) table.columns.push_back({"After", Align::Right});
  const ScoreDetail later = after != nullptr ? score_detail(cluster, *after, nodes) : ScoreDetail{};
  for (const UnitSummary& unit : units) {
    table.rows.push_back({to_string(cluster[unit.unit]), std::to_string(unit.nodes),
                          std::to_string(unit.total_mib), std::to_string(unit.free_mib),
                          std::to_string(unit.smallest_free_mib),
                          std::to_string(unit.largest_free_mib), fixed(unit.deviation, 8)});
    if (after != nullptr) table.rows.back().push_back(fixed(deviation_of(later, unit.unit), 8));
  }
  return "Storage units:\n" + table.render("  ");
}

}  // namespace ballast::ganeti::cli
