// SPDX-License-Identifier: BSD-2-Clause
// What the world does between two passes, at its best.
#include <algorithm>
#include <optional>
#include <utility>

#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/world/coordinators.hpp"
#include "ballast/fdb/search/world/space.hpp"
#include "ballast/fdb/search/world/world.hpp"
#include "starting.hpp"

namespace ballast::fdb {
namespace {

/// A pod that a finalizer holds is deleted for good by nobody here: it stays, and so does its
/// claim.
bool hangs(World& world, Member& group) {
  if (!group.pod || !group.pod->is_held) return false;
  group.pod_deleted = group.resources_deleted = false;
  if (!group.pod->terminating_since) group.pod->terminating_since = world.now;
  world.rouse(group);
  return true;
}

void delete_everything(World& world, Member& group) {
  if (hangs(world, group)) {
    if (group.volume) group.volume->is_terminating = true;
    group.has_service = false;
    group.service_ip.clear();
    return;
  }
  world.coordinators_moved = world.coordinators_moved || holds_coordinator(world, group);
  group.resources_deleted = false;
  group.pod_created = false;
  world.rouse(group);
  group.pod.reset();
  group.volume.reset();
  group.has_service = false;
  group.service_ip.clear();
  group.processes.clear();
}

void delete_pod(World& world, Member& group) {
  if (hangs(world, group)) return;
  world.coordinators_moved = world.coordinators_moved || holds_coordinator(world, group);
  group.pod_deleted = false;
  world.rouse(group);
  group.pod.reset();
  group.processes.clear();
  group.conditions.set(Condition::MissingPod, world.now);
  group.conditions.set(Condition::MissingProcesses, world.now);
}

void drain(Member& group) {
  group.exclude_running = false;
  for (Process& process : group.processes) {
    if (process.is_excluded) process.has_role = false;
  }
}

/// What was terminating already. True where anything has gone.
bool vanish(World& world, Member& group) {
  bool happened = false;
  if (is_vanishing(world, group) && group.pod) {
    if (group.is_leaving()) {
      world.coordinators_moved = world.coordinators_moved || holds_coordinator(world, group);
      group.pod.reset();
      group.processes.clear();
    } else {
      delete_pod(world, group);
    }
    happened = true;
  }
  // A claim stays as long as a pod uses it.
  if (group.volume && group.volume->is_terminating && !group.pod) {
    group.volume.reset();
    happened = true;
  }
  return happened;
}

/// Copies that a new configuration asks for are made.
void replicate(World& world) {
  if (world.replication_pending && world.db.replicas_remaining) {
    for (int& left : *world.db.replicas_remaining) left = world.spec.redundancy().minimum_domains;
  }
  world.replication_pending = false;
}

/// Teams of storage servers have all their copies again.
void heal_data(World& world) {
  Database& db = world.db;
  db.data_is_healthy = true;
  if (!db.replicas_remaining) return;
  const int copies = redundancy_of(db.configuration ? db.configuration->redundancy_mode
                                                    : world.spec.database.redundancy_mode)
                         .minimum_domains;
  for (int& left : *db.replicas_remaining) left = std::max(left, copies);
}

/// Groups that the snapshot missed are back or have been replaced: the copies are made. Those of
/// storage servers wait for storage groups alone, where any of these was missed.
void heal(World& world) {
  if (!world.heals) return;
  const bool any_lacks = lacks_data(world);
  if (!any_lacks || (world.heals_storage && !lacks_data(world, ProcessClass::Storage)))
    heal_data(world);
  if (any_lacks) return;
  world.heals = false;
  if (!world.db.logs) return;
  for (LogSet& set : *world.db.logs) {
    set.tolerance = std::max(0, set.factor - 1);
    set.remote_tolerance = std::max(0, set.remote_factor - 1);
    set.satellite_tolerance = std::max(0, set.satellite_factor - 1);
  }
}

void finish_upgrade(World& world) {
  if (!world.is_upgrading) return;
  world.is_upgrading = false;
  // Pods that were made meanwhile have the image of the old version.
  const std::string old = to_string(world.status.running_version);
  for (Member& group : world.groups) {
    if (!group.pod || group.pod->is_assumed || group.pod->version != old) continue;
    group.pod->spec_differs = true;
    world.rouse(group);
  }
  world.status.running_version = world.spec.version;
  // Those of other objects were killed along with them.
  if (!world.has_peers) {
    for (ForeignProcess& other : world.db.foreign)
      other.process.version = to_string(world.spec.version);
  }
  world.pods_changed = true;
  world.clear_signature_cache();
}

}  // namespace

bool lacks_data(const World& world, std::optional<ProcessClass> of_class) {
  return std::ranges::any_of(world.groups, [&](const Member& group) {
    if (of_class && group.process_class != *of_class) return false;
    if (group.exclude_running) return true;
    if (!is_stateful(group.process_class) || group.is_excluded() || !group.processes.empty())
      return false;
    const bool is_listed = world.db.exclusions.contains(locality_target(group.id)) ||
                           std::ranges::any_of(group.addresses, [&](const std::string& ip) {
                             return world.db.exclusions.contains(ip);
                           });
    return !is_listed;
  });
}

bool is_vanishing(const World& world, const Member& group) {
  if (!group.pod) return group.volume && group.volume->is_terminating;
  if (!group.pod->terminating_since || group.pod->is_held) return false;
  return group.is_leaving() || world.now - *group.pod->terminating_since <
                                   world.spec.automation.ignore_terminating_seconds;
}

namespace {

struct Events {
  bool happened = false;
  bool drained = false;
  bool killed = false;
};

void settle_group(World& world, NewZones& zones, Member& group, Events& events) {
  if (group.resources_deleted) {
    delete_everything(world, group);
    events.happened = true;
  } else if (group.pod_deleted) {
    delete_pod(world, group);
    events.happened = true;
  } else if (vanish(world, group)) {
    world.rouse(group);
    events.happened = true;
  }
  if (group.pod_created) {
    start_pod(world, zones, group);
    events.happened = true;
  }
  if (group.is_killed) {
    restart(world, group);
    events.killed = true;
  }
  if (group.exclude_running) {
    drain(group);
    events.drained = true;
  }
}

}  // namespace

void settle_restarts(World& world) {
  bool any_killed = false;
  for (Member& group : world.groups) {
    if (!group.is_killed) continue;
    restart(world, group);
    any_killed = true;
  }
  if (any_killed) finish_upgrade(world);
  if (world.recovery_pending) world.recovered();
  world.recovery_pending = false;
  replicate(world);
}

bool settle(World& world) {
  Events events;
  NewZones zones(world);
  if (world.pass.is_quiet) {
    for (const std::size_t i : world.departing())
      settle_group(world, zones, world.groups[i], events);
  } else {
    for (const std::size_t i : world.awake()) settle_group(world, zones, world.groups[i], events);
  }
  world.pods_changed = world.pods_changed || events.happened;
  if (events.drained) spread_data(world);
  if (events.killed) finish_upgrade(world);
  if (world.coordinators_moved || events.killed) follow_coordinators(world);
  world.coordinators_moved = false;
  if (world.recovery_pending) world.recovered();
  replicate(world);
  heal(world);
  const bool happened =
      events.happened || events.drained || events.killed || world.recovery_pending;
  world.recovery_pending = false;
  return happened;
}

}  // namespace ballast::fdb
