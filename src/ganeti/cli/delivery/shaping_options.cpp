// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/delivery/plan_delivery.hpp"

#include "ballast/core/strings.hpp"

#include <fmt/format.h>

namespace ballast::ganeti::cli {
namespace {

void set_flag(Value& options, std::string_view name, bool value) {
  if (value) options.set(name, true);
}

template <class T>
void set_unless(Value& options, std::string_view name, const T& value, const T& usual) {
  if (value != usual) options.set(name, value);
}

void set_list(Value& options, std::string_view name, const std::vector<std::string>& values) {
  if (values.empty()) return;
  Value list = Value::list();
  for (const std::string& value : values) list.push(value);
  options.set(name, std::move(list));
}

std::string text_of(const Reserve& reserve) {
  const std::string size = reserve.size_mib ? std::to_string(*reserve.size_mib) : "largest";
  return reserve.unit ? to_string(*reserve.unit) + "=" + size : size;
}

/// "--pin lic", "--exclude-nodes n1,n2", "--reserve memory@n1=4096", ...
std::string text_of(const RuleSpec& rule) {
  std::string text = rule.name;
  if (rule.kind == RuleKind::ReserveMemory) {
    text += " memory";
    if (!rule.nodes.empty()) text += "@" + join(rule.nodes, ",");
    return text + (rule.memory_mib ? fmt::format("={}", *rule.memory_mib)
                                   : fmt::format("={}%", rule.memory_share.value_or(0) * 100));
  }
  if (rule.kind == RuleKind::ExcludeNodes) return text + " " + join(rule.nodes, ",");
  if (rule.kind == RuleKind::ForbidUnits) {
    for (const StorageKey& unit : rule.units) text += " " + to_string(unit);
    return rule.nodes.empty() ? text : text + "@" + join(rule.nodes, ",");
  }
  return text;
}

void set_storage(Value& options, const Settings& settings) {
  set_flag(options, "ignore-storage", settings.load.ignore_storage);
  std::vector<std::string> defaults;
  for (const StorageKey& key : settings.load.default_storage)
    defaults.push_back(key.type + "=" + key.key);
  set_list(options, "default-storage", defaults);
  std::vector<std::string> reserves;
  for (const Reserve& reserve : settings.limits.reserves) reserves.push_back(text_of(reserve));
  set_list(options, "reserve", reserves);
  set_list(options, "add-node", settings.limits.added_nodes);
  set_list(options, "rules", settings.limits.rule_files);
  std::vector<std::string> rules;
  for (const RuleSpec& rule : settings.limits.rules) rules.push_back(text_of(rule));
  set_list(options, "own-rules", rules);
}

void set_rebooting(Value& options, const ToolSettings& tool) {
  set_flag(options, "offline-maintenance", tool.offline_maintenance);
  if (tool.node_tags) {
    options.set("node-tags", Value::list());
    set_list(options, "node-tags", *tool.node_tags);
  }
  set_flag(options, "full-evacuation", tool.full_evacuation);
  set_flag(options, "skip-non-redundant", tool.skip_non_redundant);
  set_flag(options, "ignore-non-redundant", tool.ignore_non_redundant);
  set_flag(options, "one-step-only", tool.one_step_only);
  set_flag(options, "shared-movable", tool.shared_is_movable);
}

}  // namespace

Value shaping_options(const Settings& settings) {
  const BalanceOptions usual;
  const BalanceOptions& balance = settings.balance;
  Value options = Value::map();
  if (settings.tool.group) options.set("group", *settings.tool.group);
  set_list(options, "offline", settings.limits.offline_nodes);
  if (settings.limits.max_cpu) options.set("max-cpu", *settings.limits.max_cpu);
  set_unless(options, "min-disk", settings.limits.min_disk, 0.0);
  set_list(options, "exclusion-tags", settings.load.exclusion_prefixes);
  set_list(options, "select-instances", settings.load.selected_instances);
  set_list(options, "exclude-instances", settings.load.excluded_instances);
  if (settings.load.utilisation_file) options.set("dynu-file", *settings.load.utilisation_file);
  set_list(options, "dynu-file-more", settings.load.more_utilisation_files);
  set_flag(options, "worst-load", settings.load.worst_utilisation);
  set_flag(options, "ignore-dynu", settings.load.ignore_dynamic);
  set_flag(options, "state-of-record", settings.load.state_of_record);
  set_flag(options, "corrected-n1", settings.load.corrected_n1);
  set_storage(options, settings);
  set_flag(options, "evac-mode", balance.evacuation);
  set_flag(options, "restricted-migration", balance.restricted_migration);
  set_flag(options, "no-disk-moves", !balance.disk_moves);
  set_flag(options, "no-instance-moves", !balance.instance_moves);
  set_flag(options, "ignore-soft-errors", balance.ignore_soft_errors);
  set_unless(options, "max-length", balance.max_length, usual.max_length);
  set_unless(options, "min-score", balance.min_score, usual.min_score);
  set_unless(options, "min-gain", balance.min_gain, usual.min_gain);
  set_unless(options, "min-gain-limit", balance.min_gain_limit, usual.min_gain_limit);
  set_rebooting(options, settings.tool);
  set_unless(options, "minimal-resources", settings.tool.minimal_resources, 2.0);
  set_unless(options, "target-resources", settings.tool.target_resources, 2.0);
  return options;
}

}  // namespace ballast::ganeti::cli
