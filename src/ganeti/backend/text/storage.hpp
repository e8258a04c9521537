// SPDX-License-Identifier: BSD-2-Clause
// Node column 16 (storage) and instance column 14 (disks).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti {

/// The units of one node, numbered in `cluster`. `column` is what follows the 15th bar of the line,
/// `place` where it begins.
Result<std::vector<StorageUnit>> read_storage_column(std::string_view column, const Place& place,
                                                     Cluster& cluster);
/// The disks of one instance; `column` follows the 13th bar.
Result<std::vector<Disk>> read_disks_column(std::string_view column, const Place& place,
                                            Cluster& cluster);

std::string storage_column(const Cluster& cluster, const Node& node, const NodeState& state);
std::string disks_column(const Cluster& cluster, const Instance& instance);

}  // namespace ballast::ganeti
