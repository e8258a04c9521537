// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/unit_resolver.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::ganeti {

StorageKeyId intern_storage_key(Cluster& cluster, std::string_view type, std::string_view key) {
  StorageKey wanted{canonical_storage_type(type), std::string(key)};
  const auto place = std::find(cluster.storage_keys.begin(), cluster.storage_keys.end(), wanted);
  const auto index = static_cast<std::size_t>(place - cluster.storage_keys.begin());
  if (place == cluster.storage_keys.end()) cluster.storage_keys.push_back(std::move(wanted));
  return StorageKeyId(index);
}

void set_usual_takings(Instance& instance) {
  const std::int64_t more = instance.disk_template == DiskTemplate::Drbd ? kDrbdMetadataMib : 0;
  for (Disk& disk : instance.disks) disk.taken_mib = disk.size_mib + more;
}

UnitResolver::UnitResolver(Cluster& cluster, const std::vector<StorageKey>& defaults)
    : cluster_(cluster), defaults_(defaults) {
  for (StorageKey& key : defaults_) key.type = canonical_storage_type(key.type);
  for (const Node& node : cluster.nodes) {
    for (const StorageUnit& unit : node.units) {
      std::vector<StorageKeyId>& keys = keys_[{node.group, cluster[unit.key].type}];
      const auto place = std::lower_bound(keys.begin(), keys.end(), unit.key);
      if (place == keys.end() || *place != unit.key) keys.insert(place, unit.key);
    }
  }
}

std::optional<StorageKeyId> UnitResolver::find(DiskTemplate disk_template, GroupId group,
                                               NodeId primary) {
  const std::optional<std::string_view> type = storage_type_of(disk_template);
  if (!type) return std::nullopt;
  for (const StorageKey& key : defaults_) {
    if (key.type == *type) return intern_storage_key(cluster_, key.type, key.key);
  }
  const auto keys = keys_.find({group, std::string(*type)});
  if (keys == keys_.end()) return std::nullopt;
  if (keys->second.size() == 1) return keys->second.front();
  if (primary.is_none()) return std::nullopt;
  std::optional<StorageKeyId> only;
  for (const StorageUnit& unit : cluster_[primary].units) {
    if (cluster_[unit.key].type != *type) continue;
    if (only) return std::nullopt;
    only = unit.key;
  }
  return only;
}

Status UnitResolver::resolve_request(Instance& instance, GroupId group) {
  const std::optional<std::string_view> type = storage_type_of(instance.disk_template);
  if (!type) return {};
  for (std::size_t i = 0; i < instance.disks.size(); ++i) {
    if (!instance.disks[i].unit.is_none()) continue;
    const std::optional<StorageKeyId> unit = find(instance.disk_template, group, NodeId());
    if (unit) {
      instance.disks[i].unit = *unit;
      continue;
    }
    std::string candidates;
    for (const StorageKeyId key : keys_[{group, std::string(*type)}]) {
      candidates += (candidates.empty() ? "" : ", ") + cluster_[key].key;
    }
    return fail(fmt::format(
        "disk {} of instance {}: {}; --default-storage {}=KEY tells which to use", i, instance.name,
        candidates.empty()
            ? fmt::format("no node of group {} has a storage unit of type {}", cluster_[group].name,
                          *type)
            : fmt::format("several {} storage units are possible: {}", *type, candidates),
        *type));
  }
  return {};
}

}  // namespace ballast::ganeti
