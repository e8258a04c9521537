// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/bytes.hpp"
#include "ballast/ganeti/search/planning/builder.hpp"

#include <algorithm>
#include <cmath>

namespace ballast::ganeti {
namespace {

/// The form that renderers draw as a bar.
Value gauge(std::int64_t free, std::int64_t total) {
  return Value::map().set("used", total - free).set("total", total);
}

std::int64_t bytes_of(double mib) { return std::llround(mib * static_cast<double>(kBytesPerMib)); }

Value storage_of(const Cluster& cluster, const Node& node, const NodeState& state) {
  Value units = Value::map();
  for (const StorageUnit& unit : node.units) {
    if (unit.capacity < 0) continue;
    const Capacity& capacity = state.capacities[static_cast<std::size_t>(unit.capacity)];
    units.set(to_string(cluster[unit.key]),
              gauge(capacity.free_mib * kBytesPerMib, capacity.total_mib * kBytesPerMib));
  }
  return units;
}

Value node_figures(const Cluster& cluster, NodeId id, const NodeState& state) {
  const Node& node = cluster[id];
  Value figures = Value::map();
  if (node.is_offline) figures.set("offline", true);
  figures.set("memory_bytes",
              gauge(unallocated_mem(node, state) * kBytesPerMib, bytes_of(node.total_mem)));
  figures.set("memory_reserved_bytes", state.reserved_mem * kBytesPerMib);
  figures.set("disk_bytes", gauge(state.free_disk * kBytesPerMib, bytes_of(node.total_disk)));
  if (cluster.has_storage) figures.set("storage_bytes", storage_of(cluster, node, state));
  figures.set("cpus_used", state.used_cpu);
  figures.set("primaries", state.primaries.size());
  figures.set("secondaries", state.secondaries.size());
  figures.set("n_plus_one", !state.fails_n1);
  return figures;
}

/// "rack:r1, power:a".
std::string location_of(const Cluster& cluster, const Node& node) {
  std::string text;
  for (const TagId tag : node.location_tags)
    text += (text.empty() ? "" : ", ") + cluster.symbols[tag.index()];
  return text;
}

}  // namespace

Value node_summary(const Cluster& cluster, const State& state, const Part& part) {
  ValueMap summary;  // names are unique, and too many to look for each
  for (const NodeId id : part.nodes)
    summary.emplace_back(cluster[id].name, node_figures(cluster, id, state[id]));
  return summary;
}

Value instance_inventory(const Cluster& cluster, const State& state, const Part& part) {
  ValueMap instances;
  for (const InstanceId id : part.instances) {
    const Instance& instance = cluster[id];
    const Placement& now = state[id];
    Value figures = Value::map().set("primary", cluster[now.primary].name);
    if (!now.secondary.is_none()) figures.set("secondary", cluster[now.secondary].name);
    figures.set("memory_bytes", instance.memory_mib * kBytesPerMib);
    figures.set("disk_bytes", instance.disk_mib * kBytesPerMib);
    figures.set("vcpus", instance.vcpus);
    instances.emplace_back(instance.name, std::move(figures));
  }
  return Value::map().set("instance", std::move(instances));
}

Value inventory(const Cluster& cluster, const State& state, const Part& part) {
  Value objects = instance_inventory(cluster, state, part);
  const bool has_places = std::ranges::any_of(part.nodes, [&](NodeId id) {
    return cluster[id].group != cluster[part.nodes.front()].group ||
           !cluster[id].location_tags.empty();
  });
  if (!has_places) return objects;
  ValueMap nodes;
  for (const NodeId id : part.nodes) {
    const Node& node = cluster[id];
    Value figures = Value::map().set("group", cluster[node.group].name);
    if (!node.location_tags.empty()) figures.set("location", location_of(cluster, node));
    nodes.emplace_back(node.name, std::move(figures));
  }
  return objects.set("node", std::move(nodes));
}

}  // namespace ballast::ganeti
