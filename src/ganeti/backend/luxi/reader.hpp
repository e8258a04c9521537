// SPDX-License-Identifier: BSD-2-Clause
// The rows of LUXI answers. Fields are read in the reference's order, because the first error wins.
#pragma once

#include <string>

#include "ballast/ganeti/backend/luxi/reply.hpp"
#include "ballast/ganeti/backend/objects/object_reader.hpp"
#include "ballast/ganeti/backend/objects/snapshot_builder.hpp"

namespace ballast::ganeti {

std::string node_query(bool ignore_storage);
std::string instance_query();
std::string group_query();

/// Call for all groups, then nodes, then instances, then the cluster information.
class LuxiReader {
 public:
  explicit LuxiReader(bool ignore_storage) : ignore_storage_(ignore_storage) {}

  Status read_group(const LuxiRow& row);
  Status read_node(const LuxiRow& row);
  Status read_instance(const LuxiRow& row);
  Status read_cluster(json::Value info);

  Snapshot take() { return builder_.take(); }

 private:
  MaybeError read_node_into(Node& node, const LuxiFields& fields);
  static MaybeError read_spindles(Node& node, const LuxiFields& fields, bool is_live);
  static MaybeError read_live_figures(Node& node, const LuxiFields& fields);
  MaybeError read_instance_into(Instance& instance, Placement& placement, const LuxiFields& fields);
  MaybeError read_places(Placement& placement, const std::string& instance,
                         const LuxiFields& fields);
  static MaybeError read_disks(Instance& instance, const LuxiFields& fields);

  bool ignore_storage_;
  SnapshotBuilder builder_;
};

}  // namespace ballast::ganeti
