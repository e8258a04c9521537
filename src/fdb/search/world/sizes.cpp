// SPDX-License-Identifier: BSD-2-Clause
// Sizes that the database does not tell per server.
#include "ballast/fdb/search/world/sizes.hpp"

#include <algorithm>

namespace ballast::fdb {
namespace {

bool is_storage(const ProcessGroup& group) {
  return group.process_class == ProcessClass::Storage && !group.processes.empty();
}

/// Gives every storage server without the figure its even share of `total`.
bool share_out(std::vector<Member>& groups, const std::optional<std::int64_t>& total,
               std::optional<std::int64_t> Process::*figure) {
  if (!total || *total < 0) return false;
  std::int64_t servers = 0;
  bool lacks_any = false;
  for (const Member& group : groups) {
    if (!is_storage(group)) continue;
    servers += static_cast<std::int64_t>(group.processes.size());
    lacks_any = lacks_any || std::any_of(group.processes.begin(), group.processes.end(),
                                         [&](const Process& p) { return !(p.*figure); });
  }
  if (!lacks_any) return false;
  for (Member& group : groups) {
    if (!is_storage(group)) continue;
    for (Process& process : group.processes) {
      if (!(process.*figure)) process.*figure = *total / servers;
    }
  }
  return true;
}

}  // namespace

bool estimate_sizes(World& world) {
  const Database& db = world.db;
  if (!db.is_given) return false;
  std::optional<std::int64_t> stored;
  if (db.total_kv_bytes && db.configuration) {
    stored = *db.total_kv_bytes * redundancy_of(db.configuration->redundancy_mode).replicas *
             std::max(1, db.configuration->usable_regions);
  }
  const bool has_shared_stored = share_out(world.groups, stored, &Process::stored_bytes);
  const bool has_shared_used =
      share_out(world.groups, db.total_disk_used_bytes, &Process::used_bytes);
  return has_shared_stored || has_shared_used;
}

PerClass<ClassSizes> class_sizes(const std::vector<Member>& groups) {
  PerClass<ClassSizes> sizes{};
  for (const Member& group : groups) {
    ClassSizes& own = sizes[index(group.process_class)];
    own.has_stored = own.has_stored || group.stored_bytes().has_value();
    if (own.disk_per_request || group.processes.empty() || !group.volume ||
        group.volume->request_bytes <= 0)
      continue;
    if (const auto total = group.processes.front().disk_total_bytes) {
      own.disk_per_request =
          static_cast<double>(*total) / static_cast<double>(group.volume->request_bytes);
    }
  }
  return sizes;
}

std::optional<std::int64_t> most_bytes(const ProcessGroup& group) {
  if (!group.volume || group.volume->request_bytes <= 0) return std::nullopt;
  return group.volume->request_bytes;
}

}  // namespace ballast::fdb
