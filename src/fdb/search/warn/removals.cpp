// SPDX-License-Identifier: BSD-2-Clause
// Groups that leave without their data being moved away, or that nobody asked to leave.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ballast/core/units.hpp"
#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/warn/warning_list.hpp"

namespace ballast::fdb {
namespace {

std::string age(std::int64_t seconds) {
  return seconds < 7200 ? fmt::format("{} s", seconds) : fmt::format("{} h", seconds / 3600);
}

void warn_without_exclusion(WarningList& list, const std::string& id, int step) {
  const ProcessGroup* group = list.snapshot.find(id);
  std::string text = id + " is removed without ever being excluded";
  if (group != nullptr && group->addresses.empty())
    text += ": it has never had an address, cannot be excluded by address";
  if (group != nullptr && group->conditions.has(Condition::PodPending)) {
    text += fmt::format("; pending for {} s, the operator removes it after 3600 s",
                        list.snapshot.now - group->conditions.since(Condition::PodPending));
  }
  if (group != nullptr) {
    const auto& without = list.desired.groups_to_remove_without_exclusion;
    int left = 0;
    for (const ProcessGroup& other : list.snapshot.groups)
      left += other.process_class == group->process_class && !other.is_marked() &&
                      std::ranges::find(without, other.id) == without.end()
                  ? 1
                  : 0;
    text += fmt::format("; left without it: {} {} groups, fault tolerance {}", left,
                        name(group->process_class), list.desired.redundancy().fault_tolerance);
  }
  if (supports_locality_exclusion(list.snapshot.status.running_version) &&
      !list.desired.automation.use_localities) {
    text +=
        "; exclusion by locality (automationOptions.useLocalitiesForExclusion=true) would "
        "exclude it first";
  }
  list.add("removal-without-exclusion", plan::Severity::Danger, text, {step}, id);
}

void without_exclusion(WarningList& list) {
  std::set<std::string> included;
  for (const TraceStep& step : list.simulation.steps) {
    if (step.action == Action::Include || step.action == Action::Exclude)
      included.insert(step.targets.begin(), step.targets.end());
  }
  for (std::size_t i = 0; i < list.simulation.steps.size(); ++i) {
    const TraceStep& step = list.simulation.steps[i];
    if (step.action != Action::DeleteResources) continue;
    for (const std::string& id : step.targets) {
      const ProcessGroup* group = list.snapshot.find(id);
      // Test servers hold nothing and are never excluded.
      if (group != nullptr && group->process_class == ProcessClass::Test) continue;
      if (!included.contains(id)) warn_without_exclusion(list, id, list.numbers()[i]);
    }
  }
}

/// The database cannot tell whether a server that it does not see has been emptied.
void unseen_exclusions(WarningList& list) {
  if (!list.snapshot.given.database) return;
  for (std::size_t i = 0; i < list.simulation.steps.size(); ++i) {
    const TraceStep& step = list.simulation.steps[i];
    if (step.action != Action::Exclude) continue;
    for (const std::string& id : step.targets) {
      const ProcessGroup* group = list.snapshot.find(id);
      if (group == nullptr || !group->processes.empty()) continue;
      list.add("exclusion-unverified", plan::Severity::Note,
               id + " does not report: that its exclusion is complete cannot be seen, and the "
                    "operator asks for it again before the removal",
               {list.numbers()[i]}, id);
    }
  }
}

int present(const WarningList& list, ProcessClass c) {
  int count = 0;
  for (const ProcessGroup& group : list.snapshot.groups)
    count += group.process_class == c && !group.is_marked() ? 1 : 0;
  return count;
}

void shrink_victim(WarningList& list, const std::string& id, int step) {
  const ProcessGroup* group = list.snapshot.find(id);
  if (group == nullptr) {
    list.add(
        "shrink-marks-silent", plan::Severity::Danger,
        id + " is new and does not report yet, so the shrink of another class marks it; make the "
             "two changes one after the other",
        {step}, id);
    return;
  }
  const bool shrinks =
      wanted_pods(list.desired)[index(group->process_class)] < present(list, group->process_class);
  if (!shrinks) {
    std::string text =
        fmt::format("{} is marked although class {} does not shrink: it has not reported", id,
                    name(group->process_class));
    if (group->conditions.has(Condition::MissingProcesses)) {
      text += fmt::format(
          " for {}", age(list.snapshot.now - group->conditions.since(Condition::MissingProcesses)));
    }
    list.add("shrink-marks-silent", plan::Severity::Danger,
             text + "; wait until it reports before the shrink", {step}, id);
    return;
  }
  for (const ProcessGroup& sick : list.snapshot.groups) {
    if (sick.process_class != group->process_class || sick.is_marked() || sick.id == id ||
        group->conditions.any())
      continue;
    if (list.simulation.world.find(sick.id) == nullptr) continue;
    for (std::size_t k = 0; k < kConditionCount; ++k) {
      const auto c = static_cast<Condition>(k);
      if (!triggers_replacement(c) || !sick.conditions.has(c)) continue;
      const auto bytes = group->stored_bytes();
      list.add(
          "shrink-marks-silent", plan::Severity::Danger,
          fmt::format(
              "{} (healthy, {} to move) leaves, {} ({} for {}) stays; better: name the sick one "
              "in the same edit, "
              "processGroupsToRemove: [{}], which uses up the excess, so nothing else is marked",
              id, bytes ? size_text(*bytes) : "unknown bytes", sick.id, name(c),
              age(list.snapshot.now - sick.conditions.since(c)), sick.id),
          {step}, id);
      return;
    }
  }
}

void shrink_silent(WarningList& list) {
  for (std::size_t i = 0; i < list.simulation.steps.size(); ++i) {
    const TraceStep& step = list.simulation.steps[i];
    if (step.action != Action::MarkForRemoval || step.reason != "shrink") continue;
    for (const std::string& id : step.targets) shrink_victim(list, id, list.numbers()[i]);
  }
}

}  // namespace

void warn_of_removals(WarningList& list) {
  without_exclusion(list);
  unseen_exclusions(list);
  shrink_silent(list);
}

}  // namespace ballast::fdb
