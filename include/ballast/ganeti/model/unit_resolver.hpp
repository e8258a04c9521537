// SPDX-License-Identifier: BSD-2-Clause
// Which storage unit a disk asks for where the snapshot does not say.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti {

/// The id of (type, key), which is added where it is new. Backends number keys in any order; the
/// pipeline sorts them, and later additions (keys that no node holds) follow at the end.
StorageKeyId intern_storage_key(Cluster& cluster, std::string_view type, std::string_view key);

/// What DRBD keeps beside each disk.
inline constexpr std::int64_t kDrbdMetadataMib = 128;

/// What the disks take of a unit where no message tells more: their size, and DRBD's metadata.
void set_usual_takings(Instance& instance);

/// Looks at the nodes once; they must not change while it is in use.
class UnitResolver {
 public:
  /// `defaults`: --default-storage.
  UnitResolver(Cluster& cluster, const std::vector<StorageKey>& defaults);

  /// The unit for a disk of that template: the default of its type, else the one key that the
  /// group's nodes agree on, else the only unit of that type on `primary` (which may be none).
  /// None: it cannot be told.
  std::optional<StorageKeyId> find(DiskTemplate disk_template, GroupId group, NodeId primary);

  /// Fills in the units of an instance that is to be created. The error names the disk, the
  /// candidates and --default-storage.
  Status resolve_request(Instance& instance, GroupId group);

 private:
  Cluster& cluster_;
  std::vector<StorageKey> defaults_;
  /// Keys by (group, type) over all nodes of the group, sorted.
  std::map<std::pair<GroupId, std::string>, std::vector<StorageKeyId>> keys_;
};

}  // namespace ballast::ganeti
