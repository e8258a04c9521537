// SPDX-License-Identifier: BSD-2-Clause
#include "storage_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ballast/core/error.hpp"
#include "ballast/core/listed.hpp"
#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/moves/unit_ops.hpp"

namespace ballast::ganeti {
namespace {

using Names = std::vector<std::string>;
using Lines = std::vector<std::string>;

void warn_unknown_types(const Cluster& cluster, Lines& lines) {
  std::set<std::string> types;
  for (const StorageKey& key : cluster.storage_keys) {
    if (!is_known_storage_type(key.type)) types.insert(key.type);
  }
  for (const std::string& type : types)
    lines.push_back("storage type " + quoted(type) + " is not known; it is kept as it is");
}

void warn_missing_field(const Cluster& cluster, Lines& lines) {
  std::string names;
  for (const Node& node : cluster.nodes) {
    if (!node.is_offline && !node.storage_told) names += (names.empty() ? "" : ", ") + node.name;
  }
  if (!names.empty()) lines.push_back("nodes without storage units, where no disk fits: " + names);
}

void warn_different_parameters(const Cluster& cluster, Lines& lines) {
  std::map<StorageKeyId, const std::vector<std::string>*> first;
  std::set<StorageKeyId> differ;
  for (const Node& node : cluster.nodes) {
    for (const StorageUnit& unit : node.units) {
      const auto [place, is_new] = first.emplace(unit.key, &unit.parameters);
      if (!is_new && *place->second != unit.parameters) differ.insert(unit.key);
    }
  }
  Names names;
  for (const StorageKeyId key : differ) names.push_back(to_string(cluster[key]));
  if (!names.empty())
    lines.push_back("storage units with different parameters on different nodes: " + listed(names));
}

std::optional<bool> exclusive_flag(const StorageKey& key, const StorageUnit& unit) {
  if (unit.parameters.empty() || (key.type != "lvm-vg" && key.type != "drbd8")) return std::nullopt;
  const std::string& text = unit.parameters.front();
  if (text == "Y" || text == "true" || text == "True") return true;
  if (text == "N" || text == "false" || text == "False") return false;
  return std::nullopt;
}

void warn_exclusive_flags(const Cluster& cluster, Lines& lines) {
  Names names;
  for (const Node& node : cluster.nodes) {
    for (const StorageUnit& unit : node.units) {
      const auto flag = exclusive_flag(cluster[unit.key], unit);
      if (flag && *flag != node.has_exclusive_storage) {
        names.push_back(fmt::format("{} on {}", to_string(cluster[unit.key]), node.name));
      }
    }
  }
  if (names.empty()) return;
  lines.push_back("the node's exclusive storage flag counts, not the different one of its unit: " +
                  listed(names));
}

void warn_volume_groups(const Snapshot& snapshot, Lines& lines) {
  const Cluster& cluster = snapshot.cluster;
  Names names;
  for (const NodeId id : node_ids(cluster)) {
    const Node& node = cluster[id];
    for (const StorageUnit& unit : node.units) {
      const Capacity& capacity =
          snapshot.state[id].capacities[static_cast<std::size_t>(unit.capacity)];
      if (unit.free_mib == capacity.free_mib && unit.total_mib == capacity.total_mib) continue;
      names.push_back(fmt::format("{} on {}", cluster[unit.key].key, node.name));
    }
  }
  if (names.empty()) return;
  lines.push_back(
      "drbd8 and lvm-vg tell different figures for one volume group, the smaller count: " +
      listed(names));
}

void warn_disk_sums(const Cluster& cluster, Lines& lines) {
  Names names;
  for (const Instance& instance : cluster.instances) {
    if (!instance.disks_told) continue;
    std::int64_t sum = 0;
    for (const Disk& disk : instance.disks) sum += disk.taken_mib + disk.meta_mib;
    if (sum != instance.disk_mib)
      names.push_back(fmt::format("{} ({} instead of {})", instance.name, sum, instance.disk_mib));
  }
  if (!names.empty())
    lines.push_back("disks do not add up to the instance's disk: " + listed(names));
}

void warn_unknown_units(const Cluster& cluster, Lines& lines) {
  Names names;
  for (const Instance& instance : cluster.instances) {
    if (instance.is_unit_unknown) names.push_back(instance.name);
  }
  if (names.empty()) return;
  lines.push_back("storage unit unknown, so not moved (--default-storage TYPE=KEY tells it): " +
                  listed(names));
}

/// Free space plus what the instances on the node take must not be above the total.
void warn_overfull(const Snapshot& snapshot, Lines& lines) {
  const Cluster& cluster = snapshot.cluster;
  std::vector<std::vector<Capacity>> filled;
  for (const NodeState& state : snapshot.state.nodes) filled.push_back(state.capacities);
  const auto add = [&](NodeId id, const Instance& instance) {
    if (id.is_none()) return;
    NodeState scratch;
    scratch.capacities.swap(filled[id.index()]);
    give_units(cluster[id], scratch, instance, kRealFigure);
    scratch.capacities.swap(filled[id.index()]);
  };
  for (const InstanceId id : instance_ids(cluster)) {
    const Instance& instance = cluster[id];
    if (instance.is_forthcoming) continue;
    add(snapshot.state[id].primary, instance);
    if (has_secondary(instance.disk_template)) add(snapshot.state[id].secondary, instance);
  }
  Names names;
  for (const NodeId id : node_ids(cluster)) {
    for (const StorageUnit& unit : cluster[id].units) {
      const Capacity& capacity = filled[id.index()][static_cast<std::size_t>(unit.capacity)];
      if (capacity.excess_mib == 0) continue;
      names.push_back(fmt::format("{} on {} by {} MiB", to_string(cluster[unit.key]),
                                  cluster[id].name, capacity.excess_mib));
    }
  }
  if (!names.empty())
    lines.push_back("free space and disks are more than the storage unit's total: " +
                    listed(names));
}

}  // namespace

std::vector<std::string> storage_warnings(const Snapshot& snapshot) {
  Lines lines;
  warn_unknown_types(snapshot.cluster, lines);
  warn_missing_field(snapshot.cluster, lines);
  warn_different_parameters(snapshot.cluster, lines);
  warn_exclusive_flags(snapshot.cluster, lines);
  warn_volume_groups(snapshot, lines);
  warn_disk_sums(snapshot.cluster, lines);
  warn_unknown_units(snapshot.cluster, lines);
  warn_overfull(snapshot, lines);
  return lines;
}

}  // namespace ballast::ganeti
