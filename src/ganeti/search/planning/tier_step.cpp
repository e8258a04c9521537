// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/planning/tier_step.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/bytes.hpp"
#include "ballast/core/shell.hpp"
#include "ballast/core/strings.hpp"
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

/// ",vg=fast": what tells Ganeti where a new disk goes.
std::string home_words(const Cluster& cluster, const Tier& tier, std::size_t disk) {
  const auto [unit, meta] = home_of(tier, disk);
  if (unit.is_none()) return "";
  if (tier.disk_template == DiskTemplate::Ext) return ",provider=" + cluster[unit].key;
  if (!uses_local_disk(tier.disk_template)) return "";
  return ",vg=" + cluster[unit].key + (meta.is_none() ? "" : ",metavg=" + cluster[meta].key);
}

void add_backup_commands(const Cluster& cluster, const Instance& instance, const Placement& after,
                         const Tier& tier, std::vector<std::string>& commands) {
  const std::string name = shell_operand(instance.name);
  const std::string node = shell_operand(cluster[after.primary].name);
  std::string disks;
  std::size_t number = 0;
  for (const Disk& disk : instance.disks) {
    const std::int64_t mib = data_mib(instance, disk);
    if (mib == 0) continue;
    disks += " --disk " + shell_word(fmt::format("{}:size={}M{}", number, mib,
                                                 home_words(cluster, tier, number)));
    ++number;
  }
  std::string places = cluster[after.primary].name;
  if (!after.secondary.is_none()) places += ":" + cluster[after.secondary].name;
  commands.push_back(fmt::format("gnt-backup export -n {} {}", node, name));
  commands.push_back("gnt-instance remove -f " + name);
  // Else Ganeti imports only once the mirror is in sync, and the instance is down for longer.
  const std::string_view sync = after.secondary.is_none() ? "" : " --no-wait-for-sync";
  commands.push_back(fmt::format("gnt-backup import --src-node {} -t {}{}{} -n {} {}", node,
                                 text_of(tier.disk_template), disks, sync, shell_word(places),
                                 name));
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

/// One text, or a list by disk where they are on several units; null: they are on none.
Value units_value(const Cluster& cluster, const std::vector<StorageKeyId>& units) {
  if (units.empty() || std::ranges::all_of(units, &StorageKeyId::is_none)) return {};
  std::vector<std::string> names;
  for (const StorageKeyId unit : units)
    names.push_back(unit.is_none() ? std::string() : to_string(cluster[unit]));
  const bool is_one =
      std::ranges::all_of(names, [&](const auto& name) { return name == names.front(); });
  return is_one ? Value(names.front()) : text_list(names);
}

/// What a disk asks for, of all disks.
std::vector<StorageKeyId> units_of(const Instance& instance, StorageKeyId Disk::*unit) {
  std::vector<StorageKeyId> units;
  for (const Disk& disk : instance.disks) units.push_back(disk.*unit);
  return units;
}

void add_changes(const Cluster& cluster, const Instance& before, const Instance& after,
                 plan::Step& step) {
  if (before.disk_template != after.disk_template) {
    step.changes.push_back({"disk_template", std::string(text_of(before.disk_template)),
                            std::string(text_of(after.disk_template))});
  }
  if (!cluster.has_storage) return;
  const auto add = [&](std::string path, StorageKeyId Disk::*unit) {
    Value from = units_value(cluster, units_of(before, unit));
    Value to = units_value(cluster, units_of(after, unit));
    if (from != to) step.changes.push_back({std::move(path), std::move(from), std::move(to)});
  };
  add("storage", &Disk::unit);
  add("metadata_storage", &Disk::meta_unit);
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

namespace {

std::string tier_text(const Cluster& cluster, const Tier& tier) {
  if (!cluster.has_storage) return std::string(text_of(tier.disk_template));
  if (tier.by_disk.empty()) return to_string(cluster[tier.unit]);
  std::vector<std::string> names;
  for (const DiskHome& home : tier.by_disk) names.push_back(to_string(cluster[home.unit]));
  return join(names, ", ");
}

/// The unit of that name; none for an empty one.
std::optional<StorageKeyId> unit_named(const Cluster& cluster, const Value& value) {
  const auto* name = value.get<std::string>();
  if (name == nullptr) return std::nullopt;
  if (name->empty()) return StorageKeyId();
  for (std::size_t k = 0; k < cluster.storage_keys.size(); ++k) {
    if (to_string(cluster.storage_keys[k]) == *name) return StorageKeyId(k);
  }
  return std::nullopt;
}

/// By disk, or one for all; empty: not told.
std::optional<std::vector<StorageKeyId>> units_named(const Cluster& cluster, const Value* told) {
  std::vector<StorageKeyId> units;
  if (told == nullptr || told->is_null()) return units;
  const auto* list = told->get<ValueList>();
  for (const Value& one : list == nullptr ? ValueList{*told} : *list) {
    const auto unit = unit_named(cluster, one);
    if (!unit) return std::nullopt;
    units.push_back(*unit);
  }
  return units;
}

std::optional<DiskTemplate> template_on(const Cluster& cluster, StorageKeyId unit) {
  for (const DiskTemplate one : kDiskTemplates) {
    if (!unit.is_none() && storage_type_of(one) == cluster[unit].type) return one;
  }
  return std::nullopt;
}

std::optional<Tier> tier_told(const Cluster& cluster, const plan::Step& step,
                              Value plan::Change::*side) {
  const auto told = [&](std::string_view path) -> const Value* {
    const auto change = std::ranges::find(step.changes, path, &plan::Change::path);
    return change == step.changes.end() ? nullptr : &((*change).*side);
  };
  const auto units = units_named(cluster, told("storage"));
  const auto metas = units_named(cluster, told("metadata_storage"));
  if (!units || !metas) return std::nullopt;
  Tier tier;
  const Value* name = told("disk_template");
  const auto* text = name == nullptr ? nullptr : name->get<std::string>();
  const auto disk_template = text != nullptr   ? parse_disk_template(*text)
                             : !units->empty() ? template_on(cluster, units->front())
                                               : std::nullopt;
  if (!disk_template || cluster.has_storage == units->empty()) return std::nullopt;
  tier.disk_template = *disk_template;
  const std::size_t count = std::max(units->size(), metas->size());
  if (count == 1 && metas->empty()) {
    tier.unit = units->front();
    return tier;
  }
  for (std::size_t d = 0; d < count; ++d) {
    const auto at = [&](const std::vector<StorageKeyId>& list) {
      return list.empty() ? StorageKeyId() : list[std::min(d, list.size() - 1)];
    };
    tier.by_disk.push_back({at(*units), at(*metas)});
  }
  return tier;
}

}  // namespace

bool is_tier_change(std::string_view action) {
  return action == kChangeTier || action == "undo_" + std::string(kChangeTier);
}

plan::Step tier_step(const Cluster& cluster, int n, InstanceId id, const Placement& before,
                     const Placement& after, const Tier& tier) {
  const Instance& instance = cluster[id];
  Instance target = instance;
  put_on_tier(target, tier);
  const bool is_same_template = instance.disk_template == tier.disk_template;
  plan::Step step;
  step.n = n;
  step.action = kChangeTier;
  step.subject = {"instance", instance.name, ""};
  step.from = placement_value(cluster, before);
  step.to = placement_value(cluster, after);
  add_changes(cluster, instance, target, step);
  // Where the template says nothing new, the volume group does.
  const auto check = [&](const Instance& one, const Placement& place) {
    return is_there_check(cluster, one, place, one.disk_template,
                          is_same_template ? volume_group_of(cluster, one) : "");
  };
  step.commands.push_back({plan::CommandUse::Check, check(instance, before)});
  for (std::string& command : tier_commands(cluster, id, before, after, tier))
    step.commands.push_back({plan::CommandUse::Hand, std::move(command)});
  step.done_when.push_back(
      {fmt::format("the disks of {} are on {}", instance.name, tier_text(cluster, tier)),
       check(target, after)});
  const TierCost cost = tier_cost(cluster, instance, tier, !after.secondary.is_none());
  step.cost = cost_of(cluster, after, cost);
  add_dangers(instance, goes_by_backup(cluster, instance, tier), cost, step);
  if (instance.is_running())
    step.system = Value::map().set("stopped_bytes", cost.local_mib * kBytesPerMib);
  return step;
}

std::optional<Tier> tier_after(const Cluster& cluster, const plan::Step& step) {
  return tier_told(cluster, step, &plan::Change::to);
}

std::optional<Tier> tier_before(const Cluster& cluster, const plan::Step& step) {
  return tier_told(cluster, step, &plan::Change::from);
}

}  // namespace ballast::ganeti
