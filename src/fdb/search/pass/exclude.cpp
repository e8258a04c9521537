// SPDX-License-Identifier: BSD-2-Clause
// Exclusion: telling the database to move everything off marked groups.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "ballast/core/units.hpp"
#include "ballast/core/words.hpp"
#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/world/coordinators.hpp"
#include "ballast/fdb/search/world/sizes.hpp"
#include "ballast/fdb/search/world/space.hpp"

namespace ballast::fdb {
namespace {

constexpr std::int64_t kFreshMissing =
    300;  ///< a group that has missed processes for less than this stops its class

constexpr double kLeastFree = 0.1;  ///< share of the disks below which the database refuses

enum class Standing { NotConcerned, ToExclude, Ongoing };

Standing standing(const World& world, const Member& group) {
  if (!group.is_marked() || group.is_excluded() || group.process_class == ProcessClass::Test)
    return Standing::NotConcerned;
  if (world.db.exclusions.contains(locality_target(group.id))) return Standing::Ongoing;
  if (world.by_locality()) return Standing::ToExclude;
  if (group.addresses.empty()) return Standing::Ongoing;
  const bool all =
      std::all_of(group.addresses.begin(), group.addresses.end(),
                  [&](const std::string& ip) { return world.db.exclusions.contains(ip); });
  return all ? Standing::Ongoing : Standing::ToExclude;
}

struct ClassWork {
  std::vector<Member*> targets;
  int ongoing = 0;
  int valid = 0;
  bool is_fresh = false;            ///< somebody has been missing for less than five minutes
  std::optional<Time> fresh_until;  ///< when the last of them no longer counts as fresh
  int budget = 0;
};

PerClass<ClassWork> class_work(World& world) {
  PerClass<ClassWork> work;
  for (std::size_t i = 0; i < kClassCount; ++i) work[i].valid = world.counts().all[i];
  for (const std::size_t i : world.awake()) {
    Member& group = world.groups[i];
    ClassWork& own = work[index(group.process_class)];
    const Standing how = standing(world, group);
    if (how == Standing::ToExclude) own.targets.push_back(&group);
    if (how == Standing::Ongoing) ++own.ongoing;
    const bool is_missing = group.conditions.has(Condition::MissingProcesses);
    own.valid -= group.is_leaving() || is_missing ? 1 : 0;
    if (group.is_leaving() || !is_missing) continue;
    const Time over = group.conditions.since(Condition::MissingProcesses) + kFreshMissing;
    if (over <= world.now) continue;
    own.is_fresh = true;
    own.fresh_until = std::max(own.fresh_until.value_or(over), over);
  }
  const int tolerance = world.spec.redundancy().fault_tolerance;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    ClassWork& own = work[i];
    own.budget =
        own.is_fresh ? 0 : std::max(0, own.valid + tolerance - world.wanted[i] - own.ongoing);
    if (world.is_seed()) own.budget = static_cast<int>(own.targets.size());
  }
  return work;
}

template <class Group>
std::vector<std::string> ids(const std::vector<Group*>& groups) {
  std::vector<std::string> list;
  for (const Member* group : groups) list.push_back(group->id);
  return list;
}

std::vector<std::string> targets_of(const World& world, const Member& group) {
  if (world.by_locality()) return {locality_target(group.id)};
  return group.addresses;
}

void add_bytes(const World& world, TraceStep& step, const std::vector<const Member*>& leaving) {
  std::int64_t sum = 0;
  std::int64_t most = 0;
  bool is_known = true;
  for (const Member* group : leaving) {
    if (group->process_class != ProcessClass::Storage) continue;
    auto bytes = group->stored_bytes();
    if (!bytes && world.db.is_given && group->processes.empty())
      bytes = 0;  // nobody reports there: nothing to read from it
    step.moves.push_back({group->id, bytes, bytes ? std::nullopt : most_bytes(*group)});
    is_known = is_known && bytes.has_value();
    sum += bytes.value_or(0);
    most += bytes ? *bytes : most_bytes(*group).value_or(0);
  }
  if (!is_known && most > 0)
    step.listing.push_back("at most " + size_text(most) + ": the size of the volumes");
  step.moves_data = true;
  if (is_known) step.bytes = sum;
  step.detail = is_known ? fmt::format("bytes {}", sum) : "bytes ?";
}

/// Zones of a class that would be left, against the replicas that need them.
bool has_zone_shortage(const World& world, const std::vector<Member*>& leaving, std::string& text) {
  const int minimum = world.spec.redundancy().minimum_domains;
  std::vector<const Member*> gone(leaving.begin(), leaving.end());
  std::sort(gone.begin(), gone.end());
  for (const ProcessClass c : {ProcessClass::Storage, ProcessClass::Log}) {
    const bool concerned = std::any_of(leaving.begin(), leaving.end(),
                                       [c](const Member* g) { return g->process_class == c; });
    if (!concerned || world.wanted[index(c)] == 0) continue;
    std::set<std::string_view> zones;
    std::set<std::string_view> before;
    for (const Member& group : world.groups) {
      if (group.process_class != c || group.is_excluded()) continue;
      before.insert(group.fault_domain);
      if (!std::binary_search(gone.begin(), gone.end(), &group)) zones.insert(group.fault_domain);
    }
    // Servers of other objects in the same data centre serve replicas as well as its own.
    for (const ForeignProcess& other : world.db.foreign) {
      const Process& process = other.process;
      if (process.process_class != c || process.data_center != world.spec.data_center) continue;
      before.insert(process.zone);
      zones.insert(process.zone);
    }
    // What is short already gets no shorter by moves within it.
    if (static_cast<int>(zones.size()) < minimum && zones.size() < before.size()) {
      text = fmt::format("{} of class {} would be left, {} replicas need {}",
                         counted(zones.size(), "zone"), name(c), minimum, minimum);
      return true;
    }
  }
  return false;
}

/// What was looked at before an exclude, for the step to tell.
struct Findings {
  std::vector<std::string> checks;
  std::optional<double> free_share;
  double room = 0;  ///< bytes that the share is of
  bool uses_slack = false;
  std::string unserved;  ///< the zones that would be too few, if that is allowed
};

bool has_room(World& world, const std::vector<Member*>& leaving, Findings& findings) {
  std::vector<const Member*> groups(leaving.begin(), leaving.end());
  const SpaceCheck space = check_space(world, groups);
  findings.checks = space.numbers;
  if (space.is_checked) findings.free_share = space.ratio_b;
  findings.room = space.room;
  if (space.is_refused) {
    std::string text;
    for (const std::string& line : space.numbers) text += (text.empty() ? "" : "; ") + line;
    world.block(Reconciler::ExcludeProcesses, "no-space", ids(leaving), text);
    return false;
  }
  std::string shortage;
  if (has_zone_shortage(world, leaving, shortage)) {
    if (!world.options.allow_unsafe) {
      world.block(Reconciler::ExcludeProcesses, "zone-shortage", ids(leaving), shortage);
      return false;
    }
    findings.unserved = std::move(shortage);
  }
  return true;
}

void exclude_now(World& world, const std::vector<Member*>& leaving, Findings findings) {
  std::string command = "exclude no_wait";
  bool hits_coordinator = false;
  for (Member* group : leaving) {
    for (const std::string& target : targets_of(world, *group)) {
      if (world.db.exclusions.insert(target).second) command += " " + target;
    }
    hits_coordinator = hits_coordinator || group->is_coordinator();
  }
  world.release(Reconciler::ExcludeProcesses, "exclude-budget", 1);
  world.release(Reconciler::ExcludeProcesses, "recovery-age",
                world.options.flags.recovery_for_exclusion);
  TraceStep& step = world.emit(Reconciler::ExcludeProcesses, Action::Exclude, ids(leaving));
  step.reason = "already-marked";
  step.because = "they are marked for removal; the database moves their data and roles away";
  step.commands = {command};
  step.needs_lock = world.spec.uses_locks;
  step.checks = std::move(findings.checks);
  step.free_share = findings.free_share;
  if (findings.free_share) {
    step.free_bytes = static_cast<std::int64_t>(findings.room * *findings.free_share);
    step.free_bytes_required = static_cast<std::int64_t>(findings.room * kLeastFree);
  }
  step.uses_slack = findings.uses_slack;
  step.unserved = std::move(findings.unserved);
  add_bytes(world, step, {leaving.begin(), leaving.end()});
  for (Member* group : leaving) {
    group->exclude_running = true;
    group->exclusion_told = true;
    for (Process& process : group->processes) process.is_excluded = true;
  }
  world.recovered();
  if (!hits_coordinator || world.is_seed()) return;
  if (const auto choice = choose_coordinators(world)) {
    set_coordinators(world, Reconciler::ExcludeProcesses, *choice, "coordinator-excluded",
                     "an excluded group was a coordinator");
  } else {
    world.block(Reconciler::ExcludeProcesses, "coordinators", {}, choice.error().message);
  }
}

struct Admission {
  std::vector<Member*> chosen;
  std::vector<Member*> held;
  std::string stopped_by;  ///< classes that hold up the groups of others
  bool uses_slack = false;
};

/// Groups that the budgets let go now; none where a transaction-system class has no budget.
Admission admit(const World& world, const PerClass<ClassWork>& work) {
  Admission admission;
  bool is_stopped = false;
  std::string stopping;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    const ClassWork& own = work[i];
    const auto fitting =
        std::min(own.targets.size(), static_cast<std::size_t>(std::max(0, own.budget)));
    const auto split = own.targets.begin() + static_cast<std::ptrdiff_t>(fitting);
    admission.chosen.insert(admission.chosen.end(), own.targets.begin(), split);
    admission.held.insert(admission.held.end(), split, own.targets.end());
    admission.uses_slack = admission.uses_slack ||
                           (fitting > 0 && !world.is_seed() &&
                            own.valid - static_cast<int>(fitting) - own.ongoing < world.wanted[i]);
    if (own.targets.empty() || own.budget != 0 || !is_transaction_system(class_at(i))) continue;
    is_stopped = true;
    stopping += (stopping.empty() ? "" : ", ") + std::string(name(class_at(i)));
  }
  if (!is_stopped) return admission;
  if (!admission.chosen.empty()) admission.stopped_by = stopping;
  admission.held.insert(admission.held.end(), admission.chosen.begin(), admission.chosen.end());
  admission.chosen.clear();
  return admission;
}

