// SPDX-License-Identifier: BSD-2-Clause
// From what query jobs told to the snapshot's storage units.
#include <algorithm>

#include "ballast/ganeti/backend/objects/storage_objects.hpp"
#include "ballast/ganeti/backend/storage/query.hpp"
#include "ballast/ganeti/model/unit_resolver.hpp"

namespace ballast::ganeti {
namespace {

/// The unit types of one place of Ganeti's type: a volume group serves DRBD and plain disks.
std::vector<std::string_view> unit_types(std::string_view type, const StorageFacts& facts) {
  if (type != "lvm-vg") return {type};
  std::vector<std::string_view> types;
  for (const DiskTemplate disk_template : {DiskTemplate::Drbd, DiskTemplate::Plain}) {
    if (std::find(facts.templates.begin(), facts.templates.end(), disk_template) !=
        facts.templates.end())
      types.push_back(*storage_type_of(disk_template));
  }
  return types;
}

void set_units(Node& node, Cluster& cluster, const StorageFacts& facts) {
  node.storage_told = true;
  node.units.clear();
  const auto places = facts.places.find(node.name);
  if (places == facts.places.end()) return;
  for (const auto& [type, list] : places->second) {
    for (const StoragePlace& place : list) {
      for (const std::string_view unit_type : unit_types(type, facts)) {
        StorageUnit unit;
        unit.key = intern_storage_key(cluster, unit_type, place.name);
        unit.total_mib = place.total_mib;
        unit.free_mib = place.free_mib;
        node.units.push_back(std::move(unit));
      }
    }
  }
  std::sort(node.units.begin(), node.units.end(), [&](const StorageUnit& a, const StorageUnit& b) {
    return cluster[a.key] < cluster[b.key];
  });
}

/// The folder of that type that holds the file: of several the innermost.
std::optional<StorageKeyId> folder_of(const Cluster& cluster, std::string_view type,
                                      std::string_view path) {
  std::optional<StorageKeyId> best;
  for (std::size_t i = 0; i < cluster.storage_keys.size(); ++i) {
    const StorageKey& key = cluster.storage_keys[i];
    const bool holds = key.type == type && path.starts_with(key.key) &&
                       path.substr(key.key.size()).starts_with('/');
    if (holds && (!best || cluster[*best].key.size() < key.key.size())) best = StorageKeyId(i);
  }
  return best;
}

std::optional<StorageKeyId> unit_of(Cluster& cluster, DiskTemplate disk_template,
                                    const std::string& key) {
  const auto type = storage_type_of(disk_template);
  if (!type) return std::nullopt;
  switch (disk_template) {
    case DiskTemplate::Plain:
    case DiskTemplate::Drbd:
    case DiskTemplate::Ext:
      return intern_storage_key(cluster, *type, key);
    case DiskTemplate::File:
    case DiskTemplate::SharedFile:
    case DiskTemplate::Gluster:
      return folder_of(cluster, *type, key);
    default:
      return std::nullopt;
  }
}

/// False: some disk's unit cannot be told, and nothing was changed.
bool set_disks(Instance& instance, Cluster& cluster, const std::vector<DiskPlace>& places) {
  if (places.size() != instance.disks.size()) return false;
  Instance changed = instance;
  set_usual_takings(changed);
  for (std::size_t i = 0; i < places.size(); ++i) {
    Disk& disk = changed.disks[i];
    const auto unit = unit_of(cluster, instance.disk_template, places[i].key);
    if (!unit) return false;
    disk.unit = *unit;
    const std::string& metadata = places[i].metadata_key;
    if (metadata.empty() || metadata == places[i].key) continue;
    disk.taken_mib = disk.size_mib;
    disk.meta_unit = intern_storage_key(cluster, "drbd8", metadata);
    disk.meta_mib = kDrbdMetadataMib;
  }
  changed.disks_told = true;
  instance = std::move(changed);
  return true;
}

}  // namespace

std::vector<std::string> apply_storage(Snapshot& snapshot, const StorageFacts& facts) {
  Cluster& cluster = snapshot.cluster;
  for (Node& node : cluster.nodes) {
    if (!node.is_offline) set_units(node, cluster, facts);
  }
  std::vector<std::string> unknown;
  for (Instance& instance : cluster.instances) {
    const auto places = facts.disks.find(instance.name);
    const bool is_diskless = instance.disk_template == DiskTemplate::Diskless;
    if (!is_diskless &&
        (places == facts.disks.end() || !set_disks(instance, cluster, places->second)))
      unknown.push_back(instance.name);
  }
  return unknown;
}

}  // namespace ballast::ganeti
