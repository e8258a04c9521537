// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {

/// Storage servers that tell no size of their own get an even share of what the database tells for
/// all: total_kv_size_bytes times the replicas, total_disk_used_bytes. True where any got one.
bool estimate_sizes(World& world);

/// What pods of each class tell of sizes; disks as the first by ID that tells has them.
PerClass<ClassSizes> class_sizes(const std::vector<Member>& groups);

/// What a group can hold at most: the request of its volume claim.
std::optional<std::int64_t> most_bytes(const ProcessGroup& group);

}  // namespace ballast::fdb
