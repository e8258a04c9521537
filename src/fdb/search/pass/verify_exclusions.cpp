// SPDX-License-Identifier: BSD-2-Clause
// Whether exclusions are complete, before anything is deleted.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/kube/object.hpp"
#include "removals.hpp"

namespace ballast::fdb {
namespace {

constexpr Reconciler kSelf = Reconciler::RemoveProcessGroups;
constexpr std::int64_t kPendingForgiven =
    3600;  ///< a pod without address that is pending for longer holds nothing

std::vector<std::string> ids(const std::vector<Member*>& groups) {
  std::vector<std::string> list;
  list.reserve(groups.size());
  for (const Member* group : groups) list.push_back(group->id);
  return list;  // whoever records a step sorts its targets
}

bool is_excluded_by(const World& world, const Member& group) {
  if (world.by_locality()) return world.db.exclusions.contains(locality_target(group.id));
  if (group.addresses.empty()) return false;
  return std::all_of(group.addresses.begin(), group.addresses.end(),
                     [&](const std::string& ip) { return world.db.exclusions.contains(ip); });
}

/// Any of its addresses, or its name, is excluded.
bool is_listed(const World& world, const Member& group) {
  if (world.db.exclusions.contains(locality_target(group.id))) return true;
  return std::ranges::any_of(
      group.addresses, [&](const std::string& ip) { return world.db.exclusions.contains(ip); });
}

bool has_ended_roles(const Member& group) {
  return std::none_of(group.processes.begin(), group.processes.end(), [](const Process& p) {
    return !p.is_excluded || p.has_role || p.is_coordinator;
  });
}

/// A coordinator is never removed as one, whatever was excluded.
bool holds_up_as_coordinator(World& world, const Member& group) {
  if (!group.is_coordinator()) return false;
  // Before its exclusion nobody asks it to hand that over: what holds the exclusion up is told.
  if (!group.is_excluded() && !is_excluded_by(world, group)) return true;
  world.block(kSelf, "coordinators", {group.id},
              "is still a coordinator and is never removed as one");
  return true;
}

/// Whether the exclusion of the group is complete; emits a block where it never will be.
bool is_done(World& world, Member& group) {
  if (!world.by_locality() && group.addresses.empty() && !group.exclusion_skipped) {
    const bool is_pending = group.conditions.has(Condition::PodPending);
    const Time since = is_pending ? group.conditions.since(Condition::PodPending) : world.now;
    if (is_pending && world.now - since > kPendingForgiven) {
      group.exclusion_skipped = true;
      return true;
    }
    std::string text = "never had an address, cannot be excluded by address";
    if (is_pending)
      text += "; the operator would remove it without exclusion from " +
              kube::format_time(since + kPendingForgiven) + " on";
    world.block(kSelf, "no-address", {group.id}, text);
    return false;
  }
  if (holds_up_as_coordinator(world, group)) return false;
  // Not visible: the operator confirms by running the exclude once more.
  if (group.processes.empty()) return true;
  return group.exclusion_skipped || has_ended_roles(group);
}

/// The excludes that confirm groups which nobody sees: those of groups that leave without exclusion
/// too, once their pods are gone. A step where the exclude is the first of its group.
void exclude_unseen(World& world, const std::vector<Member*>& confirmed) {
  std::vector<std::string> unseen;
  std::string command = "exclude";
  for (const Member* group : confirmed) {
    if (!group->processes.empty()) continue;
    const std::vector<std::string> targets =
        world.by_locality() ? std::vector{locality_target(group->id)} : group->addresses;
    const bool is_first = !is_listed(world, *group);
    if (is_first && !targets.empty()) unseen.push_back(group->id);
    for (const std::string& target : targets) {
      if (world.db.exclusions.insert(target).second && is_first) command += " " + target;
    }
  }
  if (unseen.empty()) return;
  TraceStep& step = world.emit(kSelf, Action::Exclude, std::move(unseen), "bytes 0");
  step.reason = "already-marked";
  step.because = "no server of theirs reports; the exclude only returns once nothing is left there";
  step.commands = {command};
  world.recovery_pending = true;
}

/// What keeps the operator from telling whether an exclusion is complete.
std::optional<std::string> hides_roles(const World& world) {
  if (world.options.assume_healthy || world.is_seed()) return std::nullopt;
  if (world.db.active_generations.value_or(1) > 1) {
    return fmt::format("{} active generations, exclusions are confirmed at 1",
                       *world.db.active_generations);
  }
  for (const char* message : {"unreadable_configuration", "full_replication_timeout",
                              "storage_servers_error", "log_servers_error"}) {
    if (world.db.messages.contains(message))
      return fmt::format("the status is not complete: {}", message);
  }
  return std::nullopt;
}

}  // namespace

Removals collect_removals(World& world) {
  Removals work;
  for (const std::size_t i : world.departing()) {
    Member& group = world.groups[i];
    if (!group.is_marked()) continue;
    const bool needs_check = !group.is_excluded() || group.processes.empty();
    if (needs_check) {
      work.to_verify.push_back(&group);
    } else if (holds_up_as_coordinator(world, group)) {
      work.waiting.push_back(&group);
    } else {
      (is_terminating(group) ? work.terminating : work.ready).push_back(&group);
    }
  }
  return work;
}

bool verify_exclusions(World& world, Removals& work) {
  if (work.to_verify.empty()) return true;
  const auto is_late = [&](const Member* g) { return g->exclude_running; };
  const bool any_started =
      std::any_of(work.to_verify.begin(), work.to_verify.end(), [&](const Member* g) {
        return g->is_excluded() || is_excluded_by(world, *g) ||
               (!world.by_locality() && g->addresses.empty());
      });
  const std::int64_t age = world.options.flags.recovery_for_exclusion;
  std::vector<Member*> held;
  for (Member* group : work.to_verify) {
    // What holds up a group whose resources vanish is told where it is included.
    if (!is_terminating(*group) && (group->is_excluded() || is_excluded_by(world, *group)))
      held.push_back(group);
  }
  if (!any_started) held.clear();
  if (!passes(world, {kSelf, age, true, ids(held)})) {
    world.end_pass(10);  // an error, not a delay
    return false;
  }
  if (const auto hidden = hides_roles(world)) {
    world.block(kSelf, "generations", ids(work.to_verify), *hidden);
    work.waiting = work.to_verify;
    return true;
  }
  std::vector<Member*> confirmed;
  for (Member* group : work.to_verify) {
    if (is_late(group) || !is_done(world, *group)) {
      work.waiting.push_back(group);
    } else {
      confirmed.push_back(group);
    }
  }
  exclude_unseen(world, confirmed);
  for (Member* group : confirmed) {
    if (!group->excluded) {
      group->excluded = world.now;
      world.pass.made_progress = true;  // its replacement no longer counts as one under way
    }
    if (is_terminating(*group)) {
      work.terminating.push_back(group);
      continue;
    }
    group->conditions.clear_all();
    work.ready.push_back(group);
  }
  return true;
}

}  // namespace ballast::fdb
