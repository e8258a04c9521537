// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/operators/input/diagnostics.hpp"
#include "ballast/tidb/backend/documents.hpp"
#include "ballast/tidb/model/live.hpp"
#include "ballast/tidb/model/names.hpp"
#include "ballast/tidb/model/spec.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ballast::tidb {

/// All texts of a run with their names, and what the command line says about reading them.
struct LoadRequest {
  std::vector<SourceText> current;
  std::vector<SourceText> desired;
  std::vector<SourceText> kube;
  std::vector<SourceText> pd;
  std::vector<SourceText> nodes;
  std::vector<SourceText> volumes;
  std::vector<std::string> sets;    // --set PATH=VALUE
  std::vector<std::string> orders;  // --order COMPONENT=a,b
  std::string cluster;
  std::string object_name;
  std::string ns;
  std::optional<DefaultName> default_name;
  ConfigMapName config_map = ConfigMapName::StatefulSet;
  bool advanced_statefulset = false;
  Profile profile = Profile::V16;
  bool profile_given = false;
  std::optional<std::int64_t> max_replicas;
};

struct Loaded {
  std::optional<ClusterSpec> current;
  ClusterSpec desired;
  Live live;
  Documents current_documents;
  Documents desired_documents;  // patch and --set applied
  NameStyle style;
  Profile profile = Profile::V16;
  std::int64_t max_replicas = 3;
  std::array<std::vector<std::string>, kComponentCount> order;
};

/// Reads, merges and validates both sides. The error is everything that is wrong, sorted.
tl::expected<Loaded, std::vector<Diagnostic>> load(const LoadRequest& request);

/// The two sides exchanged: from the wished state, all of it running well, back to the current one.
/// What runs now does not count but for nodes and volumes. Without a current side: an error.
tl::expected<Loaded, std::vector<Diagnostic>> load_way_back(const LoadRequest& request);

}  // namespace ballast::tidb
