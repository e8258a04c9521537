// SPDX-License-Identifier: BSD-2-Clause
// What a stock Ganeti tells about storage units, but only as the result of jobs: the units of each
// node, and the place of each disk.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/backend/luxi/client.hpp"
#include "ballast/ganeti/backend/transport/http.hpp"
#include "ballast/ganeti/model/snapshot.hpp"

namespace ballast::ganeti {

/// One storage place of one node; sizes in MiB.
struct StoragePlace {
  std::string name;  ///< volume group or folder
  std::int64_t total_mib = 0;
  std::int64_t free_mib = 0;
};

/// Where one disk lies: a volume group, a provider, or the path of a file.
struct DiskPlace {
  std::string key;
  std::string metadata_key;  ///< DRBD's second volume group; empty: none
};

struct StorageFacts {
  std::vector<DiskTemplate> templates;  ///< those that the cluster has enabled
  /// Places by node and Ganeti's storage type ("lvm-vg", "file", ...).
  std::map<std::string, std::map<std::string, std::vector<StoragePlace>>> places;
  std::map<std::string, std::vector<DiskPlace>> disks;  ///< by instance, in its disks' order
};

/// Submits query jobs to the master and waits for them: one per storage type for all online nodes,
/// one for all instances. Each must end within `timeout`.
Result<StorageFacts> query_storage(LuxiClient& client, const Cluster& cluster,
                                   std::chrono::seconds timeout);
/// The same by the remote API at `url`, one job per node and type, one per instance; needs a user
/// that may write.
Result<StorageFacts> query_storage(const std::string& url, const Cluster& cluster,
                                   const HttpOptions& options);

/// Gives the nodes their units and the disks theirs. A volume group is a unit for DRBD and for
/// plain disks, as far as the cluster has these templates enabled. Returns the instances whose
/// units cannot be told from the facts; their disks stay as they are.
std::vector<std::string> apply_storage(Snapshot& snapshot, const StorageFacts& facts);

}  // namespace ballast::ganeti
