// SPDX-License-Identifier: BSD-2-Clause
// Restarts of servers whose start command changed.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/world/changes.hpp"

namespace ballast::fdb {
namespace {

bool never_restarts(const Member& group) {
  return group.process_class == ProcessClass::Test ||
         group.conditions.has(Condition::ResourcesTerminating);
}

/// Away for so long that restarts go on without it.
bool is_ignored(const World& world, const Member& group) {
  const Automation& rules = world.spec.automation;
  const Conditions& conditions = group.conditions;
  if (conditions.has(Condition::MissingProcesses) &&
      conditions.since(Condition::MissingProcesses) < world.now - rules.ignore_missing_seconds) {
    return true;
  }
  return conditions.has(Condition::PodPending) &&
         conditions.since(Condition::PodPending) < world.now - rules.ignore_pending_seconds;
}

bool is_spared(const World& world, const Member& group) {
  const auto& spared = world.spec.buggify.ignore_during_restart;
  return std::ranges::find(spared, group.id) != spared.end();
}

bool is_match(const World& world, const Member& group) {
  const Conditions& conditions = group.conditions;
  if (!conditions.has(Condition::IncorrectCommandLine)) return false;
  if (world.is_upgrading) {
    return !conditions.has(Condition::IncorrectSidecarImage) &&
           !conditions.has(Condition::IncorrectConfigMap);
  }
  if (conditions.has(Condition::SidecarUnreachable) ||
      conditions.has(Condition::IncorrectConfigMap))
    return false;
  return world.is_tls_conversion() || !conditions.has(Condition::IncorrectPodSpec);
}

std::int64_t uptime(const World& world) {
  std::int64_t least = world.recovery_age();
  for (const Member& group : world.groups) {
    if (group.process_class == ProcessClass::Test) continue;
    for (const Process& process : group.processes) {
      if (process.is_excluded || !process.started) continue;
      const std::int64_t own = world.now - *process.started;
      if (own > 0) least = std::min(least, own);
    }
  }
  return least;
}

bool may_restart(World& world, const std::vector<std::string>& ids) {
  const Reconciler self = Reconciler::BounceProcesses;
  if (!world.options.assume_healthy) {
    if (!world.db.is_available) {
      world.block(self, "unavailable", ids, "the database is not available");
    } else if (world.db.active_generations.value_or(1) > 10) {
      world.block(self, "generations", ids, "more than 10 active generations");
    } else if (!world.db.can_clean_bounce) {
      world.block(self, "bounce", ids, "the database cannot restart cleanly now");
    }
    if (!world.pass.blocks.empty() && world.pass.blocks.back().reconciler == self) {
      world.end_pass(15);
      return false;
    }
  }
  const std::int64_t minimum = world.spec.minimum_uptime_seconds;
  const std::int64_t now = uptime(world);
  if (world.is_seed() || now >= minimum) return true;
  world.wait(self, "uptime", minimum, ids, world.now + (minimum - now));
  world.end_pass(std::max<std::int64_t>(15, minimum - now));
  return false;
}

/// Servers of both protocols cannot talk: the operators of one database restart all of them at
/// once, when each has put the new binaries in place.
bool all_staged(World& world, const std::vector<std::string>& ids) {
  if (!world.is_upgrading || !world.spec.uses_locks || world.is_seed()) return true;
  for (const Member& group : world.groups) world.db.pending_upgrades.insert(group.id);
  std::set<std::string> late;
  for (const ForeignProcess& other : world.db.foreign) {
    const bool is_done = other.process.version == to_string(world.spec.version);
    if (!other.group.empty() && !is_done && !world.db.pending_upgrades.contains(other.group))
      late.insert(other.group);
  }
  if (late.empty()) {
    world.release(Reconciler::BounceProcesses, "other-objects", 1);
    return true;
  }
  const std::string observed =
      fmt::format("{} process groups of other objects are not ready for version {}", late.size(),
                  to_string(world.spec.version));
  world.wait(Reconciler::BounceProcesses, "other-objects", 1, ids, std::nullopt, observed);
  if (world.has_peers) return false;
  // Nothing is known of when they are: the plan goes on as if it were at once.
  world.release(Reconciler::BounceProcesses, "other-objects", 1);
  return true;
}

struct Readiness {
  PerClass<int> ignored{};  ///< missing for so long that nobody waits for them
  PerClass<int> marked{};
  std::vector<std::string> missing;  ///< groups that are waited for
  std::optional<Time> ignored_from;  ///< when the last of them no longer counts
};

std::vector<std::string> ids_of(const std::vector<Member*>& groups) {
  std::vector<std::string> ids;
  for (const Member* group : groups) ids.push_back(group->id);
  return ids;
}

/// An incompatible upgrade kills all at once or nobody: servers of two versions do not see each
/// other. False where some that should be there are not ready.
bool are_all_ready(World& world, const Readiness& readiness, const std::vector<Member*>& matches) {
  int expected = 0;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    const int groups = world.wanted[i] - readiness.ignored[i] + readiness.marked[i];
    expected += groups * world.spec.density(class_at(i));
  }
  int ready = 0;
  for (const Member* group : matches) ready += static_cast<int>(group->processes.size());
  if (ready >= expected) return true;
  if (readiness.missing.empty()) {
    world.block(Reconciler::BounceProcesses, "all-processes-ready", ids_of(matches),
                fmt::format("{} servers run, and {} are wanted: the pods have another number of "
                            "servers than the spec, and are not replaced while the version changes",
                            ready, expected));
    world.delay_pass(5);
    return false;
  }
  world.wait(Reconciler::BounceProcesses, "all-processes-ready", expected, readiness.missing,
             readiness.ignored_from, fmt::format("{} of {} servers are ready", ready, expected), {},
             true);
  world.delay_pass(5);
  return false;
}

/// The group as one that an upgrade waits for.
void await(const World& world, const Member& group, Readiness& readiness) {
  readiness.missing.push_back(group.id);
  if (!group.conditions.has(Condition::MissingProcesses)) return;
  const Time over = group.conditions.since(Condition::MissingProcesses) +
                    world.spec.automation.ignore_missing_seconds + 1;
  readiness.ignored_from = std::max(readiness.ignored_from.value_or(over), over);
}

std::string kill_command(const std::vector<Member*>& groups, int& processes) {
  std::string list;
  for (const Member* group : groups) {
    for (const Process& process : group->processes) {
      ++processes;
      if (!process.addresses.empty()) list += " " + to_string(process.addresses.front());
    }
  }
  return "kill; kill" + list + "; sleep 5";
}

/// Where the servers listen once they are back.
std::vector<std::string> public_ports(const World& world, const std::vector<Member*>& groups) {
  int servers = 1;
  for (const Member* group : groups)
    servers = std::max(servers, static_cast<int>(group->processes.size()));
  std::vector<std::string> lines;
  for (int i = 1; i <= servers; ++i) {
    lines.push_back(fmt::format("server {} of a pod listens on {} afterwards", i,
                                public_address(world.status.required, "IP", i)));
  }
  return lines;
}

}  // namespace

