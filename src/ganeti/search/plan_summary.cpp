// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/plan_builder.hpp"

#include <cmath>

namespace ballast::ganeti {
namespace {

constexpr std::int64_t kMib = 1024 * 1024;

Value storage_of(const Cluster& cluster, const Node& node, const NodeState& state) {
  Value units = Value::map();
  for (const StorageUnit& unit : node.units) {
    if (unit.capacity < 0) continue;
    const Capacity& capacity = state.capacities[static_cast<std::size_t>(unit.capacity)];
    Value figures = Value::map();
    figures.set("total", capacity.total_mib * kMib);
    figures.set("free", capacity.free_mib * kMib);
    units.set(to_string(cluster[unit.key]), std::move(figures));
  }
  return units;
}

Value node_figures(const Cluster& cluster, NodeId id, const NodeState& state) {
  const Node& node = cluster[id];
  Value figures = Value::map();
  if (node.is_offline) figures.set("offline", true);
  figures.set("memory_total", std::llround(node.total_mem * static_cast<double>(kMib)));
  figures.set("memory_free", unallocated_mem(node, state) * kMib);
  figures.set("memory_reserved", state.reserved_mem * kMib);
  figures.set("disk_total", std::llround(node.total_disk * static_cast<double>(kMib)));
  figures.set("disk_free", state.free_disk * kMib);
  figures.set("cpus_used", state.used_cpu);
  figures.set("primaries", state.primaries.size());
  figures.set("secondaries", state.secondaries.size());
  figures.set("n_plus_one", !state.fails_n1);
  if (cluster.has_storage) figures.set("storage", storage_of(cluster, node, state));
  return figures;
}

}  // namespace

Value node_summary(const Cluster& cluster, const State& state, const Part& part) {
  Value summary = Value::map();
  for (const NodeId id : part.nodes)
    summary.set(cluster[id].name, node_figures(cluster, id, state[id]));
  return summary;
}

}  // namespace ballast::ganeti
