// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ballast/ganeti/loading/pipeline.hpp"

#include "ballast/ganeti/model/ids_of.hpp"

namespace ballast::ganeti {
namespace {

/// The largest single disk per group, by unit; key none: on the node's own disk.
using LargestDisks = std::map<std::pair<GroupId, StorageKeyId>, std::int64_t>;

LargestDisks largest_disks(const Snapshot& snapshot) {
  LargestDisks largest;
  const Cluster& cluster = snapshot.cluster;
  for (const InstanceId id : instance_ids(cluster)) {
    const Instance& instance = cluster[id];
    const GroupId group = cluster[snapshot.state[id].primary].group;
    for (const Disk& disk : instance.disks) {
      std::int64_t& by_unit = largest[{group, disk.unit}];
      by_unit = std::max(by_unit, disk.taken_mib);
      if (!uses_local_disk(instance.disk_template)) continue;
      std::int64_t& on_node = largest[{group, StorageKeyId()}];
      on_node = std::max(on_node, disk.taken_mib);
    }
  }
  return largest;
}

const Reserve* reserve_for(const std::vector<Reserve>& reserves, const StorageKey* key) {
  const Reserve* general = nullptr;
  const Reserve* named = nullptr;
  for (const Reserve& reserve : reserves) {
    if (!reserve.unit) general = &reserve;
    if (reserve.unit && key != nullptr && *reserve.unit == *key) named = &reserve;
  }
  return named != nullptr ? named : general;
}

Status check_units(const Cluster& cluster, const std::vector<Reserve>& reserves) {
  for (const Reserve& reserve : reserves) {
    if (!reserve.unit) continue;
    const bool is_held =
        std::any_of(cluster.nodes.begin(), cluster.nodes.end(), [&](const Node& node) {
          return std::any_of(node.units.begin(), node.units.end(), [&](const StorageUnit& unit) {
            return cluster[unit.key] == *reserve.unit;
          });
        });
    if (!is_held)
      return fail(
          fmt::format("--reserve: no node has a storage unit {}", to_string(*reserve.unit)));
  }
  return {};
}

}  // namespace

Status set_reserves(Snapshot& snapshot, const std::vector<Reserve>& given) {
  Cluster& cluster = snapshot.cluster;
  std::vector<Reserve> reserves = given;
  for (Reserve& reserve : reserves) {
    if (reserve.unit) reserve.unit->type = canonical_storage_type(reserve.unit->type);
  }
  if (const Status status = check_units(cluster, reserves); !status) return status;
  const LargestDisks largest = largest_disks(snapshot);
  const auto amount = [&](const Reserve& reserve, GroupId group,
                          StorageKeyId unit) -> std::int64_t {
    if (reserve.size_mib) return *reserve.size_mib;
    const auto place = largest.find({group, unit});
    return place == largest.end() ? 0 : place->second;
  };
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
    Node& node = cluster.nodes[i];
    const Reserve* on_node = reserve_for(reserves, nullptr);
    node.disk_reserve = on_node == nullptr ? 0 : amount(*on_node, node.group, StorageKeyId());
    std::vector<Capacity>& capacities = snapshot.state.nodes[i].capacities;
    for (Capacity& capacity : capacities) capacity.reserve_mib = 0;
    for (const StorageUnit& unit : node.units) {
      if (capacities.empty()) break;
      const Reserve* reserve = reserve_for(reserves, &cluster[unit.key]);
      if (reserve == nullptr) continue;
      Capacity& capacity = capacities[static_cast<std::size_t>(unit.capacity)];
      capacity.reserve_mib = std::max(capacity.reserve_mib, amount(*reserve, node.group, unit.key));
    }
  }
  return {};
}

}  // namespace ballast::ganeti
