// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "ballast/fdb/search/moments/weak_moments.hpp"
#include "ballast/fdb/search/warn/warning_list.hpp"

namespace ballast::fdb {
namespace {

std::set<std::string> stateful_zones(const WarningList& list) {
  std::set<std::string> zones;
  for (const Member& group : list.simulation.world.groups) {
    if (list.desired.is_eligible_coordinator(group.process_class) && !group.is_marked() &&
        !group.fault_domain.empty())
      zones.insert(group.fault_domain);
  }
  return zones;
}

/// Groups that become coordinators in one step and are marked, excluded or, where a new pod has
/// another address, made anew in a later one, in the order in which they become so.
std::vector<std::string> churned_groups(const WarningList& list) {
  const std::vector<TraceStep>& steps = list.simulation.steps;
  const Routing& routing = list.desired.routing;
  const bool loses_address =
      !routing.dns_in_cluster_file && routing.public_ip_source == IpSource::Pod;
  std::unordered_map<std::string, std::size_t> leaves;  // last step that sends the group away
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool sends_away = steps[i].action == Action::MarkForRemoval ||
                            steps[i].action == Action::Exclude ||
                            (loses_address && steps[i].action == Action::DeletePod);
    if (!sends_away) continue;
    for (const std::string& id : steps[i].targets) leaves[id] = i;
  }
  std::vector<std::string> churned;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].action != Action::ChangeCoordinators) continue;
    for (const std::string& id : steps[i].targets) {
      const auto leave = leaves.find(id);
      if (leave == leaves.end() || leave->second < i) continue;
      if (std::find(churned.begin(), churned.end(), id) == churned.end()) churned.push_back(id);
    }
  }
  return churned;
}

std::vector<TraceStep> coordinator_changes(const Simulation& simulation) {
  std::vector<TraceStep> changes;
  std::copy_if(simulation.steps.begin(), simulation.steps.end(), std::back_inserter(changes),
               [](const TraceStep& step) { return step.action == Action::ChangeCoordinators; });
  return changes;
}

/// Classes with volumes of which the plan replaces no group.
std::vector<ProcessClass> quiet_classes(const WarningList& list) {
  ClassSet replaced = 0;
  PerClass<int> count{};
  for (const TraceStep& step : list.simulation.steps)
    replaced |= step.action == Action::MarkForRemoval ? step.classes : 0;
  for (const ProcessGroup& group : list.snapshot.groups) ++count[index(group.process_class)];
  std::vector<ProcessClass> quiet;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    if (is_stateful(class_at(i)) && count[i] > 0 && (replaced & class_bit(class_at(i))) == 0)
      quiet.push_back(class_at(i));
  }
  return quiet;
}

/// The selection that keeps coordinators off the groups that come and go, if it saves changes.
std::optional<std::string> better_selection(const WarningList& list, std::size_t changes) {
  for (const ProcessClass c : quiet_classes(list)) {
    ClusterSpec spec = list.desired;
    spec.coordinator_selection = {{c, 10}, {ProcessClass::Storage, 0}};
    if (c == ProcessClass::Storage) spec.coordinator_selection.pop_back();
    const Simulation other = simulate(list.snapshot, spec, list.options);
    const auto fewer = coordinator_changes(other);
    if (other.ending == Ending::Blocked || fewer.size() >= changes || fewer.empty()) continue;
    std::vector<std::string> entries;
    for (const auto& [selected, priority] : spec.coordinator_selection)
      entries.push_back(
          fmt::format("{{processClass: {}, priority: {}}}", name(selected), priority));
    return fmt::format("coordinatorSelection=[{}] ({} change{}, to {})", fmt::join(entries, ", "),
                       fewer.size(), fewer.size() == 1 ? "" : "s",
                       fmt::join(fewer.back().targets, ", "));
  }
  return std::nullopt;
}

void warn_of_churn(WarningList& list, const std::vector<int>& changes) {
  const auto churned = churned_groups(list);
  if (churned.empty()) return;
  const auto better = better_selection(list, changes.size());
  list.add(
      "coordinator-churn", plan::Severity::Warning,
      fmt::format(
          "{} coordinator changes; {} become coordinators and are replaced or made anew later; "
          "better: prefer a class that is not being replaced until it is done, then "
          "change it back: {}",
          changes.size(), fmt::join(churned, ", "),
          better.value_or("coordinatorSelection (no selection of the present "
                          "classes saves a change)")),
      changes);
}

void warn_of_move(WarningList& list, const std::vector<int>& changes) {
  bool had_any = false;
  for (const ProcessGroup& group : list.snapshot.groups) {
    if (!group.is_coordinator()) continue;
    had_any = true;
    const Member* now = list.simulation.world.find(group.id);
    if (now != nullptr && now->is_coordinator()) return;
  }
  if (!had_any) return;
  list.add("coordinator-move", plan::Severity::Warning,
           "all coordinators change: clients with a static cluster file need at least one old "
           "address reachable meanwhile, or DNS names",
           changes);
}

void warn_of_spare(WarningList& list, const std::vector<int>& changes) {
  const std::size_t zones = stateful_zones(list).size();
  const std::size_t coordinators = list.simulation.world.db.coordinators.size();
  if (zones > coordinators) return;
  list.add("zone-shortage", plan::Severity::Warning,
           fmt::format("no spare zone for coordinators: {} zones for {} coordinators; the loss of "
                       "any one leaves no valid replacement, so a replacement of any stateful pod "
                       "needs another zone first",
                       zones, coordinators),
           changes);
}

/// Pods that go take their addresses with them. Without a majority of its coordinators a database
/// is down, and nobody can give it others.
void warn_of_quorum(WarningList& list) {
  if (!list.simulation.world.has_lost_quorum) return;
  const auto moments = reachable_coordinators(list.snapshot, list.simulation.steps);
  const auto lost = std::ranges::find_if(moments, [](const ReachableCoordinators& moment) {
    return moment.reachable <= moment.all / 2;
  });
  if (lost == moments.end()) return;
  const int step = list.numbers()[static_cast<std::size_t>(lost->step - 1)];
  list.add(
      "coordinators-lost", plan::Severity::Danger,
      fmt::format("{} of {} coordinators are reachable afterwards, and never again under these "
                  "addresses: the database is down until somebody writes a new connection "
                  "string (hfdb fix-addresses); names in the cluster file "
                  "(routing.useDNSInClusterFile), set beforehand, avoid that",
                  lost->reachable, lost->all),
      {step});
}

}  // namespace

void warn_of_coordinators(WarningList& list) {
  warn_of_quorum(list);
  const auto changes = list.steps_of(Action::ChangeCoordinators);
  if (changes.empty()) return;
  warn_of_churn(list, changes);
  warn_of_move(list, changes);
  warn_of_spare(list, changes);
}

}  // namespace ballast::fdb
