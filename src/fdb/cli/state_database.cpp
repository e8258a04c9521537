// SPDX-License-Identifier: BSD-2-Clause
// The status of the database in a state of the simulation.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "ballast/core/sha256.hpp"
#include "ballast/fdb/cli/state_files.hpp"
#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/world/commands.hpp"
#include "ballast/kube/write.hpp"

namespace ballast::fdb {
namespace {

using doc::Tree;

using kube::text;

/// The map at `key`, made where it is missing.
Tree& child(Tree& map, std::string_view key) {
  const Tree* found = map.find(key);
  if (found == nullptr || !found->is_map()) map.set(key, Tree::map());
  return *map.find(key);
}

Tree messages_node(const std::set<std::string>& names) {
  Tree list = Tree::list();
  for (const std::string& name : names) list.items().push_back(Tree::map({{"name", text(name)}}));
  return list;
}

class DatabaseStatus {
 public:
  DatabaseStatus(const Loaded& loaded, const World& world)
      : given_(loaded.status_document), world_(world), db_(world.db) {}

  Tree document() {
    Tree document = given_.is_map() ? given_ : Tree::map();
    set_client(child(document, "client"));
    set_cluster(child(document, "cluster"));
    return document;
  }

 private:
  void set_client(Tree& client) const {
    Tree& state = child(client, "database_status");
    state.set("available", Tree::boolean(db_.is_available));
    if (state.find("healthy") == nullptr) state.set("healthy", Tree::boolean(db_.is_available));
    client.set("timestamp", Tree::integer(world_.now));
    if (!db_.coordinators_given) return;
    Tree list = Tree::list();
    std::size_t reachable = 0;
    for (const CoordinatorState& coordinator : db_.coordinators) {
      reachable += coordinator.is_reachable ? 1 : 0;
      list.items().push_back(Tree::map({{"address", text(to_string(coordinator.address))},
                                        {"reachable", Tree::boolean(coordinator.is_reachable)}}));
    }
    const bool has_quorum = db_.quorum_reachable && 2 * reachable > db_.coordinators.size();
    Tree& coordinators = child(client, "coordinators");
    coordinators.set("coordinators", std::move(list));
    coordinators.set("quorum_reachable", Tree::boolean(has_quorum || db_.coordinators.empty()));
  }

  void set_cluster(Tree& cluster) {
    set_configuration(cluster);
    if (!world_.status.connection_string.empty())
      cluster.set("connection_string", text(world_.status.connection_string));
    set_data(cluster);
    set_logs(cluster);
    set_recovery(cluster);
    if (db_.full_replication) cluster.set("full_replication", Tree::boolean(*db_.full_replication));
    cluster.set("maintenance_zone", text(db_.maintenance_zone));
    if (db_.maintenance_until) {
      cluster.set("maintenance_seconds_remaining",
                  Tree::integer(std::max<Time>(0, *db_.maintenance_until - world_.now)));
    }
    if (!given_.is_map()) {
      cluster.set("messages", messages_node(db_.messages));
      child(cluster, "bounce_impact").set("can_clean_bounce", Tree::boolean(db_.can_clean_bounce));
    }
    if (!world_.status.is_configured)
      child(cluster, "layers").set("_error", text("configurationMissing"));
    cluster.set("processes", processes());
  }

  void set_configuration(Tree& cluster) const {
    if (!db_.configuration) return;
    Tree& configuration = child(cluster, "configuration");
    if (configuration.entries().empty() ||
        !(world_.snapshot->database.configuration == db_.configuration)) {
      configuration = configuration_node(*db_.configuration);
    }
    Tree excluded = Tree::list();
    for (const std::string& target : db_.exclusions) {
      const bool is_locality = target.find("locality_") == 0;
      excluded.items().push_back(Tree::map({{is_locality ? "locality" : "address", text(target)}}));
    }
    configuration.set("excluded_servers", std::move(excluded));
    if (db_.coordinators_given) {
      configuration.set("coordinators_count",
                        Tree::integer(static_cast<std::int64_t>(db_.coordinators.size())));
    }
  }

