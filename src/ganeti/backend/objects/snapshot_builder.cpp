// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/objects/snapshot_builder.hpp"

namespace ballast::ganeti {

void SnapshotBuilder::add(Group group) {
  groups_[group.uuid] = static_cast<std::int32_t>(cluster().groups.size());
  cluster().groups.push_back(std::move(group));
}

void SnapshotBuilder::add(Node node) {
  nodes_[node.name] = static_cast<std::int32_t>(cluster().nodes.size());
  snapshot_.state.nodes.push_back(initial_state(node));
  cluster().nodes.push_back(std::move(node));
}

void SnapshotBuilder::add(Instance instance, Placement placement) {
  instance.is_movable = is_movable_by_default(instance.disk_template);
  cluster().instances.push_back(std::move(instance));
  snapshot_.state.placements.push_back(placement);
}

Result<GroupId> SnapshotBuilder::group_of(const std::string& uuid, const std::string& node) const {
  const auto found = groups_.find(uuid);
  if (found == groups_.end()) return fail("Unknown group '" + uuid + "' for node " + node);
  return GroupId(found->second);
}

Result<NodeId> SnapshotBuilder::node_of(const std::string& name,
                                        const std::string& instance) const {
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) return fail("Unknown node '" + name + "' for instance " + instance);
  return NodeId(found->second);
}

Status SnapshotBuilder::set_cluster(std::string hypervisor, const std::string& master) {
  const auto found = nodes_.find(master);
  if (found == nodes_.end()) return fail("Master node " + master + " unknown");
  cluster().nodes[static_cast<std::size_t>(found->second)].is_master = true;
  for (Node& node : cluster().nodes) node.hypervisor = hypervisor;
  return {};
}

}  // namespace ballast::ganeti