void bounce_processes(World& world) {
  std::vector<Member*> matches;
  Readiness readiness;
  bool has_old_config = false;
  bool lacks_address = false;
  for (const std::size_t i : world.awake()) {
    Member& group = world.groups[i];
    if (never_restarts(group)) continue;
    const auto c = index(group.process_class);
    readiness.marked[c] += group.is_marked() ? 1 : 0;
    if (world.is_upgrading && group.is_leaving()) {
      // Servers of the old version must not stay behind.
      if (!group.processes.empty()) matches.push_back(&group);
      continue;
    }
    if (is_ignored(world, group)) {
      ++readiness.ignored[c];
      continue;
    }
    if (group.pod_created || !is_match(world, group) || group.processes.empty())
      await(world, group, readiness);
    if (group.pod_created) continue;
    has_old_config = has_old_config || group.conditions.has(Condition::IncorrectConfigMap);
    if (!is_match(world, group) || group.processes.empty() || is_spared(world, group)) continue;
    lacks_address = lacks_address || group.processes.front().addresses.empty();
    matches.push_back(&group);
  }
  if (matches.empty()) return;
  const std::vector<std::string> ids = ids_of(matches);
  if (!world.spec.automation.kill_processes) {
    world.block(Reconciler::BounceProcesses, "config-disabled", ids, "killProcesses is false");
    return;
  }
  if (has_old_config || lacks_address) {
    world.delay_pass(2);
    return;
  }
  if (world.is_upgrading && !are_all_ready(world, readiness, matches)) return;
  if (!may_restart(world, ids)) return;
  if (!takes_lock(world, Reconciler::BounceProcesses, ids) || !all_staged(world, ids)) {
    world.end_pass(15);
    return;
  }
  world.release(Reconciler::BounceProcesses, "uptime", world.spec.minimum_uptime_seconds);
  world.release_gate(Reconciler::BounceProcesses, "all-processes-ready");
  int processes = 0;
  const std::string command = kill_command(matches, processes);
  Changes changes = command_changes(world, ids);
  if (world.is_upgrading)
    add_change(changes, "status.runningVersion", to_string(world.status.running_version),
               to_string(world.spec.version));
  TraceStep& step = world.emit(Reconciler::BounceProcesses, Action::KillProcesses, ids,
                               fmt::format("processes {}", processes));
  step.reason = world.is_upgrading ? "version" : world.is_tls_conversion() ? "tls" : "command-line";
  step.because = "their start command differs from the wanted one; all restart at once";
  step.commands = {command};
  step.changes = std::move(changes);
  step.needs_lock = world.spec.uses_locks;
  if (world.is_tls_conversion() || world.spec.enable_tls != world.snapshot->spec.enable_tls)
    step.listing = public_ports(world, matches);
  for (Member* group : matches) group->is_killed = true;
  world.recovered();
  if (world.is_upgrading) {
    step.ends_pass = true;
    world.end_pass(0);
  }
}

}  // namespace ballast::fdb
