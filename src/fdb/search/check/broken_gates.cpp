// SPDX-License-Identifier: BSD-2-Clause
// Copies, coordinators, budgets and recoveries, counted from the trace alone.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/check/second_opinion.hpp"
#include "ballast/fdb/search/moments/weak_moments.hpp"
#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {
namespace {

std::optional<ProcessClass> class_of(const Trace& trace, const std::string& id) {
  if (const ProcessGroup* group = trace.snapshot.find(id)) return group->process_class;
  const auto parsed = parse_group_id(id);
  return parsed ? parse_process_class(parsed->class_name) : std::nullopt;
}

bool is_guarded(const Trace& trace) { return trace.options.profile != Profile::Seed; }

/// The step takes pods of its own accord, not ones that are dead or that the wish names.
bool takes_pods(const Step& step) {
  return step.action == Action::DeletePod && step.reconciler == Reconciler::UpdatePods;
}

/// What the snapshot lacks of its fault tolerance; configuring the database may bring it back.
std::optional<std::string> first_lack(const Trace& trace) {
  const Database& db = trace.snapshot.database;
  if (trace.options.assume_healthy || !db.is_given) return std::nullopt;
  const std::string& mode =
      db.configuration ? db.configuration->redundancy_mode : trace.desired.database.redundancy_mode;
  if (db.replicas_remaining) {
    for (const int left : *db.replicas_remaining) {
      if (left < redundancy_of(mode).minimum_domains)
        return fmt::format("{} replicas remain", left);
    }
  }
  return db.is_available ? std::nullopt : std::optional<std::string>("the database is down");
}

bool is_missed(const ProcessGroup& group) {
  return is_stateful(group.process_class) && !group.is_excluded() && group.processes.empty();
}

/// What the snapshot lacks of its fault tolerance, until every group that it lacked has come back
/// or has been emptied. Copies are those of storage groups, where any of these is missed.
class Lack {
 public:
  explicit Lack(const Trace& trace) : text_(first_lack(trace)) {
    const auto is_storage = [](const ProcessGroup& group) {
      return group.process_class == ProcessClass::Storage;
    };
    const bool misses_storage = std::ranges::any_of(
        trace.snapshot.groups,
        [&](const ProcessGroup& group) { return is_storage(group) && is_missed(group); });
    for (const ProcessGroup& group : trace.snapshot.groups) {
      if (misses_storage && !is_storage(group)) continue;
      const bool moves =
          group.is_marked() && std::ranges::any_of(group.processes, [](const auto& p) {
            return p.is_excluded && p.has_role;
          });
      if (!moves && !is_missed(group)) continue;
      is_explained_ = true;
      if (!is_starting(trace.snapshot, trace.desired, group)) away_.insert(group.id);
    }
    settle();
  }
  void apply(const Step& step) {
    if (step.action == Action::ConfigureDatabase) text_.reset();
    const bool brings_back = step.action == Action::CreatePod || step.action == Action::Exclude ||
                             step.action == Action::DropProcessGroup ||
                             (step.action == Action::Wait && step.gate == "exclusion-complete");
    if (!brings_back) return;
    for (const std::string& id : step.targets) away_.erase(id);
    settle();
  }
  [[nodiscard]] const std::optional<std::string>& text() const { return text_; }

 private:
  void settle() {
    if (is_explained_ && away_.empty()) text_.reset();
  }

  std::optional<std::string> text_;
  bool is_explained_ = false;
  std::set<std::string> away_;
};

/// Groups by zone, and in how many zones there are any.
class ZonesOfGroups {
 public:
  void place(const std::string& id, std::string zone) {
    const auto [entry, is_new] = zone_of_.try_emplace(id, std::move(zone));
    if (is_new) ++groups_in_[entry->second];
  }
  void remove(const std::string& id) {
    const auto entry = zone_of_.find(id);
    if (entry == zone_of_.end()) return;
    const auto zone = groups_in_.find(entry->second);
    if (--zone->second == 0) groups_in_.erase(zone);
    zone_of_.erase(entry);
  }
  [[nodiscard]] int count() const { return static_cast<int>(groups_in_.size()); }

