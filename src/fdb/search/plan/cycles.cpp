// SPDX-License-Identifier: BSD-2-Clause
#include "cycles.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ballast::fdb {
namespace {

/// Groups of the classes that report no servers and are not on their way out: the budget of
/// exclusions waits for them.
std::vector<std::string> silent_groups(const World& world, ClassSet classes) {
  std::vector<std::string> ids;
  for (const Member& group : world.groups) {
    const bool is_meant = (classes & class_bit(group.process_class)) != 0;
    if (is_meant && !group.is_marked() && group.conditions.has(Condition::MissingProcesses))
      ids.push_back(group.id);
  }
  return ids;
}

/// Automatic replacement would act on the silent groups if those that leave did not hold its slots.
bool are_slots_taken(const World& world) {
  const Replacements& rules = world.spec.automation.replacements;
  const auto held = std::count_if(world.groups.begin(), world.groups.end(), [](const Member& g) {
    return g.is_marked() && !g.is_excluded();
  });
  return rules.enabled && rules.max_concurrent > 0 && held >= rules.max_concurrent;
}

/// A new pod finds no node while the pod that it replaces stands on one.
bool is_node_held(const World& world, const std::vector<std::string>& silent,
                  const std::vector<std::string>& leaving) {
  const bool is_pending = std::any_of(silent.begin(), silent.end(), [&](const std::string& id) {
    const Member* group = world.find(id);
    return group->pod && !group->pod->unschedulable.empty();
  });
  return is_pending && std::any_of(leaving.begin(), leaving.end(), [&](const std::string& id) {
           const Member* group = world.find(id);
           return group != nullptr && group->pod && !group->pod->node.empty();
         });
}

}  // namespace

std::vector<std::string> find_cycle(const World& world, const TraceStep& dead_end) {
  if (dead_end.gate != "exclude-budget" && dead_end.gate != "replacement-unschedulable") return {};
  const auto silent = silent_groups(world, dead_end.classes);
  if (silent.empty() || dead_end.targets.empty()) return {};
  if (!are_slots_taken(world) && !is_node_held(world, silent, dead_end.targets)) return {};
  return {fmt::format("{}", fmt::join(dead_end.targets, ", ")),
          fmt::format("{}", fmt::join(silent, ", "))};
}

}  // namespace ballast::fdb