  void set_data(Tree& cluster) const {
    if (!db_.total_kv_bytes && !db_.replicas_remaining && cluster.find("data") == nullptr) return;
    Tree& data = child(cluster, "data");
    if (db_.total_kv_bytes) data.set("total_kv_size_bytes", Tree::integer(*db_.total_kv_bytes));
    if (db_.total_disk_used_bytes)
      data.set("total_disk_used_bytes", Tree::integer(*db_.total_disk_used_bytes));
    std::int64_t moving = 0;
    for (const Member& group : world_.groups) {
      if (group.exclude_running) moving += group.stored_bytes().value_or(0);
    }
    child(data, "moving_data").set("in_queue_bytes", Tree::integer(moving));
    child(data, "state").set("healthy", Tree::boolean(db_.data_is_healthy));
    if (!db_.replicas_remaining) return;
    const Tree old =
        data.find("team_trackers") == nullptr ? Tree::list() : *data.find("team_trackers");
    Tree trackers = Tree::list();
    for (std::size_t i = 0; i < db_.replicas_remaining->size(); ++i) {
      Tree tracker =
          i < old.items().size() ? old.items()[i] : Tree::map({{"primary", Tree::boolean(i == 0)}});
      child(tracker, "state")
          .set("min_replicas_remaining", Tree::integer((*db_.replicas_remaining)[i]));
      trackers.items().push_back(std::move(tracker));
    }
    data.set("team_trackers", std::move(trackers));
  }

  void set_logs(Tree& cluster) const {
    if (!db_.logs || cluster.find("logs") != nullptr) return;
    Tree list = Tree::list();
    for (const LogSet& set : *db_.logs) {
      list.items().push_back(
          Tree::map({{"current", Tree::boolean(true)},
                     {"log_replication_factor", Tree::integer(set.factor)},
                     {"log_fault_tolerance", Tree::integer(set.tolerance)},
                     {"remote_log_replication_factor", Tree::integer(set.remote_factor)},
                     {"remote_log_fault_tolerance", Tree::integer(set.remote_tolerance)},
                     {"satellite_log_replication_factor", Tree::integer(set.satellite_factor)},
                     {"satellite_log_fault_tolerance", Tree::integer(set.satellite_tolerance)}}));
    }
    cluster.set("logs", std::move(list));
  }

  void set_recovery(Tree& cluster) const {
    Tree& recovery = child(cluster, "recovery_state");
    if (db_.recovered_at)
      recovery.set("seconds_since_last_recovered", Tree::integer(world_.now - *db_.recovered_at));
    recovery.set("active_generations", Tree::integer(db_.active_generations.value_or(1)));
    recovery.set("name", text(db_.recovery_state.empty() ? "fully_recovered" : db_.recovery_state));
  }

  Tree processes() {
    const Tree* given = given_.at({"cluster", "processes"});
    std::map<std::string, const Tree*> by_address;
    Tree map = Tree::map();
    if (given != nullptr) {
      for (const auto& [key, node] : given->entries()) {
        if (is_foreign(node)) {
          map.entries().emplace_back(key, node);
        } else if (const Tree* address = node.find("address")) {
          by_address[address->text()] = &node;
          keys_[address->text()] = key;
        }
      }
    }
    for (const Member& group : world_.groups) {
      for (const Process& process : group.processes) {
        const std::string address =
            process.addresses.empty() ? std::string() : to_string(process.addresses.front());
        const auto known = by_address.find(address);
        const std::string id = fmt::format("{}-{}", group.id, process.number);
        if (known == by_address.end()) {
          map.entries().emplace_back(sha256_hex(id).substr(0, 32), new_process(group, process));
        } else {
          map.entries().emplace_back(keys_[address], old_process(*known->second, group, process));
        }
      }
    }
    return map;
  }

  [[nodiscard]] bool is_foreign(const Tree& node) const {
    const Tree* locality = node.find("locality");
    const Tree* id = locality == nullptr ? nullptr : locality->find("instance_id");
    if (id == nullptr && locality != nullptr) id = locality->find("process_id");
    if (id == nullptr) return true;
    const std::string group =
        id == locality->find("instance_id") ? id->text() : group_of_process_id(id->text());
    return world_.snapshot->find(group) == nullptr;
  }

  [[nodiscard]] std::int64_t uptime(const Process& process) const {
    return process.started ? std::max<std::int64_t>(0, world_.now - *process.started) : 864000;
  }

