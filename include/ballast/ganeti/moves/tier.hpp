// SPDX-License-Identifier: BSD-2-Clause
// An instance's disks on another tier of storage, while its primary node stays: what is in the way,
// what is copied, and the cluster afterwards. Ganeti converts between disk templates; to another
// volume group, or a pool of the same template, the way is a backup that is imported again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/moves/node_ops.hpp"

namespace ballast::ganeti {

/// The unit of a disk, and that of its DRBD metadata where these have a volume group of their own.
struct DiskHome {
  StorageKeyId unit;
  StorageKeyId meta_unit;
  friend bool operator==(const DiskHome&, const DiskHome&) = default;
};

struct Tier {
  DiskTemplate disk_template = DiskTemplate::Plain;
  StorageKeyId unit;  ///< of all disks; none: storage does not count, or `by_disk` tells
  /// Where the disks are on several units, or have metadata of their own (what a way back leads
  /// to): by disk, or one entry for all; else empty.
  std::vector<DiskHome> by_disk;
  friend bool operator==(const Tier&, const Tier&) = default;
};

DiskHome home_of(const Tier& tier, std::size_t disk);

/// As it will be there: template, units, and what the disks take from them.
void put_on_tier(Instance& instance, const Tier& tier);

/// Whether its disks get there by a backup that is imported again, in place of a conversion, which
/// keeps LVM disks in their volume group and puts others into the one of the cluster.
bool goes_by_backup(const Cluster& cluster, const Instance& instance, const Tier& tier);

bool is_on_tier(const Instance& instance, const Tier& tier);

/// Why Ganeti cannot do it at all; empty where it can.
std::string tier_hindrance(const Instance& instance, const Tier& tier);

/// What a disk holds, MiB: text snapshots tell what its unit loses, DRBD's metadata included, and
/// metadata in a volume group of their own as a disk, which holds nothing.
std::int64_t data_mib(const Instance& instance, const Disk& disk);

/// Sum of the disks, MiB, without metadata.
std::int64_t size_of_disks(const Instance& instance);

struct TierCost {
  std::int64_t local_mib = 0;   ///< read and written on the primary while the instance is down
  std::int64_t mirror_mib = 0;  ///< to the new secondary, while it runs again
};
TierCost tier_cost(const Cluster& cluster, const Instance& instance, const Tier& tier,
                   bool has_secondary_then);

/// Room for the new disks beside the old ones, which stay until the new ones are there, and what
/// rules of administrators say. `secondary` none: only the primary is asked.
MaybeRefusal check_tier(const Cluster& cluster, const State& state, InstanceId instance,
                        const Tier& tier, NodeId secondary);

/// The cluster and the state afterwards. Precondition: check_tier() has no objection.
void apply_tier(Cluster& cluster, State& state, InstanceId instance, const Tier& tier,
                NodeId secondary);

}  // namespace ballast::ganeti
