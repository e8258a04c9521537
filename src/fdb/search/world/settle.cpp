// SPDX-License-Identifier: BSD-2-Clause
// What the world does between two passes, at its best.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/world/coordinators.hpp"
#include "ballast/fdb/search/world/space.hpp"
#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {
namespace {

/// Zones for pods that start.
class NewZones {
 public:
  explicit NewZones(const World& world) : world_(world) {}

  /// The zone that the group has, else where the wish of the plan puts it.
  std::string zone_for(const Member& group) {
    if (!group.fault_domain.empty()) return group.fault_domain;
    const FaultDomain& domain = world_.spec.fault_domain;
    if (domain.key == "foundationdb.org/kubernetes-cluster") return domain.value;
    if (world_.options.existing_zones) {
      auto& count = counts_of(group.process_class);
      const auto least =
          std::min_element(count.begin(), count.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
      if (least != count.end()) {
        least->second += group.is_marked() ? 0 : 1;
        return least->first;
      }
    }
    return "<zone of " + group.id + ">";
  }

 private:
  /// Groups of the class that stay, in each zone that has any of the class; counted once.
  std::map<std::string, int>& counts_of(ProcessClass c) {
    auto& counts = counts_[index(c)];
    if (counts) return *counts;
    counts.emplace();
    for (const Member& group : world_.groups) {
      if (group.process_class != c || group.fault_domain.empty()) continue;
      (*counts)[group.fault_domain] += group.is_marked() ? 0 : 1;
    }
    return *counts;
  }

  const World& world_;
  PerClass<std::optional<std::map<std::string, int>>> counts_;
};

/// A pod's disk as seen on another pod of the class, scaled by what the claims ask for.
std::optional<std::int64_t> disk_total(const World& world, const Member& group) {
  const auto& ratio = world.sizes[index(group.process_class)].disk_per_request;
  if (!ratio || !group.volume || group.volume->request_bytes <= 0) return std::nullopt;
  return static_cast<std::int64_t>(*ratio * static_cast<double>(group.volume->request_bytes));
}

/// A hall that the node decides is not known beforehand and stands for one of its own.
std::string hall_of(const World& world, const Member& group) {
  for (const std::string& parameter :
       world.spec.processes[index(group.process_class)].custom_parameters) {
    constexpr std::string_view kFront = "locality_data_hall=";
    if (parameter.rfind(kFront, 0) != 0) continue;
    const std::string value = parameter.substr(kFront.size());
    return !value.empty() && value.front() == '$' ? "<hall of " + group.id + ">" : value;
  }
  return world.spec.data_hall;
}

void set_addresses(const World& world, const Member& group, Process& process) {
  const std::string host =
      group.addresses.empty() ? "<ip of " + group.id + ">" : group.addresses.back();
  process.addresses.clear();
  if (world.status.required.tls)
    process.addresses.push_back({host, tls_port(process.number), true});
  if (world.status.required.non_tls)
    process.addresses.push_back({host, plain_port(process.number), false});
}

/// The address that a pod gets when it starts: a new one each time, but for those of services.
std::string next_address(Member& group) {
  const Pod& pod = *group.pod;
  if (pod.public_ip_source == IpSource::Service && !group.service_ip.empty())
    return group.service_ip;
  ++group.pods_started;
  return group.pods_started == 1
             ? "<ip of " + pod.name + ">"
             : "<ip of " + pod.name + " made " + std::to_string(group.pods_started) + " times>";
}

std::string dns_name(const World& world, const Member& group) {
  return group.pod->name + "." + world.snapshot->name + "." + world.snapshot->name_space + ".svc." +
         world.spec.routing.dns_domain;
}

bool holds_coordinator(const World& world, const Member& group) {
  return std::ranges::find(world.db.coordinators, group.id, &CoordinatorState::held_by) !=
         world.db.coordinators.end();
}

void start_pod(World& world, NewZones& zones, Member& group) {
  Pod& pod = *group.pod;
  group.pod_created = false;
  group.was_touched = true;
  world.coordinators_moved = world.coordinators_moved || holds_coordinator(world, group);
  world.rouse(group);
  group.carried.clear_all();
  pod.phase = Phase::Running;
  pod.is_ready = true;
  pod.created = world.now;
  if (pod.public_ips.empty()) pod.public_ips = {next_address(group)};
  const std::string ip = pod.public_ips.front();
  if (!group.is_marked()) group.addresses.clear();
  if (std::ranges::find(group.addresses, ip) == group.addresses.end())
    group.addresses.push_back(ip);
  group.fault_domain = zones.zone_for(group);
  for (const Condition c :
       {Condition::MissingPod, Condition::MissingPvc, Condition::MissingProcesses,
        Condition::PodPending, Condition::PodFailing, Condition::SidecarUnreachable,
        Condition::NodeTaintDetected, Condition::NodeTaintReplacing}) {
    group.conditions.clear(c);
  }
  group.taints.clear();
  if (!world.status.connection_string.empty() || world.snapshot->given.status) {
    if (world.status.is_configured || !world.status.connection_string.empty())
      start_processes(world, group);
  }
  if (group.processes.empty()) group.conditions.set(Condition::MissingProcesses, world.now);
}

/// A server that restarts tells the places of its new command. A hall that its environment names is
/// the one that it had, where it had one.
void take_localities(const World& world, const Member& group, Process& process) {
  if (!world.spec.data_center.empty()) process.data_center = world.spec.data_center;
  const std::string hall = hall_of(world, group);
  const bool is_unknown = hall.starts_with("<hall of ");
  if (!hall.empty() && !(is_unknown && !process.data_hall.empty())) process.data_hall = hall;
}

void restart(World& world, Member& group) {
  group.is_killed = false;
  world.rouse(group);
  if (!group.pod) return;
  const int command =
      world.command_id(group.process_class, group.pod->image_type, group.pod->servers);
  for (Process& process : group.processes) {
    process.command = command;
    process.started = world.now;
    if (world.is_upgrading) process.version = to_string(world.spec.version);
    process.command_line.clear();
    take_localities(world, group, process);
    if (world.spec.routing.dns_localities) process.dns_name = dns_name(world, group);
    set_addresses(world, group, process);
  }
}

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

void start_processes(World& world, Member& group) {
  const Pod& pod = *group.pod;
  const auto total = disk_total(world, group);
  const bool has_sizes = group.process_class == ProcessClass::Storage &&
                         world.sizes[index(group.process_class)].has_stored;
  group.processes.clear();
  for (int i = 1; i <= pod.servers; ++i) {
    Process process;
    process.number = i;
    process.process_class = group.process_class;
    process.zone = group.fault_domain;
    process.machine = pod.node;
    process.data_center = world.spec.data_center;
    process.data_hall = hall_of(world, group);
    if (world.spec.routing.dns_localities) process.dns_name = dns_name(world, group);
    process.version =
        to_string(world.is_upgrading ? world.status.running_version : world.spec.version);
    process.started = world.now;
    process.command = world.command_id(group.process_class, pod.image_type, pod.servers);
    process.is_excluded =
        group.is_marked() && (world.db.exclusions.contains(locality_target(group.id)));
    if (has_sizes) {
      process.stored_bytes = 0;
      process.used_bytes = 0;
      process.has_storage_role = true;
      process.disk_total_bytes = total;
      process.disk_free_bytes = total;
    }
    set_addresses(world, group, process);
    group.processes.push_back(std::move(process));
  }
  group.conditions.clear(Condition::MissingProcesses);
  world.pods_changed = true;
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
