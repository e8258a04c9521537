// SPDX-License-Identifier: BSD-2-Clause
// A process group: one pod, its volume and service, the servers in it, and what the operator
// remembers of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ballast/fdb/model/address.hpp"
#include "ballast/fdb/model/condition.hpp"
#include "ballast/fdb/model/spec.hpp"

namespace ballast::fdb {

enum class Phase : std::uint8_t { Pending, Running, Succeeded, Failed };

struct Pod {
  std::string name;
  std::string node;                     ///< empty: not known
  std::vector<std::string> public_ips;  ///< of the service where that is the source
  std::string own_ip;                   ///< of the pod itself; empty: not known
  std::optional<Time> created;
  std::optional<Time> terminating_since;
  bool is_held = false;  ///< by a finalizer: once deleted, it stays and terminates for ever
  Phase phase = Phase::Running;
  bool is_ready = true;
  std::string unschedulable;  ///< the scheduler's message of a pending pod
  int servers = 1;
  ImageType image_type = ImageType::Unified;
  int ip_family = 0;
  IpSource public_ip_source = IpSource::Pod;
  Pairs node_selector;
  Pairs labels, annotations;  ///< all that were given
  std::vector<Container> containers;
  std::vector<Container> init_containers;
  std::optional<std::int64_t> run_as_user, run_as_group, fs_group;
  std::string fs_group_change_policy;
  std::string distribution_key;
  std::string claim_name;       ///< of the data volume
  std::string version;          ///< tag of the main image; empty: not known
  std::string sidecar_version;  ///< tag of the sidecar's image; empty: not known
  bool is_isolated = false;
  bool is_assumed = false;    ///< no pods were given: made up from the spec
  bool spec_differs = false;  ///< from the wanted pod spec (see the planner's rule)
  bool metadata_differs = false;
  bool has_config_hash = true;
  std::string config_hash;  ///< annotation: of the config map that its files were copied from
  std::optional<Time> outdated_seen;  ///< annotation: when its files last lagged behind the map
  bool has_node_note = false;  ///< annotation that names its node; written after it was scheduled
  int config = 0;              ///< number of the configuration it runs with; the planner's
};

struct Volume {
  std::string name;
  std::string spec_hash;      ///< annotation; empty: none
  Pairs labels, annotations;  ///< all that were given
  std::int64_t request_bytes = 0;
  std::int64_t capacity_bytes = 0;  ///< 0: not known
  bool is_assumed = false;
  bool is_terminating = false;
  bool metadata_differs = false;
};

/// One server that the database reports.
struct Process {
  int number = 1;                  ///< within the pod, from 1
  std::vector<Address> addresses;  ///< the first is the one it is known by
  ProcessClass process_class = ProcessClass::Unset;
  std::string zone, machine, data_center, data_hall, dns_name;
  bool is_excluded = false;
  bool is_coordinator = false;
  bool has_role = false;  ///< any role besides coordinator
  bool has_storage_role = false;
  bool has_log_role = false;
  bool has_io_error = false;
  /// It tells no start command or no version although others do: something is wrong with it, and it
  /// counts as missing.
  bool is_incomplete = false;
  double run_loop_busy = 0;
  std::string version;       ///< empty: not reported
  std::string command_line;  ///< empty: not reported
  std::optional<Time> started;
  std::optional<std::int64_t> stored_bytes, used_bytes, store_free_bytes, store_total_bytes;
  std::optional<std::int64_t> disk_free_bytes, disk_total_bytes;
  int command = 0;  ///< number of the start command it runs with; the planner's

  /// A machine that is not known is told apart as its zone is.
  [[nodiscard]] const std::string& machine_or_zone() const {
    return machine.empty() ? zone : machine;
  }
};

struct ProcessGroup {
  std::string id;
  ProcessClass process_class = ProcessClass::Unset;
  std::string prefix;
  int number = 0;
  std::vector<std::string> addresses;  ///< oldest first; what it is excluded under
  std::optional<Time> marked;          ///< removal timestamp
  std::optional<Time> excluded;        ///< exclusion timestamp
  bool exclusion_skipped = false;
  bool marked_time_unknown = false;
  Conditions conditions;
  /// Conditions of the snapshot that no given input can confirm or refute; they hold until the pod
  /// is made anew.
  Conditions carried;
  std::string fault_domain;

  std::optional<Pod> pod;
  std::optional<Volume> volume;
  bool has_service = false;
  std::string service_ip;
  std::vector<Process> processes;                    ///< reporting, by number
  std::vector<std::pair<std::string, Time>> taints;  ///< of its node: key, since

  [[nodiscard]] bool is_marked() const { return marked.has_value(); }
  [[nodiscard]] bool is_excluded() const { return excluded.has_value() || exclusion_skipped; }
  [[nodiscard]] bool is_leaving() const { return is_marked() && is_excluded(); }
  [[nodiscard]] bool is_coordinator() const;
  /// Its servers that report all they have to.
  [[nodiscard]] int reporting() const;
  /// Sum over its servers; nothing where none is reported.
  [[nodiscard]] std::optional<std::int64_t> stored_bytes() const;
  [[nodiscard]] std::optional<std::int64_t> used_bytes() const;
};

}  // namespace ballast::fdb
