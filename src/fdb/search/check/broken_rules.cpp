// SPDX-License-Identifier: BSD-2-Clause
// The lives of process groups, followed step by step.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ballast/core/strings.hpp"
#include "ballast/fdb/model/identity.hpp"

#include "rule.hpp"

namespace ballast::fdb {
namespace {

enum class Life { Present, Marked, Excluding, Excluded, Deleted };

/// Excluded by whomever: the database knows, whatever the object notes.
bool is_excluded_already(const Cluster& snapshot, const ProcessGroup& group) {
  if (std::ranges::any_of(group.processes, &Process::is_excluded)) return true;
  const auto& listed = snapshot.database.exclusions;
  return listed.contains(locality_target(group.id)) ||
         (!group.addresses.empty() &&
          std::ranges::all_of(group.addresses, [&](const std::string& address) {
            return listed.contains(address);
          }));
}

/// How a group of the snapshot stands once the operator has looked at it.
Life first_life(const Cluster& snapshot, const ProcessGroup& group) {
  if (!group.is_marked()) return Life::Present;
  const bool any_excluded = std::ranges::any_of(group.processes, &Process::is_excluded);
  const int expected = group.pod ? group.pod->servers : 1;
  // A time of exclusion is taken back where all servers report and none is excluded.
  const bool is_stale = !group.exclusion_skipped && !any_excluded && group.reporting() >= expected;
  if (group.is_excluded() && !is_stale)
    return group.pod || group.volume ? Life::Excluded : Life::Deleted;
  return is_excluded_already(snapshot, group) ? Life::Excluding : Life::Marked;
}

class Lives final : public Rule {
 public:
  explicit Lives(const Evidence& evidence) : Rule(evidence) {
    const auto& without = evidence.desired.groups_to_remove_without_exclusion;
    skipped_.insert(without.begin(), without.end());
    for (const ProcessGroup& group : evidence.snapshot.groups) {
      lives_[group.id] = first_life(evidence.snapshot, group);
      const bool has_nothing = !evidence.by_locality() && group.addresses.empty();
      if (group.exclusion_skipped || group.process_class == ProcessClass::Test || has_nothing)
        skipped_.insert(group.id);
    }
  }

 private:
  void take(const TraceStep& step) override {
    if (step.action == Action::Wait && step.gate == "exclusion-complete")
      awaited_.insert(step.targets.begin(), step.targets.end());
    for (const std::string& id : step.targets) take(step, id);
  }

  void complain(const std::string& id, std::string_view what) {
    Rule::complain(fmt::format("{} {}", id, what));
  }

  void take(const TraceStep& step, const std::string& id) {
    switch (step.action) {
      case Action::MarkForRemoval:
        return mark(id);
      case Action::AddProcessGroup:
        if (!lives_.emplace(id, Life::Present).second)
          complain(id, "is added although its ID is in use");
        return;
      case Action::Exclude:
        return exclude(step, id);
      case Action::ChangeCoordinators:
        return coordinate(id);
      case Action::CreatePod:
        podless_.erase(id);
        return;
      case Action::DeletePod:
        podless_.insert(id);
        if (const Life* life = find(id, "loses its pod"); life != nullptr && *life == Life::Deleted)
          complain(id, "loses a pod that it does not have");
        return;
      case Action::DeleteResources:
        return remove(step, id);
      case Action::Include:
        if (const Life* life = find(id, "is included");
            life != nullptr && *life != Life::Deleted && !goes_by_itself(step, id, *life))
          complain(id, "is included while its resources exist");
        return;
      case Action::DropProcessGroup:
        return drop(step, id);
      default:
        return;
    }
  }

  Life* find(const std::string& id, std::string_view what) {
    const auto found = lives_.find(id);
    if (found != lives_.end()) return &found->second;
    complain(id, fmt::format("{} but does not exist", what));
    return nullptr;
  }

  void mark(const std::string& id) {
    Life* life = find(id, "is marked");
    if (life == nullptr) return;
    if (*life != Life::Present) return complain(id, "is marked twice");
    const ProcessGroup* group = evidence_.snapshot.find(id);
    const bool is_early = group != nullptr && is_excluded_already(evidence_.snapshot, *group);
    *life = is_early ? Life::Excluding : Life::Marked;
  }

  void exclude(const TraceStep& step, const std::string& id) {
    Life* life = find(id, "is excluded");
    if (life == nullptr) return;
    if (*life == Life::Present) return complain(id, "is excluded but not marked");
    // The removal asks the database once more about groups that nobody sees.
    const bool is_empty = *life == Life::Deleted || *life == Life::Excluded;
    if (is_empty && step.reconciler == Reconciler::RemoveProcessGroups) return;
    if (*life == Life::Deleted) return complain(id, "is excluded after it was deleted");
    *life = Life::Excluding;
    excluded_[id] = {step.at, step.pass, step.reconciler};
  }

