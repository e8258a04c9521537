// SPDX-License-Identifier: BSD-2-Clause
// What of the snapshot is sick, stale, inconsistent or not checked.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "ballast/fdb/search/warn/warning_list.hpp"
#include "ballast/kube/object.hpp"

namespace ballast::fdb {
namespace {

constexpr std::int64_t kStale = 600;

void tell_leftovers(WarningList& list) {
  const bool is_blocked =
      !list.steps_with([](const TraceStep& step) {
             return step.gate == "left-unhealthy" || step.gate == "replacement-budget";
           })
           .empty();
  if (is_blocked) return;  // the dead ends tell them all
  for (const LeftUnhealthy& left : list.simulation.left) {
    std::string text = fmt::format("{} keeps {} since {}", left.group, left.condition,
                                   kube::format_time(left.since));
    if (!left.obstacle.empty()) text += "; " + left.obstacle;
    list.add("left-unhealthy", plan::Severity::Note, text, {}, left.group);
  }
}

void tell_frozen_and_tainted(WarningList& list) {
  if (!list.snapshot.database.maintenance_zone.empty()) {
    list.add("maintenance-zone", plan::Severity::Note,
             "groups in zone " + list.snapshot.database.maintenance_zone +
                 " are frozen while it is under maintenance");
  }
  std::vector<std::string> tainted;
  for (const ProcessGroup& group : list.snapshot.groups) {
    if (!group.taints.empty() || group.conditions.has(Condition::NodeTaintDetected))
      tainted.push_back(group.id);
  }
  if (!tainted.empty() && !list.desired.automation.replacements.taints.empty()) {
    list.add("taint", plan::Severity::Note,
             fmt::format("on tainted nodes: {}", fmt::join(tainted, ", ")));
  }
}

void warn_of_age(WarningList& list) {
  const auto& time = list.snapshot.database.timestamp;
  if (time && std::abs(*time - list.snapshot.now) > kStale) {
    list.add("stale-snapshot", plan::Severity::Warning,
             "the status of the database is more than 10 minutes away from --now");
  }
  const auto& work = list.snapshot.status.work_under_way;
  if (!work.empty()) {
    list.add("stale-snapshot", plan::Severity::Warning,
             fmt::format("status.generations shows work under way: {}", fmt::join(work, ", ")));
  }
}

void warn_of_unchecked(WarningList& list) {
  if (list.simulation.steps.empty()) return;
  std::vector<std::string> unchecked;
  const Database& db = list.snapshot.database;
  if (!db.is_given) {
    unchecked.emplace_back("all gates of the database (no status json)");
  } else {
    if (!db.replicas_remaining) unchecked.emplace_back("replicas (cluster.data)");
    if (!db.logs) unchecked.emplace_back("logs (cluster.logs)");
    if (!db.recovered_at) unchecked.emplace_back("age of the last recovery");
  }
  const auto blind = list.steps_with([](const TraceStep& step) {
    return step.action == Action::Exclude && step.moves_data && step.checks.empty() &&
           !step.moves.empty();
  });
  if (!blind.empty()) unchecked.emplace_back("free space");
  if (unchecked.empty()) return;
  list.add("not-checked", plan::Severity::Warning,
           fmt::format("taken as passed: {}", fmt::join(unchecked, ", ")));
}

}  // namespace

void warn_of_snapshot(WarningList& list) {
  tell_leftovers(list);
  tell_frozen_and_tainted(list);
  warn_of_age(list);
  for (const Remark& remark : list.snapshot.disagreements)
    list.add("status-disagrees", plan::Severity::Warning, remark.text);
  warn_of_unchecked(list);
}

}  // namespace ballast::fdb
