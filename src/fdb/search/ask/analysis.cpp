// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/ask/analysis.hpp"
#include "ballast/fdb/search/world/coordinators.hpp"

#include <algorithm>
#include <set>

#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/pass/reconcilers.hpp"

namespace ballast::fdb {
namespace {

std::string condition_names(const Conditions& conditions) {
  std::string names;
  for (std::size_t i = 0; i < kConditionCount; ++i) {
    const auto condition = static_cast<Condition>(i);
    if (!conditions.has(condition)) continue;
    names += (names.empty() ? "" : ", ") + std::string(name(condition));
  }
  return names;
}

std::vector<ClassHealth> classes_of(const World& world) {
  PerClass<ClassHealth> all{};
  PerClass<std::set<std::string>> zones;
  for (const Member& group : world.groups) {
    ClassHealth& own = all[index(group.process_class)];
    if (const auto bytes = group.stored_bytes())
      own.stored_bytes = own.stored_bytes.value_or(0) + *bytes;
    if (group.is_marked()) {
      ++own.leaving;
      continue;
    }
    ++own.groups;
    own.unhealthy += group.conditions.any() ? 1 : 0;
    if (!group.fault_domain.empty()) zones[index(group.process_class)].insert(group.fault_domain);
  }
  std::vector<ClassHealth> rows;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    ClassHealth& own = all[i];
    own.process_class = class_at(i);
    own.wanted = world.wanted[i];
    own.zones = static_cast<int>(zones[i].size());
    if (own.wanted > 0 || own.groups > 0 || own.leaving > 0) rows.push_back(own);
  }
  return rows;
}

bool is_excluded_in(const Database& db, const ProcessGroup& group) {
  if (db.exclusions.contains(locality_target(group.id))) return true;
  return !group.addresses.empty() &&
         std::ranges::all_of(group.addresses, [&](const std::string& address) {
           return db.exclusions.contains(address);
         });
}

std::vector<RunningExclusion> exclusions_of(const World& world) {
  std::vector<RunningExclusion> list;
  for (const Member& group : world.groups) {
    const bool is_told = is_excluded_in(world.db, group) ||
                         std::ranges::any_of(group.processes, &Process::is_excluded);
    if (!is_told || group.exclusion_skipped) continue;
    RunningExclusion exclusion{group.id, group.is_marked(), false, std::nullopt};
    if (world.db.is_given) {
      exclusion.is_complete = std::ranges::none_of(group.processes, &Process::has_role);
      exclusion.bytes_left =
          exclusion.is_complete ? std::optional<std::int64_t>(0) : group.stored_bytes();
    }
    list.push_back(std::move(exclusion));
  }
  return list;
}

std::vector<TerminatingResource> terminating_of(const World& world) {
  std::vector<TerminatingResource> list;
  const std::int64_t patience = world.spec.automation.ignore_terminating_seconds;
  for (const Member& group : world.groups) {
    const auto since = group.conditions.has(Condition::ResourcesTerminating)
                           ? std::optional(group.conditions.since(Condition::ResourcesTerminating))
                           : std::nullopt;
    const auto add = [&](const char* what, std::optional<Time> from) {
      list.push_back({group.id, what, from, from && world.now - *from > patience});
    };
    if (group.pod && group.pod->terminating_since) add("pod", group.pod->terminating_since);
    if (group.volume && group.volume->is_terminating) add("volume claim", since);
  }
  return list;
}

}  // namespace

Analysis analyse(const Cluster& snapshot, const ClusterSpec& desired, const PlanOptions& options) {
  World world = make_world(snapshot, desired, options);
  update_status(world);
  Analysis result;
  result.is_known = snapshot.database.is_given;
  result.is_available = snapshot.database.is_available;
  result.primary = snapshot.database.active_primary;
  if (result.is_known) result.replication = lacks_fault_tolerance(world).value_or("");
  result.coordinators_total = static_cast<int>(snapshot.database.coordinators.size());
  result.coordinators_reachable = static_cast<int>(
      std::ranges::count(snapshot.database.coordinators, true, &CoordinatorState::is_reachable));
  if (snapshot.database.coordinators_given) result.coordinators = check_coordinators(world).problem;
  for (const Member& group : world.groups) {
    if (!group.is_marked() && group.conditions.any())
      result.unhealthy.push_back(group.id + ": " + condition_names(group.conditions));
  }
  result.classes = classes_of(world);
  result.exclusions = exclusions_of(world);
  result.terminating = terminating_of(world);
  result.maintenance_zone = snapshot.database.maintenance_zone;
  result.left = remaining_differences(world);
  const Simulation simulation = simulate(snapshot, desired, options);
  for (const TraceStep& step : simulation.steps) {
    if (step.action == Action::Blocked) {
      result.blocked.push_back(step.gate + (step.observed.empty() ? "" : ": " + step.observed));
    } else {
      ++result.steps;
    }
  }
  return result;
}

}  // namespace ballast::fdb
