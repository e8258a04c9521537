// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ballast/ganeti/model/enums.hpp"
#include "ballast/ganeti/model/ids.hpp"
#include "ballast/ganeti/model/storage.hpp"

namespace ballast::ganeti {

/// Dynamic utilisation: of an instance, or summed over a node.
struct Load {
  double cpu = 0;
  double mem = 0;
  double disk = 0;
  double net = 0;

  Load& operator+=(const Load& other);
  Load& operator-=(const Load& other);
  friend bool operator==(const Load&, const Load&) = default;
};

struct Nic {
  std::string mac;
  std::string ip;
  std::string mode;
  std::string link;
  std::string bridge;
  std::string network;  ///< UUID, empty: none
};

/// What a move does not change.
struct Instance {
  std::string name;
  std::string alias;  ///< name without the common suffix
  std::int64_t memory_mib = 0;
  std::int64_t recorded_memory_mib = 0;  ///< by its record, where the source tells both; else 0
  std::int64_t seen_memory_mib = 0;      ///< as it runs, where the source tells both; else 0
  std::int64_t disk_mib = 0;  ///< the instance's total, as the node's free disk counts it
  std::int64_t vcpus = 0;
  std::int64_t spindle_use = 1;
  std::vector<Disk> disks;  ///< text format: one, of size disk_mib, unless the snapshot lists them
  bool disks_told = false;  ///< the snapshot listed the disks (storage column 14, or "sunit")
  std::vector<Nic> nics;
  Load load{1, 1, 1, 1};
  std::vector<std::string> tags;
  std::vector<TagId> exclusion_tags;     ///< in the order of the instance's tags, duplicates kept
  std::vector<TagId> desired_locations;  ///< sorted, unique
  InstanceStatus status = InstanceStatus::Running;
  DiskTemplate disk_template = DiskTemplate::Plain;
  bool is_movable = true;
  bool auto_balance = true;
  bool is_forthcoming = false;
  std::vector<std::int32_t> rules;  ///< of placement that it falls under: RuleId, ascending
  bool is_kept = false;             ///< a rule keeps it where it is
  std::int32_t kept_by = -1;        ///< that rule: index into Rules::specs
  bool is_unit_unknown = false;     ///< storage counts and some disk's unit is not known: not moved

  [[nodiscard]] bool uses_memory() const { return !is_forthcoming && status_uses_memory(status); }
  /// Memory reserved on the secondary: a down instance still reserves it.
  [[nodiscard]] bool uses_secondary_memory() const {
    return auto_balance && !status_is_offline(status);
  }
  [[nodiscard]] bool counts_cpu() const { return !status_is_offline(status); }
  [[nodiscard]] bool is_running() const { return status_is_running(status); }
  /// Spindles of the disks on a node with exclusive storage; none where some disk's are unknown.
  [[nodiscard]] std::optional<std::int64_t> disk_spindles() const;
};

/// Where an instance is now.
struct Placement {
  NodeId primary;
  NodeId secondary;  ///< none: no secondary
  std::int64_t location_score =
      0;  ///< common location tags of primary and secondary when it was last placed
  friend bool operator==(const Placement&, const Placement&) = default;
};

}  // namespace ballast::ganeti
