// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "ballast/ganeti/model/group_name.hpp"
#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/model/snapshot.hpp"
#include "ballast/ganeti/search/room/make_room.hpp"
#include "moves.hpp"

namespace ballast::ganeti::alloc {
namespace {

/// Rules about what a node holds; of the others moves change nothing.
bool depends_on_instances(Rule rule) {
  switch (rule) {
    case Rule::None:
    case Rule::NotMirrored:
    case Rule::Migration:
    case Rule::UnitMissing:
    case Rule::UnitUnknown:
    case Rule::PolicyMemory:
    case Rule::PolicyDiskSize:
    case Rule::PolicyCpu:
    case Rule::PolicySpindleUse:
    case Rule::PolicyDiskCount:
    case Rule::PolicyTemplate:
    case Rule::TargetOffline:
    case Rule::Network:
    case Rule::Pinned:
    case Rule::NodeExcluded:
    case Rule::InstanceKept:
    case Rule::UnitForbidden:
    case Rule::Internal:
      return false;
    default:
      return true;
  }
}

/// The search for room goes by the template, not by the number of nodes asked for.
bool is_usual(const NewInstance& wanted) {
  return wanted.required_nodes == (has_secondary(wanted.instance.disk_template) ? 2 : 1);
}

bool can_moves_help(const AllocationExplanation& explanation) {
  const auto& all = explanation.candidates;
  const bool fits =
      std::any_of(all.begin(), all.end(), [](const CandidateVerdict& one) { return !one.refusal; });
  return !fits && std::any_of(all.begin(), all.end(), [](const CandidateVerdict& one) {
    return depends_on_instances(one.refusal->rule);
  });
}

/// Nodes that could no longer be emptied: something on them would have to go first.
std::vector<NodeId> stuck_nodes(const AllocationExplanation& explanation) {
  std::vector<NodeId> nodes;
  for (const CandidateVerdict& one : explanation.candidates) {
    if (one.refusal->rule == Rule::GlobalNPlusOne) nodes.push_back(one.refusal->node);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace

Scene scene_of(const ScopedCluster& scope) {
  Scene scene{*scope.cluster, {}};
  const auto slots = scope.instances.slots();
  for (std::size_t key = 0; key < slots.size(); ++key) {
    const Instance* instance = slots[key].instance;
    if (key >= scene.cluster.instances.size())
      scene.cluster.instances.push_back(instance == nullptr ? Instance() : *instance);
    scene.state.placements.push_back(slots[key].placement);
  }
  for (const NodeId id : node_ids(scene.cluster)) {
    const NodeState* state = scope.states[id.index()];
    scene.state.nodes.push_back(state == nullptr ? initial_state(scene.cluster[id]) : *state);
  }
  return scene;
}

void look_for_room(const ScopedCluster& scope, const AllocateRequest& request,
                   const AllocatorOptions& options, std::size_t most_moves,
                   AllocationExplanation& explanation) {
  if (!is_usual(request.wanted) || !can_moves_help(explanation)) return;
  explanation.moves_sought = most_moves;
  const Scene scene = scene_of(scope);
  BalanceOptions balance;
  balance.ignore_soft_errors = options.ignore_soft_errors || options.ignore_all_soft_errors;
  MakeRoomOptions room;
  room.most_moves = most_moves;
  room.how = options;
  room.also_from = stuck_nodes(explanation);
  for (const Part& part : parts_of(scene.cluster, scene.state)) {
    const Group& group = scene.cluster[part.group];
    const auto& name = request.wanted.group;
    if (name && !is_called(group, *name)) continue;
    MakeRoomResult found = make_room(scene.cluster, scene.state, part, balance, request, room);
    if (!found.is_found || found.plan.steps.empty()) continue;
    explanation.room = MadeRoom{std::move(found.plan.steps), std::move(found.nodes)};
    return;
  }
}

}  // namespace ballast::ganeti::alloc
