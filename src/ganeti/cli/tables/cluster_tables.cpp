// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/tables/cluster_tables.hpp"

#include "ballast/core/bytes.hpp"
#include "ballast/ganeti/cli/tables/unit_table.hpp"

namespace ballast::ganeti::cli {
namespace {

/// The metric of one unit after a plan, by its key.
double later_metric(const ScoreDetail& later, StorageKeyId unit) {
  for (const UnitDeviation& one : later.units) {
    if (one.unit == unit) return one.deviation;
  }
  return 0;
}

}  // namespace

Value name_of(const Cluster& cluster, NodeId node) {
  return node.is_none() ? Value() : Value(cluster[node].name);
}

report::DataTable node_rows(const Cluster& cluster, const State& state,
                            std::span<const NodeId> nodes) {
  report::DataTable table{
      "nodes",
      {"name", "group", "is_offline", "is_master", "memory_total_bytes", "memory_free_bytes",
       "memory_reserved_bytes", "disk_total_bytes", "disk_free_bytes", "cpus", "vcpus", "primaries",
       "secondaries", "is_n1_happy"},
      {}};
  for (const NodeId id : nodes) {
    const Node& node = cluster[id];
    const NodeState& figures = state[id];
    table.rows.push_back({node.name, cluster[node.group].name, node.is_offline, node.is_master,
                          bytes_of(node.total_mem), bytes_of(unallocated_mem(node, figures)),
                          bytes_of(figures.reserved_mem), bytes_of(node.total_disk),
                          bytes_of(figures.free_disk), node.total_cpu, figures.used_cpu,
                          figures.primaries.size(), figures.secondaries.size(), !figures.fails_n1});
  }
  return table;
}

report::DataTable instance_rows(const Cluster& cluster, const State& state,
                                std::span<const InstanceId> instances) {
  report::DataTable table{"instances",
                          {"name", "primary", "secondary", "disk_template", "status",
                           "memory_bytes", "disk_bytes", "vcpus"},
                          {}};
  for (const InstanceId id : instances) {
    const Instance& instance = cluster[id];
    table.rows.push_back({instance.name, name_of(cluster, state[id].primary),
                          name_of(cluster, state[id].secondary), text_of(instance.disk_template),
                          text_of(instance.status), bytes_of(instance.memory_mib),
                          bytes_of(instance.disk_mib), instance.vcpus});
  }
  return table;
}

report::DataTable unit_rows(const Cluster& cluster, const State& state, std::span<const Part> parts,
                            const State* after) {
  report::DataTable table{"units",
                          {"group", "unit", "nodes", "total_bytes", "free_bytes",
                           "smallest_free_bytes", "largest_free_bytes", "metric"},
                          {}};
  if (after != nullptr) table.columns.emplace_back("metric_after");
  for (const Part& part : parts) {
    const ScoreDetail later =
        after != nullptr ? score_detail(cluster, *after, part.nodes) : ScoreDetail{};
    for (const UnitSummary& unit : unit_summaries(cluster, state, part.nodes)) {
      table.rows.push_back({cluster[part.group].name, to_string(cluster[unit.unit]), unit.nodes,
                            bytes_of(unit.total_mib), bytes_of(unit.free_mib),
                            bytes_of(unit.smallest_free_mib), bytes_of(unit.largest_free_mib),
                            unit.deviation});
      if (after != nullptr) table.rows.back().emplace_back(later_metric(later, unit.unit));
    }
  }
  return table;
}

report::DataTable metric_rows(const Cluster& cluster, const ScoreDetail& score) {
  report::DataTable table{"metrics", {"name", "weight", "value"}, {}};
  if (!score.has_values) return table;
  for (const MetricId i : kMetricIds)
    table.rows.push_back({metric_name(cluster, i), kMetrics[i].weight, score.values[i]});
  return table;
}

}  // namespace ballast::ganeti::cli
