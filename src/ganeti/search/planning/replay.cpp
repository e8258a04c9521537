// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/planning/replay.hpp"
#include "ballast/core/bytes.hpp"
#include "ballast/ganeti/model/ids_of.hpp"

#include "ballast/ganeti/model/unit_rules.hpp"
#include "ballast/ganeti/moves/ends.hpp"
#include "ballast/ganeti/moves/node_ops.hpp"
#include "ballast/ganeti/search/planning/move_step.hpp"
#include "ballast/ganeti/search/planning/rule_text.hpp"
#include "ballast/ganeti/search/planning/tier_step.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::ganeti {
namespace {

using plan::Problem;
using plan::ProblemKind;

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
  if (is_administrators_rule(refusal.rule))
    return {ProblemKind::BrokenRule, "is refused: " + rule_text(cluster, refusal)};
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
  for (const NodeId node : node_ids(cluster)) nodes_.emplace(cluster[node].name, node);
  for (const InstanceId id : instance_ids(cluster)) instances_.emplace(cluster[id].name, id);
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
    const auto node = nodes_.find(step.subject.name);
    if (node != nodes_.end()) return ResolvedStep{node->second, {}, {}, {}, {}, {}};
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
  if (step.from.is_null() && step.to.is_null())
    return ResolvedStep{{}, {}, {}, {}, {}, known->second};
  const auto from = placement(step.from);
  if (!from) return tl::unexpected<Problem>(from.error());
  const auto to = placement(step.to);
  if (!to) return tl::unexpected<Problem>(to.error());
  if (is_tier_change(step.action)) {
    const auto tier = tier_after(cluster_, step);
    if (!tier || from->primary != to->primary)
      return problem(ProblemKind::NotAStep, "names no tier of storage that there is");
    return ResolvedStep{{}, known->second, *from, *to, {}, {}, tier};
  }
  auto move = move_between(cluster_[known->second], *from, *to, step.action);
  if (const Value* joined = step.system.find("joined"); move && joined != nullptr) {
    const auto* left = joined->get<std::int64_t>();
    if (left != nullptr && *left > 0) move->joined = static_cast<std::int32_t>(*left);
  }
  if (!move) {
    return problem(ProblemKind::NotAStep,
                   fmt::format("no single move leads from {} to {}", place_text(cluster_, *from),
                               place_text(cluster_, *to)));
  }
  if (!is_action_of(step.action, *move, cluster_[known->second])) {
    return problem(ProblemKind::NotAStep,
                   fmt::format("{} does not lead from {} to {}", quoted(step.action),
                               place_text(cluster_, *from), place_text(cluster_, *to)));
  }
  return ResolvedStep{{}, known->second, *from, *to, *move, {}};
}

std::vector<NodeId> touched_nodes(const ResolvedStep& step) {
  if (!step.node.is_none()) return {step.node};
  if (step.instance.is_none()) return {};
  return touched_nodes(step.from, step.to);
}

std::optional<Move> move_between(const Instance& instance, const Placement& from,
                                 const Placement& to, std::string_view action) {
  const bool is_mirrored = has_secondary(instance.disk_template);
  if (from.secondary.is_none() != to.secondary.is_none() || is_same_place(from, to) ||
      (is_mirrored && (from.secondary.is_none() || to.primary == to.secondary)))
    return std::nullopt;
  std::optional<Move> first;
  for (const MoveKindRow& row : kMoveKinds) {
    const Move move{row.kind, target_of(row.kind, to)};
    const bool is_new =
        move.target.is_none() || (move.target != from.primary && move.target != from.secondary);
    if ((row.mirroring == Mirroring::Internal) != is_mirrored || (is_mirrored && !is_new) ||
        !is_same_place(after(from, move), to))
      continue;
    if (is_action_of(action, move, instance)) return move;
    if (!first) first = move;
  }
  return first;
}

PlanState::PlanState(Cluster cluster, State start, std::vector<NodeId> nodes, bool force,
                     const plan::Plan& plan)
    : cluster_(std::move(cluster)),
      resolver_(cluster_),
      state_(std::move(start)),
      nodes_(std::move(nodes)),
      force_(force) {
  for (const Node& node : cluster_.nodes) is_on_.push_back(!node.is_offline);
  for (const plan::Step& step : plan.steps) {
    if (step.action != kPowerOff && step.action != kStart) continue;
    const auto resolved = resolver_.resolve(step);
    if (!resolved) continue;
    if (step.action == kStart) {
      last_start_[resolved->stays] = step.n;
    } else if (!resolved->node.is_none()) {
      cluster_.nodes[resolved->node.index()].is_offline = true;
    }
  }
}

