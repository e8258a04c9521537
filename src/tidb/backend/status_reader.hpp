// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/operators/input/diagnostics.hpp"
#include "ballast/tidb/backend/documents.hpp"
#include "ballast/tidb/model/live.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ballast::tidb {

/// What the operator wrote about one StatefulSet.
struct SetStatus {
  std::string key;  // set or StatefulSet name, where the status is a mapping of them
  std::optional<std::int64_t> replicas;
  std::optional<std::int64_t> ready_replicas;
  std::optional<std::int64_t> updated_replicas;
  std::optional<std::int64_t> observed_generation;
  std::string current_revision;
  std::string update_revision;
};

struct TidbMember {
  std::string name;
  bool healthy = true;
  std::optional<Time> since;
  std::string node;
};

struct ComponentStatus {
  std::string phase;
  std::optional<bool> synced;
  std::vector<SetStatus> sets;  // in the order of the file
  bool is_list = false;
  std::vector<Failure> failures;
};

struct StatusData {
  bool given = false;
  std::array<ComponentStatus, kComponentCount> components;
  std::map<std::string, std::string> other_phases;
  std::vector<Store> stores;
  bool has_stores = false;
  std::vector<Member> members;
  bool has_members = false;
  std::string leader;
  std::vector<TidbMember> tidb_members;
  bool has_tidb_members = false;
  bool bootstrapped = true;
  std::string failover_uid;
  std::vector<std::string> asked_evictions;
  Time newest = 0;
};

/// The status of the objects of one side; of heterogeneous clusters, all of them together.
StatusData read_status(const Documents& side, Diagnostics& errors);

}  // namespace ballast::tidb
