// SPDX-License-Identifier: BSD-2-Clause
// Copies, coordinators, budgets and recoveries, counted from the evidence alone.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/moments/weak_moments.hpp"
#include "ballast/fdb/search/world/world.hpp"

#include "rule.hpp"

namespace ballast::fdb {
namespace {

std::optional<ProcessClass> class_of(const Evidence& evidence, const std::string& id) {
  if (const ProcessGroup* group = evidence.snapshot.find(id)) return group->process_class;
  const auto parsed = parse_group_id(id);
  return parsed ? parse_process_class(parsed->class_name) : std::nullopt;
}

bool is_guarded(const Evidence& evidence) { return evidence.options.profile != Profile::Seed; }

/// The step takes pods of its own accord, not ones that are dead or that the wish names.
bool takes_pods(const TraceStep& step) {
  return step.action == Action::DeletePod && step.reconciler == Reconciler::UpdatePods;
}

/// What the snapshot lacks of its fault tolerance; configuring the database may bring it back.
std::optional<std::string> first_lack(const Evidence& evidence) {
  const Database& db = evidence.snapshot.database;
  if (evidence.options.assume_healthy || !db.is_given) return std::nullopt;
  const std::string& mode = db.configuration ? db.configuration->redundancy_mode
                                             : evidence.desired.database.redundancy_mode;
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
  explicit Lack(const Evidence& evidence) : text_(first_lack(evidence)) {
    const auto is_storage = [](const ProcessGroup& group) {
      return group.process_class == ProcessClass::Storage;
    };
    const bool misses_storage = std::ranges::any_of(
        evidence.snapshot.groups,
        [&](const ProcessGroup& group) { return is_storage(group) && is_missed(group); });
    for (const ProcessGroup& group : evidence.snapshot.groups) {
      if (misses_storage && !is_storage(group)) continue;
      const bool moves =
          group.is_marked() && std::ranges::any_of(group.processes, [](const auto& p) {
            return p.is_excluded && p.has_role;
          });
      if (!moves && !is_missed(group)) continue;
      is_explained_ = true;
      if (!is_starting(evidence.snapshot, evidence.desired, group)) away_.insert(group.id);
    }
    settle();
  }
  void apply(const TraceStep& step) {
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
  DataZones(const Evidence& evidence, ProcessClass c) : class_(c) {
    for (const ProcessGroup& group : evidence.snapshot.groups) {
      if (group.process_class != c || group.is_excluded()) continue;
      // Where a pod that is still to come lands is not known; it may be anywhere.
      const bool is_to_come = !group.pod || is_starting(evidence.snapshot, evidence.desired, group);
      zones_.place(group.id, group.fault_domain.empty() && is_to_come ? "<" + group.id + ">"
                                                                      : zone_of_group(group));
    }
    // Servers of other objects in the same data centre hold copies, too.
    for (const ForeignProcess& other : evidence.snapshot.database.foreign) {
      const Process& process = other.process;
      if (process.process_class == c && process.data_center == evidence.desired.data_center)
        zones_.place("other " + other.group, process.zone);
    }
  }
  void add(const Evidence& evidence, const std::string& id) {
    // Where a new pod lands is not known; it may be anywhere.
    if (class_of(evidence, id) == class_) zones_.place(id, "<" + id + ">");
  }
  void empty(const std::string& id) { zones_.remove(id); }
  [[nodiscard]] int count() const { return zones_.count(); }

 private:
  ProcessClass class_;
  ZonesOfGroups zones_;
};

class Copies final : public Rule {
 public:
  explicit Copies(const Evidence& evidence)
      : Rule(evidence), lack_(evidence), data_(evidence, ProcessClass::Storage) {}

 private:
  void take(const TraceStep& step) override {
    lack_.apply(step);
    const bool removes = step.action == Action::DeleteResources;
    if (is_guarded(evidence_) && lack_.text() && (takes_pods(step) || removes))
      complain("takes pods although " + *lack_.text());
    const int before = data_.count();
    for (const std::string& id : step.targets) follow(step, id);
    const bool by_zone = evidence_.desired.automation.deletion_mode != Mode::All;
    const int tolerance = std::max(1, evidence_.desired.redundancy().fault_tolerance);
    if (takes_pods(step) && by_zone && down_.count() > tolerance)
      complain(fmt::format("pods with data are down in {} zones", down_.count()));
    const int minimum = evidence_.desired.redundancy().minimum_domains;
    const int left = data_.count();
    if (step.action == Action::Exclude && step.reconciler == Reconciler::ExcludeProcesses &&
        is_guarded(evidence_) && !evidence_.options.allow_unsafe && left < minimum &&
        left < before && wanted_pods(evidence_.desired)[index(ProcessClass::Storage)] > 0) {
      complain(fmt::format("{} zones are left for {} copies", left, minimum));
    }
  }

  void follow(const TraceStep& step, const std::string& id) {
    const ProcessGroup* group = evidence_.snapshot.find(id);
    const auto c = class_of(evidence_, id);
    if (step.action == Action::AddProcessGroup) data_.add(evidence_, id);
    if (step.action == Action::CreatePod) down_.bring_back(id);
    if (step.action == Action::Exclude) data_.empty(id);
    if (takes_pods(step) && c && is_stateful(*c))
      down_.take(id, group == nullptr ? "<" + id + ">" : zone_of_group(*group));
  }

  Lack lack_;
  DownZones down_;
  DataZones data_;
};

}  // namespace

void check_copies(const Evidence& evidence, std::vector<std::string>& problems) {
  hold(Copies(evidence), evidence, problems);
}

void check_quorum(const Evidence& evidence, std::vector<std::string>& problems) {
  if (!is_guarded(evidence) || evidence.desired.automation.deletion_mode == Mode::All) return;
  for (const ReachableCoordinators& moment :
       reachable_coordinators(evidence.snapshot, evidence.steps)) {
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

/// Groups by what the evidence has made of them, for the two budgets.
class Counted {
 public:
  explicit Counted(const Evidence& evidence) : evidence_(evidence) {
    for (const ProcessGroup& group : evidence.snapshot.groups) {
      const bool reports =
          group.reporting() > 0 || is_starting(evidence.snapshot, evidence.desired, group);
      if (reports && !group.is_excluded()) revive(group.id);
      if (std::ranges::any_of(group.processes, &Process::is_excluded) && group.is_marked())
        lose(group.id);
      if (group.is_marked() && !group.is_excluded()) leaving_[group.id] = std::nullopt;
      if (!group.processes.empty() && std::ranges::all_of(group.processes, &Process::is_excluded))
        excluded_before_.insert(group.id);
      if (group.exclusion_skipped || group.process_class == ProcessClass::Test)
        skipped_.insert(group.id);
    }
    const auto& without = evidence.desired.groups_to_remove_without_exclusion;
    skipped_.insert(without.begin(), without.end());
  }

  void apply(const TraceStep& step) {
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
    const std::int64_t age = evidence_.options.flags.recovery_for_exclusion;
    return static_cast<int>(std::ranges::count_if(leaving_, [&](const auto& entry) {
      const auto& issued = entry.second;
      const bool is_found = !issued && is_under_way(entry.first);
      return !is_found && !skipped_.contains(entry.first) && (!issued || now < *issued + age);
    }));
  }

 private:
  void revive(const std::string& id) {
    if (const auto c = class_of(evidence_, id)) alive_[index(*c)].insert(id);
  }
  void lose(const std::string& id) {
    if (const auto c = class_of(evidence_, id)) alive_[index(*c)].erase(id);
  }
  [[nodiscard]] bool is_under_way(const std::string& id) const {
    const ProcessGroup* group = evidence_.snapshot.find(id);
    return group != nullptr && group->is_marked();
  }

  const Evidence& evidence_;
  PerClass<std::set<std::string>> alive_;               ///< report, and are not excluded
  std::set<std::string> skipped_;                       ///< leave without exclusion
  std::set<std::string> excluded_before_;               ///< by the snapshot, all their servers
  std::map<std::string, std::optional<Time>> leaving_;  ///< marked; when their exclusion was issued
};

class Budgets final : public Rule {
 public:
  explicit Budgets(const Evidence& evidence)
      : Rule(evidence), counted_(evidence), wanted_(wanted_pods(evidence.desired)) {}

 private:
  void take(const TraceStep& step) override {
    PerClass<int> before{};
    for (std::size_t c = 0; c < kClassCount; ++c) before[c] = counted_.alive(class_at(c));
    counted_.apply(step);
    if (step.action == Action::Exclude && step.reconciler == Reconciler::ExcludeProcesses) {
      const int tolerance = evidence_.desired.redundancy().fault_tolerance;
      for (std::size_t c = 0; c < kClassCount; ++c) {
        const int left = counted_.alive(class_at(c));
        if (left == before[c] || left >= wanted_[c] - tolerance) continue;
        complain(fmt::format("{} groups of class {} are left, {} are wanted", left,
                             name(class_at(c)), wanted_[c]));
      }
    }
    const bool replaces = step.action == Action::MarkForRemoval &&
                          step.reconciler == Reconciler::ReplaceMisconfiguredProcessGroups;
    const auto& limit = evidence_.desired.automation.max_concurrent_replacements;
    if (replaces && limit && counted_.in_flight(step.at) > *limit) {
      complain(fmt::format("{} groups are replaced at once, {} may be", counted_.in_flight(step.at),
                           *limit));
    }
  }

  Counted counted_;
  PerClass<int> wanted_;
};

}  // namespace

void check_budgets(const Evidence& evidence, std::vector<std::string>& problems) {
  if (is_guarded(evidence)) hold(Budgets(evidence), evidence, problems);
}

namespace {

/// How long ago the last recovery must be for the step; 0 where it does not matter.
std::int64_t needed_age(const Evidence& evidence, const TraceStep& step) {
  const OperatorFlags& flags = evidence.options.flags;
  switch (step.action) {
    case Action::Exclude:
      return flags.recovery_for_exclusion;
    case Action::Include:
      return flags.recovery_for_inclusion;
    case Action::KillProcesses:
      return evidence.desired.minimum_uptime_seconds;
    case Action::ChangeCoordinators:
      return step.reconciler == Reconciler::ChangeCoordinators
                 ? std::min(flags.uptime_for_missing_coordinator,
                            flags.uptime_for_undesired_coordinator)
                 : 0;
    default:
      return 0;
  }
}

bool causes_recovery(const TraceStep& step) {
  return step.action == Action::Exclude || step.action == Action::Include ||
         step.action == Action::ChangeCoordinators || step.action == Action::KillProcesses;
}

bool is_seen_later(const TraceStep& step) {
  return step.action == Action::Exclude && step.reconciler == Reconciler::RemoveProcessGroups;
}

class Recoveries final : public Rule {
 public:
  explicit Recoveries(const Evidence& evidence)
      : Rule(evidence), recovered_(evidence.snapshot.database.recovered_at) {}

 private:
  void take(const TraceStep& step) override {
    if (later_ && step.pass > later_pass_) recovered_ = std::exchange(later_, std::nullopt);
    const std::int64_t age = needed_age(evidence_, step);
    if (age > 0 && recovered_ && step.at < *recovered_ + age) {
      complain(
          fmt::format("{} s after a recovery, {} s are asked for", step.at - *recovered_, age));
    }
    if (causes_recovery(step)) {
      // What the removal excludes shows in the status that the next pass reads.
      (is_seen_later(step) ? later_ : recovered_) = step.at;
      later_pass_ = step.pass;
    }
    check_upgrade(step);
    if (step.action == Action::DeleteResources || step.action == Action::DeletePod)
      gone_.insert(step.targets.begin(), step.targets.end());
  }

  /// An incompatible upgrade restarts everything that reports.
  void check_upgrade(const TraceStep& step) {
    if (step.action != Action::KillProcesses || step.reason != "version") return;
    for (const ProcessGroup& group : evidence_.snapshot.groups) {
      const bool is_away = group.reporting() == 0 || gone_.contains(group.id) ||
                           group.process_class == ProcessClass::Test ||
                           group.conditions.has(Condition::ResourcesTerminating) ||
                           (group.pod && group.pod->terminating_since);
      if (is_away || std::ranges::binary_search(step.targets, group.id)) continue;
      complain(group.id + " keeps running the old version");
    }
  }

  std::optional<Time> recovered_;
  std::optional<Time> later_;
  int later_pass_ = 0;
  std::set<std::string> gone_;  ///< their pods were deleted
};

}  // namespace

void check_recoveries(const Evidence& evidence, std::vector<std::string>& problems) {
  if (!is_guarded(evidence) || !evidence.options.flags.recovery_state ||
      !reports_recovery_age(evidence.snapshot.status.running_version))
    return;
  hold(Recoveries(evidence), evidence, problems);
}

}  // namespace ballast::fdb
