// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ballast/fdb/search/warn/warning_list.hpp"

namespace ballast::fdb {

void warn_of_modes(WarningList& list) {
  const auto removes = list.steps_of(Action::DeleteResources);
  const auto recreates = list.steps_of(Action::DeletePod);
  const Automation& rules = list.desired.automation;
  if ((rules.removal_mode == Mode::All && !removes.empty()) ||
      (rules.deletion_mode == Mode::All && !recreates.empty())) {
    list.add("mode-all", plan::Severity::Danger,
             "all targets go at once, without a wait between zones",
             removes.empty() ? recreates : removes);
  }
  const bool blocked_mode = std::any_of(
      list.simulation.steps.begin(), list.simulation.steps.end(),
      [](const TraceStep& s) { return s.action == Action::Blocked && s.gate == "mode-none"; });
  if (blocked_mode)
    list.add("mode-none", plan::Severity::Warning,
             "removalMode or deletionMode is None: the change never finishes");
  if (list.desired.redundancy().fault_tolerance == 0 && !(removes.empty() && recreates.empty())) {
    list.add("low-tolerance", plan::Severity::Danger,
             "redundancy mode single: there is no second copy of anything");
  }
  for (const TraceStep& step : list.simulation.steps) {
    if (step.action == Action::Blocked && step.gate == "fault-tolerance") {
      list.add("low-tolerance", plan::Severity::Warning, step.observed + ": removals wait");
    }
    if (step.action == Action::Blocked && step.gate == "no-address") {
      list.add("no-address", plan::Severity::Danger,
               fmt::format("{}: {}", fmt::join(step.targets, ", "), step.observed), {},
               step.targets.front());
    }
  }
  if (!list.steps_of(Action::MarkForRemoval).empty()) {
    list.add("mark-is-permanent", plan::Severity::Warning,
             "a mark is not taken back when the spec is put back",
             list.steps_of(Action::MarkForRemoval));
  }
}

}  // namespace ballast::fdb