std::optional<Problem> PlanState::apply(const plan::Step& step) {
  const auto resolved = resolver_.resolve(step);
  if (!resolved) return resolved.error();
  std::vector<NodeId> nodes = touched_nodes(*resolved);
  if (!resolved->stays.is_none()) nodes.push_back(state_[resolved->stays].primary);
  if (const auto clash = same_phase_.find_clash(step, nodes)) {
    return Problem{ProblemKind::BrokenRule,
                   fmt::format("may run at the same time as step {}, on the same node: it has to "
                               "wait for it",
                               *clash)};
  }
  if (!resolved->node.is_none()) return apply_to_node(step, resolved->node);
  if (resolved->instance.is_none()) return stop_or_start(step, resolved->stays);
  return apply_move(step.subject.name, *resolved);
}

std::vector<InstanceId> PlanState::held_by(NodeId node) const {
  const NodeState& now = state_[node];
  std::vector<InstanceId> held;
  for (const auto* list :
       {&now.primaries, &now.secondaries, &now.forth_primaries, &now.forth_secondaries}) {
    for (const InstanceId i : *list) {
      if (std::ranges::find(held, i) == held.end()) held.push_back(i);
    }
  }
  return held;
}

bool PlanState::runs(InstanceId instance) const {
  const Instance& one = cluster_[instance];
  return one.is_running() && !one.is_forthcoming && !stopped_.contains(instance);
}

std::vector<std::string> PlanState::at_stake(const plan::Step& step) {
  const auto resolved = resolver_.resolve(step);
  if (!resolved || resolved->node.is_none() || !is_on_[resolved->node.index()]) return {};
  const NodeId node = resolved->node;
  std::vector<std::string> names;
  for (const InstanceId i : held_by(node)) {
    const bool is_lost = step.action == kPowerOff;
    const bool is_stopped = step.action == kReboot && state_[i].primary == node && runs(i);
    if (is_lost || is_stopped) names.push_back(cluster_[i].name);
  }
  return names;
}

std::optional<Problem> PlanState::stop_or_start(const plan::Step& step, InstanceId instance) {
  const NodeId node = state_[instance].primary;
  if (step.action == kStop) {
    const auto start = last_start_.find(instance);
    if (start == last_start_.end() || start->second < step.n) {
      return Problem{
          ProblemKind::BrokenRule,
          fmt::format("would stop {}, and no later step starts it again", cluster_[instance].name)};
    }
    stopped_.insert(instance);
  } else if (step.action != kStart) {
    return Problem{ProblemKind::NotAStep,
                   fmt::format("{} is nothing that is done to an instance where it stays",
                               quoted(step.action))};
  } else if (!is_on_[node.index()]) {
    return Problem{ProblemKind::BrokenRule,
                   fmt::format("is refused: {} is offline", cluster_[node].name)};
  } else {
    stopped_.erase(instance);
  }
  return std::nullopt;
}

std::optional<Problem> PlanState::apply_move(const std::string& name, const ResolvedStep& step) {
  const Placement& now = state_[step.instance];
  if (!is_same_place(now, step.from)) {
    return Problem{ProblemKind::OtherState,
                   fmt::format("{} is on {}, expected on {}", name, place_text(cluster_, now),
                               place_text(cluster_, step.from))};
  }
  if (step.tier) return apply_tier_change(step);
  const NodeId new_primary = step.to.primary == now.primary ? NodeId() : step.to.primary;
  for (const NodeId target : {new_primary, step.move.target}) {
    if (target.is_none() || !cluster_[target].is_offline) continue;
    return Problem{ProblemKind::BrokenRule,
                   fmt::format("is refused: {} is offline", cluster_[target].name)};
  }
  auto effect = evaluate(cluster_, state_, step.instance, step.move, force_);
  if (!effect) return refused(cluster_, effect.error());
  joined_.before(cluster_, state_, step.instance, step.move.joined);
  ganeti::apply(state_, step.instance, std::move(*effect));
  if (const auto parted = joined_.after(cluster_, state_)) return refused(cluster_, *parted);
  return std::nullopt;
}

std::optional<Problem> PlanState::apply_tier_change(const ResolvedStep& step) {
  const Instance& instance = cluster_[step.instance];
  if (is_on_tier(instance, *step.tier))
    return Problem{ProblemKind::OtherState, instance.name + " is on that storage already"};
  if (const std::string why = tier_hindrance(instance, *step.tier); !why.empty())
    return Problem{ProblemKind::BrokenRule, "is refused: " + why};
  if (has_secondary(step.tier->disk_template) == step.to.secondary.is_none())
    return Problem{ProblemKind::NotAStep, "has a secondary where the template has none, or none"};
  if (const auto no = check_tier(cluster_, state_, step.instance, *step.tier, step.to.secondary))
    return refused(cluster_, *no);
  apply_tier(cluster_, state_, step.instance, *step.tier, step.to.secondary);
  return std::nullopt;
}