  /// A process that the plan did not start, as it was given but for what has changed since.
  [[nodiscard]] Tree old_process(const Tree& given, const Member& group,
                                 const Process& process) const {
    Tree node = given;
    node.set("excluded", Tree::boolean(process.is_excluded));
    if (process.started) node.set("uptime_seconds", Tree::integer(uptime(process)));
    if (!process.version.empty()) node.set("version", text(process.version));
    if (const std::string line = reported_command(world_, group, process);
        !line.empty() && !process.is_incomplete)
      node.set("command_line", text(line));
    node.set("roles", roles(given.find("roles"), process));
    set_disk(node, process);
    return node;
  }

  [[nodiscard]] Tree new_process(const Member& group, const Process& process) const {
    const bool is_split_single =
        group.pod && group.pod->image_type == ImageType::Split && group.pod->servers <= 1;
    Tree locality = Tree::map({{"instance_id", text(group.id)}});
    if (!is_split_single)
      locality.set("process_id", text(fmt::format("{}-{}", group.id, process.number)));
    locality.set("zoneid", text(process.zone));
    locality.set("machineid", text(process.machine_or_zone()));
    if (!process.data_center.empty()) locality.set("dcid", text(process.data_center));
    if (!process.data_hall.empty()) locality.set("data_hall", text(process.data_hall));
    if (!process.dns_name.empty()) locality.set("dns_name", text(process.dns_name));
    Tree node = Tree::map();
    if (!process.addresses.empty()) node.set("address", text(to_string(process.addresses.front())));
    node.set("class_type", text(name(process.process_class)));
    node.set("command_line", text(reported_command(world_, group, process)));
    node.set("excluded", Tree::boolean(process.is_excluded));
    node.set("locality", std::move(locality));
    node.set("messages", Tree::list());
    node.set("roles", roles(nullptr, process));
    node.set("uptime_seconds", Tree::integer(uptime(process)));
    node.set("version", text(process.version.empty() ? to_string(world_.status.running_version)
                                                     : process.version));
    set_disk(node, process);
    return node;
  }

  static void set_disk(Tree& node, const Process& process) {
    if (process.disk_free_bytes)
      child(node, "disk").set("free_bytes", Tree::integer(*process.disk_free_bytes));
    if (process.disk_total_bytes)
      child(node, "disk").set("total_bytes", Tree::integer(*process.disk_total_bytes));
  }

  static Tree storage_role(const Tree& given, const Process& process) {
    Tree role = given;
    if (process.stored_bytes) role.set("stored_bytes", Tree::integer(*process.stored_bytes));
    if (process.used_bytes) role.set("kvstore_used_bytes", Tree::integer(*process.used_bytes));
    if (process.store_free_bytes)
      role.set("kvstore_free_bytes", Tree::integer(*process.store_free_bytes));
    if (process.store_total_bytes)
      role.set("kvstore_total_bytes", Tree::integer(*process.store_total_bytes));
    return role;
  }

  static Tree roles(const Tree* given, const Process& process) {
    Tree list = Tree::list();
    const auto add = [&list](std::string_view role) {
      list.items().push_back(Tree::map({{"role", text(role)}}));
    };
    if (process.is_coordinator) add("coordinator");
    const bool has_data = process.has_storage_role && (process.has_role || !process.is_excluded);
    bool has_storage = false;
    if (given != nullptr && given->is_list() && process.has_role) {
      for (const Tree& role : given->items()) {
        const Tree* kind = role.find("role");
        if (kind == nullptr || kind->text() == "coordinator") continue;
        const bool is_storage = kind->text() == "storage";
        // The sums of several roles of one process lie on the first.
        list.items().push_back(is_storage && !has_storage ? storage_role(role, process) : role);
        has_storage = has_storage || is_storage;
      }
      return list;
    }
    if (has_data) {
      add("storage");
      list.items().back() = storage_role(list.items().back(), process);
    }
    if (process.has_log_role && process.has_role) add("log");
    return list;
  }

  const Tree given_;
  const World& world_;
  const Database& db_;
  std::map<std::string, std::string> keys_;
};

}  // namespace

doc::Tree database_node(const Loaded& loaded, const World& world) {
  return DatabaseStatus(loaded, world).document();
}

}  // namespace ballast::fdb
