// SPDX-License-Identifier: BSD-2-Clause
// Kinds of input that were not given stand for healthy objects; conditions of the snapshot stay.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

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

bool answers(const Process& process, const Address& address) {
  Address named = process.addresses.empty() ? Address{} : process.addresses.front();
  named.host = process.dns_name;
  return named == address ||
         std::ranges::find(process.addresses, address) != process.addresses.end();
}

bool is_known(const Cluster& cluster, const Address& address) {
  return std::ranges::any_of(cluster.groups,
                             [&](const ProcessGroup& group) {
                               return std::ranges::any_of(group.processes, [&](const Process& p) {
                                 return answers(p, address);
                               });
                             }) ||
         std::ranges::any_of(cluster.database.foreign, [&](const ForeignProcess& other) {
           return answers(other.process, address);
         });
}

/// Data centers that others hold, in the order of their names.
std::vector<std::string> other_data_centers(const ClusterSpec& spec) {
  std::set<std::string> ids;
  for (const Region& region : spec.database.regions) {
    for (const DataCenter& dc : region.data_centers) ids.insert(dc.id);
  }
  ids.erase(spec.data_center);
  return {ids.begin(), ids.end()};
}

/// Coordinators that the connection string names and that no own process holds stand, where no
/// status was given, for healthy servers of the other objects, evenly over their places.
void assume_foreign_coordinators(Cluster& cluster) {
  if (cluster.given.database || !cluster.spec.shares_database()) return;
  const std::vector<std::string> centers = other_data_centers(cluster.spec);
  std::size_t i = 0;
  for (const CoordinatorState& coordinator : cluster.database.coordinators) {
    if (is_known(cluster, coordinator.address)) continue;
    const Address& address = coordinator.address;
    ForeignProcess other;
    other.is_assumed = true;
    other.group = "<server at " + address.host + ">";
    other.process.process_class = ProcessClass::Coordinator;
    for (const ProcessClass c : {ProcessClass::Log, ProcessClass::Storage}) {
      if (cluster.spec.is_eligible_coordinator(c)) other.process.process_class = c;
    }
    other.process.addresses = {address};
    if (cluster.spec.routing.dns_in_cluster_file) other.process.dns_name = address.host;
    other.process.is_coordinator = true;
    other.process.zone = "<zone of " + address.host + ">";
    if (!centers.empty()) other.process.data_center = centers[i % centers.size()];
    if (!cluster.spec.data_hall.empty())
      other.process.data_hall = fmt::format("<another hall {}>", i % 2 + 1);
    ++i;
    cluster.database.foreign.push_back(std::move(other));
  }
  std::ranges::stable_sort(cluster.database.foreign, {}, &ForeignProcess::group);
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
  for (const CoordinatorState& coordinator : cluster.database.coordinators) {
    if (!is_known(cluster, coordinator.address) && !cluster.groups.empty())
      note("coordinator " + to_string(coordinator.address) + " is no process of the database");
  }
}

}  // namespace

void note_foreign(Cluster& cluster, const std::set<std::string>& of_peers) {
  const auto& foreign = cluster.database.foreign;
  if (foreign.empty() || foreign.front().is_assumed) return;
  const bool is_shared = cluster.spec.shares_database();
  std::map<std::string, int> places;
  std::vector<std::string> strangers;
  for (const ForeignProcess& other : foreign) {
    if (of_peers.contains(other.group)) continue;
    const Process& process = other.process;
    const bool is_elsewhere =
        !process.data_center.empty() && process.data_center != cluster.spec.data_center;
    if (!other.group.empty() && (is_shared || is_elsewhere)) {
      ++places[!process.data_center.empty() ? process.data_center : process.data_hall];
      continue;
    }
    const std::string address =
        process.addresses.empty() ? "without address" : to_string(process.addresses.front());
    strangers.push_back(other.group.empty() ? address
                                            : fmt::format("{} ({})", address, other.group));
  }
  if (!places.empty()) {
    int sum = 0;
    std::string parts;
    for (const auto& [place, count] : places) {
      sum += count;
      if (!place.empty())
        parts += fmt::format("{}{} in {}", parts.empty() ? "" : ", ", count, place);
    }
    cluster.notes.push_back(
        {"foreign-processes", fmt::format("{} processes of the database belong to other objects{}",
                                          sum, parts.empty() ? "" : ": " + parts)});
  }
  if (strangers.empty()) return;
  constexpr std::size_t kTold = 3;
  const std::size_t told = std::min(kTold, strangers.size());
  std::string text = fmt::format(
      "{} process{} no instance_id that is known: {}", strangers.size(),
      strangers.size() == 1 ? " has" : "es have",
      fmt::join(strangers.begin(), strangers.begin() + static_cast<std::ptrdiff_t>(told), ", "));
  if (strangers.size() > told) text += fmt::format(" and {} more", strangers.size() - told);
  cluster.disagreements.push_back({"status-disagrees", std::move(text)});
}

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
  assume_foreign_coordinators(cluster);
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
