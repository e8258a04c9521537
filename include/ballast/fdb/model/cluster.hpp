// SPDX-License-Identifier: BSD-2-Clause
// The snapshot that is planned on.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ballast/core/remark.hpp"
#include "ballast/fdb/model/database.hpp"
#include "ballast/fdb/model/process_group.hpp"
#include "ballast/fdb/model/spec.hpp"

namespace ballast::fdb {

struct RequiredAddresses {
  bool tls = false;
  bool non_tls = true;
  friend bool operator==(const RequiredAddresses&, const RequiredAddresses&) = default;
};

/// The operator's notes on the whole cluster.
struct ClusterStatus {
  Version running_version;
  bool is_configured = false;
  std::string connection_string;
  std::optional<DatabaseConfiguration> configuration;
  RequiredAddresses required;
  std::vector<int> storage_densities;
  std::vector<int> log_densities;
  std::vector<ImageType> image_types;
  std::vector<std::string> work_under_way;  ///< states that the operator saw after its last success
  std::optional<PerClass<int>> counts;      ///< groups per class, which early operators noted
};

/// Which kinds of input were there. A kind that is given is complete; one that is not is assumed
/// healthy.
struct Given {
  bool status = false;  ///< the object had a status with groups
  bool pods = false;
  bool volumes = false;
  bool services = false;
  bool config_maps = false;
  bool nodes = false;
  bool database = false;
};

struct Cluster {
  std::string name;
  std::string name_space = "default";
  std::string uid;
  std::int64_t generation = 0;
  bool is_v1beta1 = false;
  ClusterSpec spec;  ///< the snapshot's own
  ClusterStatus status;
  std::vector<ProcessGroup> groups;  ///< sorted by ID, bytewise
  Database database;
  Given given;
  bool has_headless_service = false;
  std::optional<std::map<std::string, std::string>>
      config_map;  ///< data; nothing where none was given
  std::map<std::string, std::vector<std::pair<std::string, Time>>> node_taints;
  std::map<std::string, std::map<std::string, std::string>> node_labels;
  Time now = 0;
  std::vector<Remark> notes;          ///< aliases resolved, things kept but not understood
  std::vector<Remark> disagreements;  ///< between status, pods, volumes and database

  [[nodiscard]] const ProcessGroup* find(std::string_view id) const;
};

}  // namespace ballast::fdb
