// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/plan/planner.hpp"
#include "ballast/fdb/search/simulate/waves.hpp"
#include "ballast/fdb/search/warn/warning_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "ballast/fdb/search/moments/weak_moments.hpp"
#include "ballast/kube/object.hpp"
#include "ballast/plan/estimate.hpp"
#include "ballast/plan/outcome.hpp"
#include "parts.hpp"

namespace ballast::fdb {
namespace {

/// A wait for thousands of groups is told again and again, each time for a few less: they are named
/// the first time only.
class WaitNames {
 public:
  void shorten(const TraceStep& step, plan::Step& out) {
    constexpr std::size_t kFew = 8;
    if (step.action != Action::Wait || step.targets.size() <= kFew) return;
    Named& named = named_[{step.reconciler, step.gate}];
    const bool is_known =
        named.targets != nullptr && std::ranges::includes(*named.targets, step.targets);
    if (!is_known) {
      named = {&step.targets, out.n};
      return;
    }
    out.targets.clear();
    out.detail += fmt::format("{}{} more of those of step {}", out.detail.empty() ? "" : "; ",
                              step.targets.size() - 1, named.step);
  }

 private:
  struct Named {
    const std::vector<std::string>* targets = nullptr;
    int step = 0;
  };
  std::map<std::pair<Reconciler, std::string>, Named> named_;
};

}  // namespace

Planned make_plan(const Cluster& snapshot, const ClusterSpec& desired, const PlanOptions& options,
                  std::int64_t desired_generation) {
  Planned result;
  result.simulation = simulate(snapshot, desired, options);
  result.plan = plan_of(snapshot, desired, options, desired_generation, result.simulation);
  return result;
}

plan::Plan plan_of(const Cluster& snapshot, const ClusterSpec& desired, const PlanOptions& options,
                   std::int64_t desired_generation, const Simulation& simulation) {
  plan::Plan plan;
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
  WaitNames wait_names;
  operators::Trace trace(plan);
  for (std::size_t w = 0; w < waves.size(); ++w) {
    for (std::size_t i = waves[w].first; i < waves[w].last; ++i) {
      const TraceStep& step = simulation.steps[i];
      if (step.action == Action::Blocked) {
        add_dead_end(snapshot, desired, options, simulation, step, trace);
      } else {
        plan::Step& told = trace.emit(
            plan_step(snapshot, classes, simulation.steps, i, static_cast<int>(w) + 1), false);
        told.phase = step.pass;
        wait_names.shorten(step, told);
      }
    }
  }
  add_gates(snapshot, simulation, plan);
  plan.assumptions = list_assumptions(snapshot, options, simulation);
  if (desired.automation.is_global && !plan.steps.empty()) {
    plan.notes.push_back(
        {"two-phase",
         "synchronizationMode global is not simulated: exclude, include and restart wait until "
         "every operator's pending groups are ready and nothing has changed for 30 s (exclusions "
         "of the ready ones alone may begin after 5 min), and no coordinator is chosen among "
         "groups "
         "that another operator removes. The plan shows this operator's part, as if nobody else "
         "had to be waited for"});
  }
  for (const Remark& note : snapshot.notes) plan.notes.push_back({note.code, note.text});
  plan.warnings = find_warnings(snapshot, desired, options, simulation);
  plan.totals = totals_of(snapshot, desired, simulation);
  if (options.rate_mib)
    plan::estimate_time(plan, {options.rate_mib, std::max(1, options.parallel)});
  add_byte_notes(snapshot, desired, simulation, plan);
  add_queues(desired, simulation, plan);
  for (plan::CodedText& note :
       wave_notes(simulation, waves, [](std::size_t n) { return static_cast<int>(n); }))
    plan.notes.push_back(std::move(note));
  add_summaries(snapshot, desired, simulation, plan);
  const CopiesDown copies =
      follow_copies(snapshot, desired.redundancy().fault_tolerance, simulation.steps);
  add_exposures(snapshot, copies, plan);
  plan.weakest = weakest_moments(snapshot, copies, simulation.steps);
  plan.result =
      simulation.ending == Ending::Skipped ? plan::Outcome::Skipped : plan::outcome_of(plan);
  plan.headline = headline(snapshot, desired, simulation, plan);
  return plan;
}

}  // namespace ballast::fdb
