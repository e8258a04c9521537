// SPDX-License-Identifier: BSD-2-Clause
// Files to a snapshot and a wish.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "ballast/doc/tree.hpp"
#include "ballast/fdb/model/cluster.hpp"
#include "ballast/operators/input/diagnostics.hpp"

namespace ballast::fdb {

using operators::Diagnostic;
using operators::Diagnostics;

struct LoadRequest {
  std::string current;
  std::optional<std::string> desired;
  std::vector<std::string> sets;  ///< PATH=VALUE below spec
  std::vector<std::string> kube;  ///< nodes and volumes too
  std::optional<std::string> status;
  std::string name;
  std::string name_space;
  std::optional<Time> now;
  Time clock = 0;  ///< where neither --now nor the status tells the time
  bool is_seed = false;
  /// Other objects of the database are loaded as well: the files may hold several objects and their
  /// pods, and `desired` may have nothing on this one.
  bool has_peers = false;
};

struct Loaded {
  Cluster snapshot;
  ClusterSpec desired;
  doc::Tree current_spec;          ///< the document behind the snapshot's spec
  doc::Tree desired_spec;          ///< the document behind `desired`
  std::vector<doc::Tree> objects;  ///< as given, whosever they are
  doc::Tree status_document;       ///< null where none was given
  std::int64_t desired_generation = 0;
  bool has_wish = false;  ///< --desired or --set was given
};

/// All errors where there are any: nothing half understood is returned.
tl::expected<Loaded, std::vector<Diagnostic>> load(const LoadRequest& request);

/// The objects of one database, in the order of the requests. Refused too where two of them are one
/// object, or have a process group of the same ID.
tl::expected<std::vector<Loaded>, std::vector<Diagnostic>> load_together(
    const std::vector<LoadRequest>& requests);

}  // namespace ballast::fdb
