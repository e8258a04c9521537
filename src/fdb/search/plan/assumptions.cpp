// SPDX-License-Identifier: BSD-2-Clause
// What a plan took for granted.
#include <algorithm>

#include "ballast/fdb/search/plan/planner.hpp"

namespace ballast::fdb {

std::vector<plan::CodedText> list_assumptions(const Cluster& snapshot, const PlanOptions& options,
                                              const Simulation& simulation) {
  std::vector<plan::CodedText> list;
  if (simulation.steps.empty()) return list;
  list.push_back({"optimistic-world",
                  "new pods run and report before the next pass; data has moved before the next "
                  "pass where there is room; times are lower bounds"});
  if (!snapshot.groups.empty()) {
    if (!snapshot.given.pods)
      list.push_back(
          {"pods-assumed",
           "no pods given: one healthy pod for each group, made from the snapshot's spec"});
    if (!snapshot.given.volumes)
      list.push_back(
          {"volumes-assumed",
           "no volume claims given: one for each stateful group, made from the snapshot's spec"});
    if (!snapshot.given.database)
      list.push_back({"database-assumed",
                      "no status json given: the database is healthy and all groups without a "
                      "condition report"});
  }
  if (std::ranges::any_of(snapshot.database.foreign, &ForeignProcess::is_assumed)) {
    list.push_back(
        {"foreign-assumed", "coordinators of other objects are taken as healthy and well spread"});
  }
  if (simulation.world.has_estimated_sizes) {
    list.push_back({"bytes-estimated",
                    "some storage servers tell no size: each stands for an even share of what the "
                    "database tells for all"});
  }
  const bool adds = std::any_of(simulation.steps.begin(), simulation.steps.end(),
                                [](const TraceStep& s) { return s.action == Action::CreatePod; });
  if (adds && !options.existing_zones)
    list.push_back(
        {"new-zones", "each new pod lands in a zone of its own unless bin packing names one"});
  return list;
}

}  // namespace ballast::fdb
