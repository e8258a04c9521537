// SPDX-License-Identifier: BSD-2-Clause
// Storage units: a node has several, each disk asks for one by type and key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/ganeti/model/enums.hpp"
#include "ballast/ganeti/model/ids.hpp"

namespace ballast::ganeti {

/// What a disk asks for and a unit offers; compatible means equal. "drbd" is read as "drbd8";
/// unknown types are kept as written.
struct StorageKey {
  std::string type;
  std::string key;
  friend auto operator<=>(const StorageKey&, const StorageKey&) = default;
  friend bool operator==(const StorageKey&, const StorageKey&) = default;
};

std::string to_string(const StorageKey& key);  ///< "lvm-vg/xenvg"
/// "drbd8" for "drbd"; any other text unchanged.
std::string canonical_storage_type(std::string_view type);
bool is_known_storage_type(std::string_view type);
/// One pool seen from many nodes: moving an instance changes no free figure.
bool is_shared_storage_type(std::string_view type);
/// The storage type that a template's disks use; none for diskless.
std::optional<std::string_view> storage_type_of(DiskTemplate disk_template);

/// A unit as the snapshot told it. Sizes in MiB; 0 <= free <= total.
struct StorageUnit {
  StorageKeyId key;
  std::int64_t total_mib = 0;
  std::int64_t free_mib = 0;
  std::vector<std::string> parameters;
  /// Which of the node's capacities it draws on (index into NodeState::capacities): a drbd8 and an
  /// lvm-vg unit with one key are one volume group.
  std::int32_t capacity = -1;
  bool is_forbidden = false;       ///< a rule keeps new disks off it
  std::int32_t forbidden_by = -1;  ///< that rule: index into Rules::specs
};

/// One capacity of one node, now. Invariant: 0 <= free_mib <= total_mib.
struct Capacity {
  std::int64_t total_mib = 0;
  std::int64_t free_mib = 0;
  std::int64_t forth_free_mib =
      0;  ///< with forthcoming instances placed; below 0 where these do not fit
  std::int64_t excess_mib =
      0;  ///< given back beyond the total (the snapshot's figures disagree); taken first
  std::int64_t forth_excess_mib = 0;
  std::int64_t low_water_mib = 0;  ///< floor(--min-disk ratio x total)
  std::int64_t reserve_mib = 0;    ///< --reserve; 0: none
  bool is_shared = false;          ///< shared storage: moves change nothing
  friend bool operator==(const Capacity&, const Capacity&) = default;
};

/// One disk of an instance.
struct Disk {
  std::int64_t size_mib = 0;  ///< as the snapshot states it
  std::optional<std::int64_t> spindles;
  StorageKeyId unit;           ///< none: unknown, the instance is not moved once storage counts
  bool is_unit_found = false;  ///< the pipeline found the unit, the snapshot did not tell it
  /// What the unit loses on each of its nodes: the size, plus DRBD metadata where the size leaves
  /// it out and no other unit holds it.
  std::int64_t taken_mib = 0;
  StorageKeyId meta_unit;     ///< DRBD metadata in a volume group of its own; none: no such
  std::int64_t meta_mib = 0;  ///< what meta_unit loses
  std::vector<std::string> parameters;  ///< carried and written back
};

}  // namespace ballast::ganeti
