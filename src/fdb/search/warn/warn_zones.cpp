// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <set>

#include "ballast/fdb/search/warn/warning_list.hpp"

namespace ballast::fdb {

void warn_of_zones(WarningList& list) {
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
