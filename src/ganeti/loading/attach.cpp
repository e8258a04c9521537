// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "ballast/ganeti/moves/node_ops.hpp"

#include "ballast/ganeti/model/ids_of.hpp"
#include "steps.hpp"

namespace ballast::ganeti {
namespace {

void set_location_score(const Cluster& cluster, Placement& placement) {
  const bool has_both = !placement.secondary.is_none();
  placement.location_score =
      has_both ? common_location_tags(cluster[placement.primary], cluster[placement.secondary]) : 0;
}

/// Who is on each node, ascending. As in the reference, an instance whose two nodes are one is only
/// that node's secondary.
struct Attached {
  InstanceId instance;
  bool is_primary;
};
std::vector<std::vector<Attached>> attached_by_node(const Snapshot& snapshot) {
  std::vector<std::vector<Attached>> by_node(snapshot.cluster.nodes.size());
  for (const InstanceId id : instance_ids(snapshot.cluster)) {
    const Placement& placement = snapshot.state[id];
    if (placement.primary != placement.secondary)
      by_node[placement.primary.index()].push_back({id, true});
    if (!placement.secondary.is_none()) by_node[placement.secondary.index()].push_back({id, false});
  }
  return by_node;
}

/// Node by node: what is read and written then stays near. Loading appends to the node's lists,
/// which have the newest first.
void attach(Snapshot& snapshot, NodeId node, const std::vector<Attached>& attached) {
  const Cluster& cluster = snapshot.cluster;
  NodeState& state = snapshot.state[node];
  for (const auto& [id, is_primary] : attached) {
    const InstanceRef ref{id, &cluster[id], snapshot.state[id], false};
    is_primary ? load_primary(cluster, node, state, ref)
               : load_secondary(cluster, node, state, ref);
  }
  for (auto* list :
       {&state.primaries, &state.secondaries, &state.forth_primaries, &state.forth_secondaries})
    std::ranges::reverse(*list);
}

/// From the first attached to the last; an entry is made even for an amount of 0.
void build_peers(const Snapshot& snapshot, const Node& node, NodeState& state) {
  state.peers.clear();
  for (std::size_t i = state.secondaries.size(); i-- > 0;) {
    const InstanceId id = state.secondaries[i];
    const Instance& instance = snapshot.cluster[id];
    const bool reserves = instance.uses_secondary_memory() && !instance.is_forthcoming;
    const NodeId primary = snapshot.state[id].primary;
    set_peer(state, primary, peer_memory(state, primary) + (reserves ? instance.memory_mib : 0));
  }
  state.reserved_mem = state.peers.empty() ? 0 : state.peers.front().second;
  state.reserved_fraction = static_cast<double>(state.reserved_mem) / node.total_mem;
  state.fails_n1 = node.free_mem < state.reserved_mem;
}

}  // namespace

void attach_instances(Snapshot& snapshot) {
  Cluster& cluster = snapshot.cluster;
  for (Placement& placement : snapshot.state.placements) set_location_score(cluster, placement);
  const auto attached = attached_by_node(snapshot);
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
    attach(snapshot, NodeId(i), attached[i]);
    Node& node = cluster.nodes[i];
    const InstancePolicy& policy = cluster[node.group].policy;
    node.high_spindles = policy.spindle_ratio * static_cast<double>(node.total_spindles);
    node.vcpu_ratio = policy.vcpu_ratio;
    build_peers(snapshot, node, snapshot.state.nodes[i]);
  }
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const Placement& placement = snapshot.state.placements[i];
    if (placement.secondary.is_none()) continue;
    if (cluster[placement.primary].group != cluster[placement.secondary].group)
      cluster.instances[i].is_movable = false;
  }
}

}  // namespace ballast::ganeti
