// SPDX-License-Identifier: BSD-2-Clause
// What the readers of RAPI and LUXI answers do alike: number groups, nodes and instances and link
// them by name.
#pragma once

#include <string>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/backend/objects/object_reader.hpp"
#include "ballast/ganeti/model/snapshot.hpp"

namespace ballast::ganeti {

class SnapshotBuilder {
 public:
  void add(Group group);
  void add(Node node);
  void add(Instance instance, Placement placement);

  /// "Unknown group 'G' for node NAME"
  [[nodiscard]] Result<GroupId> group_of(const std::string& uuid, const std::string& node) const;
  /// "Unknown node 'N' for instance NAME"
  [[nodiscard]] Result<NodeId> node_of(const std::string& name, const std::string& instance) const;
  /// The hypervisor counts for every node. "Master node M unknown"
  Status set_cluster(std::string hypervisor, const std::string& master);

  [[nodiscard]] Cluster& cluster() { return snapshot_.cluster; }
  [[nodiscard]] Snapshot take() { return std::move(snapshot_); }

 private:
  Snapshot snapshot_;
  IndexByName groups_;
  IndexByName nodes_;
};

}  // namespace ballast::ganeti
