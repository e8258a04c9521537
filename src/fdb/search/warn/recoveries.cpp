// SPDX-License-Identifier: BSD-2-Clause
// Restarts, pauses, long waits, and exclusions that hold each other up or start early.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "ballast/core/units.hpp"
#include "ballast/fdb/search/warn/warning_list.hpp"

namespace ballast::fdb {
namespace {

constexpr std::int64_t kLongWait = 600;

bool causes_recovery(const TraceStep& step) {
  return step.action == Action::Exclude || step.action == Action::Include ||
         step.action == Action::ChangeCoordinators || step.action == Action::KillProcesses ||
         step.action == Action::ConfigureDatabase;
}

void warn_of_pauses(WarningList& list) {
  if (const auto kills = list.steps_of(Action::KillProcesses); !kills.empty())
    list.add("bounce-all", plan::Severity::Warning, "all listed servers restart at once", kills);
  const auto recoveries = list.steps_with(causes_recovery);
  if (!recoveries.empty()) {
    list.add("recovery", plan::Severity::Note,
             fmt::format("{} step{} a recovery, a write pause of seconds{}", recoveries.size(),
                         recoveries.size() == 1 ? " causes" : "s cause",
                         recoveries.size() == 1 ? "" : " each"),
             recoveries);
  }
  const std::int64_t total = list.simulation.world.now - list.snapshot.now;
  if (total > kLongWait) {
    list.add("long-wait", plan::Severity::Note,
             fmt::format("the operator's own gates alone take at least {}", duration_text(total)));
  }
}

void warn_of_exclusions(WarningList& list) {
  std::set<std::string> stops;
  const auto stopped = list.steps_with([&](const TraceStep& step) {
    if (!step.stopped_by.empty()) stops.insert(step.stopped_by);
    return !step.stopped_by.empty();
  });
  if (!stopped.empty()) {
    list.add("transaction-class-blocks", plan::Severity::Note,
             fmt::format("while class {} has no budget, nothing at all is excluded, storage "
                         "included",
                         fmt::join(stops, ", ")),
             stopped);
  }
  const auto early = list.steps_with([](const TraceStep& step) { return step.uses_slack; });
  if (!early.empty()) {
    list.add("early-exclusion", plan::Severity::Note,
             fmt::format("the budget has a slack of {} (the fault tolerance): exclusion starts "
                         "before as many groups report as are wanted",
                         list.desired.redundancy().fault_tolerance),
             early);
  }
}

void warn_of_tls(WarningList& list) {
  const bool now = list.snapshot.spec.enable_tls;
  const bool wished = list.desired.enable_tls;
  if (now == wished) return;
  bool shapes_differ = false;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    shapes_differ = shapes_differ || pod_shape(list.snapshot.spec, class_at(i)) !=
                                         pod_shape(list.desired, class_at(i));
  }
  if (shapes_differ) {
    list.add("tls-and-pods", plan::Severity::Danger,
             "TLS and pod templates change in one edit: the pods wait until the conversion is "
             "over, but the servers need the certificates before; roll the certificates out "
             "first");
  } else if (wished) {
    list.add("tls-and-pods", plan::Severity::Warning,
             "the servers find certificates only if the pod template mounts them already");
  }
}

}  // namespace

void warn_of_recoveries(WarningList& list) {
  warn_of_pauses(list);
  warn_of_exclusions(list);
  warn_of_tls(list);
}

}  // namespace ballast::fdb