 private:
  std::map<std::string, std::string> zone_of_;
  std::map<std::string, int> groups_in_;
};

/// Zones whose pods with data the plan has taken and not brought back.
class DownZones {
 public:
  void take(const std::string& id, std::string zone) {
    zones_.remove(id);
    zones_.place(id, zone.empty() ? id : std::move(zone));
  }
  void bring_back(const std::string& id) { zones_.remove(id); }
  [[nodiscard]] int count() const { return zones_.count(); }

 private:
  ZonesOfGroups zones_;
};

/// Zones of a class that hold data and are not being emptied.
class DataZones {
 public:
  DataZones(const Trace& trace, ProcessClass c) : class_(c) {
    for (const ProcessGroup& group : trace.snapshot.groups) {
      if (group.process_class != c || group.is_excluded()) continue;
      // Where a pod that is still to come lands is not known; it may be anywhere.
      const bool is_to_come = !group.pod || is_starting(trace.snapshot, trace.desired, group);
      zones_.place(group.id, group.fault_domain.empty() && is_to_come ? "<" + group.id + ">"
                                                                      : zone_of_group(group));
    }
    // Servers of other objects in the same data centre hold copies, too.
    for (const ForeignProcess& other : trace.snapshot.database.foreign) {
      const Process& process = other.process;
      if (process.process_class == c && process.data_center == trace.desired.data_center)
        zones_.place("other " + other.group, process.zone);
    }
  }
  void add(const Trace& trace, const std::string& id) {
    // Where a new pod lands is not known; it may be anywhere.
    if (class_of(trace, id) == class_) zones_.place(id, "<" + id + ">");
  }
  void empty(const std::string& id) { zones_.remove(id); }
  [[nodiscard]] int count() const { return zones_.count(); }

 private:
  ProcessClass class_;
  ZonesOfGroups zones_;
};

}  // namespace

void check_copies(const Trace& trace, std::vector<std::string>& problems) {
  const int tolerance = std::max(1, trace.desired.redundancy().fault_tolerance);
  const int minimum = trace.desired.redundancy().minimum_domains;
  const bool by_zone = trace.desired.automation.deletion_mode != Mode::All;
  Lack lack(trace);
  DownZones down;
  DataZones data(trace, ProcessClass::Storage);
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const Step& step = trace.steps[i];
    lack.apply(step);
    const bool removes = step.action == Action::DeleteResources;
    if (is_guarded(trace) && lack.text() && (takes_pods(step) || removes))
      problems.push_back(fmt::format("step {}: takes pods although {}", i + 1, *lack.text()));
    const int before = data.count();
    for (const std::string& id : step.targets) {
      const ProcessGroup* group = trace.snapshot.find(id);
      const auto c = class_of(trace, id);
      if (step.action == Action::AddProcessGroup) data.add(trace, id);
      if (step.action == Action::CreatePod) down.bring_back(id);
      if (step.action == Action::Exclude) data.empty(id);
      if (takes_pods(step) && c && is_stateful(*c))
        down.take(id, group == nullptr ? "<" + id + ">" : zone_of_group(*group));
    }
    if (takes_pods(step) && by_zone && down.count() > tolerance) {
      problems.push_back(
          fmt::format("step {}: pods with data are down in {} zones", i + 1, down.count()));
    }
    const int left = data.count();
    if (step.action == Action::Exclude && step.reconciler == Reconciler::ExcludeProcesses &&
        is_guarded(trace) && !trace.options.allow_unsafe && left < minimum && left < before &&
        wanted_pods(trace.desired)[index(ProcessClass::Storage)] > 0) {
      problems.push_back(
          fmt::format("step {}: {} zones are left for {} copies", i + 1, left, minimum));
    }
  }
}

