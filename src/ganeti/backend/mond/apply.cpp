// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "ballast/ganeti/backend/mond/mond.hpp"

#include "ballast/ganeti/model/ids_of.hpp"

namespace ballast::ganeti {
namespace {

/// A node's load, shared out by virtual CPUs among all whose primary it is.
void apply_cpu_average(Snapshot& snapshot, const Measurements& measurements) {
  Cluster& cluster = snapshot.cluster;
  std::vector<double> per_cpu;
  for (const NodeId id : node_ids(cluster)) {
    NodeState& state = snapshot.state[id];
    state.load.cpu = measurements.at(cluster[id].name).cpu_total;
    per_cpu.push_back(state.load.cpu / static_cast<double>(state.used_cpu));
  }
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    Instance& instance = cluster.instances[i];
    const NodeId primary = snapshot.state.placements[i].primary;
    instance.load.cpu = per_cpu[primary.index()] * static_cast<double>(instance.vcpus);
  }
}

/// An instance that several nodes name: the first node counts.
std::map<std::string, double> merged(const Cluster& cluster, const Measurements& measurements) {
  std::map<std::string, double> all;
  for (const Node& node : cluster.nodes) {
    for (const auto& [name, load] : measurements.at(node.name).cpu_by_instance)
      all.emplace(name, load);
  }
  return all;
}

Applied apply_xen_average(Snapshot& snapshot, const Measurements& measurements) {
  Cluster& cluster = snapshot.cluster;
  const std::map<std::string, double> all = merged(cluster, measurements);
  Applied applied;
  for (const Instance& instance : cluster.instances) {
    if (!all.contains(instance.name)) applied.instances.push_back(instance.name);
  }
  if (!applied.instances.empty()) {
    std::sort(applied.instances.begin(), applied.instances.end());
    applied.missing = MissingData::SomeInstances;
    return applied;
  }
  for (Instance& instance : cluster.instances) instance.load.cpu = all.at(instance.name);
  for (NodeState& state : snapshot.state.nodes) {
    state.load.cpu = 0;
    for (const InstanceId id : state.primaries) state.load.cpu += cluster[id].load.cpu;
  }
  return applied;
}

}  // namespace

Applied apply_measurements(Snapshot& snapshot, const Measurements& measurements,
                           Collector collector) {
  const auto& nodes = snapshot.cluster.nodes;
  const bool is_complete = std::all_of(nodes.begin(), nodes.end(), [&](const Node& node) {
    return measurements.contains(node.name);
  });
  if (!is_complete) return {MissingData::SomeNodes, {}};
  if (collector == Collector::XenCpuAverage) return apply_xen_average(snapshot, measurements);
  apply_cpu_average(snapshot, measurements);
  return {};
}

}  // namespace ballast::ganeti
