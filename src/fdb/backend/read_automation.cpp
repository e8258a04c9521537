// SPDX-License-Identifier: BSD-2-Clause
// `spec.automationOptions`.
#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <utility>

#include "spec_parts.hpp"

namespace ballast::fdb {
namespace {

using doc::Tree;

const std::vector<std::string_view> kModes = {"All", "Zone", "ProcessGroup", "None"};

/// Nanoseconds as a whole number, or a text such as 5m, 1h30m, 90s.
void read_duration(MapReader& reader, std::string_view key, std::int64_t& seconds) {
  const Tree* node = reader.raw(key);
  if (node == nullptr) return;
  if (const auto nanos = node->as_int()) {
    seconds = *nanos / 1'000'000'000;
    return;
  }
  const std::string text = node->is_scalar() ? node->text() : "";
  double total = 0;
  std::string_view rest = text;
  bool is_good = !text.empty();
  while (is_good && !rest.empty()) {
    double value = 0;
    const auto read =
        std::from_chars(rest.data(), rest.data() + rest.size(), value, std::chars_format::fixed);
    is_good = read.ec == std::errc() && value >= 0;
    if (!is_good) break;
    rest.remove_prefix(static_cast<std::size_t>(read.ptr - rest.data()));
    constexpr std::pair<std::string_view, double> kUnits[] = {
        {"ms", 0.001}, {"h", 3600}, {"m", 60}, {"s", 1}};
    const auto* const unit = std::ranges::find_if(
        kUnits, [&](const auto& entry) { return rest.starts_with(entry.first); });
    is_good = unit != std::end(kUnits);
    if (!is_good) break;
    total += value * unit->second;
    rest.remove_prefix(unit->first.size());
  }
  if (is_good && total < 1e12) {
    seconds = static_cast<std::int64_t>(total);
  } else {
    reader.complain("F015", *node, key,
                    quoted(text) + ": expected a duration such as 5m, or nanoseconds");
  }
}

/// A number of fault domains, or a share of them such as 10%.
void read_taint_limit(MapReader& reader, Replacements& rules) {
  constexpr std::string_view kKey = "maxFaultDomainsWithTaintedProcessGroups";
  const Tree* node = reader.raw(kKey);
  if (node == nullptr) return;
  std::string_view text = node->is_scalar() ? std::string_view(node->text()) : std::string_view();
  rules.max_tainted_is_percent = text.ends_with('%');
  if (rules.max_tainted_is_percent) text.remove_suffix(1);
  const auto value = whole_number(text);
  if (!value || *value < 0 || *value > 1'000'000) {
    reader.complain("F015", *node, kKey,
                    quoted(node->text()) + ": expected a number of fault domains, or percent");
    return;
  }
  rules.max_tainted_domains = static_cast<int>(*value);
}

void read_replacements(MapReader reader, Replacements& rules, bool is_v1beta1) {
  if (is_v1beta1) rules.enabled = false;
  rules.is_default = !reader.has("enabled");
  reader.boolean("enabled", rules.enabled);
  reader.integer("maxConcurrentReplacements", rules.max_concurrent, 0);
  reader.boolean("faultDomainBasedReplacements", rules.by_fault_domain);
  reader.integer("failureDetectionTimeSeconds", rules.failure_seconds, 0);
  reader.integer("taintReplacementTimeSeconds", rules.taint_seconds, 0);
  read_taint_limit(reader, rules);
  for (MapReader& option : reader.maps("taintReplacementOptions")) {
    TaintOption taint;
    option.text("key", taint.key);
    option.integer("durationInSeconds", taint.seconds, 0);
    option.finish();
    rules.taints.push_back(std::move(taint));
  }
  reader.finish();
}

}  // namespace

void read_automation(MapReader reader, Automation& options, bool is_v1beta1) {
  if (is_v1beta1) {
    options.use_localities = false;
    options.update_strategy = UpdateStrategy::Delete;
  }
  reader.boolean("configureDatabase", options.configure_database);
  reader.boolean("killProcesses", options.kill_processes);
  if (const auto i =
          reader.one_of("podUpdateStrategy", {"Replace", "ReplaceTransactionSystem", "Delete"})) {
    options.update_strategy = static_cast<UpdateStrategy>(*i);
  }
  if (const auto i = reader.one_of("deletionMode", kModes))
    options.deletion_mode = static_cast<Mode>(*i);
  if (const auto i = reader.one_of("removalMode", kModes))
    options.removal_mode = static_cast<Mode>(*i);
  reader.integer("waitBetweenRemovalsSeconds", options.wait_between_removals_seconds);
  if (options.wait_between_removals_seconds < 0) options.wait_between_removals_seconds = 60;
  reader.integer("maxConcurrentReplacements", options.max_concurrent_replacements, 0);
  read_replacements(reader.map("replacements"), options.replacements, is_v1beta1);
  reader.boolean("useLocalitiesForExclusion", options.use_localities);
  reader.boolean("useNonBlockingExcludes", options.non_blocking_excludes);
  read_duration(reader, "ignorePendingPodsDuration", options.ignore_pending_seconds);
  reader.integer("ignoreMissingProcessesSeconds", options.ignore_missing_seconds, 0);
  reader.integer("ignoreTerminatingPodsSeconds", options.ignore_terminating_seconds, 0);
  reader.integer("failedPodDurationSeconds", options.failed_pod_seconds, 0);
  MapReader maintenance = reader.map("maintenanceModeOptions");
  maintenance.boolean("UseMaintenanceModeChecker", options.use_maintenance_checker);
  maintenance.boolean("useMaintenanceModeChecker", options.use_maintenance_checker);
  maintenance.boolean("resetMaintenanceMode", options.reset_maintenance);
  maintenance.integer("maintenanceModeTimeSeconds", options.maintenance_seconds, 0);
  maintenance.finish();
  if (const auto i = reader.one_of("synchronizationMode", {"local", "global"}))
    options.is_global = *i == 1;
  reader.one_of("databaseInteractionMode", {"fdbcli", "managementapi"});
  reader.texts("ignoreLogGroupsForUpgrade", options.ignored_log_groups);
  reader.ignore({"cacheDatabaseStatusForReconciliation"});
  reader.finish();
}

}  // namespace ballast::fdb
