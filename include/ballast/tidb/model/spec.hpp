// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::tidb {

/// The three components that are planned, in the order in which the operator handles them.
enum class Component : std::uint8_t { Pd, Tikv, Tidb };
inline constexpr std::array kComponents{Component::Pd, Component::Tikv, Component::Tidb};
inline constexpr std::size_t kComponentCount = kComponents.size();

/// "pd", "tikv", "tidb".
std::string_view name_of(Component component);
std::optional<Component> component_named(std::string_view name);
constexpr std::size_t index_of(Component component) { return static_cast<std::size_t>(component); }

/// The rule set of an operator line.
enum class Profile : std::uint8_t { V10, V16, V2 };
std::string_view name_of(Profile profile);

/// The way in which a file spells a cluster.
enum class Form : std::uint8_t { Values, Single, List, Merged, Hetero, Groups };

/// Field name -> canonical text of its value; absent and empty values have no entry.
using Fields = std::map<std::string, std::string>;

/// Names of the fields in which two sets of fields differ, sorted.
std::vector<std::string> differing(const Fields& left, const Fields& right);

struct Requirement {
  enum class Op : std::uint8_t { In, NotIn, Exists, DoesNotExist, Gt, Lt };
  std::string key;
  Op op = Op::In;
  std::vector<std::string> values;
};

struct Toleration {
  std::string key;      // empty with Exists: every key
  bool exists = false;  // else the values must be equal
  std::string value;
  std::string effect;  // empty: every effect
};

struct AntiAffinity {
  std::string topology_key;
  std::vector<Requirement> selector;  // all must hold
};

/// What a pod of a set asks of a node.
struct Placement {
  std::map<std::string, std::string> node_selector;
  std::vector<std::vector<Requirement>>
      node_terms;  // any term, all of its requirements; empty: no demand
  std::vector<AntiAffinity> anti_affinity;
  std::vector<Toleration> tolerations;
  std::string scheduler;
  std::int64_t cpu_milli = 0;
  std::int64_t memory_bytes = 0;
};

/// v2: nodes that carry all of the labels, and how many instances they get for each of another
/// topology with weight 1.
struct Topology {
  std::map<std::string, std::string> labels;
  std::int64_t weight = 1;  // at least 1
};

/// One StatefulSet of a component (one group under profile v2), as it is wished.
struct SetSpec {
  Component component = Component::Pd;
  std::string name;         // "default" for the upper level
  std::string statefulset;  // name of the StatefulSet
  std::string config_map;   // base name of the ConfigMap
  std::string path;         // where it stands in the file, "tikv.extra[1]"
  std::int64_t replicas = 0;
  std::string image;
  std::string version;          // profile v2, and the tag of the image otherwise
  bool has_base_image = false;  // the image is put together from baseImage and version
  Fields pod_template;          // a change restarts every pod
  Fields config;                // config, preStartScript
  /// The values of both as they are written, by path ("requests.cpu", "tolerations[0].key"): for
  /// people, never compared to find out whether something changes.
  Fields shown;
  bool config_rollout = true;  // a change of config makes a new ConfigMap, hence a restart
  std::string storage_class;
  std::optional<std::int64_t> storage_bytes;
  std::string data_sub_dir;
  Fields volumes;  // storageVolumes, by name
  Fields service;
  std::int64_t max_failover = 3;
  bool recover_failover = false;
  std::string recover_by_uid;
  std::int64_t scale_in_parallelism = 1;
  std::int64_t scale_out_parallelism = 1;
  std::int64_t evict_leader_s = 90'000;  // 1,500 min
  std::int64_t transfer_back_s = 400;
  bool suspended = false;
  bool on_delete = false;  // updateStrategy OnDelete
  Placement placement;
  std::vector<std::int64_t> slots;           // delete slots that hold for this set, ascending
  std::vector<std::string> claim_templates;  // "tikv", "tikv-v"
  std::int64_t max_surge = 0;                // v2
  std::vector<Topology> spread;              // v2: topologies of EvenlySpread, in order
  bool bootstrapped = false;                 // v2 PD group: joins an existing cluster
};

/// A warning, note or assumption that the reading of the files gave rise to.
struct Remark {
  std::string code;
  std::string subject;
  std::string text;
};

/// One side of a plan: everything that is wished, defaults and inheritance resolved.
struct ClusterSpec {
  std::string name;
  std::string ns;  // empty: not said
  Form form = Form::Values;
  std::array<std::vector<SetSpec>, kComponentCount> sets;  // default first, then file order
  std::array<bool, kComponentCount> given{};               // named in the file
  std::array<std::int64_t, kComponentCount> min_ready_s{};
  bool paused = false;
  bool force_upgrade = false;
  bool check_pd_quorum = false;
  bool check_stores_up = false;
  bool auto_recovery = false;
  bool reclaim_claims = false;   // enablePVReclaim
  bool replace_volumes = false;  // enablePVCReplace
  std::string topology_key;      // ha-topology-key; empty: host name
  std::string reclaim_policy;
  std::optional<std::int64_t> max_replicas;   // from the PD config
  std::vector<std::string> location_labels;   // from the PD config
  Fields other_components;                    // tiflash, ticdc, pump, ...: canonical text
  Fields services;                            // cluster-level services
  std::array<bool, 3> others_running{};       // TiFlash, TiCDC, Pump wanted with replicas > 0
  std::vector<std::string> suspended_others;  // of tiflash, ticdc, pump: named, and suspended
  bool slots_given = false;
  bool no_constraints = false;  // v2 upgradePolicy
  std::vector<Remark> remarks;

  const std::vector<SetSpec>& of(Component component) const { return sets[index_of(component)]; }
  std::vector<SetSpec>& of(Component component) { return sets[index_of(component)]; }
  const SetSpec* find(Component component, std::string_view set) const;
};

/// Ordinals of a set with `replicas` pods and delete slots `slots` (ascending), ascending.
std::vector<std::int64_t> ordinals(std::int64_t replicas, const std::vector<std::int64_t>& slots);

/// Replicas of all sets of a component together.
std::int64_t total_replicas(const std::vector<SetSpec>& sets);

/// Whether a change of the set restarts its pods: template, config with rollout, or the rollout
/// itself.
std::vector<std::string> restart_fields(const SetSpec& now, const SetSpec& wished);

}  // namespace ballast::tidb
