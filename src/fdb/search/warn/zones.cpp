// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <set>

#include "ballast/fdb/search/warn/warning_list.hpp"

namespace ballast::fdb {

namespace {

/// Dead ends of the planner alone, passed because that is allowed.
void warn_of_unsafe_exclusions(WarningList& list) {
  for (std::size_t i = 0; i < list.simulation.steps.size(); ++i) {
    const TraceStep& step = list.simulation.steps[i];
    if (step.action != Action::Exclude || step.unserved.empty()) continue;
    list.add("zone-shortage", plan::Severity::Danger,
             step.unserved + ": the data cannot be replicated as the redundancy mode asks",
             {list.numbers()[i]});
  }
}

}  // namespace

void warn_of_zones(WarningList& list) {
  warn_of_unsafe_exclusions(list);
  const Redundancy redundancy = list.desired.redundancy();
  if (list.desired.uses_distribution() &&
      list.desired.fault_domain.distribution.domains <
          redundancy.minimum_domains + redundancy.fault_tolerance) {
    list.add(
        "zone-shortage", plan::Severity::Warning,
        fmt::format("{} fault domains, fewer than {} + {}: after the loss of one the data cannot "
                    "be replicated again",
                    list.desired.fault_domain.distribution.domains, redundancy.minimum_domains,
                    redundancy.fault_tolerance));
  }
  const auto& database = list.snapshot.database.configuration;
  if (!database ||
      coordinator_count(redundancy, list.desired.database.usable_regions) <=
          coordinator_count(redundancy_of(database->redundancy_mode), database->usable_regions)) {
    return;
  }
  std::set<std::string> reporting;
  for (const ProcessGroup& group : list.snapshot.groups) {
    if (is_stateful(group.process_class) && !group.processes.empty())
      reporting.insert(group.fault_domain);
  }
  const int wanted = coordinator_count(redundancy, list.desired.database.usable_regions);
  if (static_cast<int>(reporting.size()) < wanted) {
    list.add(
        "zone-shortage", plan::Severity::Warning,
        fmt::format(
            "{} coordinators need {} zones, {} report now; new pods must land in further zones",
            wanted, wanted, reporting.size()));
  }
}

}  // namespace ballast::fdb
