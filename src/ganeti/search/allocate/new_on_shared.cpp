// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/allocate/new_on_shared.hpp"

#include "ballast/ganeti/search/allocate/singles.hpp"

namespace ballast::ganeti::alloc {

NewOnShared::NewOnShared(const ScopedCluster& before, const Record& wanted)
    : before_(&before),
      is_shared_(before.cluster->has_storage && wanted.is_new &&
                 mirroring_of(wanted.instance->disk_template) == Mirroring::External) {
  if (!is_shared_) return;
  taken_ = before;
  State state;
  for (const NodeState* one : before.states)
    state.nodes.push_back(one == nullptr ? NodeState() : *one);
  take_shared_storage(*before.cluster, state, wanted.ref(), NodeId());
  for (const NodeId node : before.nodes) {
    store_.push_back(std::move(state.nodes[node.index()]));
    taken_.states[node.index()] = &store_.back();
  }
}

MaybeRefusal NewOnShared::place(Record& record, NodeId primary, NodeId secondary, bool force,
                                NodeState& state) const {
  if (auto no = place_primary(*before_, record, primary, secondary, force, state)) return no;
  record.is_new = false;
  if (!is_shared_) return std::nullopt;
  return place_primary(taken_, record, primary, secondary, force, state);
}

void NewOnShared::add_others(NodeId node, std::vector<std::pair<NodeId, NodeState>>& states) const {
  if (!is_shared_) return;
  for (const NodeId other : taken_.nodes) {
    if (other != node) states.emplace_back(other, taken_[other]);
  }
}

}  // namespace ballast::ganeti::alloc
