// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/report/explain/making_way.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "ballast/ganeti/search/balance/candidates.hpp"

namespace ballast::ganeti {
namespace {

struct OtherMove {
  InstanceId instance;
  Move move;
  std::int64_t copied_mib = 0;
};

/// Moves of what lives on the node where the rule looked, the cheapest first.
std::vector<OtherMove> other_moves(const Cluster& cluster, const State& state, const Part& part,
                                   const BalanceOptions& options, const Wish& wish) {
  const NodeState& node = state[wish.refusal.node];
  std::vector<InstanceId> others = node.primaries;
  others.insert(others.end(), node.secondaries.begin(), node.secondaries.end());
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  const std::vector<NodeId> targets = target_nodes(cluster, part);
  std::vector<OtherMove> moves;
  for (const InstanceId id : others) {
    if (id == wish.instance || !is_considered(cluster, state, options, id)) continue;
    const MoveKinds kinds = move_kinds(cluster, state, options, id);
    if (kinds.failover) moves.push_back({id, {MoveKind::Failover, NodeId()}, 0});
    for (const NodeId target : targets) {
      if (target == state[id].primary || target == state[id].secondary) continue;
      for (int i = 0; i < kinds.count; ++i) {
        const Move move{kinds.kinds[static_cast<std::size_t>(i)], target};
        moves.push_back({id, move, copied_mib(cluster, id, move)});
      }
    }
  }
  std::stable_sort(moves.begin(), moves.end(), [](const OtherMove& a, const OtherMove& b) {
    return a.copied_mib < b.copied_mib;
  });
  return moves;
}

/// What `effect` will replace, so that it can be taken back without a copy of the whole state.
MoveEffect way_back(const State& state, InstanceId instance, const MoveEffect& effect) {
  MoveEffect back = effect;
  for (int i = 0; i < back.count; ++i) {
    MoveEffect::Changed& changed = back.nodes[static_cast<std::size_t>(i)];
    changed.state = state[changed.node];
  }
  back.placement = state[instance];
  return back;
}

}  // namespace

std::optional<WayMade> make_way(const Cluster& cluster, const State& state, const Part& part,
                                const BalanceOptions& options, const Wish& wish) {
  if (wish.refusal.node.is_none() || wish.refusal.rule == Rule::TargetOffline) return std::nullopt;
  const bool force = options.ignore_soft_errors;
  State scratch = state;
  for (const OtherMove& other : other_moves(cluster, state, part, options, wish)) {
    auto effect = evaluate(cluster, state, other.instance, other.move, force);
    if (!effect) continue;
    const Placement after = effect->placement;
    MoveEffect back = way_back(scratch, other.instance, *effect);
    apply(scratch, other.instance, std::move(*effect));
    if (evaluate(cluster, scratch, wish.instance, wish.move, force))
      return WayMade{other.instance, other.move, after, other.copied_mib, std::move(scratch)};
    apply(scratch, other.instance, std::move(back));
  }
  return std::nullopt;
}

}  // namespace ballast::ganeti
