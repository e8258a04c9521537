// SPDX-License-Identifier: BSD-2-Clause
#include "starting.hpp"

#include <algorithm>
#include <utility>

#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/world/coordinators.hpp"

namespace ballast::fdb {
namespace {

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

/// A server that restarts tells the places of its new command. A hall that its environment names is
/// the one that it had, where it had one.
void take_localities(const World& world, const Member& group, Process& process) {
  if (!world.spec.data_center.empty()) process.data_center = world.spec.data_center;
  const std::string hall = hall_of(world, group);
  const bool is_unknown = hall.starts_with("<hall of ");
  if (!hall.empty() && !(is_unknown && !process.data_hall.empty())) process.data_hall = hall;
}

}  // namespace

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

}  // namespace ballast::fdb
