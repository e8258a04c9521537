// SPDX-License-Identifier: BSD-2-Clause
// `spec` of a FoundationDBCluster.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "ballast/fdb/backend/canonical.hpp"
#include "spec_parts.hpp"

namespace ballast::fdb {
namespace {

constexpr std::int64_t kMostOfARole = 10'000;  ///< processes; more no plan can be read for

using doc::Tree;
std::string json_or_empty(const Tree* node) {
  return node == nullptr ? std::string() : canonical_json(*node);
}

void read_counts(MapReader reader, ClusterSpec& spec) {
  if (reader.node() == nullptr) return;
  for (const auto& [key, value] : reader.node()->entries()) {
    const auto c = parse_process_class(key);
    if (!c) {
      reader.complain("F008", value, key, quoted(key) + ": expected a process class");
      continue;
    }
    reader.integer(key, spec.counts[index(*c)], -1, kMostOfARole);
  }
}

struct ImageConfig {
  std::string version;  ///< empty: any
  std::optional<std::string> base, suffix;
  std::string tag;
};

std::vector<ImageConfig> read_image_configs(MapReader& reader) {
  std::vector<ImageConfig> configs;
  for (MapReader& entry : reader.maps("imageConfigs")) {
    ImageConfig config;
    entry.any_text("version", config.version);
    entry.any_text("tag", config.tag);
    if (entry.raw("baseImage") != nullptr) entry.text("baseImage", config.base.emplace());
    if (entry.raw("tagSuffix") != nullptr) entry.any_text("tagSuffix", config.suffix.emplace());
    entry.finish();
    configs.push_back(std::move(config));
  }
  return configs;
}

std::string image_for(const std::vector<ImageConfig>& configs, const ClusterSpec& spec,
                      const std::string& base, const std::string& suffix) {
  // Later entries fill what earlier ones left open.
  ImageConfig image;
  for (const ImageConfig& config : configs) {
    if (!config.version.empty() && config.version != to_string(spec.version)) continue;
    if (!image.base) image.base = config.base;
    if (!image.suffix) image.suffix = config.suffix;
    if (image.tag.empty()) image.tag = config.tag;
  }
  return image.base.value_or(base) + ":" +
         (image.tag.empty() ? to_string(spec.version) + image.suffix.value_or(suffix) : image.tag);
}

void read_images(MapReader& reader, ClusterSpec& spec, bool is_v1beta1) {
  spec.image_type = is_v1beta1 ? ImageType::Split : ImageType::Unified;
  if (const auto i = reader.one_of("imageType", {"split", "unified"}))
    spec.image_type = static_cast<ImageType>(*i);
  MapReader main = reader.map("mainContainer");
  MapReader sidecar = reader.map("sidecarContainer");
  main.boolean("enableTls", spec.enable_tls);
  main.text("peerVerificationRules", spec.peer_verification_rules);
  const std::vector<ImageConfig> main_images = read_image_configs(main);
  const std::vector<ImageConfig> sidecar_images = read_image_configs(sidecar);
  sidecar.ignore(
      {"enableTls", "peerVerificationRules", "enableLivenessProbe", "enableReadinessProbe"});
  main.finish();
  sidecar.finish();
  const bool is_split = spec.image_type == ImageType::Split;
  spec.main_image =
      image_for(main_images, spec,
                is_split ? "foundationdb/foundationdb" : "foundationdb/fdb-kubernetes-monitor", "");
  spec.sidecar_image = is_split ? image_for(sidecar_images, spec,
                                            "foundationdb/foundationdb-kubernetes-sidecar", "-1")
                                : spec.main_image;
  std::string settings = json_or_empty(reader.raw("sidecarVariables"));
  for (const std::string_view key :
       {"enableTls", "peerVerificationRules", "enableLivenessProbe", "enableReadinessProbe"}) {
    settings += "|" + json_or_empty(sidecar.raw(key));
  }
  spec.sidecar_settings = settings;
}

void read_selection(MapReader& reader, ClusterSpec& spec) {
  for (MapReader& entry : reader.maps("coordinatorSelection")) {
    if (entry.node() == nullptr) continue;  // no mapping, which is told
    std::string name;
    int priority = 0;
    entry.text("processClass", name);
    entry.integer("priority", priority);
    entry.finish();
    const auto c = parse_process_class(name);
    if (!c || !is_stateful(*c)) {
      entry.complain(
          "F008", *entry.node(), "processClass",
          quoted(name) +
              ": expected a class with a volume: storage, log, transaction or coordinator");
      continue;
    }
    spec.coordinator_selection.emplace_back(*c, priority);
  }
}

void read_locks(MapReader reader, ClusterSpec& spec) {
  const bool is_set = reader.has("disableLocks");
  bool disabled = false;
  reader.boolean("disableLocks", disabled);
  const bool is_shared = spec.fault_domain.zone_count.value_or(1) > 1 ||
                         spec.database.regions.size() > 1 ||
                         spec.database.redundancy_mode == "three_data_hall";
  spec.uses_locks = is_set ? !disabled : is_shared;
  reader.integer("lockDurationMinutes", spec.lock_minutes, 0);
  reader.ignore({"lockKeyPrefix"});
  for (MapReader& entry : reader.maps("denyList")) {
    std::string id;
    bool is_allowed = false;
    entry.text("id", id);
    entry.boolean("allow", is_allowed);
    entry.finish();
    if (!is_allowed && !id.empty()) spec.lock_deny_list.push_back(id);
  }
  reader.finish();
}

void read_config_map(MapReader reader, ClusterSpec& spec) {
  if (const Tree* data = reader.raw("data"); data != nullptr && data->is_map()) {
    for (const auto& [key, value] : data->entries()) spec.config_map_overlay[key] = value.text();
  }
  const Tree* metadata = reader.raw("metadata");
  for (const char* kind : {"labels", "annotations"}) {
    const Tree* map = metadata != nullptr && metadata->is_map() ? metadata->find(kind) : nullptr;
    if (map == nullptr || !map->is_map()) continue;
    for (const auto& [key, value] : map->entries())
      spec.config_map_metadata[std::string(kind) + "." + key] = value.text();
  }
}

void read_buggify(MapReader reader, Buggify& buggify) {
  reader.texts("noSchedule", buggify.no_schedule);
  reader.texts("blockRemoval", buggify.block_removal);
  reader.boolean("emptyMonitorConf", buggify.empty_monitor_conf);
  reader.texts("crashLoop", buggify.crash_loop);
  reader.texts("ignoreDuringRestart", buggify.ignore_during_restart);
  for (MapReader& entry : reader.maps("crashLoopContainers")) {
    std::vector<std::string> targets;
    entry.texts("targets", targets);
    entry.ignore({"containerName"});
    entry.finish();
    buggify.crash_loop.insert(buggify.crash_loop.end(), targets.begin(), targets.end());
  }
  reader.finish();
}

void read_version(MapReader& reader, ClusterSpec& spec, bool is_lenient) {
  const Tree* node = reader.raw("version");
  if (node == nullptr) {
    const Place place = reader.node() == nullptr ? Place{} : reader.node()->place();
    reader.context().errors->add("F006", reader.path_of("version"), "missing: expected x.y.z",
                                 place);
    return;
  }
  const auto version = parse_version(node->is_scalar() ? node->text() : "");
  if (!version) {
    reader.complain("F006", *node, "version", quoted(node->text()) + ": expected x.y.z");
    return;
  }
  spec.version = *version;
  if (*version >= Version{7, 1, 0}) return;
  if (!is_lenient) {
    reader.complain("F006", *node, "version", quoted(node->text()) + ": expected 7.1.0 or newer");
  } else if (reader.context().notes != nullptr) {
    reader.context().notes->push_back(
        {"old-version", "version " + node->text() + " is older than 7.1.0"});
  }
}

void check_engine(MapReader& reader, const ClusterSpec& spec) {
  const std::string& engine = spec.database.storage_engine;
  const bool is_sharded = engine == "ssd-sharded-rocksdb" && spec.version < Version{7, 2, 0};
  const bool is_redwood = engine == "ssd-redwood-1" && spec.version < Version{7, 3, 0};
  if (!is_sharded && !is_redwood) return;
  const Tree* node = reader.raw("databaseConfiguration")->find("storage_engine");
  reader.complain("F007", *node, "databaseConfiguration.storage_engine",
                  fmt::format("{}: expected version {} or newer", quoted(engine),
                              is_sharded ? "7.2.0" : "7.3.0"));
}

void read_rest(MapReader& reader, ClusterSpec& spec) {
  reader.integer("storageServersPerPod", spec.storage_servers_per_pod, 0, 100);
  reader.integer("logServersPerPod", spec.log_servers_per_pod, 0, 100);
  reader.texts("processGroupsToRemove", spec.groups_to_remove);
  reader.texts("processGroupsToRemoveWithoutExclusion", spec.groups_to_remove_without_exclusion);
  reader.text("processGroupIDPrefix", spec.group_prefix);
  reader.integer("minimumUptimeSecondsForBounce", spec.minimum_uptime_seconds, 0);
  if (spec.minimum_uptime_seconds == 0) spec.minimum_uptime_seconds = 600;
  reader.boolean("replaceInstancesWhenResourcesChange", spec.replace_on_resource_change);
  reader.integer("maxZonesWithUnavailablePods", spec.max_unavailable_zones, 0);
  reader.texts("trustedCAs", spec.trusted_cas);
  read_config_map(reader.map("configMap"), spec);
  reader.text("logGroup", spec.log_group);
  reader.text("dataCenter", spec.data_center);
  reader.text("dataHall", spec.data_hall);
  reader.boolean("useExplicitListenAddress", spec.explicit_listen_address);
  reader.any_text("seedConnectionString", spec.seed_connection_string);
  reader.ignore({"partialConnectionString", "nextInstanceID"});
  reader.boolean("skip", spec.skip);
  reader.boolean("ignoreUpgradabilityChecks", spec.ignore_upgradability);
}

Region read_region(MapReader& reader) {
  Region region;
  reader.integer("satellite_logs", region.satellite_logs, 0, kMostOfARole);
  reader.text("satellite_redundancy_mode", region.satellite_redundancy_mode);
  for (MapReader& entry : reader.maps("datacenters")) {
    DataCenter data_center;
    int satellite = 0;
    entry.text("id", data_center.id);
    entry.integer("priority", data_center.priority);
    entry.integer("satellite", satellite);
    entry.finish();
    data_center.is_satellite = satellite != 0;
    region.data_centers.push_back(std::move(data_center));
  }
  reader.finish();
  return region;
}

}  // namespace

DatabaseConfiguration read_configuration(const doc::Tree* node, std::string path,
                                         DatabaseConfiguration base, const ReadContext& context,
                                         bool is_live) {
  MapReader reader(node, std::move(path), context);
  if (is_live) {
    reader.text("redundancy_mode", base.redundancy_mode);
  } else if (const auto i = reader.one_of("redundancy_mode",
                                          {"single", "double", "triple", "three_data_hall", ""})) {
    static constexpr std::array<std::string_view, 5> kNames = {"single", "double", "triple",
                                                               "three_data_hall", "double"};
    base.redundancy_mode = kNames[*i];
  }
  reader.text("storage_engine", base.storage_engine);
  reader.integer("usable_regions", base.usable_regions, 0, 2);
  reader.integer("storage", base.storage, -1, kMostOfARole);
  reader.integer("logs", base.logs, -1, kMostOfARole);
  reader.integer("proxies", base.proxies, -1, kMostOfARole);
  reader.integer("commit_proxies", base.commit_proxies, -1, kMostOfARole);
  reader.integer("grv_proxies", base.grv_proxies, -1, kMostOfARole);
  reader.integer("resolvers", base.resolvers, -1, kMostOfARole);
  reader.integer("log_routers", base.log_routers, -1, kMostOfARole);
  reader.integer("remote_logs", base.remote_logs, -1, kMostOfARole);
  for (const std::string_view knob :
       {"log_spill", "log_version", "storage_migration_type", "perpetual_storage_wiggle",
        "perpetual_storage_wiggle_locality", "perpetual_storage_wiggle_engine"}) {
    std::string value;
    reader.any_text(knob, value);
    if (!value.empty()) base.knobs[std::string(knob)] = value;
  }
  reader.ignore({"excluded_servers", "coordinators_count"});
  if (reader.has("regions")) base.regions.clear();
  for (MapReader& entry : reader.maps("regions")) base.regions.push_back(read_region(entry));
  reader.finish();
  return base;
}

ClusterSpec read_spec(const doc::Tree* node, const std::string& cluster_name, bool is_v1beta1,
                      bool is_lenient, const ReadContext& context) {
  ClusterSpec spec;
  MapReader reader(node, "spec", context);
  read_version(reader, spec, is_lenient || is_v1beta1);
  spec.database = read_configuration(reader.raw("databaseConfiguration"),
                                     "spec.databaseConfiguration", {}, context);
  read_counts(reader.map("processCounts"), spec);
  read_fault_domain(reader.map("faultDomain"), spec);
  read_images(reader, spec, is_v1beta1);
  read_processes(reader.raw("processes"), spec, context);
  read_routing(reader.map("routing"), spec.routing, is_v1beta1);
  read_automation(reader.map("automationOptions"), spec.automation, is_v1beta1);
  read_selection(reader, spec);
  read_labels(reader.map("labels"), spec, cluster_name);
  read_locks(reader.map("lockOptions"), spec);
  read_buggify(reader.map("buggify"), spec.buggify);
  read_rest(reader, spec);
  if (spec.log_group.empty()) spec.log_group = cluster_name;
  check_engine(reader, spec);
  reader.finish();
  return spec;
}

}  // namespace ballast::fdb
