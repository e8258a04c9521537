// SPDX-License-Identifier: BSD-2-Clause
#include "why_full.hpp"

#include <algorithm>

#include "ballast/ganeti/search/redundancy/emptying_check.hpp"

#include "ballast/ganeti/model/ids_of.hpp"
#include "no_worse.hpp"
#include "place.hpp"

namespace ballast::ganeti::alloc {
namespace {

class Refusing {
 public:
  Refusing(const Cluster& cluster, const State& state, const CapacityScene& scene,
           const CapacityRun& run)
      : scene_(scene),
        filled_(run.filled),
        wanted_(run.filled.cluster, scene.options, run.last_size),
        worse_(cluster, state, scene.redundancy.exempt_nodes),
        was_stuck_(scene.options.capacity_checks ? nodes_that_cannot_be_emptied(cluster, state)
                                                 : std::vector<NodeId>()) {}

  std::vector<FullNode> all() {
    for (const CapacityCandidate& candidate : scene_.candidates) ask(candidate);
    if (scene_.options.capacity_checks && !has_secondary(scene_.options.disk_template)) ask_rest();
    return std::move(found_);
  }

 private:
  void ask(const CapacityCandidate& candidate) {
    const NodeId node = candidate.primary;
    InstanceRef ref{
        InstanceId(), &wanted_.of(filled_.cluster[node].group), {node, NodeId(), 0}, true};
    NodeState after;
    if (const auto no = put_primary(filled_.cluster, filled_.state[node], ref, after)) {
      found_.push_back({node, NodeId(), *no, {}, false, false, false});
      return;
    }
    for (const NodeId partner : candidate.secondaries) {
      if (const auto no =
              put_secondary(filled_.cluster, partner, filled_.state[partner], ref, after))
        found_.push_back({node, partner, *no, {}, false, false, false});
    }
  }

  /// Those that have room for it: which node could then not be emptied?
  void ask_rest() {
    ScopedCluster scope;
    scope.cluster = &filled_.cluster;
    scope.nodes = whole_part(filled_.cluster).nodes;
    for (const NodeState& node : filled_.state.nodes) scope.states.push_back(&node);
    for (const InstanceId id : instance_ids(filled_.cluster)) {
      scope.instances.set(id.value(), Record{id, &filled_.cluster[id], filled_.state[id], false});
    }
    std::vector<NodeId> tested;
    for (const NodeId node : scope.nodes) {
      if (must_be_evacuable(filled_.cluster, node, scene_.redundancy)) tested.push_back(node);
    }
    const CapacityTest test(scope, tested);
    (void)place_one_by_one(filled_.cluster, filled_.state, wanted_, scene_.candidates,
                           [&](const Placed& placed) {
                             note_stuck(test, placed);
                             return false;
                           });
  }

  void note_stuck(const CapacityTest& test, const Placed& placed) {
    const NodeId primary = placed.placement.primary;
    const Record record{InstanceId(), &wanted_.of(filled_.cluster[primary].group), placed.placement,
                        true};
    std::vector<ChangedNode> changes;
    for (const auto& [node, state] : placed.states) changes.push_back({node, &state});
    try {
      const auto stuck = test.first_stuck({changes, &record});
      if (!stuck) return note_worse(placed);
      Refusal refusal{FailReason::N1, Rule::GlobalNPlusOne, stuck->node, -1, {}, 0, 0};
      refusal.wanted = static_cast<double>(stuck->instance->memory_mib);
      const bool is_old = std::any_of(
          filled_.cluster.instances.begin(),
          filled_.cluster.instances.begin() + static_cast<std::ptrdiff_t>(filled_.existing),
          [&](const Instance& one) { return one.name == stuck->instance->name; });
      found_.push_back(
          {primary, NodeId(), refusal, stuck->instance->name, !is_old,
           std::find(was_stuck_.begin(), was_stuck_.end(), stuck->node) != was_stuck_.end(),
           false});
    } catch (const ReferenceDies&) {
      throw CapacityStop{CapacityFailure::ReferenceWouldDie};
    }
  }

  void note_worse(const Placed& placed) {
    if (worse_.is_empty()) return;
    const NodeId primary = placed.placement.primary;
    FilledCluster one_more = filled_;
    const InstanceId id(one_more.cluster.instances.size());
    one_more.cluster.instances.push_back(wanted_.of(filled_.cluster[primary].group));
    one_more.state.placements.push_back(placed.placement);
    for (const auto& [node, state] : placed.states) {
      one_more.state[node] = state;
      rename_new(one_more.state[node], id.value());
    }
    const NodeId node = worse_.first_worse(one_more.cluster, one_more.state);
    if (node.is_none()) return;
    const Refusal refusal{FailReason::N1, Rule::GlobalNPlusOne, node, -1, {}, 0, 0};
    found_.push_back({primary, NodeId(), refusal, {}, false, true, true});
  }

  const CapacityScene& scene_;
  const FilledCluster& filled_;
  Wanted wanted_;
  NoWorse worse_;
  std::vector<NodeId> was_stuck_;
  std::vector<FullNode> found_;
};

/// The largest instance whose primary is the peer that reserves most.
std::string largest_of_peer(const Cluster& cluster, const State& state, NodeId node) {
  if (state[node].peers.empty()) return {};
  const NodeId peer = state[node].peers.front().first;
  const Instance* largest = nullptr;
  for (const InstanceId id : state[node].secondaries) {
    if (state[id].primary != peer || !cluster[id].uses_secondary_memory()) continue;
    if (largest == nullptr || cluster[id].memory_mib > largest->memory_mib) largest = &cluster[id];
  }
  return largest == nullptr ? std::string() : largest->name;
}

}  // namespace

std::vector<FullNode> who_refuses(const Cluster& cluster, const State& state,
                                  const CapacityScene& scene, const CapacityRun& run) {
  return Refusing(cluster, state, scene, run).all();
}

std::vector<FullNode> nodes_that_lack_memory(const Cluster& cluster, const State& state,
                                             std::span<const NodeId> nodes) {
  std::vector<FullNode> found;
  for (const NodeId node : nodes) {
    const Refusal refusal{FailReason::N1,
                          Rule::NPlusOne,
                          node,
                          -1,
                          {},
                          static_cast<double>(state[node].reserved_mem),
                          static_cast<double>(unallocated_mem(cluster[node], state[node]))};
    found.push_back(
        {node, NodeId(), refusal, largest_of_peer(cluster, state, node), false, true, false});
  }
  return found;
}

}  // namespace ballast::ganeti::alloc
