// SPDX-License-Identifier: BSD-2-Clause
// Automatic replacement of groups that have failed for long.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ballast/fdb/search/pass/reconcilers.hpp"

namespace ballast::fdb {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

/// Groups on tainted nodes are replaced while not too many fault domains have them.
bool are_taints_allowed(const World& world) {
  const Replacements& rules = world.spec.automation.replacements;
  if (rules.taints.empty()) return false;
  std::set<std::string> all;
  std::set<std::string> tainted;
  for (const Member& group : world.groups) {
    all.insert(group.fault_domain);
    if (group.conditions.has(Condition::NodeTaintReplacing)) tainted.insert(group.fault_domain);
  }
  const auto limit = static_cast<std::size_t>(rules.max_tainted_domains);
  const std::size_t bound = rules.max_tainted_is_percent ? limit * all.size() / 100 : limit;
  return tainted.size() <= std::max<std::size_t>(1, bound);
}

/// How long a group may keep the condition before it is replaced; nothing where it never is.
std::optional<std::int64_t> patience_for(const World& world, Condition condition,
                                         bool taints_allowed) {
  const Replacements& rules = world.spec.automation.replacements;
  if (condition == Condition::NodeTaintReplacing) {
    return taints_allowed ? std::optional(rules.taint_seconds) : std::nullopt;
  }
  return triggers_replacement(condition) ? std::optional(rules.failure_seconds) : std::nullopt;
}

/// The condition, in the order in which they are looked at, that has lasted too long.
std::optional<Condition> failure(const World& world, const Member& group, bool taints_allowed) {
  if (!group.conditions.any()) return std::nullopt;
  for (std::size_t i = 0; i < kConditionCount; ++i) {
    const auto condition = static_cast<Condition>(i);
    if (!group.conditions.has(condition)) continue;
    const auto seconds = patience_for(world, condition, taints_allowed);
    if (seconds && group.conditions.since(condition) < world.now - *seconds) return condition;
  }
  return std::nullopt;
}

/// Groups that will be replaced unless they recover: time alone makes the operator act.
class Patience {
 public:
  void add(const World& world, const Member& group, bool taints_allowed) {
    // A pod that is on its way up ends what the group lacks.
    if (!group.conditions.any() || group.pod_created) return;
    for (std::size_t i = 0; i < kConditionCount; ++i) {
      const auto condition = static_cast<Condition>(i);
      if (!group.conditions.has(condition)) continue;
      const auto seconds = patience_for(world, condition, taints_allowed);
      if (!seconds) continue;
      const Time over = group.conditions.since(condition) + *seconds + 1;
      if (!until_ || over < *until_) {
        groups_.clear();
        names_.clear();
        until_ = over;
        seconds_ = *seconds;
      }
      if (over > *until_) continue;
      if (groups_.empty() || groups_.back() != group.id) groups_.push_back(group.id);
      names_.insert(std::string(name(condition)));
    }
  }
  /// The first of them, as a wait.
  void tell(World& world) const {
    if (!until_) return;
    world.wait(Reconciler::ReplaceFailedProcessGroups, "failure-detection", seconds_, groups_,
               until_, fmt::format("{}: replaced unless that ends", fmt::join(names_, ", ")));
  }

 private:
  std::vector<std::string> groups_;
  std::set<std::string> names_;
  std::optional<Time> until_;
  std::int64_t seconds_ = 0;
};

class Budget {
 public:
  explicit Budget(World& world) : rules_(world.spec.automation.replacements) {
    left_ = rules_.max_concurrent;
    for (const std::size_t i : world.departing()) {
      const Member& group = world.groups[i];
      if (!group.is_marked() || group.is_excluded()) continue;
      --left_;
      zones_.insert(group.fault_domain);
    }
  }
  bool take(const Member& group) {
    if (!rules_.by_fault_domain) return left_-- > 0;
    const auto limit = static_cast<std::size_t>(std::max(0, rules_.max_concurrent));
    if (zones_.size() > limit) return false;
    if (zones_.size() == limit && !zones_.contains(group.fault_domain)) return false;
    zones_.insert(group.fault_domain);
    return true;
  }

 private:
  const Replacements& rules_;
  int left_ = 0;
  std::set<std::string> zones_;
};

/// "PodFailing, MissingProcesses for longer than 7200 s; NodeTaintReplacing for ...".
class Reasons {
 public:
  explicit Reasons(const Replacements& rules) : rules_(rules) {}
  void add(Condition condition) {
    std::string& names = condition == Condition::NodeTaintReplacing ? taints_ : others_;
    if (names.find(name(condition)) == std::string::npos)
      names += (names.empty() ? "" : ", ") + std::string(name(condition));
  }
  [[nodiscard]] std::string text() const {
    std::string text;
    if (!others_.empty())
      text = fmt::format("{} for longer than {} s", others_, rules_.failure_seconds);
    if (!taints_.empty()) {
      text += fmt::format("{}{} for longer than {} s", text.empty() ? "" : "; ", taints_,
                          rules_.taint_seconds);
    }
    return text;
  }

 private:
  const Replacements& rules_;
  std::string others_;
  std::string taints_;
};

}  // namespace

void replace_failed(World& world) {
  const Replacements& rules = world.spec.automation.replacements;
  if (!rules.enabled || rules.max_concurrent <= 0 || world.spec.buggify.empty_monitor_conf) return;
  if (contains(world.spec.buggify.crash_loop, "*")) return;
  if (!world.db.is_available) {
    world.delay_pass(5);
    return;
  }
  const bool taints_allowed = are_taints_allowed(world);
  const bool is_tolerant = !world.pass.tolerance_lack;
  Budget budget(world);
  std::vector<std::string> marked;
  Reasons reasons(rules);
  bool has_more = false;
  Patience patience;
  for (const std::size_t i : world.awake()) {
    Member& group = world.groups[i];
    if (group.is_marked() || contains(world.spec.buggify.crash_loop, group.id)) continue;
    // The maintenance of a zone keeps its storage servers from being replaced, and no others.
    const bool is_maintained = !world.db.maintenance_zone.empty() &&
                               group.process_class == ProcessClass::Storage &&
                               group.fault_domain == world.db.maintenance_zone;
    if (is_maintained) continue;
    const auto condition = failure(world, group, taints_allowed);
    const bool skips = group.addresses.empty() && !world.by_locality() && !world.is_seed();
    if (skips && !is_tolerant) continue;
    if (!condition) {
      Budget rest = budget;
      if (rest.take(group)) patience.add(world, group, taints_allowed);
      continue;
    }
    if (!budget.take(group)) {
      has_more = true;
      continue;
    }
    mark(world, group);
    group.exclusion_skipped = group.exclusion_skipped || skips;
    marked.push_back(group.id);
    reasons.add(*condition);
  }
  if (has_more) world.delay_pass(300);
  if (marked.empty()) {
    patience.tell(world);
    return;
  }
  world.release_gate(Reconciler::ReplaceFailedProcessGroups, "failure-detection");
  TraceStep& step = world.emit(Reconciler::ReplaceFailedProcessGroups, Action::MarkForRemoval,
                               std::move(marked), "failed");
  step.reason = "failed";
  step.because = reasons.text();
  step.ends_pass = true;
  world.end_pass(0);
}

}  // namespace ballast::fdb
