// SPDX-License-Identifier: BSD-2-Clause
// Edits that take away a whole class, copies of the data, or every server: nothing of that comes
// back by putting the spec back.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "ballast/core/units.hpp"
#include "ballast/core/words.hpp"
#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/warn/warning_list.hpp"

namespace ballast::fdb {
namespace {

struct Present {
  std::size_t groups = 0;
  std::int64_t stored_bytes = 0;
};

Present present(const WarningList& list, ProcessClass c) {
  Present sum;
  for (const ProcessGroup& group : list.snapshot.groups) {
    if (group.process_class != c || group.is_marked()) continue;
    ++sum.groups;
    sum.stored_bytes += group.stored_bytes().value_or(0);
  }
  return sum;
}

std::string consequence(ProcessClass c, std::int64_t stored_bytes) {
  if (c == ProcessClass::Storage) {
    return stored_bytes > 0
               ? fmt::format(
                     "they hold the whole data set ({} with all copies), and none is left "
                     "to take it",
                     size_text(stored_bytes))
               : std::string("they hold the whole data set, and none is left to take it");
  }
  if (is_log_class(c)) return "what is not yet in storage lies on them";
  return "their roles move to servers of other classes, if any may take them";
}

void warn_of_lost_classes(WarningList& list) {
  const PerClass<int> wanted = wanted_pods(list.desired);
  for (std::size_t i = 0; i < kClassCount; ++i) {
    const ProcessClass c = class_at(i);
    const Present now = present(list, c);
    if (now.groups == 0 || wanted[i] != 0) continue;
    list.add("class-removed", is_stateful(c) ? plan::Severity::Danger : plan::Severity::Warning,
             fmt::format("no group of class {} is wanted: {} would go; {}", name(c),
                         counted(now.groups, "group"), consequence(c, now.stored_bytes)),
             list.steps_with([c](const TraceStep& step) {
               return (step.classes & class_bit(c)) != 0 &&
                      (step.action == Action::MarkForRemoval || step.action == Action::Exclude ||
                       step.action == Action::DeleteResources);
             }));
  }
}

int copies_of(const DatabaseConfiguration& configuration) {
  return redundancy_of(configuration.redundancy_mode).replicas *
         std::max(1, configuration.usable_regions);
}

std::set<std::string> region_ids(const DatabaseConfiguration& configuration) {
  std::set<std::string> ids;
  for (const Region& region : configuration.regions) {
    for (const DataCenter& dc : region.data_centers) {
      if (!dc.is_satellite) ids.insert(dc.id);
    }
  }
  return ids;
}

void warn_of_fewer_copies(WarningList& list) {
  const auto steps = list.steps_of(Action::ConfigureDatabase);
  const auto& live = list.snapshot.database.configuration;
  if (steps.empty() || !live) return;
  const DatabaseConfiguration& wanted = list.desired.database;
  const int before = copies_of(*live);
  const int after = copies_of(wanted);
  if (after < before) {
    const bool is_last = redundancy_of(wanted.redundancy_mode).fault_tolerance == 0;
    list.add("fewer-copies", is_last ? plan::Severity::Danger : plan::Severity::Warning,
             fmt::format("{} copies of the data become {}: the others are dropped{}", before, after,
                         is_last ? ", and the loss of any zone then loses data" : ""),
             steps);
  }
  const std::set<std::string> kept = region_ids(wanted);
  for (const std::string& id : region_ids(*live)) {
    if (kept.contains(id)) continue;
    list.add("region-dropped", plan::Severity::Danger,
             fmt::format("region {} is dropped with all data that lies in it", id), steps);
  }
}

/// Pods whose data was not moved away before they are deleted for good, in more zones than may
/// fail.
void warn_of_lost_data(WarningList& list) {
  std::set<std::string> excluded;
  std::set<std::string> zones;
  std::vector<std::string> ids;
  for (const TraceStep& step : list.simulation.steps) {
    if (step.action == Action::Exclude) excluded.insert(step.targets.begin(), step.targets.end());
    if (step.action != Action::DeleteResources) continue;
    for (const std::string& id : step.targets) {
      const ProcessGroup* group = list.snapshot.find(id);
      if (group == nullptr || !is_stateful(group->process_class) || excluded.contains(id)) continue;
      if (group->is_excluded() && !group->exclusion_skipped) continue;
      if (group->processes.empty() && group->addresses.empty()) continue;  // it never ran
      ids.push_back(id);
      zones.insert(group->fault_domain.empty() ? id : group->fault_domain);
    }
  }
  const int tolerance = list.desired.redundancy().fault_tolerance;
  if (static_cast<int>(zones.size()) <= tolerance) return;
  list.add("data-loss", plan::Severity::Danger,
           fmt::format("{} in {} are deleted before their data lies elsewhere, {} may fail: data "
                       "of which all copies are there is lost",
                       fmt::join(ids, ", "), counted(zones.size(), "zone"), tolerance),
           list.steps_of(Action::DeleteResources));
}

void warn_of_stopped_servers(WarningList& list) {
  const Buggify& buggify = list.desired.buggify;
  if (buggify.empty_monitor_conf) {
    list.add("servers-stop", plan::Severity::Danger,
             "buggify.emptyMonitorConf: no pod starts a server, so the database stops; the plan "
             "takes them as running");
  }
  if (std::ranges::find(buggify.crash_loop, "*") != buggify.crash_loop.end()) {
    list.add("servers-stop", plan::Severity::Danger,
             "buggify.crashLoop names all pods: each that is made anew crashes again and again; "
             "the plan takes them as running");
  }
}

}  // namespace

void warn_of_destruction(WarningList& list) {
  warn_of_lost_classes(list);
  warn_of_lost_data(list);
  warn_of_fewer_copies(list);
  warn_of_stopped_servers(list);
}

}  // namespace ballast::fdb
