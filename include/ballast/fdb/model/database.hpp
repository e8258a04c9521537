// SPDX-License-Identifier: BSD-2-Clause
// What the database says of itself (machine-readable status), apart from its processes.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ballast/fdb/model/address.hpp"
#include "ballast/fdb/model/process_group.hpp"
#include "ballast/fdb/model/spec.hpp"

namespace ballast::fdb {

struct CoordinatorState {
  Address address;
  bool is_reachable = true;
  std::string held_by = {};  ///< group whose server answers there, or did last; empty: not known
  bool is_lost = false;      ///< not reachable since its server went, not from the start
};

/// Replication of one generation of logs: factor 0 means that the kind of log is not in use.
struct LogSet {
  int factor = 0, tolerance = 0;
  int remote_factor = 0, remote_tolerance = 0;
  int satellite_factor = 0, satellite_tolerance = 0;
};

/// A version of the client library, and who has none that is newer.
struct ClientVersion {
  std::string version;
  std::string protocol;
  std::vector<std::pair<std::string, std::string>> clients;  ///< address, log group
};

/// A server that belongs to no group of the object: of other objects of the same database, or of
/// nobody that is known. Coordinators are judged by all servers, groups by their own.
struct ForeignProcess {
  std::string group;  ///< its instance ID; empty: none
  Process process;
  bool is_assumed = false;  ///< no status was given: made up from the connection string
};

struct Database {
  bool is_given = false;  ///< a status document was read
  bool is_available = true;
  bool coordinators_given = false;
  bool quorum_reachable = true;
  std::vector<CoordinatorState> coordinators;
  std::set<std::string> exclusions;  ///< addresses and localities
  std::optional<DatabaseConfiguration> configuration;
  std::optional<Time> recovered_at;  ///< nothing: not known, taken as long ago
  std::optional<int> active_generations;
  std::string recovery_state;
  std::optional<std::vector<int>>
      replicas_remaining;                   ///< per team tracker; nothing: section missing
  std::optional<std::vector<LogSet>> logs;  ///< nothing: section missing
  bool data_is_healthy = true;
  std::optional<double> data_lag_seconds, durability_lag_seconds;
  std::optional<std::int64_t> log_queue_bytes, storage_queue_bytes;
  bool can_clean_bounce = true;
  std::string maintenance_zone;
  std::optional<Time> maintenance_until;  ///< when the database ends it by itself; nothing: unknown
  std::set<std::string> messages;
  std::vector<Address> incompatible_connections;
  std::vector<ClientVersion> clients;
  std::optional<std::int64_t> total_kv_bytes, total_disk_used_bytes;
  bool layers_missing_configuration = false;
  std::string connection_string;
  std::optional<bool> full_replication;
  std::string active_primary;
  std::string limited_by;
  std::optional<Time> timestamp;
  std::vector<ForeignProcess> foreign;
  // What the operators of several objects tell each other; known where they are planned together.
  std::string lock_owner;  ///< ID of the object that holds the lock; empty: nobody
  Time lock_until = 0;
  std::set<std::string> lock_denied;       ///< IDs that may not have it
  std::set<std::string> pending_upgrades;  ///< groups whose binaries are ready
};

}  // namespace ballast::fdb
