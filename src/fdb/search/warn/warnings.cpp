// SPDX-License-Identifier: BSD-2-Clause
// What the plan risks.
#include "ballast/fdb/search/warn/warning_list.hpp"

namespace ballast::fdb {

std::vector<plan::Warning> find_warnings(const Cluster& snapshot, const ClusterSpec& desired,
                                         const PlanOptions& options, const Simulation& simulation) {
  WarningList list(snapshot, desired, options, simulation);
  warn_of_destruction(list);
  warn_of_removals(list);
  warn_of_modes(list);
  warn_of_coordinators(list);
  warn_of_replacements(list);
  warn_of_recoveries(list);
  warn_of_zones(list);
  warn_of_space(list);
  warn_of_configuration(list);
  warn_of_snapshot(list);
  return list.take();
}

}  // namespace ballast::fdb
