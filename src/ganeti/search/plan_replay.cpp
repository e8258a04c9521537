// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/plan_replay.hpp"

#include "ballast/ganeti/model/node_ops.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::ganeti {
namespace {

using plan::Problem;
using plan::ProblemKind;

constexpr std::int64_t kMib = 1024 * 1024;

tl::unexpected<Problem> problem(ProblemKind kind, std::string text) {
  return tl::unexpected<Problem>({kind, std::move(text)});
}

bool is_same_place(const Placement& a, const Placement& b) {
  return a.primary == b.primary && a.secondary == b.secondary;
}

std::string place_text(const Cluster& cluster, const Placement& placement) {
  const std::string& primary = cluster[placement.primary].name;
  return placement.secondary.is_none() ? primary
                                       : primary + ":" + cluster[placement.secondary].name;
}

Problem refused(const Cluster& cluster, const Refusal& refusal) {
  std::string text = fmt::format("is refused: {}", text_of(refusal.reason));
  if (!refusal.node.is_none()) text += " on " + cluster[refusal.node].name;
  const bool has_amounts = refusal.reason != FailReason::Tags && refusal.reason != FailReason::Mig;
  if (has_amounts && (refusal.wanted != 0 || refusal.available != 0)) {
    text += fmt::format(" (wants {}, there is {})", refusal.wanted, refusal.available);
  }
  return {ProblemKind::BrokenRule, std::move(text)};
}

void keep_least(std::optional<plan::Margin>& least, plan::Margin margin) {
  if (!least || margin.left - margin.required < least->left - least->required)
    least = std::move(margin);
}

}  // namespace

StepResolver::StepResolver(const Cluster& cluster) : cluster_(cluster) {
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i)
    nodes_.emplace(cluster.nodes[i].name, NodeId(i));
  for (std::size_t i = 0; i < cluster.instances.size(); ++i)
    instances_.emplace(cluster.instances[i].name, InstanceId(i));
}

tl::expected<Placement, Problem> StepResolver::placement(const Value& value) const {
  Placement placement;
  for (const auto& [key, node] :
       {std::pair{"primary", &placement.primary}, std::pair{"secondary", &placement.secondary}}) {
    const Value* named = value.find(key);
    if (named == nullptr) continue;
    const auto* name = named->get<std::string>();
    if (name == nullptr) return problem(ProblemKind::NotAStep, fmt::format("{} is no name", key));
    const auto known = nodes_.find(*name);
    if (known == nodes_.end())
      return problem(ProblemKind::UnknownName, fmt::format("there is no node {}", quoted(*name)));
    *node = known->second;
  }
  if (placement.primary.is_none()) return problem(ProblemKind::NotAStep, "names no primary node");
  return placement;
}

tl::expected<ResolvedStep, Problem> StepResolver::resolve(const plan::Step& step) const {
  if (step.subject.kind == "node") {
    if (nodes_.contains(step.subject.name)) return ResolvedStep{};
    return problem(ProblemKind::UnknownName,
                   fmt::format("there is no node {}", quoted(step.subject.name)));
  }
  if (step.subject.kind != "instance") {
    return problem(ProblemKind::NotAStep,
                   fmt::format("{} is neither an instance nor a node", quoted(step.subject.kind)));
  }
  const auto known = instances_.find(step.subject.name);
  if (known == instances_.end()) {
    return problem(ProblemKind::UnknownName,
                   fmt::format("there is no instance {}", quoted(step.subject.name)));
  }
  const auto from = placement(step.from);
  if (!from) return tl::unexpected<Problem>(from.error());
  const auto to = placement(step.to);
  if (!to) return tl::unexpected<Problem>(to.error());
  const auto move = move_between(*from, *to);
  if (!move) {
    return problem(ProblemKind::NotAStep,
                   fmt::format("no single move leads from {} to {}", place_text(cluster_, *from),
                               place_text(cluster_, *to)));
  }
  return ResolvedStep{known->second, *from, *to, *move};
}

std::optional<Move> move_between(const Placement& from, const Placement& to) {
  if (from.secondary.is_none() != to.secondary.is_none() || is_same_place(from, to))
    return std::nullopt;
  if (from.secondary.is_none()) return Move{MoveKind::FailoverToAny, to.primary};
  if (to.primary == to.secondary) return std::nullopt;
  if (to.primary == from.secondary && to.secondary == from.primary)
    return Move{MoveKind::Failover, NodeId()};
  if (to.primary == from.primary) return Move{MoveKind::ReplaceSecondary, to.secondary};
  if (to.secondary == from.secondary) return Move{MoveKind::ReplacePrimary, to.primary};
  if (to.secondary == from.primary) return Move{MoveKind::ReplaceAndFailover, to.primary};
  if (to.primary == from.secondary) return Move{MoveKind::FailoverAndReplace, to.secondary};
  return std::nullopt;
}

PlanState::PlanState(const Cluster& cluster, State start, std::vector<NodeId> nodes, bool force)
    : resolver_(cluster), state_(std::move(start)), nodes_(std::move(nodes)), force_(force) {}

std::optional<Problem> PlanState::apply(const plan::Step& step) {
  const Cluster& cluster = resolver_.cluster();
  const auto resolved = resolver_.resolve(step);
  if (!resolved) return resolved.error();
  if (resolved->instance.is_none()) return std::nullopt;
  const Placement& now = state_[resolved->instance];
  if (!is_same_place(now, resolved->from)) {
    return Problem{ProblemKind::OtherState,
                   fmt::format("{} is on {}, expected on {}", step.subject.name,
                               place_text(cluster, now), place_text(cluster, resolved->from))};
  }
  const NodeId target = resolved->move.target;
  if (!target.is_none() && cluster[target].is_offline) {
    return Problem{ProblemKind::BrokenRule,
                   fmt::format("is refused: {} is offline", cluster[target].name)};
  }
  auto effect = evaluate(cluster, state_, resolved->instance, resolved->move, force_);
  if (!effect) return refused(cluster, effect.error());
  ganeti::apply(state_, resolved->instance, std::move(*effect));
  return std::nullopt;
}

std::vector<plan::Margin> PlanState::margins() const {
  const Cluster& cluster = resolver_.cluster();
  std::optional<plan::Margin> memory;
  std::optional<plan::Margin> space;
  for (const NodeId id : nodes_) {
    const Node& node = cluster[id];
    if (node.is_offline) continue;
    const NodeState& now = state_[id];
    keep_least(memory, {"free memory", node.name,
                        (unallocated_mem(node, now) - now.reserved_mem) * kMib, 0});
    if (!cluster.has_storage) {
      keep_least(space, {"free space", node.name, now.free_disk * kMib, 0});
      continue;
    }
    for (const StorageUnit& unit : node.units) {
      if (unit.capacity < 0) continue;
      const Capacity& capacity = now.capacities[static_cast<std::size_t>(unit.capacity)];
      if (capacity.is_shared) continue;
      keep_least(space, {"free space", node.name + " " + to_string(cluster[unit.key]),
                         capacity.free_mib * kMib,
                         std::max(capacity.low_water_mib, capacity.reserve_mib) * kMib});
    }
  }
  std::vector<plan::Margin> margins;
  if (memory) margins.push_back(std::move(*memory));
  if (space) margins.push_back(std::move(*space));
  return margins;
}

}  // namespace ballast::ganeti
