// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/planning/tier_step.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/bytes.hpp"
#include "ballast/core/shell.hpp"
#include "ballast/ganeti/search/planning/move_step.hpp"

namespace ballast::ganeti {
namespace {

std::string convert_command(const Cluster& cluster, const std::string& name, const Placement& after,
                            const Tier& tier) {
  std::string command = fmt::format("gnt-instance modify -t {}", text_of(tier.disk_template));
  if (!after.secondary.is_none())
    command += " --no-wait-for-sync -n " + shell_operand(cluster[after.secondary].name);
  if (tier.disk_template == DiskTemplate::Ext && !tier.unit.is_none())
    command += " --ext-params " + shell_word("provider=" + cluster[tier.unit].key);
  return command + " " + name;
}

void add_backup_commands(const Cluster& cluster, const Instance& instance, const Placement& after,
                         const Tier& tier, std::vector<std::string>& commands) {
  const std::string name = shell_operand(instance.name);
  const std::string node = shell_operand(cluster[after.primary].name);
  std::string disks;
  for (std::size_t d = 0; d < instance.disks.size(); ++d) {
    const std::string vg = tier.unit.is_none() || !uses_local_disk(tier.disk_template)
                               ? std::string()
                               : ",vg=" + cluster[tier.unit].key;
    disks +=
        " --disk " + shell_word(fmt::format("{}:size={}M{}", d, instance.disks[d].size_mib, vg));
  }
  std::string places = cluster[after.primary].name;
  if (!after.secondary.is_none()) places += ":" + cluster[after.secondary].name;
  commands.push_back(fmt::format("gnt-backup export -n {} {}", node, name));
  commands.push_back("gnt-instance remove -f " + name);
  commands.push_back(fmt::format("gnt-backup import --src-node {} -t {}{} -n {} {}", node,
                                 text_of(tier.disk_template), disks, shell_word(places), name));
}

/// Where the template says nothing new, the volume group does, as gnt-instance info shows it.
std::string is_there_check(const Cluster& cluster, const Instance& instance, const Placement& place,
                           DiskTemplate disk_template, const std::string& volume_group) {
  const std::string listed = fmt::format(
      "{}:{}:{}", cluster[place.primary].name,
      place.secondary.is_none() ? "" : cluster[place.secondary].name, text_of(disk_template));
  std::string check = fmt::format(
      "test \"$(gnt-instance list --no-headers --separator=: -o pnode,snodes,disk_template {})\" = "
      "{}",
      shell_operand(instance.name), shell_word(listed));
  if (volume_group.empty()) return check;
  return check + fmt::format(" && gnt-instance info {} | grep -qF {}", shell_operand(instance.name),
                             shell_word("logical_id: " + volume_group + "/"));
}

/// None: the disks are not LVM, or in several groups.
std::string volume_group_of(const Cluster& cluster, const Instance& instance) {
  if (!uses_local_disk(instance.disk_template) || instance.disks.empty()) return {};
  const StorageKeyId unit = instance.disks.front().unit;
  const bool is_one =
      std::ranges::all_of(instance.disks, [&](const Disk& disk) { return disk.unit == unit; });
  return is_one && !unit.is_none() ? cluster[unit].key : std::string();
}

/// One text, or a list where the disks are on several units.
Value units_value(const Cluster& cluster, const Instance& instance) {
  std::vector<std::string> names;
  for (const Disk& disk : instance.disks) {
    if (disk.unit.is_none()) continue;
    std::string name = to_string(cluster[disk.unit]);
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  if (names.empty()) return {};
  return names.size() == 1 ? Value(names.front()) : text_list(names);
}

plan::Cost cost_of(const Cluster& cluster, const Placement& after, const TierCost& cost) {
  plan::Cost told;
  told.bytes = (cost.local_mib + cost.mirror_mib) * kBytesPerMib;
  const std::string& primary = cluster[after.primary].name;
  if (cost.local_mib > 0) told.links.push_back({primary, primary, cost.local_mib * kBytesPerMib});
  if (cost.mirror_mib > 0)
    told.links.push_back({primary, cluster[after.secondary].name, cost.mirror_mib * kBytesPerMib});
  return told;
}

void add_dangers(const Instance& instance, bool is_removed, const TierCost& cost,
                 plan::Step& step) {
  const bool has_mirror = cost.mirror_mib > 0;
  if (instance.is_running()) {
    step.unprotected.push_back(
        {has_mirror ? "service (stopped while its disks change), then mirror of the disks"
                    : "service (stopped while its disks change)",
         instance.name, step.n});
  } else if (has_mirror) {
    step.unprotected.push_back({"mirror of the disks", instance.name, step.n});
  }
  if (is_removed) {
    step.risks.push_back({"REMOVED", instance.name +
                                         " is removed before it is imported again: until then its "
                                         "export is the only copy"});
  }
}

}  // namespace

std::vector<std::string> tier_commands(const Cluster& cluster, InstanceId id,
                                       const Placement& before, const Placement& after,
                                       const Tier& tier) {
  (void)before;
  const Instance& instance = cluster[id];
  const std::string name = shell_operand(instance.name);
  std::vector<std::string> commands;
  if (instance.is_running()) commands.push_back("gnt-instance shutdown " + name);
  if (goes_by_backup(cluster, instance, tier))
    add_backup_commands(cluster, instance, after, tier, commands);
  else
    commands.push_back(convert_command(cluster, name, after, tier));
  if (instance.is_running()) commands.push_back("gnt-instance startup " + name);
  return commands;
}

plan::Step tier_step(const Cluster& cluster, int n, InstanceId id, const Placement& before,
                     const Placement& after, const Tier& tier) {
  const Instance& instance = cluster[id];
  const bool is_same_template = instance.disk_template == tier.disk_template;
  plan::Step step;
  step.n = n;
  step.action = kChangeTier;
  step.subject = {"instance", instance.name, ""};
  step.from = placement_value(cluster, before);
  step.to = placement_value(cluster, after);
  if (!is_same_template) {
    step.changes.push_back({"disk_template", std::string(text_of(instance.disk_template)),
                            std::string(text_of(tier.disk_template))});
  }
  if (!tier.unit.is_none()) {
    step.changes.push_back(
        {"storage", units_value(cluster, instance), to_string(cluster[tier.unit])});
  }
  step.commands.push_back(
      {plan::CommandUse::Check,
       is_there_check(cluster, instance, before, instance.disk_template,
                      is_same_template ? volume_group_of(cluster, instance) : "")});
  for (std::string& command : tier_commands(cluster, id, before, after, tier))
    step.commands.push_back({plan::CommandUse::Hand, std::move(command)});
  const bool is_lvm = uses_local_disk(tier.disk_template) && !tier.unit.is_none();
  step.done_when.push_back(
      {fmt::format("the disks of {} are on {}", instance.name,
                   tier.unit.is_none() ? std::string(text_of(tier.disk_template))
                                       : to_string(cluster[tier.unit])),
       is_there_check(cluster, instance, after, tier.disk_template,
                      is_same_template && is_lvm ? cluster[tier.unit].key : "")});
  const TierCost cost = tier_cost(cluster, instance, tier, !after.secondary.is_none());
  step.cost = cost_of(cluster, after, cost);
  add_dangers(instance, goes_by_backup(cluster, instance, tier), cost, step);
  step.system = Value::map().set("stopped_bytes", cost.local_mib * kBytesPerMib);
  return step;
}

std::optional<Tier> tier_of(const Cluster& cluster, const plan::Step& step) {
  const auto told = [&](std::string_view path) -> const std::string* {
    const auto change = std::ranges::find(step.changes, path, &plan::Change::path);
    return change == step.changes.end() ? nullptr : change->to.get<std::string>();
  };
  Tier tier;
  if (const std::string* unit = told("storage")) {
    const auto place = std::ranges::find_if(
        cluster.storage_keys, [&](const StorageKey& key) { return to_string(key) == *unit; });
    if (place == cluster.storage_keys.end()) return std::nullopt;
    tier.unit = StorageKeyId(static_cast<std::size_t>(place - cluster.storage_keys.begin()));
    for (const DiskTemplate one : kDiskTemplates) {
      if (storage_type_of(one) == place->type) tier.disk_template = one;
    }
    return tier;
  }
  const std::string* name = told("disk_template");
  const auto disk_template = name == nullptr ? std::nullopt : parse_disk_template(*name);
  if (!disk_template) return std::nullopt;
  tier.disk_template = *disk_template;
  return tier;
}

}  // namespace ballast::ganeti
