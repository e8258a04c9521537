// SPDX-License-Identifier: BSD-2-Clause
// From the units and disks that a snapshot told to capacities and to the unit of each disk.
#include <algorithm>
#include <numeric>

#include "ballast/ganeti/model/unit_resolver.hpp"

#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/moves/unit_ops.hpp"
#include "steps.hpp"
#include "storage_warnings.hpp"

namespace ballast::ganeti {
namespace {

void forget_storage(Snapshot& snapshot) {
  snapshot.cluster.has_storage = false;
  for (Node& node : snapshot.cluster.nodes) {
    node.units.clear();
    node.storage_told = false;
  }
  for (NodeState& state : snapshot.state.nodes) state.capacities.clear();
}

/// Finds the unit of each disk that does not name one.
void resolve_disks(Snapshot& snapshot, const PipelineOptions& options) {
  Cluster& cluster = snapshot.cluster;
  UnitResolver resolver(cluster, options.default_storage);
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    Instance& instance = cluster.instances[i];
    instance.is_unit_unknown = false;
    if (instance.disk_template == DiskTemplate::Diskless) continue;
    const NodeId primary = snapshot.state.placements[i].primary;
    for (Disk& disk : instance.disks) {
      if (!disk.unit.is_none() && !disk.is_unit_found) continue;
      disk.is_unit_found = true;
      const auto unit = resolver.find(instance.disk_template, cluster[primary].group, primary);
      disk.unit = unit.value_or(StorageKeyId());
      instance.is_unit_unknown = instance.is_unit_unknown || !unit;
    }
  }
}

void sort_keys(Cluster& cluster) {
  std::vector<StorageKey>& keys = cluster.storage_keys;
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  std::vector<StorageKeyId> renamed(keys.size());
  std::vector<StorageKey> sorted(keys.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    renamed[order[i]] = StorageKeyId(i);
    sorted[i] = std::move(keys[order[i]]);
  }
  keys = std::move(sorted);
  const auto rename = [&](StorageKeyId& id) {
    if (!id.is_none()) id = renamed[id.index()];
  };
  for (Node& node : cluster.nodes) {
    for (StorageUnit& unit : node.units) rename(unit.key);
    std::sort(node.units.begin(), node.units.end(),
              [](const StorageUnit& a, const StorageUnit& b) { return a.key < b.key; });
  }
  for (Instance& instance : cluster.instances) {
    for (Disk& disk : instance.disks) {
      rename(disk.unit);
      rename(disk.meta_unit);
    }
  }
}

bool is_volume_group(const StorageKey& key) { return key.type == "drbd8" || key.type == "lvm-vg"; }

/// The node's other unit on the same volume group that has a capacity already, or -1.
std::int32_t shared_capacity(const Cluster& cluster, const Node& node, const StorageUnit& unit) {
  const StorageKey& key = cluster[unit.key];
  if (!is_volume_group(key)) return -1;
  for (const StorageUnit& other : node.units) {
    if (&other == &unit) break;
    const StorageKey& other_key = cluster[other.key];
    if (is_volume_group(other_key) && other_key.key == key.key) return other.capacity;
  }
  return -1;
}

void set_capacities(const Cluster& cluster, Node& node, NodeState& state) {
  state.capacities.clear();
  for (StorageUnit& unit : node.units) {
    unit.capacity = shared_capacity(cluster, node, unit);
    if (unit.capacity < 0) {
      unit.capacity = static_cast<std::int32_t>(state.capacities.size());
      Capacity capacity;
      capacity.total_mib = unit.total_mib;
      capacity.free_mib = unit.free_mib;
      capacity.is_shared = is_shared_storage_type(cluster[unit.key].type);
      state.capacities.push_back(capacity);
    }
    Capacity& capacity = state.capacities[static_cast<std::size_t>(unit.capacity)];
    capacity.total_mib = std::min(capacity.total_mib, unit.total_mib);
    capacity.free_mib = std::min(capacity.free_mib, unit.free_mib);
    capacity.forth_free_mib = capacity.free_mib;
  }
}

/// A forthcoming instance takes its space once from shared storage, which every node that has the
/// unit sees.
void plan_shared_storage(Snapshot& snapshot) {
  Cluster& cluster = snapshot.cluster;
  for (const InstanceId id : instance_ids(cluster)) {
    const Instance& instance = cluster[id];
    const bool is_shared = mirroring_of(instance.disk_template) == Mirroring::External;
    if (instance.is_forthcoming && is_shared) {
      const InstanceRef ref{id, &instance, snapshot.state[id], true};
      take_shared_storage(cluster, snapshot.state, ref, NodeId(), kShadowFigure);
    }
  }
}

}  // namespace

void set_storage(Snapshot& snapshot, const PipelineOptions& options) {
  Cluster& cluster = snapshot.cluster;
  snapshot.warnings.clear();
  if (options.ignore_storage) {
    forget_storage(snapshot);
    return;
  }
  cluster.has_storage = std::any_of(cluster.nodes.begin(), cluster.nodes.end(),
                                    [](const Node& node) { return node.storage_told; });
  if (cluster.has_storage) resolve_disks(snapshot, options);
  sort_keys(cluster);
  if (!cluster.has_storage) return;
  for (const NodeId id : node_ids(cluster)) {
    set_capacities(cluster, cluster.nodes[id.index()], snapshot.state[id]);
  }
  plan_shared_storage(snapshot);
  snapshot.warnings = storage_warnings(snapshot);
}

}  // namespace ballast::ganeti
