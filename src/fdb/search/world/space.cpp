// SPDX-License-Identifier: BSD-2-Clause
// Room for the data of excluded groups: the two checks of the database, and the even spread
// afterwards.
#include <fmt/format.h>

#include <algorithm>

#include "ballast/fdb/search/world/space.hpp"
#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {
namespace {

struct Disk {
  std::optional<std::int64_t> free;
  std::optional<std::int64_t> total;
};

/// The disk of a pod, once for all its processes.
Disk disk_of(const Member& group) {
  for (const Process& process : group.processes) {
    if (process.disk_free_bytes && process.disk_total_bytes)
      return {process.disk_free_bytes, process.disk_total_bytes};
  }
  for (const Process& process : group.processes) {
    if (process.store_free_bytes && process.store_total_bytes)
      return {process.store_free_bytes, process.store_total_bytes};
  }
  return {};
}

bool holds_storage(const Member& group) {
  if (group.process_class == ProcessClass::Storage) return !group.processes.empty();
  return std::any_of(group.processes.begin(), group.processes.end(),
                     [](const Process& p) { return p.has_storage_role; });
}

}  // namespace

SpaceCheck check_space(const World& world, const std::vector<const Member*>& leaving) {
  std::vector<const Member*> gone = leaving;
  std::sort(gone.begin(), gone.end());
  const auto is_gone = [&gone](const Member& group) {
    return std::binary_search(gone.begin(), gone.end(), &group);
  };
  SpaceCheck check;
  double smallest = 1;
  double used_all = 0;
  double used_kept = 0;
  double free_kept = 0;
  bool is_known = true;
  bool concerns_storage = false;
  for (const Member& group : world.groups) {
    if (!holds_storage(group)) continue;
    const int count = static_cast<int>(group.processes.size());
    check.processes += count;
    const bool leaves =
        is_gone(group) ||
        (group.is_marked() && (group.is_excluded() || group.processes.front().is_excluded));
    concerns_storage = concerns_storage || is_gone(group);
    check.excluded += leaves ? count : 0;
    const auto used = group.used_bytes();
    const Disk disk = disk_of(group);
    is_known = is_known && used && disk.free && disk.total && *disk.total > 0;
    if (!is_known) continue;
    used_all += static_cast<double>(*used);
    if (leaves) continue;
    used_kept += static_cast<double>(*used);
    free_kept += static_cast<double>(*disk.free);
    smallest =
        std::min(smallest, static_cast<double>(*disk.free) / static_cast<double>(*disk.total));
  }
  if (!concerns_storage) return check;
  const int kept = check.processes - check.excluded;
  if (kept <= 0) {
    check.is_refused = true;
    check.numbers = {"no storage process would be left"};
    return check;
  }
  if (!is_known) return check;
  check.is_checked = true;
  check.ratio_a = (1 - smallest) * check.processes / kept;
  check.room = used_kept + free_kept;
  check.utilisation = used_all / check.room;
  check.ratio_b = 1 - check.utilisation;
  check.is_refused = check.ratio_a > 0.9 || check.ratio_b <= 0.1;
  check.numbers = {fmt::format("check A: (1 - {:.3f}) x {} / {} = {:.3f}, refused above 0.9",
                               smallest, check.processes, kept, check.ratio_a),
                   fmt::format("check B: 1 - {:.0f} / {:.0f} = {:.4f}, refused at or below 0.1",
                               used_all, used_kept + free_kept, check.ratio_b)};
  return check;
}

namespace {

/// Takes `freed` bytes off (or gives them to) the disk that the group's processes share.
void change_free(Member& group, std::int64_t freed) {
  for (Process& process : group.processes) {
    if (process.disk_free_bytes) *process.disk_free_bytes += freed;
    if (process.store_free_bytes) *process.store_free_bytes += freed;
  }
}

void empty_group(Member& group) {
  std::int64_t freed = 0;
  for (Process& process : group.processes) {
    freed += process.used_bytes.value_or(0);
    process.stored_bytes = 0;
    process.used_bytes = 0;
    process.has_role = false;
  }
  change_free(group, freed);
}

}  // namespace

void spread_data(World& world) {
  std::int64_t stored = 0;
  std::int64_t used = 0;
  std::int64_t count = 0;
  bool is_known = true;
  for (const Member& group : world.groups) {
    if (group.process_class != ProcessClass::Storage) continue;
    for (const Process& process : group.processes) {
      is_known = is_known && process.stored_bytes.has_value();
      stored += process.stored_bytes.value_or(0);
      used += process.used_bytes.value_or(0);
      count += process.is_excluded ? 0 : 1;
    }
  }
  if (count == 0 || !is_known) return;
  std::int64_t position = 0;
  for (Member& group : world.groups) {
    if (group.process_class != ProcessClass::Storage || group.processes.empty()) continue;
    if (group.processes.front().is_excluded) {
      empty_group(group);
      continue;
    }
    std::int64_t grown = 0;
    for (Process& process : group.processes) {
      // The first ones take what does not divide evenly.
      process.stored_bytes = stored / count + (position < stored % count ? 1 : 0);
      const std::int64_t share = used / count + (position < used % count ? 1 : 0);
      grown += share - process.used_bytes.value_or(0);
      process.used_bytes = share;
      process.has_storage_role = true;
      process.has_role = true;
      ++position;
    }
    change_free(group, -grown);
  }
}

}  // namespace ballast::fdb
