// SPDX-License-Identifier: BSD-2-Clause
// The database's machine-readable status.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "ballast/fdb/backend/readers.hpp"
#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/model/identity.hpp"

namespace ballast::fdb {
namespace {

using doc::Tree;

constexpr std::int64_t kMostServers = 10'000;  ///< of a pod; more are no numbers of servers

std::optional<std::int64_t> whole_at(const Tree& node,
                                     std::initializer_list<std::string_view> path) {
  const Tree* found = node.at(path);
  if (found == nullptr) return std::nullopt;
  if (const auto value = found->as_int()) return value;
  const auto value = found->as_double();
  if (!value || std::abs(*value) > 9e18) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

std::optional<double> number_at(const Tree& node, std::initializer_list<std::string_view> path) {
  const Tree* found = node.at(path);
  return found == nullptr ? std::nullopt : found->as_double();
}

bool flag_at(const Tree& node, std::initializer_list<std::string_view> path, bool fallback) {
  const Tree* found = node.at(path);
  return found == nullptr ? fallback : found->as_bool().value_or(fallback);
}

const std::vector<Tree>& items_at(const Tree& node, std::initializer_list<std::string_view> path) {
  static const std::vector<Tree> kNone;
  const Tree* found = node.at(path);
  return found != nullptr && found->is_list() ? found->items() : kNone;
}

void add(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& value) {
  if (value) sum = sum.value_or(0) + *value;
}

void read_roles(const Tree& node, Process& process) {
  for (const Tree& role : items_at(node, {"roles"})) {
    const std::string kind = text_at(role, {"role"});
    if (kind == "coordinator") {
      process.is_coordinator = true;
      continue;
    }
    process.has_role = true;
    process.has_storage_role = process.has_storage_role || kind == "storage";
    process.has_log_role = process.has_log_role || kind == "log";
    if (kind != "storage") continue;
    add(process.stored_bytes, whole_at(role, {"stored_bytes"}));
    add(process.used_bytes, whole_at(role, {"kvstore_used_bytes"}));
    process.store_free_bytes = whole_at(role, {"kvstore_free_bytes"});
    process.store_total_bytes = whole_at(role, {"kvstore_total_bytes"});
  }
}

/// Addresses of a process: the one it is known by, and what the start command adds.
void read_addresses(const Tree& node, Process& process) {
  const auto add_address = [&](std::string_view text) {
    const auto address = parse_address(text);
    if (address && std::find(process.addresses.begin(), process.addresses.end(), *address) ==
                       process.addresses.end()) {
      process.addresses.push_back(*address);
    }
  };
  if (const std::string primary = text_at(node, {"address"}); !primary.empty())
    add_address(primary);
  constexpr std::string_view kOption = "--public_address=";
  const auto at = process.command_line.find(kOption);
  if (at == std::string::npos) return;
  std::string_view rest = std::string_view(process.command_line).substr(at + kOption.size());
  rest = rest.substr(0, rest.find(' '));
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    add_address(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
}

Process read_process(const Tree& node, Time now) {
  Process process;
  process.process_class =
      parse_process_class(text_at(node, {"class_type"})).value_or(ProcessClass::Unset);
  process.command_line = text_at(node, {"command_line"});
  process.version = text_at(node, {"version"});
  process.zone = text_at(node, {"locality", "zoneid"});
  process.machine = text_at(node, {"locality", "machineid"});
  process.data_center = text_at(node, {"locality", "dcid"});
  process.data_hall = text_at(node, {"locality", "data_hall"});
  process.dns_name = text_at(node, {"locality", "dns_name"});
  process.is_excluded = flag_at(node, {"excluded"}, false);
  process.run_loop_busy = number_at(node, {"run_loop_busy"}).value_or(0);
  if (const auto uptime = whole_at(node, {"uptime_seconds"})) process.started = now - *uptime;
  process.disk_free_bytes = whole_at(node, {"disk", "free_bytes"});
  process.disk_total_bytes = whole_at(node, {"disk", "total_bytes"});
  for (const Tree& message : items_at(node, {"messages"})) {
    const std::string kind = text_at(message, {"name"});
    process.has_io_error = process.has_io_error || kind == "io_error" || kind == "io_timeout";
  }
  read_roles(node, process);
  read_addresses(node, process);
  const std::string id = text_at(node, {"locality", "process_id"});
  const std::string group = group_of_process_id(id);
  if (!id.empty() && group != id) {
    if (const auto number = whole_number(std::string_view(id).substr(group.size() + 1)))
      process.number = static_cast<int>(std::clamp<std::int64_t>(*number, 0, kMostServers));
  }
  return process;
}

/// A key that no process has was not given; one that only some lack tells of trouble there.
void mark_incomplete(Cluster& cluster) {
  bool any_command = false;
  bool any_version = false;
  for (const ProcessGroup& group : cluster.groups) {
    for (const Process& process : group.processes) {
      any_command = any_command || !process.command_line.empty();
      any_version = any_version || !process.version.empty();
    }
  }
  for (ProcessGroup& group : cluster.groups) {
    for (Process& process : group.processes) {
      process.is_incomplete =
          (any_command && process.command_line.empty()) || (any_version && process.version.empty());
    }
  }
}

void read_processes_of(const Tree& document, Cluster& cluster, Time now,
                       const ReadContext& context) {
  const Tree* list = document.at({"cluster", "processes"});
  if (list == nullptr) return;
  if (!list->is_map()) {
    context.errors->add("F004", "cluster.processes", "expected a mapping", list->place());
    return;
  }
  std::size_t known = 0;
  std::size_t named = 0;
  for (const auto& [key, node] : list->entries()) {
    if (!node.is_map()) {
      context.errors->add("F004", "cluster.processes." + key, "expected a mapping", node.place());
      continue;
    }
    Process process = read_process(node, now);
    std::string id = text_at(node, {"locality", "instance_id"});
    if (id.empty()) id = group_of_process_id(text_at(node, {"locality", "process_id"}));
    const bool is_elsewhere = !cluster.spec.data_center.empty() && !process.data_center.empty() &&
                              process.data_center != cluster.spec.data_center;
    named += id.empty() || is_elsewhere ? 0U : 1U;
    ProcessGroup* group =
        id.empty() || is_elsewhere ? nullptr : const_cast<ProcessGroup*>(cluster.find(id));
    if (group == nullptr) {
      cluster.database.foreign.push_back({std::move(id), std::move(process), false});
      continue;
    }
    ++known;
    group->processes.push_back(std::move(process));
  }
  std::ranges::stable_sort(cluster.database.foreign, {}, [](const ForeignProcess& f) {
    return std::tie(f.group, f.process.number);
  });
  if (known == 0 && named > 0 && !cluster.groups.empty() && !cluster.spec.shares_database()) {
    context.errors->add("F016", "cluster.processes",
                        "none of the processes belongs to a process group of " + cluster.name,
                        list->place());
  }
  mark_incomplete(cluster);
  for (ProcessGroup& group : cluster.groups) {
    std::sort(group.processes.begin(), group.processes.end(),
              [](const Process& a, const Process& b) {
                if (a.number != b.number) return a.number < b.number;
                const auto port = [](const Process& p) {
                  return p.addresses.empty() ? 0 : p.addresses.front().port;
                };
                return port(a) < port(b);
              });
  }
}

void read_coordinators(const Tree& document, Cluster& cluster) {
  Database& db = cluster.database;
  db.quorum_reachable = flag_at(document, {"client", "coordinators", "quorum_reachable"}, true);
  const Tree* list = document.at({"client", "coordinators", "coordinators"});
  if (list == nullptr || !list->is_list()) return;
  db.coordinators_given = true;
  for (const Tree& node : list->items()) {
    const auto address = parse_address(text_at(node, {"address"}));
    if (address) db.coordinators.push_back({*address, flag_at(node, {"reachable"}, true)});
  }
}

/// Coordinators by role; by address where no role names one.
void mark_coordinators(Cluster& cluster) {
  const bool by_role = std::any_of(cluster.groups.begin(), cluster.groups.end(),
                                   [](const ProcessGroup& g) { return g.is_coordinator(); });
  if (by_role) return;
  for (ProcessGroup& group : cluster.groups) {
    for (Process& process : group.processes) {
      for (const CoordinatorState& coordinator : cluster.database.coordinators) {
        Address named = process.addresses.empty() ? Address{} : process.addresses.front();
        const bool same = named == coordinator.address;
        named.host = process.dns_name;
        process.is_coordinator = process.is_coordinator || same ||
                                 (!process.dns_name.empty() && named == coordinator.address);
      }
    }
  }
}

void read_logs(const Tree& document, Database& db) {
  const Tree* list = document.at({"cluster", "logs"});
  if (list == nullptr || !list->is_list()) return;
  db.logs.emplace();
  for (const Tree& node : list->items()) {
    const auto number = [&](std::string_view key) {
      return static_cast<int>(whole_at(node, {key}).value_or(0));
    };
    db.logs->push_back(
        {number("log_replication_factor"), number("log_fault_tolerance"),
         number("remote_log_replication_factor"), number("remote_log_fault_tolerance"),
         number("satellite_log_replication_factor"), number("satellite_log_fault_tolerance")});
  }
}

void read_data(const Tree& document, Database& db) {
  const Tree* data = document.at({"cluster", "data"});
  if (data == nullptr || !data->is_map()) return;
  db.total_kv_bytes = whole_at(*data, {"total_kv_size_bytes"});
  db.total_disk_used_bytes = whole_at(*data, {"total_disk_used_bytes"});
  db.data_is_healthy = flag_at(*data, {"state", "healthy"}, true);
  if (data->find("team_trackers") == nullptr) return;
  db.replicas_remaining.emplace();
  for (const Tree& tracker : items_at(*data, {"team_trackers"})) {
    const auto least = whole_at(tracker, {"state", "min_replicas_remaining"});
    if (least) db.replicas_remaining->push_back(static_cast<int>(*least));
  }
}

void read_clients(const Tree& document, Database& db) {
  for (const Tree& node : items_at(document, {"cluster", "clients", "supported_versions"})) {
    ClientVersion version{
        text_at(node, {"client_version"}), text_at(node, {"protocol_version"}), {}};
    for (const Tree& client : items_at(node, {"max_protocol_clients"})) {
      version.clients.emplace_back(text_at(client, {"address"}), text_at(client, {"log_group"}));
    }
    db.clients.push_back(std::move(version));
  }
}

void read_cluster_section(const Tree& document, Cluster& cluster, Time now,
                          const ReadContext& context) {
  Database& db = cluster.database;
  const Tree* section = document.find("cluster");
  if (section == nullptr || !section->is_map()) return;
  if (const auto age = whole_at(*section, {"recovery_state", "seconds_since_last_recovered"}))
    db.recovered_at = now - *age;
  if (const auto count = whole_at(*section, {"recovery_state", "active_generations"}))
    db.active_generations = static_cast<int>(*count);
  db.recovery_state = text_at(*section, {"recovery_state", "name"});
  db.data_lag_seconds = number_at(*section, {"qos", "worst_data_lag_storage_server", "seconds"});
  db.durability_lag_seconds =
      number_at(*section, {"qos", "worst_durability_lag_storage_server", "seconds"});
  db.log_queue_bytes = whole_at(*section, {"qos", "worst_queue_bytes_log_server"});
  db.storage_queue_bytes = whole_at(*section, {"qos", "worst_queue_bytes_storage_server"});
  db.limited_by = text_at(*section, {"qos", "performance_limited_by", "name"});
  db.can_clean_bounce = flag_at(*section, {"bounce_impact", "can_clean_bounce"}, true);
  db.maintenance_zone = text_at(*section, {"maintenance_zone"});
  if (db.maintenance_zone == "0") db.maintenance_zone.clear();
  if (const auto left = number_at(*section, {"maintenance_seconds_remaining"}))
    db.maintenance_until = now + static_cast<Time>(*left);
  db.layers_missing_configuration =
      text_at(*section, {"layers", "_error"}) == "configurationMissing";
  db.connection_string = text_at(*section, {"connection_string"});
  if (section->find("full_replication") != nullptr)
    db.full_replication = flag_at(*section, {"full_replication"}, true);
  db.active_primary = text_at(*section, {"active_primary_dc"});
  for (const Tree& message : items_at(*section, {"messages"}))
    db.messages.insert(text_at(message, {"name"}));
  for (const Tree& item : items_at(*section, {"incompatible_connections"})) {
    if (const auto address = parse_address(item.text()))
      db.incompatible_connections.push_back(*address);
  }
  if (const Tree* configuration = section->find("configuration");
      configuration != nullptr && configuration->is_map()) {
    ReadContext quiet = context;
    quiet.notes = nullptr;
    quiet.unknown_keys = nullptr;
    db.configuration = read_configuration(configuration, "cluster.configuration",
                                          normalised_configuration(cluster.spec), quiet, true);
    for (const Tree& server : items_at(*configuration, {"excluded_servers"})) {
      const std::string locality = text_at(server, {"locality"});
      if (!locality.empty()) db.exclusions.insert(locality);
      if (const auto address = parse_address(text_at(server, {"address"})))
        db.exclusions.insert(address->host);
    }
  }
}

}  // namespace

std::optional<Time> database_time(const doc::Tree& document) {
  return whole_at(document, {"client", "timestamp"});
}

void read_database(const doc::Tree& document, Cluster& cluster, std::optional<Time> now,
                   const ReadContext& context) {
  if (!document.is_map() ||
      (document.find("client") == nullptr && document.find("cluster") == nullptr)) {
    context.errors->add("F003", "",
                        "expected the machine-readable status of a database (client, cluster)",
                        document.place());
    return;
  }
  Database& db = cluster.database;
  cluster.given.database = true;
  db.is_given = true;
  db.timestamp = database_time(document);
  const Time at = db.timestamp.value_or(now.value_or(cluster.now));
  db.is_available = flag_at(document, {"client", "database_status", "available"}, true);
  read_coordinators(document, cluster);
  read_cluster_section(document, cluster, at, context);
  read_data(document, db);
  read_logs(document, db);
  read_clients(document, db);
  const auto own = parse_connection_string(cluster.status.connection_string);
  const auto theirs = parse_connection_string(db.connection_string);
  if (own && theirs && own->name != theirs->name) {
    context.errors->add(
        "F016", "cluster.connection_string",
        fmt::format("status of {}: expected that of {}", quoted(theirs->name), quoted(own->name)),
        document.place());
    return;
  }
  read_processes_of(document, cluster, at, context);
  mark_coordinators(cluster);
}

}  // namespace ballast::fdb