/// Pods of the classes that find no node, with the scheduler's words.
std::string unschedulable(const World& world, const PerClass<ClassWork>& work) {
  std::string text;
  for (const Member& group : world.groups) {
    const bool is_meant = !work[index(group.process_class)].targets.empty();
    if (!is_meant || group.is_marked() || !group.pod || group.pod->unschedulable.empty()) continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", group.id, group.pod->unschedulable);
  }
  return text;
}

std::string budget_text(const World& world, ProcessClass c, const ClassWork& own) {
  if (own.is_fresh)
    return fmt::format("{}: 0 while any group has missed its processes for less than 5 min",
                       name(c));
  const int tolerance = world.spec.redundancy().fault_tolerance;
  const int wanted = world.wanted[index(c)];
  return fmt::format("{}: {} valid + {} - {} wanted - {} ongoing = {}", name(c), own.valid,
                     tolerance, wanted, own.ongoing, own.valid + tolerance - wanted - own.ongoing);
}

void hold(World& world, const PerClass<ClassWork>& work, const Admission& admission) {
  const bool is_partial = !admission.chosen.empty();
  std::optional<Time> until;
  bool waits_for_world = false;
  std::string observed;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    const ClassWork& own = work[i];
    if (own.targets.empty()) continue;
    if (own.budget == 0 && own.fresh_until)
      until = std::max(until.value_or(*own.fresh_until), *own.fresh_until);
    if (own.budget < static_cast<int>(own.targets.size()))
      observed += (observed.empty() ? "" : "; ") + budget_text(world, class_at(i), own);
    waits_for_world = waits_for_world || own.ongoing > 0;
  }
  if (until || waits_for_world || is_partial) {
    world.wait(Reconciler::ExcludeProcesses, "exclude-budget", 1, ids(admission.held), until,
               observed, admission.stopped_by);
    return;
  }
  const std::string pending = unschedulable(world, work);
  if (pending.empty()) {
    world.block(Reconciler::ExcludeProcesses, "exclude-budget", ids(admission.held), observed);
  } else {
    world.block(Reconciler::ExcludeProcesses, "replacement-unschedulable", ids(admission.held),
                pending);
  }
}

}  // namespace

