// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/moves/move.hpp"
#include "ballast/ganeti/moves/ends.hpp"

#include "ballast/ganeti/moves/on_nodes.hpp"
#include "ballast/ganeti/moves/soft_rules.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"

#include <utility>

#include "ops_support.hpp"

namespace ballast::ganeti {
namespace {

using Evaluation = tl::expected<MoveEffect, Refusal>;

/// What all kinds of moves start from: the nodes without the instance.
class Mover {
 public:
  Mover(const Cluster& cluster, const NodeStates& states, const InstanceRef& instance,
        Checks checks, bool relaxes = true)
      : cluster_(cluster),
        states_(states),
        old_(instance),
        primary_(old_.placement.primary),
        secondary_(old_.placement.secondary),
        checks_(checks),
        relaxes_(relaxes) {}

  Evaluation failover();
  Evaluation failover_to_any(NodeId target);
  Evaluation replace_primary(NodeId target);
  Evaluation replace_secondary(NodeId target);
  Evaluation replace_and_failover(NodeId target);
  Evaluation failover_and_replace(NodeId target);

 private:
  [[nodiscard]] bool is_offline(NodeId node) const { return cluster_[node].is_offline; }
  /// The checks of an addition that an offline node may relax.
  [[nodiscard]] Checks relaxed_if(bool relaxed) const {
    return relaxed && relaxes_ ? at_most_hard() : checks_;
  }
  [[nodiscard]] Checks at_most_hard() const {
    return checks_ == Checks::All ? Checks::Hard : checks_;
  }
  [[nodiscard]] MaybeRefusal migration(NodeId from, NodeId to) const {
    return checks_ == Checks::None ? std::nullopt : check_migration(cluster_, from, to);
  }

  [[nodiscard]] InstanceRef moved(NodeId primary, NodeId secondary) const {
    InstanceRef ref = old_;
    ref.placement = {primary, secondary,
                     common_location_tags(cluster_[primary], cluster_[secondary])};
    return ref;
  }

  [[nodiscard]] NodeState without_primary() const {
    NodeState node = states_.at(primary_);
    remove_primary(cluster_, primary_, node, old_);
    return node;
  }

  [[nodiscard]] NodeState without_secondary() const {
    NodeState node = states_.at(secondary_);
    remove_secondary(cluster_, secondary_, node, old_);
    return node;
  }

  /// The reference dies where it needs the secondary's offline flag and there is no secondary.
  [[nodiscard]] MaybeRefusal missing_secondary(NodeId target, const NodeState& node,
                                               const InstanceRef& ref) const {
    if (!ref.instance->is_forthcoming) {
      if (auto no = check_secondary_disk_first(cluster_, target, node, ref)) return no;
    }
    return refusal(FailReason::Internal, Rule::Internal, target, 0, 0);
  }

  const Cluster& cluster_;
  const NodeStates& states_;
  InstanceRef old_;
  NodeId primary_;
  NodeId secondary_;
  Checks checks_;
  bool relaxes_;  ///< for what leaves an offline node
};

class StatesOf final : public NodeStates {
 public:
  explicit StatesOf(const State& state) : state_(state) {}
  [[nodiscard]] const NodeState& at(NodeId node) const override { return state_[node]; }

