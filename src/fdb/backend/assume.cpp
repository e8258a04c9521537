// SPDX-License-Identifier: BSD-2-Clause
// Kinds of input that were not given stand for healthy objects; conditions of the snapshot stay.
#include <fmt/format.h>

#include <algorithm>

#include "ballast/fdb/backend/readers.hpp"
#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/model/server_config.hpp"
#include "ballast/fdb/model/templates.hpp"

namespace ballast::fdb {
namespace {

void carry_conditions(const Cluster& cluster, ProcessGroup& group) {
  group.carried = group.conditions;
  if (cluster.given.pods) {
    for (const Condition c : {Condition::PodPending, Condition::PodFailing, Condition::MissingPod})
      group.carried.clear(c);
  }
  if (cluster.given.volumes) group.carried.clear(Condition::MissingPvc);
  if (cluster.given.database) group.carried.clear(Condition::MissingProcesses);
}

bool is_gone(const ProcessGroup& group) {
  return group.conditions.has(Condition::ResourcesTerminating) && group.is_leaving();
}

void assume_pod(const Cluster& cluster, ProcessGroup& group) {
  Pod pod = templated_pod(cluster.spec, cluster.name, group);
  pod.is_assumed = true;
  if (!group.processes.empty()) pod.servers = static_cast<int>(group.processes.size());
  if (group.conditions.has(Condition::PodPending)) pod.phase = Phase::Pending;
  group.pod = std::move(pod);
}

void assume_volume(const Cluster& cluster, ProcessGroup& group) {
  group.volume = templated_volume(cluster.spec, cluster.name, group);
  group.volume->is_assumed = true;
}

void assume_processes(const Cluster& cluster, ProcessGroup& group) {
  if (!group.pod || group.pod->phase == Phase::Pending ||
      group.conditions.has(Condition::MissingProcesses))
    return;
  std::string host = group.addresses.empty() ? std::string() : group.addresses.back();
  if (host.empty() && !group.pod->public_ips.empty()) host = group.pod->public_ips.front();
  for (int i = 1; i <= group.pod->servers; ++i) {
    Process process;
    process.number = i;
    process.process_class = group.process_class;
    process.zone = group.fault_domain.empty() ? "<zone of " + group.id + ">" : group.fault_domain;
    process.machine = group.pod->node;
    process.data_center = cluster.spec.data_center;
    process.data_hall = cluster.spec.data_hall;
    process.is_excluded = group.is_excluded();
    if (cluster.spec.routing.dns_localities) {
      process.dns_name = group.pod->name + "." + cluster.name + "." + cluster.name_space + ".svc." +
                         cluster.spec.routing.dns_domain;
    }
    if (!host.empty()) {
      if (cluster.status.required.tls) process.addresses.push_back({host, tls_port(i), true});
      if (cluster.status.required.non_tls)
        process.addresses.push_back({host, plain_port(i), false});
    }
    group.processes.push_back(std::move(process));
  }
}

/// Coordinators as the connection string names them, by IP or by DNS name.
void assume_coordinators(Cluster& cluster) {
  Database& db = cluster.database;
  const auto connection = parse_connection_string(cluster.status.connection_string);
  if (!connection || db.coordinators_given) return;
  db.coordinators_given = true;
  for (const Address& address : connection->coordinators)
    db.coordinators.push_back({address, true});
  for (ProcessGroup& group : cluster.groups) {
    const std::string dns = pod_name(cluster.name, group.process_class, group.number) + ".";
    for (Process& process : group.processes) {
      for (const Address& address : connection->coordinators) {
        const bool by_ip = std::find(process.addresses.begin(), process.addresses.end(), address) !=
                           process.addresses.end();
        const bool by_name = process.number == 1 && address.host.rfind(dns, 0) == 0;
        process.is_coordinator = process.is_coordinator || by_ip || by_name;
      }
    }
  }
}

void assume_exclusions(Cluster& cluster) {
  for (const ProcessGroup& group : cluster.groups) {
    if (!group.is_leaving() || group.exclusion_skipped) continue;
    if (cluster.spec.excludes_by_locality(cluster.status.running_version)) {
      cluster.database.exclusions.insert(locality_target(group.id));
    }
    cluster.database.exclusions.insert(group.addresses.begin(), group.addresses.end());
  }
}

void note_counts(Cluster& cluster) {
  if (!cluster.status.counts) return;
  PerClass<int> groups{};
  for (const ProcessGroup& group : cluster.groups) ++groups[index(group.process_class)];
  for (std::size_t i = 0; i < kClassCount; ++i) {
    const int noted = (*cluster.status.counts)[i];
    if (noted == groups[i]) continue;
    cluster.disagreements.push_back(
        {"status-disagrees", fmt::format("status.processCounts has {} of class {}, {} are known",
                                         noted, name(class_at(i)), groups[i])});
  }
}

void note_disagreements(Cluster& cluster) {
  const auto note = [&](std::string text) {
    cluster.disagreements.push_back({"status-disagrees", std::move(text)});
  };
  for (const ProcessGroup& group : cluster.groups) {
    if (cluster.given.pods && !group.pod && !group.is_leaving()) note(group.id + " has no pod");
    if (cluster.given.volumes && is_stateful(group.process_class) && !group.volume &&
        !group.is_leaving()) {
      note(group.id + " has no volume claim");
    }
    if (cluster.given.database && group.processes.empty() && !group.is_leaving())
      note(group.id + " does not report to the database");
  }
  for (std::size_t i = 0; i < cluster.database.foreign_ids.size(); ++i) {
    const std::string& id = cluster.database.foreign_ids[i];
    const auto& addresses = cluster.database.foreign[i].addresses;
    note("process " +
         (addresses.empty() ? std::string("without address") : to_string(addresses.front())) +
         (id.empty() ? " has no instance_id" : " has the unknown instance_id " + id));
  }
  for (const CoordinatorState& coordinator : cluster.database.coordinators) {
    const bool known =
        std::any_of(cluster.groups.begin(), cluster.groups.end(), [&](const ProcessGroup& g) {
          return std::any_of(g.processes.begin(), g.processes.end(), [&](const Process& p) {
            Address named = p.addresses.empty() ? Address{} : p.addresses.front();
            named.host = p.dns_name;
            return named == coordinator.address ||
                   std::find(p.addresses.begin(), p.addresses.end(), coordinator.address) !=
                       p.addresses.end();
          });
        });
    if (!known && !cluster.groups.empty())
      note("coordinator " + to_string(coordinator.address) + " is no process group");
  }
}

}  // namespace

void assume_absent(Cluster& cluster) {
  if (!cluster.given.services && !cluster.groups.empty()) {
    cluster.has_headless_service = cluster.spec.routing.headless_service;
  }
  for (ProcessGroup& group : cluster.groups) {
    carry_conditions(cluster, group);
    for (const Process& process : group.processes) {
      if (!process.zone.empty()) group.fault_domain = process.zone;
    }
    const bool gone = is_gone(group);
    if (!cluster.given.pods && !gone && !group.conditions.has(Condition::MissingPod))
      assume_pod(cluster, group);
    if (!cluster.given.volumes && !gone && is_stateful(group.process_class) &&
        !group.conditions.has(Condition::MissingPvc)) {
      assume_volume(cluster, group);
    }
    if (!cluster.given.services)
      group.has_service = cluster.spec.routing.public_ip_source == IpSource::Service && !gone;
    if (group.pod && group.pod->is_assumed && !group.addresses.empty())
      group.pod->public_ips = group.addresses;
    if (!cluster.given.database) assume_processes(cluster, group);
  }
  assume_coordinators(cluster);
  if (!cluster.given.database) assume_exclusions(cluster);
  if (!cluster.database.configuration && cluster.status.is_configured) {
    cluster.database.configuration =
        cluster.status.configuration.value_or(normalised_configuration(cluster.spec));
  }
  if (cluster.status.connection_string.empty()) {
    cluster.status.connection_string = cluster.database.connection_string;
    if (cluster.status.connection_string.empty() && cluster.status.is_configured &&
        !cluster.groups.empty()) {
      std::string name = cluster.name;
      std::replace(name.begin(), name.end(), '-', '_');
      ConnectionString unknown{name, "<unknown>", {}};
      for (const CoordinatorState& coordinator : cluster.database.coordinators)
        unknown.coordinators.push_back(coordinator.address);
      cluster.status.connection_string = to_string(unknown);
    }
  }
  note_counts(cluster);
  note_disagreements(cluster);
}

}  // namespace ballast::fdb