void check_quorum(const Trace& trace, std::vector<std::string>& problems) {
  if (!is_guarded(trace) || trace.desired.automation.deletion_mode == Mode::All) return;
  for (const ReachableCoordinators& moment : reachable_coordinators(trace.snapshot, trace.steps)) {
    const int majority = moment.all / 2 + 1;
    // The only coordinator of a database without redundancy goes with its pod in any order.
    if (moment.all == 1) continue;
    if (moment.reachable < majority && moment.reachable < moment.before) {
      problems.push_back(fmt::format("step {}: {} of {} coordinators are left, {} are needed",
                                     moment.step, moment.reachable, moment.all, majority));
    }
  }
}

namespace {

/// Groups by what the trace has made of them, for the two budgets.
class Counted {
 public:
  explicit Counted(const Trace& trace) : trace_(trace) {
    for (const ProcessGroup& group : trace.snapshot.groups) {
      const bool reports =
          group.reporting() > 0 || is_starting(trace.snapshot, trace.desired, group);
      if (reports && !group.is_excluded()) revive(group.id);
      if (std::ranges::any_of(group.processes, &Process::is_excluded) && group.is_marked())
        lose(group.id);
      if (group.is_marked() && !group.is_excluded()) leaving_[group.id] = std::nullopt;
      if (!group.processes.empty() && std::ranges::all_of(group.processes, &Process::is_excluded))
        excluded_before_.insert(group.id);
      if (group.exclusion_skipped || group.process_class == ProcessClass::Test)
        skipped_.insert(group.id);
    }
    const auto& without = trace.desired.groups_to_remove_without_exclusion;
    skipped_.insert(without.begin(), without.end());
  }

  void apply(const Step& step) {
    for (const std::string& id : step.targets) {
      if (step.action == Action::CreatePod) revive(id);
      if (step.action == Action::MarkForRemoval && !excluded_before_.contains(id))
        leaving_[id] = std::nullopt;
      if (step.action == Action::DeleteResources || step.action == Action::DropProcessGroup) {
        leaving_.erase(id);
        lose(id);
      }
      if (step.action != Action::Exclude) continue;
      lose(id);
      leaving_[id] = step.at;
      // The one that the removal itself makes only returns once nothing is left there.
      if (step.reconciler == Reconciler::RemoveProcessGroups) leaving_.erase(id);
    }
  }

  [[nodiscard]] int alive(ProcessClass c) const {
    return static_cast<int>(alive_[index(c)].size());
  }

  /// Marked groups whose exclusion cannot be complete at `now`.
  [[nodiscard]] int in_flight(Time now) const {
    const std::int64_t age = trace_.options.flags.recovery_for_exclusion;
    return static_cast<int>(std::ranges::count_if(leaving_, [&](const auto& entry) {
      const auto& issued = entry.second;
      const bool is_found = !issued && is_under_way(entry.first);
      return !is_found && !skipped_.contains(entry.first) && (!issued || now < *issued + age);
    }));
  }

 private:
  void revive(const std::string& id) {
    if (const auto c = class_of(trace_, id)) alive_[index(*c)].insert(id);
  }
  void lose(const std::string& id) {
    if (const auto c = class_of(trace_, id)) alive_[index(*c)].erase(id);
  }
  [[nodiscard]] bool is_under_way(const std::string& id) const {
    const ProcessGroup* group = trace_.snapshot.find(id);
    return group != nullptr && group->is_marked();
  }

  const Trace& trace_;
  PerClass<std::set<std::string>> alive_;               ///< report, and are not excluded
  std::set<std::string> skipped_;                       ///< leave without exclusion
  std::set<std::string> excluded_before_;               ///< by the snapshot, all their servers
  std::map<std::string, std::optional<Time>> leaving_;  ///< marked; when their exclusion was issued
};

}  // namespace

