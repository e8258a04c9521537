// SPDX-License-Identifier: BSD-2-Clause
#include "scene.hpp"

#include <algorithm>

#include "ballast/ganeti/model/unit_rules.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"
#include "ballast/ganeti/rules/prices.hpp"

namespace ballast::ganeti {

RebootScene::RebootScene(const Cluster& cluster, const State& state)
    : cluster_(&cluster), placements_(state.placements) {
  for (std::size_t n = 0; n < state.nodes.size(); ++n)
    nodes_.push_back({NodeId(n), state.nodes[n]});
  for (std::size_t n = 0; n < state.nodes.size(); ++n) {
    has_rules_ = has_rules_ || cluster.nodes[n].disk_reserve > 0 ||
                 std::ranges::any_of(state.nodes[n].capacities, is_asked_by_step);
  }
  has_rules_ = has_rules_ || !cluster.rules.empty();
}

InstanceRef RebootScene::ref(InstanceId instance) const {
  return {instance, &(*cluster_)[instance], placements_[instance.index()]};
}

void RebootScene::file(NodeId index, FiledNode node) {
  old_nodes_.emplace_back(index, std::exchange(nodes_[index.index()], std::move(node)));
}

void RebootScene::place(InstanceId instance, const Placement& placement) {
  old_placements_.emplace_back(instance, std::exchange(placements_[instance.index()], placement));
}

void RebootScene::take_back(Mark mark) {
  while (old_nodes_.size() > mark.first) {
    nodes_[old_nodes_.back().first.index()] = std::move(old_nodes_.back().second);
    old_nodes_.pop_back();
  }
  while (old_placements_.size() > mark.second) {
    placements_[old_placements_.back().first.index()] = old_placements_.back().second;
    old_placements_.pop_back();
  }
}

void RebootScene::forget_history() {
  old_nodes_.clear();
  old_placements_.clear();
}

MaybeRefusal RebootScene::check(const InstanceRef& moved, const Placement& after,
                                std::initializer_list<const FiledNode*> changed,
                                bool is_joined) const {
  if (!has_rules_) return std::nullopt;
  for (const FiledNode* node : changed) {
    for (const FiledNode& before : nodes_) {
      if (before.self != node->self) continue;
      if (auto no = check_reserve(*cluster_, node->self, before.state, node->state)) return no;
    }
  }
  return check_rules(*cluster_, {moved.id, moved.instance, moved.placement, after, is_joined},
                     [&](NodeId node) -> const NodeState& { return state(node); });
}

double RebootScene::price_on(const std::vector<InstanceId>& set, NodeId to) const {
  double price = 0;
  for (const InstanceId one : set) {
    const InstanceRef moved = ref(one);
    Placement placement = moved.placement;
    placement.primary = to;
    price += price_change(*cluster_, {one, moved.instance, moved.placement, placement, true},
                          [&](NodeId node) -> const NodeState& { return state(node); });
  }
  return price;
}

std::optional<NotThere> RebootScene::move_primaries(const std::vector<InstanceId>& set, NodeId to,
                                                    bool is_joined) {
  const Mark before = mark();
  for (const InstanceId one : set) {
    if (auto no = move_primary(one, to, is_joined || set.size() > 1)) {
      take_back(before);
      return NotThere{to, one, std::move(no)};
    }
  }
  return std::nullopt;
}

std::optional<NotThere> RebootScene::fail_over_all(const std::vector<InstanceId>& set,
                                                   bool is_whole) {
  const Mark before = mark();
  const NodeId to = placement(set.front()).secondary;
  for (const InstanceId one : set) {
    const bool is_elsewhere = placement(one).secondary != to;
    auto no = is_elsewhere ? MaybeRefusal() : fail_over(one, is_whole && set.size() > 1);
    if (is_elsewhere || no) {
      take_back(before);
      return NotThere{to, one, std::move(no)};
    }
  }
  return std::nullopt;
}

MaybeRefusal RebootScene::unknown_unit(const InstanceRef& moved, NodeId to) const {
  if (!cluster_->has_storage || !moved.instance->is_unit_unknown) return std::nullopt;
  return Refusal{FailReason::Disk, Rule::UnitUnknown, to, -1, {}, 0, 0};
}

MaybeRefusal RebootScene::move_primary(InstanceId instance, NodeId to, bool is_joined) {
  const InstanceRef moved = ref(instance);
  if (auto no = unknown_unit(moved, to)) return no;
  FiledNode target = nodes_[to.index()];
  if (auto no = add_primary(*cluster_, target.self, target.state, moved, true)) return no;
  FiledNode source = nodes_[moved.placement.primary.index()];
  remove_primary(*cluster_, source.self, source.state, moved);
  Placement placement = moved.placement;
  placement.primary = to;
  if (auto no = check(moved, placement, {&target}, is_joined)) return no;
  file(to, std::move(target));
  file(moved.placement.primary, std::move(source));
  place(instance, placement);
  return std::nullopt;
}

MaybeRefusal RebootScene::move_secondary(InstanceId instance, NodeId to) {
  const InstanceRef moved = ref(instance);
  if (to == moved.placement.primary)
    return Refusal{FailReason::Internal, Rule::Internal, to, -1, {}, 0, 0};
  if (auto no = unknown_unit(moved, to)) return no;
  FiledNode target = nodes_[to.index()];
  if (auto no =
          add_secondary(*cluster_, target.self, target.state, moved, moved.placement.primary, true))
    return no;
  FiledNode misfiled = nodes_[moved.placement.primary.index()];
  remove_secondary(*cluster_, misfiled.self, misfiled.state, moved);
  Placement placement = moved.placement;
  placement.secondary = to;
  if (auto no = check(moved, placement, {&target})) return no;
  file(to, std::move(target));
  file(moved.placement.secondary, std::move(misfiled));
  place(instance, placement);
  return std::nullopt;
}

MaybeRefusal RebootScene::fail_over(InstanceId instance, bool is_joined) {
  const InstanceRef moved = ref(instance);
  const NodeId p = moved.placement.primary;
  const NodeId s = moved.placement.secondary;
  FiledNode primary = nodes_[p.index()];
  FiledNode secondary = nodes_[s.index()];
  remove_primary(*cluster_, primary.self, primary.state, moved);
  remove_secondary(*cluster_, secondary.self, secondary.state, moved);
  if (auto no = add_primary(*cluster_, secondary.self, secondary.state, moved, true)) return no;
  if (auto no = add_secondary(*cluster_, primary.self, primary.state, moved, s, true)) return no;
  Placement placement = moved.placement;
  std::swap(placement.primary, placement.secondary);
  if (auto no = check(moved, placement, {&primary, &secondary}, is_joined)) return no;
  file(s, std::move(secondary));
  file(p, std::move(primary));
  place(instance, placement);
  return std::nullopt;
}

}  // namespace ballast::ganeti
