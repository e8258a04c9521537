// SPDX-License-Identifier: BSD-2-Clause
#include <utility>

#include "ballast/fdb/cli/groups_report.hpp"
#include "ballast/fdb/cli/state_files.hpp"
#include "ballast/kube/object.hpp"

namespace ballast::fdb {
namespace {

using kube::Node;

Node text(std::string_view value) { return Node::string(std::string(value)); }
Node time_text(Time time) { return Node::string(kube::format_time(time)); }

Node numbers(const std::vector<int>& list) {
  Node node = Node::list();
  for (const int number : list) node.items().push_back(Node::integer(number));
  return node;
}

/// The first design spells conditions as its other words: missingPvc.
std::string designed_name(Condition condition) {
  std::string text(name(condition));
  if (const auto at = text.find("PVC"); at != std::string::npos) text.replace(at, 3, "Pvc");
  text.front() = static_cast<char>(text.front() - 'A' + 'a');
  return text;
}

Node conditions_node(const Conditions& conditions, bool as_designed) {
  Node list = Node::list();
  for (std::size_t i = 0; i < kConditionCount; ++i) {
    const auto condition = static_cast<Condition>(i);
    if (!conditions.has(condition)) continue;
    list.items().push_back(
        Node::map({{as_designed ? "condition" : "type",
                    as_designed ? text(designed_name(condition)) : text(name(condition))},
                   {"timestamp", Node::integer(conditions.since(condition))}}));
  }
  return list;
}

Node group_node(const Member& group, bool with_id) {
  Node node = Node::map();
  if (with_id) node.set("processGroupID", text(group.id));
  node.set("processClass", text(name(group.process_class)));
  if (!group.addresses.empty()) {
    Node addresses = Node::list();
    for (const std::string& address : group.addresses) addresses.items().push_back(text(address));
    node.set("addresses", std::move(addresses));
  }
  if (group.marked) node.set("removalTimestamp", time_text(*group.marked));
  if (group.excluded) node.set("exclusionTimestamp", time_text(*group.excluded));
  if (group.exclusion_skipped) node.set("exclusionSkipped", Node::boolean(true));
  if (group.conditions.any())
    node.set("processGroupConditions", conditions_node(group.conditions, !with_id));
  if (!group.fault_domain.empty()) node.set("faultDomain", text(group.fault_domain));
  return node;
}

Node region_node(const Region& region) {
  Node centers = Node::list();
  for (const DataCenter& center : region.data_centers) {
    Node node = Node::map({{"id", text(center.id)}});
    if (center.priority != 0) node.set("priority", Node::integer(center.priority));
    if (center.is_satellite) node.set("satellite", Node::integer(1));
    centers.items().push_back(std::move(node));
  }
  Node node = Node::map({{"datacenters", std::move(centers)}});
  if (region.satellite_logs != 0) node.set("satellite_logs", Node::integer(region.satellite_logs));
  if (!region.satellite_redundancy_mode.empty())
    node.set("satellite_redundancy_mode", text(region.satellite_redundancy_mode));
  return node;
}

}  // namespace

Node configuration_node(const DatabaseConfiguration& configuration) {
  Node node = Node::map({{"redundancy_mode", text(configuration.redundancy_mode)},
                         {"storage_engine", text(configuration.storage_engine)},
                         {"usable_regions", Node::integer(configuration.usable_regions)}});
  if (!configuration.regions.empty()) {
    Node regions = Node::list();
    for (const Region& region : configuration.regions)
      regions.items().push_back(region_node(region));
    node.set("regions", std::move(regions));
  }
  const std::pair<std::string_view, int> counts[] = {
      {"logs", configuration.logs},
      {"proxies", configuration.proxies},
      {"commit_proxies", configuration.commit_proxies},
      {"grv_proxies", configuration.grv_proxies},
      {"resolvers", configuration.resolvers},
      {"log_routers", configuration.log_routers},
      {"remote_logs", configuration.remote_logs}};
  for (const auto& [key, count] : counts) {
    if (count != 0) node.set(key, Node::integer(count));
  }
  for (const auto& [key, value] : configuration.knobs) node.set(key, text(value));
  return node;
}

Node status_node(const World& world, bool as_map) {
  const ClusterStatus& status = world.status;
  Node node = Node::map();
  if (status.running_version.is_known())
    node.set("runningVersion", Node::string(to_string(status.running_version)));
  node.set("configured", Node::boolean(status.is_configured));
  if (!status.connection_string.empty())
    node.set("connectionString", text(status.connection_string));
  if (status.configuration) {
    node.set("databaseConfiguration", configuration_node(*status.configuration));
  } else if (world.db.configuration) {
    node.set("databaseConfiguration", configuration_node(*world.db.configuration));
  }
  Node required = Node::map();
  if (status.required.tls) required.set("tls", Node::boolean(true));
  if (status.required.non_tls) required.set("nonTLS", Node::boolean(true));
  node.set("requiredAddresses", std::move(required));
  node.set("storageServersPerDisk", numbers(status.storage_densities));
  node.set("logServersPerDisk", numbers(status.log_densities));
  Node images = Node::list();
  for (const ImageType image : status.image_types)
    images.items().push_back(text(image == ImageType::Unified ? "unified" : "split"));
  node.set("imageTypes", std::move(images));
  Node groups = as_map ? Node::map() : Node::list();
  for (const Member& group : world.groups) {
    if (as_map) {
      groups.set(group.id, group_node(group, false));
    } else {
      groups.items().push_back(group_node(group, true));
    }
  }
  node.set("processGroups", std::move(groups));
  return node;
}

Node cluster_node(const World& world, const Node& spec, bool as_map) {
  const Cluster& cluster = *world.snapshot;
  Node metadata =
      Node::map({{"name", text(cluster.name)}, {"namespace", text(cluster.name_space)}});
  if (cluster.generation != 0) metadata.set("generation", Node::integer(cluster.generation));
  if (!cluster.uid.empty()) metadata.set("uid", text(cluster.uid));
  return Node::map({{"apiVersion", text(cluster.is_v1beta1 ? "apps.foundationdb.org/v1beta1"
                                                           : "apps.foundationdb.org/v1beta2")},
                    {"kind", text("FoundationDBCluster")},
                    {"metadata", std::move(metadata)},
                    {"spec", spec},
                    {"status", status_node(world, as_map)}});
}

}  // namespace ballast::fdb