void check_budgets(const Trace& trace, std::vector<std::string>& problems) {
  if (!is_guarded(trace)) return;
  const PerClass<int> wanted = wanted_pods(trace.desired);
  const int tolerance = trace.desired.redundancy().fault_tolerance;
  const auto& limit = trace.desired.automation.max_concurrent_replacements;
  Counted counted(trace);
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const Step& step = trace.steps[i];
    PerClass<int> before{};
    for (std::size_t c = 0; c < kClassCount; ++c) before[c] = counted.alive(class_at(c));
    counted.apply(step);
    if (step.action == Action::Exclude && step.reconciler == Reconciler::ExcludeProcesses) {
      for (std::size_t c = 0; c < kClassCount; ++c) {
        const int left = counted.alive(class_at(c));
        if (left == before[c] || left >= wanted[c] - tolerance) continue;
        problems.push_back(fmt::format("step {}: {} groups of class {} are left, {} are wanted",
                                       i + 1, left, name(class_at(c)), wanted[c]));
      }
    }
    const bool replaces = step.action == Action::MarkForRemoval &&
                          step.reconciler == Reconciler::ReplaceMisconfiguredProcessGroups;
    if (replaces && limit && counted.in_flight(step.at) > *limit) {
      problems.push_back(fmt::format("step {}: {} groups are replaced at once, {} may be", i + 1,
                                     counted.in_flight(step.at), *limit));
    }
  }
}

namespace {

/// How long ago the last recovery must be for the step; 0 where it does not matter.
std::int64_t needed_age(const Trace& trace, const Step& step) {
  const OperatorFlags& flags = trace.options.flags;
  switch (step.action) {
    case Action::Exclude:
      return flags.recovery_for_exclusion;
    case Action::Include:
      return flags.recovery_for_inclusion;
    case Action::KillProcesses:
      return trace.desired.minimum_uptime_seconds;
    case Action::ChangeCoordinators:
      return step.reconciler == Reconciler::ChangeCoordinators
                 ? std::min(flags.uptime_for_missing_coordinator,
                            flags.uptime_for_undesired_coordinator)
                 : 0;
    default:
      return 0;
  }
}

bool causes_recovery(const Step& step) {
  return step.action == Action::Exclude || step.action == Action::Include ||
         step.action == Action::ChangeCoordinators || step.action == Action::KillProcesses;
}

bool is_seen_later(const Step& step) {
  return step.action == Action::Exclude && step.reconciler == Reconciler::RemoveProcessGroups;
}

/// An incompatible upgrade restarts everything that reports.
void check_upgrade(const Trace& trace, std::size_t i, std::vector<std::string>& problems) {
  const Step& step = trace.steps[i];
  if (step.action != Action::KillProcesses || step.reason != "version") return;
  std::set<std::string> gone;
  for (std::size_t k = 0; k < i; ++k) {
    if (trace.steps[k].action == Action::DeleteResources ||
        trace.steps[k].action == Action::DeletePod)
      gone.insert(trace.steps[k].targets.begin(), trace.steps[k].targets.end());
  }
  for (const ProcessGroup& group : trace.snapshot.groups) {
    const bool is_away = group.reporting() == 0 || gone.contains(group.id) ||
                         group.process_class == ProcessClass::Test ||
                         group.conditions.has(Condition::ResourcesTerminating) ||
                         (group.pod && group.pod->terminating_since);
    if (is_away || std::ranges::binary_search(step.targets, group.id)) continue;
    problems.push_back(fmt::format("step {}: {} keeps running the old version", i + 1, group.id));
  }
}

}  // namespace

void check_recoveries(const Trace& trace, std::vector<std::string>& problems) {
  if (!is_guarded(trace) || !trace.options.flags.recovery_state ||
      !reports_recovery_age(trace.snapshot.status.running_version))
    return;
  std::optional<Time> recovered = trace.snapshot.database.recovered_at;
  std::optional<Time> later;
  int later_pass = 0;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const Step& step = trace.steps[i];
    if (later && step.pass > later_pass) recovered = std::exchange(later, std::nullopt);
    const std::int64_t age = needed_age(trace, step);
    if (age > 0 && recovered && step.at < *recovered + age) {
      problems.push_back(fmt::format("step {}: {} s after a recovery, {} s are asked for", i + 1,
                                     step.at - *recovered, age));
    }
    if (causes_recovery(step)) {
      // What the removal excludes shows in the status that the next pass reads.
      (is_seen_later(step) ? later : recovered) = step.at;
      later_pass = step.pass;
    }
    check_upgrade(trace, i, problems);
  }
}

}  // namespace ballast::fdb
