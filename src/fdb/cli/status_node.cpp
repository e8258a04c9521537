// SPDX-License-Identifier: BSD-2-Clause
#include <utility>

#include "ballast/fdb/cli/groups_report.hpp"
#include "ballast/fdb/cli/state_files.hpp"
#include "ballast/kube/write.hpp"

namespace ballast::fdb {
namespace {

using doc::Tree;

using kube::put;
using kube::text;

Tree numbers(const std::vector<int>& list) {
  Tree node = Tree::list();
  for (const int number : list) node.items().push_back(Tree::integer(number));
  return node;
}

/// The first design spells conditions as its other words: missingPvc.
std::string designed_name(Condition condition) {
  std::string text(name(condition));
  if (const auto at = text.find("PVC"); at != std::string::npos) text.replace(at, 3, "Pvc");
  text.front() = static_cast<char>(text.front() - 'A' + 'a');
  return text;
}

Tree conditions_node(const Conditions& conditions, bool as_designed) {
  Tree list = Tree::list();
  for (std::size_t i = 0; i < kConditionCount; ++i) {
    const auto condition = static_cast<Condition>(i);
    if (!conditions.has(condition)) continue;
    list.items().push_back(
        Tree::map({{as_designed ? "condition" : "type",
                    as_designed ? text(designed_name(condition)) : text(name(condition))},
                   {"timestamp", Tree::integer(conditions.since(condition))}}));
  }
  return list;
}

Tree group_node(const Member& group, bool with_id) {
  Tree node = Tree::map();
  if (with_id) node.set("processGroupID", text(group.id));
  node.set("processClass", text(name(group.process_class)));
  if (!group.addresses.empty()) {
    Tree addresses = Tree::list();
    for (const std::string& address : group.addresses) addresses.items().push_back(text(address));
    node.set("addresses", std::move(addresses));
  }
  kube::put_time(node, "removalTimestamp", group.marked);
  kube::put_time(node, "exclusionTimestamp", group.excluded);
  if (group.exclusion_skipped) node.set("exclusionSkipped", Tree::boolean(true));
  if (group.conditions.any())
    node.set("processGroupConditions", conditions_node(group.conditions, !with_id));
  put(node, "faultDomain", group.fault_domain);
  return node;
}

Tree region_node(const Region& region) {
  Tree centers = Tree::list();
  for (const DataCenter& center : region.data_centers) {
    Tree node = Tree::map({{"id", text(center.id)}});
    if (center.priority != 0) node.set("priority", Tree::integer(center.priority));
    if (center.is_satellite) node.set("satellite", Tree::integer(1));
    centers.items().push_back(std::move(node));
  }
  Tree node = Tree::map({{"datacenters", std::move(centers)}});
  if (region.satellite_logs != 0) node.set("satellite_logs", Tree::integer(region.satellite_logs));
  put(node, "satellite_redundancy_mode", region.satellite_redundancy_mode);
  return node;
}

}  // namespace

Tree configuration_node(const DatabaseConfiguration& configuration) {
  Tree node = Tree::map({{"redundancy_mode", text(configuration.redundancy_mode)},
                         {"storage_engine", text(configuration.storage_engine)},
                         {"usable_regions", Tree::integer(configuration.usable_regions)}});
  if (!configuration.regions.empty()) {
    Tree regions = Tree::list();
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
    if (count != 0) node.set(key, Tree::integer(count));
  }
  for (const auto& [key, value] : configuration.knobs) node.set(key, text(value));
  return node;
}

Tree status_node(const World& world, bool as_map) {
  const ClusterStatus& status = world.status;
  Tree node = Tree::map();
  if (status.running_version.is_known())
    node.set("runningVersion", Tree::string(to_string(status.running_version)));
  node.set("configured", Tree::boolean(status.is_configured));
  put(node, "connectionString", status.connection_string);
  if (status.configuration) {
    node.set("databaseConfiguration", configuration_node(*status.configuration));
  } else if (world.db.configuration) {
    node.set("databaseConfiguration", configuration_node(*world.db.configuration));
  }
  Tree required = Tree::map();
  if (status.required.tls) required.set("tls", Tree::boolean(true));
  if (status.required.non_tls) required.set("nonTLS", Tree::boolean(true));
  node.set("requiredAddresses", std::move(required));
  node.set("storageServersPerDisk", numbers(status.storage_densities));
  node.set("logServersPerDisk", numbers(status.log_densities));
  Tree images = Tree::list();
  for (const ImageType image : status.image_types)
    images.items().push_back(text(image == ImageType::Unified ? "unified" : "split"));
  node.set("imageTypes", std::move(images));
  Tree groups = as_map ? Tree::map() : Tree::list();
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

Tree cluster_node(const World& world, const Tree& spec, bool as_map) {
  const Cluster& cluster = *world.snapshot;
  Tree object = kube::object(
      cluster.is_v1beta1 ? "apps.foundationdb.org/v1beta1" : "apps.foundationdb.org/v1beta2",
      "FoundationDBCluster", cluster.name, cluster.name_space);
  Tree& metadata = *object.find("metadata");
  if (cluster.generation != 0) metadata.set("generation", Tree::integer(cluster.generation));
  put(metadata, "uid", cluster.uid);
  object.set("spec", spec);
  object.set("status", status_node(world, as_map));
  return object;
}

}  // namespace ballast::fdb
