// SPDX-License-Identifier: BSD-2-Clause
// Coordinators, budgets and recoveries, counted from the evidence alone.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/moments/weak_moments.hpp"
#include "ballast/fdb/search/world/world.hpp"

#include "rule.hpp"

namespace ballast::fdb {

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
      const bool reports = group.reporting() > 0 || is_unasked(evidence, group) ||
                           is_starting(evidence.snapshot, evidence.desired, group);
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

  /// Of pods that hang while they terminate the operator asks nothing more: their servers count.
  static bool is_unasked(const Evidence& evidence, const ProcessGroup& group) {
    return group.pod && group.pod->terminating_since &&
           evidence.snapshot.now - *group.pod->terminating_since >
               evidence.desired.automation.failed_pod_seconds &&
           !group.conditions.has(Condition::MissingProcesses);
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
