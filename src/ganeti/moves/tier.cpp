// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/moves/tier.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/ganeti/model/unit_resolver.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"

namespace ballast::ganeti {
namespace {

/// LVM disks of one volume group become a mirror's half, and the other way round, in place.
bool stays_in_place(const Cluster& cluster, const Instance& instance, const Tier& tier) {
  const bool are_lvm =
      uses_local_disk(instance.disk_template) && uses_local_disk(tier.disk_template);
  if (!are_lvm || instance.disk_template == tier.disk_template) return false;
  if (!cluster.has_storage) return true;
  for (std::size_t d = 0; d < instance.disks.size(); ++d) {
    const StorageKeyId now = instance.disks[d].unit;
    const auto [then, meta] = home_of(tier, d);
    // Ganeti itself chooses where the metadata of a conversion go.
    const bool is_there = !now.is_none() && !then.is_none() && meta.is_none() &&
                          cluster[now].key == cluster[then].key;
    if (!is_there) return false;
  }
  return true;
}

std::vector<std::string> volume_groups(const Cluster& cluster) {
  std::vector<std::string> groups;
  for (const StorageKey& key : cluster.storage_keys) {
    if (key.type == "lvm-vg" || key.type == "drbd8") groups.push_back(key.key);
  }
  std::ranges::sort(groups);
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

/// The disks alone: memory and CPUs are there already, and so is what rules say of the primary.
Instance disks_alone(const Cluster& cluster, const Instance& instance, const Tier& tier) {
  Instance disks = instance;
  put_on_tier(disks, tier);
  disks.memory_mib = 0;
  disks.vcpus = 0;
  disks.spindle_use = 0;
  disks.exclusion_tags.clear();
  std::erase_if(disks.rules,
                [&](RuleId rule) { return cluster.rules[rule].kind != RuleKind::Pin; });
  return disks;
}

MaybeRefusal check_primary(const Cluster& cluster, const NodeState& now, const Instance& disks,
                           NodeId primary) {
  NodeState after = now;
  const InstanceRef ref{InstanceId(), &disks, {primary, NodeId(), 0}, true};
  if (auto no = add_primary(cluster, primary, after, ref, Checks::Hard)) return no;
  if (auto no = check_reserve(cluster, primary, now, after)) return no;
  return check_units(cluster, disks, primary);
}

MaybeRefusal check_secondary(const Cluster& cluster, const NodeState& now, const Instance& disks,
                             const Placement& after, const NodeView& view) {
  NodeState mirrored = now;
  const InstanceRef ref{InstanceId(), &disks, after, true};
  if (auto no = add_secondary(cluster, after.secondary, mirrored, ref, after.primary, Checks::All))
    return no;
  if (auto no = check_reserve(cluster, after.secondary, now, mirrored)) return no;
  return check_rules(cluster, {InstanceId(), &disks, {after.primary, NodeId(), 0}, after, true},
                     view);
}

}  // namespace

DiskHome home_of(const Tier& tier, std::size_t disk) {
  if (tier.by_disk.empty()) return {tier.unit, {}};
  return tier.by_disk[std::min(disk, tier.by_disk.size() - 1)];
}

void put_on_tier(Instance& instance, const Tier& tier) {
  for (Disk& disk : instance.disks) disk.size_mib = data_mib(instance, disk);
  if (instance.disk_template == DiskTemplate::Drbd)
    std::erase_if(instance.disks, [](const Disk& disk) { return disk.size_mib == 0; });
  instance.disk_template = tier.disk_template;
  instance.is_unit_unknown = false;
  set_usual_takings(instance);
  for (std::size_t d = 0; d < instance.disks.size(); ++d) {
    Disk& disk = instance.disks[d];
    disk.unit = home_of(tier, d).unit;
    disk.meta_unit = home_of(tier, d).meta_unit;
    const bool has_meta = !disk.meta_unit.is_none();
    disk.meta_mib = has_meta ? kDrbdMetadataMib : 0;
    if (has_meta) disk.taken_mib = disk.size_mib;
  }
  instance.disk_mib = 0;
  for (const Disk& disk : instance.disks)
    instance.disk_mib += disk.unit.is_none() ? disk.size_mib : disk.taken_mib + disk.meta_mib;
}

std::int64_t data_mib(const Instance& instance, const Disk& disk) {
  const bool has_metadata = instance.disk_template == DiskTemplate::Drbd && !disk.unit.is_none() &&
                            disk.meta_unit.is_none() && disk.taken_mib == disk.size_mib;
  return has_metadata ? std::max<std::int64_t>(0, disk.size_mib - kDrbdMetadataMib) : disk.size_mib;
}

std::int64_t size_of_disks(const Instance& instance) {
  std::int64_t mib = 0;
  for (const Disk& disk : instance.disks) mib += data_mib(instance, disk);
  return mib;
}

bool is_on_tier(const Instance& instance, const Tier& tier) {
  if (instance.disk_template != tier.disk_template) return false;
  for (std::size_t d = 0; d < instance.disks.size(); ++d) {
    const DiskHome home = home_of(tier, d);
    const Disk& disk = instance.disks[d];
    if (disk.unit != home.unit) return false;
    if (!tier.by_disk.empty() && disk.meta_unit != home.meta_unit) return false;
  }
  return true;
}

bool goes_by_backup(const Cluster& cluster, const Instance& instance, const Tier& tier) {
  if (instance.disk_template == tier.disk_template) return true;
  if (!cluster.has_storage || !uses_local_disk(tier.disk_template)) return false;
  if (uses_local_disk(instance.disk_template)) return !stays_in_place(cluster, instance, tier);
  return volume_groups(cluster).size() > 1;
}

std::string tier_hindrance(const Instance& instance, const Tier& tier) {
  const auto has_one_place = [](DiskTemplate one) {
    return one == DiskTemplate::Rbd || one == DiskTemplate::Gluster || one == DiskTemplate::File ||
           one == DiskTemplate::SharedFile;
  };
  const auto is_fixed = [](DiskTemplate one) {
    return one == DiskTemplate::Diskless || one == DiskTemplate::Blockdev;
  };
  if (instance.is_forthcoming) return "it does not exist yet";
  if (tier.by_disk.size() > 1 && tier.by_disk.size() != instance.disks.size())
    return fmt::format("it has {} disks in place of {}", instance.disks.size(),
                       tier.by_disk.size());
  if (is_fixed(instance.disk_template) || is_fixed(tier.disk_template)) {
    return fmt::format("Ganeti does not convert {} to {}", text_of(instance.disk_template),
                       text_of(tier.disk_template));
  }
  if (instance.disk_template == tier.disk_template && has_one_place(tier.disk_template)) {
    return fmt::format(
        "{} disks have no place of their own: cluster and group tell Ganeti where all of them are",
        text_of(tier.disk_template));
  }
  return {};
}

TierCost tier_cost(const Cluster& cluster, const Instance& instance, const Tier& tier,
                   bool has_secondary_then) {
  const std::int64_t size = size_of_disks(instance);
  const std::int64_t mirror = has_secondary_then ? size : 0;
  // Exported and imported again.
  if (goes_by_backup(cluster, instance, tier)) return {2 * size, mirror};
  if (!stays_in_place(cluster, instance, tier)) return {size, mirror};
  return {0, has_secondary(instance.disk_template) ? 0 : mirror};
}

MaybeRefusal check_tier(const Cluster& cluster, const State& state, InstanceId id, const Tier& tier,
                        NodeId secondary) {
  const Placement& now = state[id];
  if (cluster[id].is_kept) {
    return Refusal{FailReason::Tags,   Rule::InstanceKept, now.primary, -1, {}, 0, 0, -1,
                   cluster[id].kept_by};
  }
  if (cluster[now.primary].is_offline)
    return Refusal{FailReason::Disk, Rule::TargetOffline, now.primary, -1, {}, 0, 0};
  const Instance disks = disks_alone(cluster, cluster[id], tier);
  if (auto no = check_primary(cluster, state[now.primary], disks, now.primary)) return no;
  if (secondary.is_none()) return std::nullopt;
  return check_secondary(cluster, state[secondary], disks, {now.primary, secondary, 0},
                         view_of(state));
}

void apply_tier(Cluster& cluster, State& state, InstanceId id, const Tier& tier, NodeId secondary) {
  const Placement before = state[id];
  const InstanceRef old{id, &cluster[id], before, false};
  remove_primary(cluster, before.primary, state[before.primary], old);
  if (!before.secondary.is_none())
    remove_secondary(cluster, before.secondary, state[before.secondary], old);
  Instance& instance = cluster.instances[id.index()];
  put_on_tier(instance, tier);
  Placement after{before.primary, secondary, 0};
  if (!secondary.is_none())
    after.location_score = common_location_tags(cluster[after.primary], cluster[secondary]);
  const InstanceRef now{id, &instance, after, true};
  (void)add_primary(cluster, after.primary, state[after.primary], now, Checks::None);
  if (!secondary.is_none()) {
    (void)add_secondary(cluster, secondary, state[secondary], now, after.primary, Checks::None);
  }
  take_shared_storage(cluster, state, now, after.primary);
  state[id] = after;
}

}  // namespace ballast::ganeti
