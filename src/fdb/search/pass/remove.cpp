// SPDX-License-Identifier: BSD-2-Clause
// The end of a group: resources deleted zone by zone, included again, forgotten.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "removals.hpp"

namespace ballast::fdb {
namespace {

constexpr Reconciler kSelf = Reconciler::RemoveProcessGroups;
constexpr const char* kUnknownZone = "foundationdb.org/unknown";

bool is_gone(const Member& group) {
  return !group.pod && !group.volume && !group.has_service &&
         group.conditions.has(Condition::ResourcesTerminating);
}

/// Some of its resources are there and nobody deletes them: a deletion that was lost is repeated.
bool has_leftovers(const Member& group) {
  return (group.pod && !group.pod->terminating_since && !group.pod_deleted) ||
         (group.volume && !group.volume->is_terminating) ||
         (group.has_service && !group.pod_deleted);
}

bool contains(const std::vector<std::string>& list, const std::string& id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

std::vector<std::string> ids(const std::vector<Member*>& groups) {
  std::vector<std::string> list;
  list.reserve(groups.size());
  for (const Member* group : groups) list.push_back(group->id);
  return list;  // whoever records a step sorts its targets
}

/// Groups that are excluded but that buggify keeps.
void hold_back(World& world, std::vector<Member*>& ready) {
  const auto& names = world.spec.buggify.block_removal;
  std::vector<Member*> kept;
  std::copy_if(ready.begin(), ready.end(), std::back_inserter(kept),
               [&](const Member* group) { return contains(names, group->id); });
  if (kept.empty()) return;
  world.block(kSelf, "block-removal", ids(kept), "buggify.blockRemoval names it");
  std::erase_if(ready, [&](const Member* group) { return contains(names, group->id); });
}

std::string_view zone_of(const Member& group) {
  return group.fault_domain.empty() ? std::string_view(kUnknownZone) : group.fault_domain;
}

std::string_view first_zone(const std::vector<Member*>& groups) {
  std::string_view first = zone_of(*groups.front());
  for (const Member* group : groups) first = std::min(first, zone_of(*group));
  return first;
}

/// The zone with the most of the groups, the lowest name among equals.
std::string_view largest_zone(const std::vector<Member*>& groups) {
  std::unordered_map<std::string_view, int> count;
  count.reserve(groups.size());
  for (const Member* group : groups) ++count[zone_of(*group)];
  std::string_view best;
  int most = 0;
  for (const auto& [zone, size] : count) {
    if (size < most || (size == most && zone > best)) continue;
    best = zone;
    most = size;
  }
  return best;
}

std::string all_zones(const std::vector<Member*>& groups) {
  std::set<std::string_view> zones;
  for (const Member* group : groups) zones.insert(zone_of(*group));
  return fmt::format("{}", fmt::join(zones, ","));
}

/// Groups to delete now under the removal mode.
std::vector<Member*> batch(World& world, const std::vector<Member*>& ready, std::string& zone) {
  const Mode mode = world.is_seed() ? Mode::All : world.spec.automation.removal_mode;
  if (mode == Mode::None) {
    world.block(kSelf, "mode-none", ids(ready), "removalMode is None");
    return {};
  }
  if (mode == Mode::All) {
    zone = all_zones(ready);
    return ready;
  }
  // One by one they go in any order, which is one of the operator's many.
  zone = mode == Mode::ProcessGroup ? first_zone(ready) : largest_zone(ready);
  std::vector<Member*> chosen;
  for (Member* group : ready) {
    if (zone_of(*group) == zone) chosen.push_back(group);
  }
  if (mode == Mode::ProcessGroup) chosen.resize(1);
  return chosen;
}

void delete_resources(World& world, const std::vector<Member*>& chosen, const std::string& zone) {
  std::vector<Member*> deletable;
  std::vector<std::string> isolated;
  for (Member* group : chosen) {
    if (group->pod && group->pod->is_isolated) {
      isolated.push_back(group->id);
    } else {
      deletable.push_back(group);
    }
  }
  if (!isolated.empty())
    world.block(kSelf, "isolated", isolated, "annotation isolate-process-group keeps the pods");
  if (deletable.empty()) return;
  world.release(kSelf, "between-removals", world.spec.automation.wait_between_removals_seconds);
  world.release(kSelf, "recovery-age", world.options.flags.recovery_for_exclusion);
  TraceStep& step = world.emit(kSelf, Action::DeleteResources, ids(deletable), zone);
  step.because = "their exclusion is complete; pod, volume claim and service go together";
  for (const Member* group : deletable) {
    if (group->exclusion_skipped) step.because = "they are removed without exclusion";
  }
  for (Member* group : deletable) group->resources_deleted = true;
}

/// Addresses and localities of the group that the database still lists.
std::vector<std::string> listed(const World& world, const Member& group) {
  std::vector<std::string> targets;
  if (world.db.exclusions.contains(locality_target(group.id)))
    targets.push_back(locality_target(group.id));
  for (const std::string& ip : group.addresses) {
    if (world.db.exclusions.contains(ip)) targets.push_back(ip);
  }
  if (targets.empty() && !group.exclusion_skipped) {
    if (world.by_locality()) {
      targets.push_back(locality_target(group.id));
    } else {
      targets = group.addresses;
    }
  }
  if (world.by_locality() && is_log_class(group.process_class) && !group.exclusion_skipped) {
    for (const std::string& ip : group.addresses) {
      if (!contains(targets, ip)) targets.push_back(ip);
    }
  }
  return targets;
}

/// Whether `listed` has anything, mostly without asking it: at each pass that waits there are many.
bool is_listed(const World& world, const Member& group) {
  const bool is_certain =
      !group.exclusion_skipped && (world.by_locality() || !group.addresses.empty());
  return is_certain || !listed(world, group).empty();
}

/// Of the groups that terminate those of which nothing is left.
void include(World& world, const std::vector<Member*>& terminating) {
  std::vector<Member*> gone;
  std::vector<Member*> listed_groups;
  for (Member* group : terminating) {
    if (!is_gone(*group) || group->resources_deleted) continue;
    gone.push_back(group);
    if (is_listed(world, *group)) listed_groups.push_back(group);
  }
  if (gone.empty()) return;
  if (!listed_groups.empty()) {
    const auto& state = world.db.recovery_state;
    if (!state.empty() && state != "fully_recovered" && state != "all_logs_recruited" &&
        !world.options.assume_healthy) {
      world.block(kSelf, "recovery-state", ids(listed_groups), "recovery state is " + state);
      world.delay_pass(60);
      return;
    }
    const std::int64_t age = world.options.flags.recovery_for_inclusion;
    if (!passes(world, {kSelf, age, true, ids(listed_groups)})) {
      world.delay_pass(60);
      return;
    }
    if (!takes_lock(world, kSelf, ids(listed_groups))) {
      world.delay_pass(60);
      return;
    }
    world.release(kSelf, "recovery-age", age);
    std::string command = "include";
    std::vector<std::string> all_targets;
    for (const Member* group : listed_groups) {
      for (std::string& target : listed(world, *group)) {
        command += " " + target;
        all_targets.push_back(std::move(target));
      }
    }
    TraceStep& step = world.emit(kSelf, Action::Include, ids(listed_groups));
    step.because = "all their resources are gone; addresses and localities may be used again";
    step.commands = {command};
    step.needs_lock = world.spec.uses_locks;
    for (const std::string& target : all_targets) world.db.exclusions.erase(target);
    world.recovered();
  }
  world.emit(kSelf, Action::DropProcessGroup, ids(gone)).because = "nothing of them is left";
  const std::vector<std::string> dropped = world.steps.back().targets;
  std::erase_if(world.groups,
                [&](const Member& group) { return std::ranges::binary_search(dropped, group.id); });
  world.forget_departing();
}

/// False where removals came too quickly after each other; the pass ends then.
bool may_remove(World& world, const std::vector<Member*>& ready) {
  if (world.is_seed() || world.spec.automation.removal_mode == Mode::All) return true;
  std::optional<Time> newest;
  for (const std::size_t i : world.departing()) {
    const Member& group = world.groups[i];
    if (!is_terminating(group)) continue;
    newest = std::max(newest.value_or(0), group.conditions.since(Condition::ResourcesTerminating));
  }
  const std::int64_t gap = world.spec.automation.wait_between_removals_seconds;
  if (!newest || *newest <= world.now - gap) return true;
  world.wait(kSelf, "between-removals", gap, ids(ready), *newest + gap);
  world.end_pass(*newest + gap - world.now);
  return false;
}

}  // namespace

void remove_groups(World& world) {
  const auto any_departing = [&world](const auto& is_meant) {
    return std::ranges::any_of(world.departing(),
                               [&](std::size_t i) { return is_meant(world.groups[i]); });
  };
  if (!any_departing([](const Member& group) { return group.is_marked(); })) return;
  Removals work = collect_removals(world);
  if (!verify_exclusions(world, work)) return;
  hold_back(world, work.ready);
  hold_back(world, work.terminating);
  std::vector<Member*>& terminating = work.terminating;
  if (work.ready.empty() && terminating.empty()) {
    if (!work.waiting.empty()) world.end_pass(15);
    return;
  }
  std::vector<Member*> all = work.ready;
  all.insert(all.end(), terminating.begin(), terminating.end());
  if (!is_tolerant(world, {kSelf, 0, false, ids(all)})) {
    world.end_pass(30);
    return;
  }
  // Where the inclusion waits for longer anyway, that wait is told instead.
  const bool is_told = work.ready.empty() &&
                       world.recovery_age() + world.spec.automation.wait_between_removals_seconds >=
                           world.options.flags.recovery_for_inclusion;
  if (!may_remove(world, is_told ? terminating : work.ready)) return;
  std::string zone;
  std::vector<Member*> chosen;
  if (!work.ready.empty()) chosen = batch(world, work.ready, zone);
  std::ranges::copy_if(terminating, std::back_inserter(chosen), [](const Member* group) {
    return has_leftovers(*group) && !group->resources_deleted;
  });
  // Nothing is to be deleted of a group that lost all it had, or whose rest is terminating.
  for (Member* group : chosen) {
    if (has_leftovers(*group)) continue;
    group->conditions.set(Condition::ResourcesTerminating, world.now);
    terminating.push_back(group);
  }
  std::erase_if(chosen, [](const Member* group) { return !has_leftovers(*group); });
  if (!chosen.empty()) delete_resources(world, chosen, zone);
  include(world, terminating);
}

void remove_services(World& world) {
  if (world.spec.routing.headless_service || !world.has_headless_service) return;
  world.has_headless_service = false;
  world.emit(Reconciler::RemoveServices, Action::DeleteService, {world.snapshot->name}).because =
      "the headless service is no longer wanted";
}

}  // namespace ballast::fdb