 private:
  const State& state_;
};

InstanceRef own(const Cluster& cluster, const State& state, InstanceId id) {
  return {id, &cluster[id], state[id], false};
}

/// In the order in which the reference was seen to write the nodes back: where two are the same
/// node (an instance that is its own secondary), the later state wins.
void put(MoveEffect& effect, NodeId node, NodeState&& state) {
  for (MoveEffect::Changed& changed : changed_nodes(effect)) {
    if (changed.node != node) continue;
    changed.state = std::move(state);
    return;
  }
  effect.nodes[static_cast<std::size_t>(effect.count)] = {node, std::move(state)};
  ++effect.count;
}

/// The effect of a move that changes up to three nodes, written back in this order.
MoveEffect effect_of(const Placement& placement, std::array<MoveEffect::Changed, 3> nodes) {
  MoveEffect effect;
  for (MoveEffect::Changed& changed : nodes) put(effect, changed.node, std::move(changed.state));
  effect.placement = placement;
  return effect;
}

tl::unexpected<Refusal> refuse(const Refusal& why) { return tl::unexpected<Refusal>(why); }

Evaluation Mover::failover() {
  if (secondary_.is_none())
    return refuse(refusal(FailReason::Internal, Rule::Internal, primary_, 0, 0));
  NodeState on_primary = without_primary();
  NodeState on_secondary = without_secondary();
  const Checks relaxed = relaxed_if(is_offline(primary_));
  if (auto no = migration(primary_, secondary_)) return refuse(*no);
  if (auto no = add_primary(cluster_, secondary_, on_secondary, old_, relaxed)) return refuse(*no);
  if (auto no = add_secondary(cluster_, primary_, on_primary, old_, secondary_, relaxed,
                              is_offline(primary_))) {
    return refuse(*no);
  }
  MoveEffect effect;
  put(effect, secondary_, std::move(on_secondary));
  put(effect, primary_, std::move(on_primary));
  effect.placement = {secondary_, primary_, old_.placement.location_score};
  return effect;
}

Evaluation Mover::failover_to_any(NodeId target) {
  if (auto no = migration(primary_, target)) return refuse(*no);
  NodeState on_target = states_.at(target);
  if (auto no = add_primary(cluster_, target, on_target, old_, relaxed_if(is_offline(primary_))))
    return refuse(*no);
  MoveEffect effect;
  put(effect, target, std::move(on_target));
  put(effect, primary_, without_primary());
  effect.placement = {target, secondary_, old_.placement.location_score};
  return effect;
}

Evaluation Mover::replace_primary(NodeId target) {
  if (secondary_.is_none())
    return refuse(refusal(FailReason::Internal, Rule::Internal, target, 0, 0));
  NodeState on_secondary = without_secondary();
  const InstanceRef after = moved(target, secondary_);
  const Checks relaxed = relaxed_if(is_offline(primary_));
  if (auto no = migration(primary_, secondary_)) return refuse(*no);
  if (auto no = migration(secondary_, target)) return refuse(*no);
  // The instance runs on its secondary for a while: it must fit there, and the rounding of this
  // detour stays.
  if (auto no = add_primary(cluster_, secondary_, on_secondary, after, relaxed)) return refuse(*no);
  remove_primary(cluster_, secondary_, on_secondary, after);
  NodeState on_target = states_.at(target);
  if (auto no = add_primary(cluster_, target, on_target, after, relaxed)) return refuse(*no);
  if (auto no = add_secondary(cluster_, secondary_, on_secondary, after, target, relaxed))
    return refuse(*no);
  return effect_of(after.placement, {{{secondary_, std::move(on_secondary)},
                                      {target, std::move(on_target)},
                                      {primary_, without_primary()}}});
}

Evaluation Mover::replace_secondary(NodeId target) {
  const InstanceRef after = moved(primary_, target);
  NodeState on_target = states_.at(target);
  if (secondary_.is_none()) return refuse(*missing_secondary(target, on_target, after));
  const Checks relaxed = relaxed_if(is_offline(secondary_));
  if (auto no = add_secondary(cluster_, target, on_target, after, primary_, relaxed))
    return refuse(*no);
  NodeState on_primary = without_primary();
  if (auto no = add_primary(cluster_, primary_, on_primary, after, at_most_hard()))
    return refuse(*no);
  return effect_of(after.placement, {{{secondary_, without_secondary()},
                                      {target, std::move(on_target)},
                                      {primary_, std::move(on_primary)}}});
}

Evaluation Mover::replace_and_failover(NodeId target) {
  const InstanceRef after = moved(target, primary_);
  if (auto no = migration(primary_, target)) return refuse(*no);
  NodeState on_target = states_.at(target);
  if (auto no = add_primary(cluster_, target, on_target, after, checks_)) return refuse(*no);
  NodeState on_primary = without_primary();
  if (secondary_.is_none()) return refuse(*missing_secondary(primary_, on_primary, after));
  const Checks relaxed = relaxed_if(is_offline(secondary_));
  if (auto no = add_secondary(cluster_, primary_, on_primary, after, target, relaxed))
    return refuse(*no);
  return effect_of(after.placement, {{{secondary_, without_secondary()},
                                      {target, std::move(on_target)},
                                      {primary_, std::move(on_primary)}}});
}

Evaluation Mover::failover_and_replace(NodeId target) {
  if (secondary_.is_none())
    return refuse(refusal(FailReason::Internal, Rule::Internal, target, 0, 0));
  const InstanceRef after = moved(secondary_, target);
  const Checks relaxed = relaxed_if(is_offline(primary_));
  if (auto no = migration(primary_, secondary_)) return refuse(*no);
  NodeState on_secondary = without_secondary();
  if (auto no = add_primary(cluster_, secondary_, on_secondary, after, relaxed)) return refuse(*no);
  NodeState on_target = states_.at(target);
  if (auto no = add_secondary(cluster_, target, on_target, after, secondary_, relaxed))
    return refuse(*no);
  return effect_of(after.placement, {{{primary_, without_primary()},
                                      {secondary_, std::move(on_secondary)},
                                      {target, std::move(on_target)}}});
}

Evaluation evaluate_kind(Mover& mover, Move move) {
  switch (move.kind) {
    case MoveKind::Failover:
      return mover.failover();
    case MoveKind::FailoverToAny:
      return mover.failover_to_any(move.target);
    case MoveKind::ReplacePrimary:
      return mover.replace_primary(move.target);
    case MoveKind::ReplaceSecondary:
      return mover.replace_secondary(move.target);
    case MoveKind::ReplaceAndFailover:
      return mover.replace_and_failover(move.target);
    case MoveKind::FailoverAndReplace:
      return mover.failover_and_replace(move.target);
  }
  return refuse(Refusal{});
}

MaybeRefusal check_reserves(const Cluster& cluster, const State& state, const MoveEffect& effect) {
  for (const MoveEffect::Changed& changed : changed_nodes(effect)) {
    if (auto no = check_reserve(cluster, changed.node, state[changed.node], changed.state))
      return no;
  }
  return std::nullopt;
}

/// What administrators forbid.
MaybeRefusal check_change(const Cluster& cluster, const State& state, InstanceId id,
                          const MoveEffect& effect, bool is_joined) {
  if (cluster.rules.empty()) return std::nullopt;
  return check_rules(cluster, {id, &cluster[id], state[id], effect.placement, is_joined},
                     view_of(state));
}

MaybeRefusal unknown_unit(const Cluster& cluster, const State& state, InstanceId id) {
  const Instance& instance = cluster[id];
  if (!cluster.has_storage || !instance.is_unit_unknown) return std::nullopt;
  Refusal why = refusal(FailReason::Disk, Rule::UnitUnknown, state[id].primary, 0, 0);
  for (std::size_t i = 0; i < instance.disks.size(); ++i) {
    if (!instance.disks[i].unit.is_none()) continue;
    why.disk = static_cast<std::int32_t>(i);
    why.wanted = static_cast<double>(instance.disks[i].taken_mib);
    break;
  }
  return why;
}

}  // namespace

Evaluation evaluate_on(const Cluster& cluster, const NodeStates& nodes, const InstanceRef& instance,
                       Move move, Checks checks) {
  Mover mover(cluster, nodes, instance, checks);
  return evaluate_kind(mover, move);
}

Evaluation evaluate(const Cluster& cluster, const State& state, InstanceId id, Move move,
                    bool force) {
  if (auto no = unknown_unit(cluster, state, id)) return refuse(*no);
  Evaluation effect = evaluate_on(cluster, StatesOf(state), own(cluster, state, id), move,
                                  force ? Checks::Hard : Checks::All);
  if (effect) {
    if (auto no = check_reserves(cluster, state, *effect)) return refuse(*no);
    if (auto no = check_change(cluster, state, id, *effect, move.joined > 0)) return refuse(*no);
  }
  return effect;
}

MaybeRefusal soft_refusal(const Cluster& cluster, const State& state, InstanceId id, Move move) {
  if (!evaluate(cluster, state, id, move, true)) return std::nullopt;
  const StatesOf states(state);
  Mover mover(cluster, states, own(cluster, state, id), Checks::All, false);
  const Evaluation strict = evaluate_kind(mover, move);
  return strict ? std::nullopt : MaybeRefusal(strict.error());
}

Evaluation evaluate_emergency(const Cluster& cluster, const State& state, InstanceId id,
                              Move move) {
  return evaluate_on(cluster, StatesOf(state), own(cluster, state, id), move, Checks::Hard);
}

Evaluation evaluate_unchecked(const Cluster& cluster, const State& state, InstanceId id,
                              Move move) {
  return evaluate_on(cluster, StatesOf(state), own(cluster, state, id), move, Checks::None);
}

void apply(State& state, InstanceId id, MoveEffect&& effect) {
  for (MoveEffect::Changed& changed : changed_nodes(effect))
    state[changed.node] = std::move(changed.state);
  state[id] = effect.placement;
}

}  // namespace ballast::ganeti
