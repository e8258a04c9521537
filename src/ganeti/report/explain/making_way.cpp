// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/report/explain/making_way.hpp"
#include "ballast/ganeti/moves/ends.hpp"
#include "ballast/ganeti/moves/trial_state.hpp"

#include <algorithm>
#include <range/v3/action/sort.hpp>
#include <range/v3/action/unique.hpp>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/concat.hpp>
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
  const auto others = ranges::views::concat(node.primaries, node.secondaries) |
                      ranges::to<std::vector>() | ranges::actions::sort | ranges::actions::unique;
  const std::vector<NodeId> targets = target_nodes(cluster, part);
  std::vector<OtherMove> moves;
  for (const InstanceId id : others) {
    if (id == wish.instance || !is_considered(cluster, state, options, id)) continue;
    for_each_move(move_kinds(cluster, state, options, id), state[id], targets, [&](Move move) {
      moves.push_back({id, move, copied_mib(cluster, id, move)});
    });
  }
  std::stable_sort(moves.begin(), moves.end(), [](const OtherMove& a, const OtherMove& b) {
    return a.copied_mib < b.copied_mib;
  });
  return moves;
}

}  // namespace

std::optional<WayMade> make_way(const Cluster& cluster, const State& state, const Part& part,
                                const BalanceOptions& options, const Wish& wish) {
  if (wish.refusal.node.is_none() || wish.refusal.rule == Rule::TargetOffline) return std::nullopt;
  const bool force = options.ignore_soft_errors;
  TrialState trial(state);
  for (const OtherMove& other : other_moves(cluster, state, part, options, wish)) {
    auto effect = evaluate(cluster, state, other.instance, other.move, force);
    if (!effect) continue;
    const Placement after = effect->placement;
    trial.make(other.instance, std::move(*effect));
    if (evaluate(cluster, trial.state(), wish.instance, wish.move, force))
      return WayMade{other.instance, other.move, after, other.copied_mib, trial.state()};
    trial.back_to(0);
  }
  return std::nullopt;
}

}  // namespace ballast::ganeti