std::optional<Problem> PlanState::apply_to_node(const plan::Step& step, NodeId node) {
  if (step.action == kPowerOff) return switch_power(node, false);
  if (step.action == kPowerOn) return switch_power(node, true);
  if (step.action == kReboot) return reboot(node, step.phase);
  return Problem{ProblemKind::NotAStep,
                 fmt::format("{} is nothing that is done to a node", quoted(step.action))};
}

std::optional<Problem> PlanState::switch_power(NodeId node, bool on) {
  const std::string& name = cluster_[node].name;
  if (is_on_[node.index()] == on) {
    return Problem{ProblemKind::OtherState,
                   fmt::format("{} is {} already", name, on ? "online" : "offline")};
  }
  if (!on && cluster_[node].is_master) {
    return Problem{ProblemKind::BrokenRule,
                   fmt::format("would switch off {}, which is the master", name)};
  }
  is_on_[node.index()] = on;
  cluster_.nodes[node.index()].is_offline = !on;
  return std::nullopt;
}

std::optional<int> SamePhase::find_clash(const plan::Step& step, const std::vector<NodeId>& nodes) {
  if (step.phase != phase_) uses_.clear();
  phase_ = step.phase;
  Use use{step.n, step.subject.kind == "node", nodes, {}};
  for (const plan::Wait& wait : step.waits_for) {
    const auto earlier = std::ranges::find(uses_, wait.step.value_or(0), &Use::step);
    if (earlier == uses_.end()) continue;
    use.waited_for.insert(earlier->step);
    use.waited_for.insert(earlier->waited_for.begin(), earlier->waited_for.end());
  }
  for (const Use& earlier : uses_) {
    if (!use.is_of_node && !earlier.is_of_node) continue;
    if (use.waited_for.contains(earlier.step)) continue;
    const bool is_shared = std::ranges::any_of(
        earlier.nodes, [&](NodeId node) { return std::ranges::find(nodes, node) != nodes.end(); });
    if (is_shared) return earlier.step;
  }
  uses_.push_back(std::move(use));
  return std::nullopt;
}

std::optional<Problem> PlanState::reboot(NodeId node, int phase) {
  const std::string& name = cluster_[node].name;
  if (!is_on_[node.index()])
    return Problem{ProblemKind::OtherState, fmt::format("{} is offline", name)};
  if (phase != reboot_phase_) rebooting_.clear();
  reboot_phase_ = phase;
  const auto reboots_too = [&](NodeId other) {
    return std::ranges::find(rebooting_, other) != rebooting_.end();
  };
  const NodeState& now = state_[node];
  for (const auto* held : {&now.primaries, &now.secondaries}) {
    for (const InstanceId i : *held) {
      if (!has_secondary(cluster_[i].disk_template)) continue;
      const NodeId other = state_[i].primary == node ? state_[i].secondary : state_[i].primary;
      if (!reboots_too(other)) continue;
      return Problem{ProblemKind::BrokenRule,
                     fmt::format("would reboot both nodes of {}, {} and {}, at the same time",
                                 cluster_[i].name, cluster_[other].name, name)};
    }
  }
  rebooting_.push_back(node);
  return std::nullopt;
}

std::vector<plan::Margin> PlanState::margins() const {
  std::optional<plan::Margin> memory;
  std::optional<plan::Margin> space;
  for (const NodeId id : nodes_) {
    const Node& node = cluster_[id];
    if (node.is_offline) continue;
    const NodeState& now = state_[id];
    keep_least(memory, {"free memory", node.name,
                        (unallocated_mem(node, now) - now.reserved_mem) * kBytesPerMib, 0});
    if (!cluster_.has_storage) {
      keep_least(space, {"free space", node.name, now.free_disk * kBytesPerMib, 0});
      continue;
    }
    for (const StorageUnit& unit : node.units) {
      if (unit.capacity < 0) continue;
      const Capacity& capacity = now.capacities[static_cast<std::size_t>(unit.capacity)];
      if (capacity.is_shared) continue;
      keep_least(space, {"free space", node.name + " " + to_string(cluster_[unit.key]),
                         capacity.free_mib * kBytesPerMib, most_kept(capacity) * kBytesPerMib});
    }
  }
  std::vector<plan::Margin> margins;
  if (memory) margins.push_back(std::move(*memory));
  if (space) margins.push_back(std::move(*space));
  return margins;
}

}  // namespace ballast::ganeti
