// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/planner.hpp"

#include "ballast/fdb/search/plan_parts.hpp"
#include "ballast/fdb/search/weak_moments.hpp"
#include "ballast/kube/object.hpp"
#include "ballast/plan/estimate.hpp"

namespace ballast::fdb {

Planned make_plan(const Cluster& snapshot, const ClusterSpec& desired, const PlanOptions& options,
                  std::int64_t desired_generation) {
  Planned result;
  result.simulation = simulate(snapshot, desired, options);
  const Simulation& simulation = result.simulation;
  plan::Plan& plan = result.plan;
  plan.system = plan::System::Fdb;
  plan.tool = "hfdb";
  plan.cluster = Value::map();
  plan.cluster.set("name", snapshot.name);
  plan.cluster.set("namespace", snapshot.name_space);
  plan.cluster.set("generation", desired_generation);
  plan.profile = options.profile == Profile::Seed ? "seed" : "today";
  plan.now = kube::format_time(snapshot.now);
  plan.fingerprint = fingerprint(snapshot, desired);
  const std::vector<Wave> waves = waves_of(simulation);
  GroupClasses classes(snapshot);
  for (std::size_t w = 0; w < waves.size(); ++w) {
    for (std::size_t i = waves[w].first; i < waves[w].last; ++i) {
      if (simulation.steps[i].action == Action::Blocked) {
        plan.blocked.push_back(
            plan_dead_end(snapshot, desired, options, simulation, simulation.steps[i]));
      } else {
        const int n = static_cast<int>(plan.steps.size()) + 1;
        plan.steps.push_back(
            plan_step(snapshot, classes, simulation.steps, i, n, static_cast<int>(w) + 1));
      }
    }
  }
  add_gates(snapshot, simulation, plan);
  plan.assumptions = list_assumptions(snapshot, options, simulation);
  if (desired.automation.is_global && !plan.steps.empty()) {
    plan.notes.push_back(
        {"two-phase",
         "synchronizationMode global: exclude, include and restart wait until every operator's "
         "pending groups are ready and nothing has changed for 30 s; exclusions go on with the "
         "ready ones after 5 min at the earliest. This is the part of this operator alone"});
  }
  for (const Remark& note : snapshot.notes) plan.notes.push_back({note.code, note.text});
  plan.warnings = find_warnings(snapshot, desired, options, simulation);
  plan.totals = totals_of(snapshot, desired, simulation);
  if (options.rate_mib)
    plan::estimate_time(plan, {options.rate_mib, std::max(1, options.parallel)});
  add_byte_notes(snapshot, desired, simulation, plan);
  add_queues(desired, simulation, plan);
  add_waves(simulation, waves, plan);
  add_summaries(snapshot, desired, simulation, plan);
  const CopiesDown copies =
      follow_copies(snapshot, desired.redundancy().fault_tolerance, simulation.steps);
  add_exposures(snapshot, copies, plan);
  plan.weakest = weakest_moments(snapshot, copies, simulation.steps);
  switch (simulation.ending) {
    case Ending::Skipped:
      plan.result = plan::Outcome::Skipped;
      break;
    case Ending::Blocked:
      plan.result = plan::Outcome::Blocked;
      break;
    case Ending::Reconciled:
      plan.result = plan.steps.empty() ? plan::Outcome::NoChange : plan::Outcome::Changes;
      break;
  }
  plan.headline = headline(snapshot, desired, simulation, plan);
  return result;
}

}  // namespace ballast::fdb
