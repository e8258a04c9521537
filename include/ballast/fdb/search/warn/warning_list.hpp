// SPDX-License-Identifier: BSD-2-Clause
// Warnings of a plan as they are found: what each look at the plan gets and adds to.
#pragma once

#include <string>
#include <vector>

#include "ballast/fdb/search/simulate/simulate.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::fdb {

class WarningList {
 public:
  WarningList(const Cluster& of_snapshot, const ClusterSpec& wish, const PlanOptions& with_options,
              const Simulation& traced)
      : snapshot(of_snapshot), desired(wish), options(with_options), simulation(traced) {
    int last = 0;
    for (const TraceStep& step : simulation.steps)
      numbers_.push_back(step.action == Action::Blocked ? 0 : ++last);
  }

  const Cluster& snapshot;
  const ClusterSpec& desired;
  const PlanOptions& options;
  const Simulation& simulation;

  void add(std::string code, plan::Severity severity, std::string text, std::vector<int> steps = {},
           const std::string& subject = {}) {
    plan::Warning warning{std::move(code), severity, std::move(text), std::move(steps), {}};
    if (!subject.empty()) warning.subject = {"process_group", subject, ""};
    found_.push_back(std::move(warning));
  }
  /// Number of each step of the trace in the plan; 0 for dead ends.
  [[nodiscard]] const std::vector<int>& numbers() const { return numbers_; }
  /// Numbers of the steps that fit.
  template <class Fits>
  [[nodiscard]] std::vector<int> steps_with(Fits fits) const {
    std::vector<int> steps;
    for (std::size_t i = 0; i < simulation.steps.size(); ++i) {
      if (numbers_[i] != 0 && fits(simulation.steps[i])) steps.push_back(numbers_[i]);
    }
    return steps;
  }
  [[nodiscard]] std::vector<int> steps_of(Action action) const {
    return steps_with([action](const TraceStep& step) { return step.action == action; });
  }
  std::vector<plan::Warning> take() { return std::move(found_); }

 private:
  std::vector<int> numbers_;
  std::vector<plan::Warning> found_;
};

std::vector<plan::Warning> find_warnings(const Cluster& snapshot, const ClusterSpec& desired,
                                         const PlanOptions& options, const Simulation& simulation);

// The looks, in the order in which their warnings are told.

void warn_of_destruction(WarningList& list);   ///< whole classes, copies, regions, all servers
void warn_of_removals(WarningList& list);      ///< without exclusion, or by a silent shrink
void warn_of_modes(WarningList& list);         ///< how many go at once, and whether any may
void warn_of_coordinators(WarningList& list);  ///< moves, churn, spare zones
void warn_of_replacements(
    WarningList& list);                      ///< what is replaced, why, and how much room it needs
void warn_of_recoveries(WarningList& list);  ///< restarts, pauses, waits, early exclusions
void warn_of_zones(WarningList& list);       ///< fewer than replicas or coordinators need
void warn_of_space(WarningList& list);
void warn_of_configuration(WarningList& list);
void warn_of_snapshot(WarningList& list);  ///< what is sick, stale, inconsistent or unchecked

}  // namespace ballast::fdb