void tell_exclusion(World& world, const std::vector<const Member*>& moving) {
  const Reconciler self = Reconciler::RemoveProcessGroups;
  world.wait(self, "exclusion-complete", 1, ids(moving), std::nullopt,
             "excluded already; data and roles still move away");
  world.pass.waits.pop_back();
  TraceStep& step = world.steps.back();
  add_bytes(world, step, moving);
  step.detail = "exclusion-complete " + step.detail;
  step.is_released = true;
}

void exclude_processes(World& world) {
  const PerClass<ClassWork> work = class_work(world);
  std::vector<Member*> all;
  for (const ClassWork& own : work) all.insert(all.end(), own.targets.begin(), own.targets.end());
  if (all.empty()) return;
  const DatabaseGate gate{Reconciler::ExcludeProcesses, world.options.flags.recovery_for_exclusion,
                          true, ids(all)};
  if (!passes(world, gate)) {
    world.delay_pass(10);
    return;
  }
  const Admission admission = admit(world, work);
  if (!admission.chosen.empty()) {
    Findings findings;
    if (!has_room(world, admission.chosen, findings)) return;
    findings.uses_slack = admission.uses_slack;
    if (!takes_lock(world, Reconciler::ExcludeProcesses, ids(admission.chosen))) {
      world.delay_pass(10);
      return;
    }
    exclude_now(world, admission.chosen, std::move(findings));
  }
  if (admission.held.empty()) return;
  world.delay_pass(admission.chosen.empty() ? 2 : 300);
  hold(world, work, admission);
}

}  // namespace ballast::fdb