  void coordinate(const std::string& id) {
    const Life* life = find(id, "becomes a coordinator");
    if (life != nullptr && *life != Life::Present)
      complain(id, "becomes a coordinator while it is leaving");
  }

  /// The exclusion of the group may be complete: issued before this pass, and confirmed no earlier
  /// than the operator asks.
  [[nodiscard]] bool is_emptied(const TraceStep& step, const std::string& id, Life life) const {
    if (life == Life::Excluded || life == Life::Deleted || skipped_.contains(id)) return true;
    if (life != Life::Excluding) return false;
    const auto issued = excluded_.find(id);
    if (issued == excluded_.end()) {  // found under way
      const ProcessGroup* group = evidence_.snapshot.find(id);
      const bool has_roles =
          group != nullptr && std::ranges::any_of(group->processes, &Process::has_role);
      return !has_roles || awaited_.contains(id);
    }
    if (issued->second.by == Reconciler::RemoveProcessGroups) return true;  // that is the check
    if (evidence_.options.profile == Profile::Seed) return true;
    const bool has_age =
        !evidence_.options.flags.recovery_state ||
        step.at >= issued->second.at + evidence_.options.flags.recovery_for_exclusion;
    return step.pass > issued->second.pass && has_age;
  }

  void remove(const TraceStep& step, const std::string& id) {
    Life* life = find(id, "is deleted");
    if (life == nullptr) return;
    if (*life == Life::Present) {
      complain(id, "is deleted but not marked");
    } else if (*life == Life::Marked && !skipped_.contains(id)) {
      complain(id, "is deleted but not excluded");
    } else if (!is_emptied(step, id, *life)) {
      complain(id, "is deleted before its exclusion can be complete");
    }
    *life = Life::Deleted;
  }

  /// What is terminating already needs no step that deletes it.
  [[nodiscard]] bool goes_by_itself(const TraceStep& step, const std::string& id, Life life) const {
    const ProcessGroup* group = evidence_.snapshot.find(id);
    const bool is_podless = podless_.contains(id);
    const bool is_free = is_emptied(step, id, life) || (life == Life::Excluding && is_podless);
    return life != Life::Present && is_free && group != nullptr &&
           (!group->pod || group->pod->terminating_since || is_podless) &&
           (!group->volume || group->volume->is_terminating);
  }

  void drop(const TraceStep& step, const std::string& id) {
    const Life* life = find(id, "is dropped");
    if (life == nullptr) return;
    if (*life != Life::Deleted && !goes_by_itself(step, id, *life))
      complain(id, "is dropped while its resources exist");
    lives_.erase(id);
  }

  struct Issued {
    Time at = 0;
    int pass = 0;
    Reconciler by = Reconciler::ExcludeProcesses;
  };

  std::map<std::string, Life> lives_;
  std::map<std::string, Issued> excluded_;
  std::set<std::string> podless_;  ///< their pods were deleted to be made anew
  std::set<std::string> awaited_;  ///< the end of their exclusion
  std::set<std::string> skipped_;  ///< removed without exclusion, by the wish or for want of data
};

}  // namespace

std::optional<plan::Problem> Rule::apply(const TraceStep& step) {
  complaints_.clear();
  take(step);
  if (complaints_.empty()) return std::nullopt;
  return plan::Problem{plan::ProblemKind::BrokenRule, join(complaints_, "; ")};
}

std::optional<ProcessClass> class_of(const Evidence& evidence, const std::string& id) {
  if (const ProcessGroup* group = evidence.snapshot.find(id)) return group->process_class;
  const auto parsed = parse_group_id(id);
  return parsed ? parse_process_class(parsed->class_name) : std::nullopt;
}

void hold(Rule&& rule, const Evidence& evidence, std::vector<std::string>& problems) {
  for (std::string& line : lines_of(plan::replay_steps(evidence.steps, rule, false)))
    problems.push_back(std::move(line));
}

void check_lives(const Evidence& evidence, std::vector<std::string>& problems) {
  hold(Lives(evidence), evidence, problems);
}

std::vector<std::string> find_broken_rules(const Evidence& evidence) {
  std::vector<std::string> problems;
  check_lives(evidence, problems);
  check_copies(evidence, problems);
  check_quorum(evidence, problems);
  check_budgets(evidence, problems);
  check_recoveries(evidence, problems);
  return problems;
}

}  // namespace ballast::fdb
