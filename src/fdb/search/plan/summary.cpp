// SPDX-License-Identifier: BSD-2-Clause
// The cluster before the first step and after the last.
#include "ballast/fdb/model/counts.hpp"
#include "parts.hpp"

namespace ballast::fdb {
namespace {

Value list_of(const std::vector<int>& numbers) {
  Value list = Value::list();
  for (const int number : numbers) list.push(number);
  return list;
}

Value coordinators_value(const std::vector<CoordinatorState>& coordinators) {
  Value list = Value::list();
  for (const CoordinatorState& coordinator : coordinators)
    list.push(to_string(coordinator.address));
  return list;
}

Value required_value(const RequiredAddresses& required) {
  Value list = Value::list();
  if (required.tls) list.push("tls");
  if (required.non_tls) list.push("nonTLS");
  return list;
}

Value region_value(const Region& region) {
  Value centers = Value::list();
  for (const DataCenter& dc : region.data_centers) {
    Value entry = Value::map();
    entry.set("id", dc.id).set("priority", dc.priority).set("satellite", dc.is_satellite);
    centers.push(std::move(entry));
  }
  Value value = Value::map();
  value.set("datacenters", std::move(centers));
  if (region.satellite_logs != 0) value.set("satellite_logs", region.satellite_logs);
  if (!region.satellite_redundancy_mode.empty())
    value.set("satellite_redundancy_mode", region.satellite_redundancy_mode);
  return value;
}

Value configuration_value(const DatabaseConfiguration& configuration) {
  Value value = Value::map();
  value.set("redundancy_mode", configuration.redundancy_mode)
      .set("storage_engine", configuration.storage_engine)
      .set("usable_regions", configuration.usable_regions)
      .set("logs", configuration.logs)
      .set("resolvers", configuration.resolvers);
  if (configuration.commit_proxies > 0 || configuration.grv_proxies > 0) {
    value.set("commit_proxies", configuration.commit_proxies)
        .set("grv_proxies", configuration.grv_proxies);
  } else {
    value.set("proxies", configuration.proxies);
  }
  if (configuration.log_routers > 0) value.set("log_routers", configuration.log_routers);
  if (configuration.remote_logs > 0) value.set("remote_logs", configuration.remote_logs);
  for (const auto& [knob, setting] : configuration.knobs) value.set(knob, setting);
  if (configuration.regions.empty()) return value;
  Value regions = Value::list();
  for (const Region& region : configuration.regions) regions.push(region_value(region));
  value.set("regions", std::move(regions));
  return value;
}

/// Pods and processes of each class that has any.
template <class Groups>
void set_classes(const Groups& groups, Value& map) {
  PerClass<int> pods{};
  PerClass<int> processes{};
  for (const auto& group : groups) {
    if (group.is_leaving() && !group.pod) continue;
    ++pods[index(group.process_class)];
    processes[index(group.process_class)] += group.pod ? group.pod->servers : 0;
  }
  for (std::size_t i = 0; i < kClassCount; ++i) {
    if (pods[i] == 0) continue;
    Value row = Value::map();
    row.set("pods", pods[i]).set("processes", processes[i]);
    map.set(name(class_at(i)), std::move(row));
  }
}

void set_status(const ClusterStatus& status, const Database& database,
                const DatabaseConfiguration& wanted, Value& map) {
  map.set("coordinators", coordinators_value(database.coordinators))
      .set("storage_servers_per_disk", list_of(status.storage_densities))
      .set("log_servers_per_disk", list_of(status.log_densities))
      .set("required_addresses", required_value(status.required));
  if (status.running_version.is_known())
    map.set("running_version", to_string(status.running_version));
  if (database.configuration) {
    map.set("configuration",
            configuration_value(comparable_configuration(*database.configuration, wanted)));
  }
}

/// What there is: process groups with their class, node and volume.
Value objects_value(const std::vector<ProcessGroup>& groups) {
  Value all = Value::map();
  for (const ProcessGroup& group : groups) {
    Value figures = Value::map().set("class", std::string(name(group.process_class)));
    if (group.pod && !group.pod->node.empty()) figures.set("node", group.pod->node);
    if (!group.fault_domain.empty()) figures.set("zone", group.fault_domain);
    if (group.volume && !group.volume->is_assumed)
      figures.set("volume_bytes", group.volume->request_bytes);
    all.set(group.id, std::move(figures));
  }
  return Value::map().set("process_group", std::move(all));
}

}  // namespace

void add_summaries(const Cluster& snapshot, const ClusterSpec& desired,
                   const Simulation& simulation, plan::Plan& plan) {
  const DatabaseConfiguration wanted = normalised_configuration(desired);
  plan.before = Value::map();
  set_classes(snapshot.groups, plan.before);
  set_status(snapshot.status, snapshot.database, wanted, plan.before);
  plan.before.set("version", to_string(snapshot.spec.version));
  plan.objects = objects_value(snapshot.groups);
  plan.after = Value::map();
  set_classes(simulation.world.groups, plan.after);
  set_status(simulation.world.status, simulation.world.db, wanted, plan.after);
  plan.after.set("version", to_string(desired.version));
}

}  // namespace ballast::fdb
