// SPDX-License-Identifier: BSD-2-Clause
// The objects of the remote API's answers. Keys are read in the reference's order, because the
// first error wins.
#pragma once

#include "ballast/ganeti/backend/objects/object_reader.hpp"
#include "ballast/ganeti/backend/objects/snapshot_builder.hpp"

namespace ballast::ganeti {

/// Call for all groups, then nodes, then instances, then info.
class RapiReader {
 public:
  explicit RapiReader(bool ignore_storage, bool state_of_record = false)
      : ignore_storage_(ignore_storage), state_of_record_(state_of_record) {}

  Status read_group(json::Value object);
  Status read_node(json::Value object);
  Status read_instance(json::Value object);
  Status read_info(json::Value object);

  Snapshot take() { return builder_.take(); }

 private:
  MaybeError read_node_into(Node& node, const Owned& data);
  static MaybeError read_spindles(Node& node, const Owned& data, const Owned& params, bool is_live);
  static MaybeError read_live_figures(Node& node, const Owned& data);
  MaybeError read_instance_into(Instance& instance, Placement& placement, const Owned& data);
  static MaybeError read_disks(Instance& instance, const Owned& data);
  MaybeError read_memory(Instance& instance, const Owned& data, const Owned& backend) const;
  MaybeError read_nodes(Placement& placement, const std::string& instance, const Owned& data);

  bool ignore_storage_;
  bool state_of_record_;
  bool has_storage_ = false;
  SnapshotBuilder builder_;
};

}  // namespace ballast::ganeti
