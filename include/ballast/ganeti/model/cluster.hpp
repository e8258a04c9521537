// SPDX-License-Identifier: BSD-2-Clause
// The snapshot: what there is (Cluster, constant while a plan is made) and where it is (State, what
// steps change).
#pragma once

#include <string>
#include <vector>

#include "ballast/ganeti/model/ids.hpp"
#include "ballast/ganeti/model/instance.hpp"
#include "ballast/ganeti/model/node.hpp"
#include "ballast/ganeti/model/policy.hpp"
#include "ballast/ganeti/model/rules.hpp"
#include "ballast/ganeti/model/storage.hpp"

namespace ballast::ganeti {

struct Group {
  std::string name;
  std::string uuid;
  AllocPolicy alloc_policy = AllocPolicy::Preferred;
  std::vector<std::string> tags;
  std::vector<std::string> networks;  ///< UUIDs
  InstancePolicy policy = default_policy();
};

struct Cluster {
  std::vector<Group> groups;
  std::vector<Node> nodes;
  std::vector<Instance> instances;
  std::vector<std::string> tags;
  InstancePolicy policy = default_policy();  ///< printed and saved only
  std::vector<std::string> symbols;          ///< TagId -> text, sorted
  std::vector<StorageKey>
      storage_keys;          ///< StorageKeyId -> (type, key), sorted; keys no node holds may follow
  bool has_storage = false;  ///< some node told its storage: units count for all
  std::int32_t first_node_index =
      0;        ///< what listings show for node 0: 1 for simulated clusters, as in the reference
  Rules rules;  ///< of administrators; none by default
  std::string common_suffix;  ///< of all node and instance names; aliases leave it out

  [[nodiscard]] const Group& operator[](GroupId id) const { return groups[id.index()]; }
  [[nodiscard]] const Node& operator[](NodeId id) const { return nodes[id.index()]; }
  [[nodiscard]] const Instance& operator[](InstanceId id) const { return instances[id.index()]; }
  [[nodiscard]] const StorageKey& operator[](StorageKeyId id) const {
    return storage_keys[id.index()];
  }
};

struct State {
  std::vector<NodeState> nodes;       ///< by NodeId
  std::vector<Placement> placements;  ///< by InstanceId

  [[nodiscard]] const NodeState& operator[](NodeId id) const { return nodes[id.index()]; }
  [[nodiscard]] NodeState& operator[](NodeId id) { return nodes[id.index()]; }
  [[nodiscard]] const Placement& operator[](InstanceId id) const { return placements[id.index()]; }
  [[nodiscard]] Placement& operator[](InstanceId id) { return placements[id.index()]; }
};

/// One group's share, in index order: its nodes, and the instances whose primary is one of them.
/// Indices stay those of the cluster.
struct Part {
  GroupId group;
  std::vector<NodeId> nodes;
  std::vector<InstanceId> instances;
};

/// The parts of all groups that have at least one node, in index order of the groups.
std::vector<Part> parts_of(const Cluster& cluster, const State& state);
/// The whole cluster as one set; its group is none.
Part whole_part(const Cluster& cluster);
/// The part of one group, which may be empty.
Part part_of(const Cluster& cluster, const State& state, GroupId group);

}  // namespace ballast::ganeti
