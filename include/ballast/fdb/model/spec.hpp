// SPDX-License-Identifier: BSD-2-Clause
// The wish: `spec` of a FoundationDBCluster, defaults filled in, older names resolved.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ballast/fdb/model/condition.hpp"
#include "ballast/fdb/model/process_class.hpp"
#include "ballast/fdb/model/redundancy.hpp"
#include "ballast/fdb/model/version.hpp"

namespace ballast::fdb {

enum class ImageType : std::uint8_t { Split, Unified };
enum class IpSource : std::uint8_t { Pod, Service };
enum class UpdateStrategy : std::uint8_t { Replace, ReplaceTransactionSystem, Delete };
/// How many pods go at once: deletionMode for recreation, removalMode for removal.
enum class Mode : std::uint8_t { All, Zone, ProcessGroup, None };

struct DataCenter {
  std::string id;
  int priority = 0;
  bool is_satellite = false;
  friend bool operator==(const DataCenter&, const DataCenter&) = default;
};

struct Region {
  std::vector<DataCenter> data_centers;
  int satellite_logs = 0;
  std::string satellite_redundancy_mode;
  friend bool operator==(const Region&, const Region&) = default;
};

/// Role counts of 0 mean "the default" in a wish and never occur in a normalised configuration.
struct DatabaseConfiguration {
  std::string redundancy_mode = "double";
  std::string storage_engine = "ssd-2";
  int usable_regions = 1;
  std::vector<Region> regions;
  int storage = 0;
  int logs = 0;
  int proxies = 0;
  int commit_proxies = 0;
  int grv_proxies = 0;
  int resolvers = 0;
  int log_routers = 0;
  int remote_logs = 0;
  /// log_spill, log_version, storage_migration_type, perpetual_storage_wiggle...: only those that
  /// are set.
  std::map<std::string, std::string> knobs;
  friend bool operator==(const DatabaseConfiguration&, const DatabaseConfiguration&) = default;
};

using Pairs = std::vector<std::pair<std::string, std::string>>;  ///< sorted by key

/// A container of a pod or of a template, as far as rules look at it.
struct Container {
  std::string name;
  std::string image;
  bool has_resources = false;
  std::int64_t cpu_milli = 0;     ///< request
  std::int64_t memory_bytes = 0;  ///< request
  std::optional<std::int64_t> run_as_user;
  std::optional<std::int64_t> run_as_group;
  Pairs env;  ///< names with plain values; what comes from elsewhere (valueFrom) is left out
  friend bool operator==(const Container&, const Container&) = default;
};

struct PodTemplate {
  /// The pod spec after defaults as canonical JSON (keys sorted): equal text, equal pods.
  std::string canonical;
  Pairs node_selector;
  std::vector<Container> containers;
  std::vector<Container> init_containers;
  std::optional<std::int64_t> run_as_user, run_as_group, fs_group;
  std::string fs_group_change_policy;
  Pairs labels;
  Pairs annotations;
  std::map<std::string, std::string> fields;  ///< leaves of `canonical`: path -> value
  friend bool operator==(const PodTemplate&, const PodTemplate&) = default;
};

struct VolumeTemplate {
  std::string hash;        ///< lower-case SHA-256 that the operator writes to the claim
  std::int64_t bytes = 0;  ///< requested
  Pairs labels;
  Pairs annotations;
  std::map<std::string, std::string> fields;  ///< leaves of the written spec: path -> value
  friend bool operator==(const VolumeTemplate&, const VolumeTemplate&) = default;
};

/// Settings of one class after the choice between its own entry and `general`.
struct ProcessSettings {
  PodTemplate pod;
  VolumeTemplate volume;
  std::vector<std::string> custom_parameters;
  bool pod_is_general = true;  ///< the template comes from `general` (or nowhere)
  bool volume_is_general = true;
  friend bool operator==(const ProcessSettings&, const ProcessSettings&) = default;
};

struct TaintOption {
  std::string key;
  std::int64_t seconds = 0;
  friend bool operator==(const TaintOption&, const TaintOption&) = default;
};

struct Replacements {
  bool enabled = true;
  bool is_default = true;  ///< `enabled` was not written
  int max_concurrent = 1;
  bool by_fault_domain = false;
  std::int64_t failure_seconds = 7200;
  std::int64_t taint_seconds = 1800;
  std::vector<TaintOption> taints;
  int max_tainted_domains = 10;  ///< of fault domains, or in percent of them
  bool max_tainted_is_percent = true;
  friend bool operator==(const Replacements&, const Replacements&) = default;
};

struct Automation {
  bool configure_database = true;
  bool kill_processes = true;
  UpdateStrategy update_strategy = UpdateStrategy::ReplaceTransactionSystem;
  Mode deletion_mode = Mode::Zone;
  Mode removal_mode = Mode::Zone;
  std::int64_t wait_between_removals_seconds = 60;
  std::optional<int> max_concurrent_replacements;
  Replacements replacements;
  bool use_localities = true;
  bool non_blocking_excludes = false;
  std::int64_t ignore_pending_seconds = 300;
  std::int64_t ignore_missing_seconds = 30;
  std::int64_t ignore_terminating_seconds = 600;
  std::int64_t failed_pod_seconds = 300;
  bool use_maintenance_checker = false;
  bool reset_maintenance = false;
  std::int64_t maintenance_seconds = 600;
  bool is_global = false;  ///< synchronizationMode global
  std::vector<std::string> ignored_log_groups = {"fdb-kubernetes-operator"};
  friend bool operator==(const Automation&, const Automation&) = default;
};

/// Bin packing of logical fault domains.
struct Distribution {
  bool enabled = false;
  int domains = 0;  ///< wanted; already defaulted to the minimum of the redundancy mode
  bool is_required = false;
  friend bool operator==(const Distribution&, const Distribution&) = default;
};

struct FaultDomain {
  std::string key = "kubernetes.io/hostname";
  std::string value;
  std::string value_from;
  std::optional<int> zone_count;
  int zone_index = 0;
  Distribution distribution;
  friend bool operator==(const FaultDomain&, const FaultDomain&) = default;
};

struct Routing {
  IpSource public_ip_source = IpSource::Pod;
  int ip_family = 0;
  bool dns_in_cluster_file = true;
  bool dns_localities = true;    ///< also where implied
  bool headless_service = true;  ///< also where implied
  std::string dns_domain = "cluster.local";
  friend bool operator==(const Routing&, const Routing&) = default;
};

struct Buggify {
  std::vector<std::string> no_schedule;
  std::vector<std::string> crash_loop;  ///< any container of the groups
  std::vector<std::string> ignore_during_restart;
  std::vector<std::string> block_removal;
  bool empty_monitor_conf = false;
  friend bool operator==(const Buggify&, const Buggify&) = default;
};

struct ClusterSpec {
  Version version;
  PerClass<int> counts{};  ///< as written: 0 derive, -1 none
  int storage_servers_per_pod = 1;
  int log_servers_per_pod = 1;
  DatabaseConfiguration database;
  FaultDomain fault_domain;
  PerClass<ProcessSettings> processes;
  Routing routing;
  Automation automation;
  std::vector<std::string> groups_to_remove;
  std::vector<std::string> groups_to_remove_without_exclusion;
  std::string group_prefix;
  std::vector<std::pair<ProcessClass, int>> coordinator_selection;
  std::int64_t minimum_uptime_seconds = 600;
  bool replace_on_resource_change = false;
  std::optional<int> max_unavailable_zones;
  bool enable_tls = false;
  std::string peer_verification_rules;
  std::string main_image;  ///< base image and tag for `version`
  std::string sidecar_image;
  std::string sidecar_settings;  ///< canonical text of what only the split image sees
  ImageType image_type = ImageType::Unified;
  std::vector<std::string> trusted_cas;
  std::map<std::string, std::string> config_map_overlay;
  std::map<std::string, std::string> config_map_metadata;  ///< keys "labels.x", "annotations.x"
  std::string log_group;
  std::string data_center;
  std::string data_hall;
  bool explicit_listen_address = true;
  Pairs match_labels;
  std::vector<std::string> id_labels;
  std::vector<std::string> class_labels;
  bool filter_on_owner = false;
  std::vector<std::string> lock_deny_list;
  bool uses_locks = false;
  std::int64_t lock_minutes = 10;
  std::string seed_connection_string;
  bool skip = false;
  bool ignore_upgradability = false;
  Buggify buggify;

  friend bool operator==(const ClusterSpec&, const ClusterSpec&) = default;

  [[nodiscard]] Redundancy redundancy() const { return redundancy_of(database.redundancy_mode); }
  /// Servers in one pod of the class; 1 for classes without a density.
  [[nodiscard]] int density(ProcessClass c) const;
  [[nodiscard]] bool excludes_by_locality(const Version& running) const {
    return automation.use_localities && supports_locality_exclusion(running);
  }
  [[nodiscard]] bool is_eligible_coordinator(ProcessClass c) const;
  /// Priority among coordinators; where none is written, log classes come before storage.
  [[nodiscard]] int coordinator_priority(ProcessClass c) const;
  /// Other objects describe further parts of the same database: regions, data halls, Kubernetes
  /// clusters.
  [[nodiscard]] bool shares_database() const;
  [[nodiscard]] bool uses_distribution() const { return fault_domain.distribution.enabled; }
};

/// The pod shape of one class: two specs whose texts are equal make equal pods of that class.
std::string pod_shape(const ClusterSpec& spec, ProcessClass c);

}  // namespace ballast::fdb
