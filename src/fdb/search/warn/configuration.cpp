// SPDX-License-Identifier: BSD-2-Clause
// Settings that cost much, or that keep the operator from finishing.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/warn/warning_list.hpp"

namespace ballast::fdb {

namespace {

bool names_any(const std::vector<std::string>& names, const TraceStep& step) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name == "*" ||
           std::find(step.targets.begin(), step.targets.end(), name) != step.targets.end();
  });
}

/// Pods that are made with orders not to run: the plan takes them as running.
void tell_buggified(WarningList& list) {
  const auto tell = [&list](const std::vector<std::string>& names, std::string_view field,
                            std::string_view what) {
    const auto steps = list.steps_with([&](const TraceStep& step) {
      return step.action == Action::CreatePod && names_any(names, step);
    });
    if (steps.empty()) return;
    list.add("buggify", plan::Severity::Note,
             fmt::format("buggify.{} names {}: {}, though the plan takes the pods as running",
                         field, fmt::join(names, ", "), what),
             steps);
  };
  tell(list.desired.buggify.no_schedule, "noSchedule", "they stay pending");
  tell(list.desired.buggify.crash_loop, "crashLoop", "they crash again and again");
}

}  // namespace

void warn_of_configuration(WarningList& list) {
  const auto& live = list.snapshot.database.configuration;
  const DatabaseConfiguration wanted = normalised_configuration(list.desired);
  if (live && live->storage_engine != wanted.storage_engine && live->storage_engine != "ssd" &&
      live->storage_engine != "memory") {
    const std::string type = migration_type(*live, wanted);
    list.add("engine-change", plan::Severity::Warning,
             type == "gradual"
                 ? "the storage engine changes: the perpetual wiggle rewrites the data server by "
                   "server, long after the plan has ended"
                 : "the storage engine changes: the whole data set is rewritten");
    const auto wiggle = wanted.knobs.find("perpetual_storage_wiggle");
    const auto live_wiggle = live->knobs.find("perpetual_storage_wiggle");
    const bool wiggles = wiggle != wanted.knobs.end()
                             ? wiggle->second != "0"
                             : live_wiggle != live->knobs.end() && live_wiggle->second != "0";
    if (type == "gradual" && !wiggles) {
      list.add("engine-stays", plan::Severity::Warning,
               "nothing moves to the new storage engine until perpetual_storage_wiggle is 1");
    }
  }
  for (const TraceStep& step : list.simulation.steps) {
    if (step.unserved.empty() || step.action != Action::ConfigureDatabase) continue;
    list.add(
        "redundancy-unserved", plan::Severity::Danger,
        step.unserved +
            ": the database becomes unavailable until they do. First make the edit that brings "
            "the places (dataHall, customParameters with locality_data_hall, more zones) and "
            "wait until all processes report them, then change redundancy_mode in an edit of "
            "its own",
        list.steps_with([&](const TraceStep& other) { return &other == &step; }));
  }
  if (!list.desired.automation.configure_database || !list.desired.automation.kill_processes) {
    list.add("config-disabled", plan::Severity::Warning,
             "configureDatabase or killProcesses is false: those steps are left out");
  }
  if (list.desired.automation.replacements.is_default &&
      list.desired.automation.replacements.enabled) {
    list.add("auto-replace-default", plan::Severity::Note,
             "replacements.enabled is not set: on in this release, off in older ones and in the "
             "manual");
  }
  if (!list.desired.buggify.block_removal.empty())
    list.add("block-removal", plan::Severity::Warning,
             fmt::format("buggify.blockRemoval keeps {}",
                         fmt::join(list.desired.buggify.block_removal, ", ")));
  if (!list.desired.buggify.ignore_during_restart.empty() &&
      !list.steps_of(Action::KillProcesses).empty()) {
    list.add("buggify", plan::Severity::Warning,
             fmt::format("buggify.ignoreDuringRestart leaves out {}: they keep their old command",
                         fmt::join(list.desired.buggify.ignore_during_restart, ", ")),
             list.steps_of(Action::KillProcesses));
  }
  if (list.desired.ignore_upgradability && list.snapshot.status.running_version.is_known() &&
      list.desired.version < list.snapshot.status.running_version &&
      !is_protocol_compatible(list.desired.version, list.snapshot.status.running_version)) {
    list.add("downgrade", plan::Severity::Danger,
             fmt::format("ignoreUpgradabilityChecks lets the operator go back from {} to {}: older "
                         "servers may be unable to read the files of newer ones",
                         to_string(list.snapshot.status.running_version),
                         to_string(list.desired.version)));
  }
  tell_buggified(list);
  for (const TraceStep& step : list.simulation.steps) {
    if (step.action == Action::Blocked &&
        (step.gate == "client-versions" || step.gate == "downgrade")) {
      list.add(step.gate, plan::Severity::Danger, step.observed);
    }
    if (step.action == Action::Blocked && step.gate == "isolated")
      list.add("isolated", plan::Severity::Warning,
               fmt::format("{}: {}", fmt::join(step.targets, ", "), step.observed));
  }
}

}  // namespace ballast::fdb
