// SPDX-License-Identifier: BSD-2-Clause
// Which groups go when a class shrinks.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/spread/choose.hpp"

namespace ballast::fdb {

void choose_removals(World& world) {
  PerClass<bool> shrinks{};
  bool any = false;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    shrinks[i] = world.counts().unmarked[i] > world.wanted[i];
    any = any || shrinks[i];
  }
  if (!any) return;
  std::set<std::string> survivors;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    std::vector<Candidate> candidates;
    for (const Member& group : world.groups) {
      if (index(group.process_class) != i || group.is_marked() || group.processes.empty()) continue;
      const Process& process = group.processes.front();
      candidates.push_back({group.id, group.has_bound_domain ? group.fault_domain : process.zone,
                            process.data_center, process.data_hall, 0, candidates.size()});
    }
    if (!shrinks[i]) {
      for (const Candidate& candidate : candidates) survivors.insert(candidate.id);
      continue;
    }
    ChooseRules rules;
    rules.uses_data_hall = world.spec.redundancy().is_three_data_hall;
    const auto chosen = choose(candidates, world.wanted[i], rules);
    if (!chosen) {
      world.block(Reconciler::ChooseRemovals, "too-few-reporting", {}, chosen.error().message);
      return;
    }
    for (const std::size_t k : *chosen) survivors.insert(candidates[k].id);
  }
  std::vector<std::string> leaving;
  for (Member& group : world.groups) {
    if (group.is_marked() || survivors.contains(group.id)) continue;
    mark(world, group);
    leaving.push_back(group.id);
  }
  if (leaving.empty()) return;
  TraceStep& step =
      world.emit(Reconciler::ChooseRemovals, Action::MarkForRemoval, std::move(leaving), "shrink");
  step.reason = "shrink";
  step.because =
      "more groups than wanted; kept are reporting groups spread over zones, ties by ID as text";
}

}  // namespace ballast::fdb
