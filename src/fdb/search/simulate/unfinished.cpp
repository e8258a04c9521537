// SPDX-License-Identifier: BSD-2-Clause
// Groups that keep a condition at the end, and why nothing acts on it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "ballast/core/words.hpp"
#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/simulate/simulate.hpp"
#include "ballast/kube/object.hpp"

namespace ballast::fdb {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

/// Conditions that a reconciler ends, once it may.
bool is_mere_difference(Condition c) {
  return c == Condition::IncorrectPodSpec || c == Condition::IncorrectPodMetadata ||
         c == Condition::IncorrectConfigMap || c == Condition::IncorrectCommandLine ||
         c == Condition::IncorrectSidecarImage;
}

bool is_frozen(const World& world, const Member& group) {
  return !world.db.maintenance_zone.empty() && group.fault_domain == world.db.maintenance_zone;
}

std::int64_t failure_seconds(const World& world, Condition c) {
  const Replacements& rules = world.spec.automation.replacements;
  return c == Condition::NodeTaintReplacing ? rules.taint_seconds : rules.failure_seconds;
}

/// Why automatic replacement does not act on the condition, apart from its age.
std::string replacement_obstacle(const World& world, const Member& group) {
  const Replacements& rules = world.spec.automation.replacements;
  if (!rules.enabled) return "replacements.enabled is false";
  if (rules.max_concurrent <= 0) return "replacements.maxConcurrentReplacements is 0";
  if (world.spec.buggify.empty_monitor_conf || contains(world.spec.buggify.crash_loop, "*") ||
      contains(world.spec.buggify.crash_loop, group.id))
    return "buggify keeps it from being replaced";
  if (!world.db.is_available) return "the database is not available";
  if (is_frozen(world, group)) return "its zone is under maintenance";
  const auto lack = lacks_fault_tolerance(world);
  if (group.addresses.empty() && !world.by_locality() && lack)
    return "it has no address to exclude, and " + *lack;
  return {};
}

struct Verdict {
  std::string obstacle;
  std::optional<Time> from;
};

Verdict judge(const World& world, const Member& group, Condition c) {
  const bool is_replaced = triggers_replacement(c) || c == Condition::NodeTaintReplacing;
  if (is_replaced) {
    Verdict verdict{replacement_obstacle(world, group), std::nullopt};
    if (!verdict.obstacle.empty()) return verdict;
    const Time from = group.conditions.since(c) + failure_seconds(world, c);
    if (from >= world.now) {
      verdict.obstacle = "automatic replacement would act from " + kube::format_time(from) + " on";
      verdict.from = from;
      return verdict;
    }
    verdict.obstacle = "automatic replacement does not act on it";
    return verdict;
  }
  if (c == Condition::NodeTaintDetected) return {"its node is tainted", std::nullopt};
  if (!is_mere_difference(c)) return {};
  if (const auto& limit = world.spec.automation.max_concurrent_replacements;
      limit && *limit <= 0 && !replacement_reason(world, group).empty()) {
    return {"maxConcurrentReplacements is 0", std::nullopt};
  }
  if (c == Condition::IncorrectCommandLine &&
      contains(world.spec.buggify.ignore_during_restart, group.id))
    return {"buggify.ignoreDuringRestart names it", std::nullopt};
  for (const Condition held :
       {Condition::PodPending, Condition::SidecarUnreachable, Condition::MissingPod,
        Condition::MissingProcesses, Condition::PodFailing}) {
    if (group.conditions.has(held))
      return {fmt::format("nothing is done while it has {}", name(held)), std::nullopt};
  }
  return {};
}

/// The code of a dead end for the reason.
std::string gate_of(const Verdict& verdict) {
  if (verdict.obstacle == "maxConcurrentReplacements is 0") return "replacement-budget";
  return "left-unhealthy";
}

}  // namespace

std::vector<LeftUnhealthy> left_unhealthy(const World& world) {
  std::vector<LeftUnhealthy> left;
  for (const Member& group : world.groups) {
    if (group.is_marked() || !group.conditions.any()) continue;
    for (std::size_t i = 0; i < kConditionCount; ++i) {
      const auto c = static_cast<Condition>(i);
      if (!group.conditions.has(c)) continue;
      Verdict verdict = judge(world, group, c);
      left.push_back({group.id, std::string(name(c)), group.conditions.since(c), verdict.from,
                      std::move(verdict.obstacle)});
    }
  }
  return left;
}

std::vector<TraceStep> unfinished_groups(const World& world, bool has_steps) {
  struct Reason {
    std::vector<std::string> groups;
    std::set<std::string> conditions;
    ClassSet classes = 0;
  };
  std::map<std::pair<std::string, std::string>, Reason> reasons;  // gate and obstacle
  for (const Member& group : world.groups) {
    if (group.is_marked()) continue;
    for (std::size_t i = 0; i < kConditionCount; ++i) {
      const auto c = static_cast<Condition>(i);
      if (!group.conditions.has(c) || (has_steps && !is_mere_difference(c))) continue;
      const Verdict verdict = judge(world, group, c);
      Reason& reason = reasons[{gate_of(verdict), verdict.obstacle}];
      if (!contains(reason.groups, group.id)) reason.groups.push_back(group.id);
      reason.conditions.insert(std::string(name(c)));
      reason.classes |= class_bit(group.process_class);
    }
  }
  std::vector<TraceStep> dead_ends;
  for (auto& [key, reason] : reasons) {
    TraceStep step;
    step.pass = world.pass.number;
    step.action = Action::Blocked;
    step.gate = key.first;
    step.detail = step.gate;
    step.at = world.now;
    step.classes = reason.classes;
    step.observed =
        fmt::format("{} {} {}{}{}", counted(reason.groups.size(), "group"),
                    reason.groups.size() == 1 ? "keeps" : "keep",
                    fmt::join(reason.conditions, ", "), key.second.empty() ? "" : ": ", key.second);
    if (key.first == "replacement-budget")
      step.observed =
          fmt::format("{} {} misconfigured: {}, {}", counted(reason.groups.size(), "group"),
                      reason.groups.size() == 1 ? "stays" : "stay",
                      fmt::join(reason.conditions, ", "), key.second);
    step.targets = std::move(reason.groups);
    dead_ends.push_back(std::move(step));
  }
  return dead_ends;
}

}  // namespace ballast::fdb
