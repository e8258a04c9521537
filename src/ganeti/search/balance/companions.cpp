// SPDX-License-Identifier: BSD-2-Clause
#include "companions.hpp"

#include <algorithm>
#include <set>

#include "ballast/ganeti/rules/placement_rules.hpp"

namespace ballast::ganeti {
namespace {

/// The moves that make `target` the instance's primary node.
std::vector<Move> moves_to(const WorkState& work, InstanceId id, NodeId target,
                           std::int32_t joined) {
  std::vector<Move> moves;
  const Placement& now = work.state()[id];
  const MoveKinds kinds = work.kinds(id);
  if (now.secondary == target && kinds.failover) moves.push_back({MoveKind::Failover, {}, joined});
  if (now.secondary == target) return moves;
  for (const MoveKind kind : kinds.per_target()) {
    if (ends_of(kind).primary == MoveEnd::Target) moves.push_back({kind, target, joined});
  }
  return moves;
}

}  // namespace

bool CompanionFinder::is_needed() const {
  return std::ranges::any_of(cluster_.rules.list, [](const PlacementRule& rule) {
    return rule.kind == RuleKind::Together && !rule.price;
  });
}

std::optional<JointMove> joint_move(WorkState& work, const std::vector<InstanceId>& all,
                                    NodeId target, const Wrongness& wrongness) {
  JointMove joint;
  bool is_possible = true;
  for (std::size_t k = 0; k < all.size() && is_possible; ++k) {
    std::optional<Move> best;
    std::pair<double, double> best_worth;
    for (const Move move :
         moves_to(work, all[k], target, static_cast<std::int32_t>(all.size() - k))) {
      const auto effect = work.effect(all[k], move);
      if (!effect) continue;
      const std::pair worth(wrongness ? wrongness(all[k], *effect) : 0, work.score_of(*effect));
      if (best && best_worth <= worth) continue;
      best = move;
      best_worth = worth;
    }
    is_possible = best && work.make(all[k], *best);
    if (is_possible) joint.moves.emplace_back(all[k], *best);
  }
  joint.score = work.score();
  work.take_back();
  if (!is_possible) return std::nullopt;
  return joint;
}

std::optional<JointMove> CompanionFinder::best(const State& state, double limit,
                                               std::int64_t most_steps) const {
  WorkState work(cluster_, state, part_, options_);
  std::optional<JointMove> best;
  std::set<InstanceId> seen;
  for (const InstanceId id : part_.instances) {
    if (seen.contains(id) || cluster_[id].rules.empty()) continue;
    const std::vector<InstanceId> all = companions_of(cluster_, state, id);
    seen.insert(all.begin(), all.end());
    const bool is_short = most_steps < 0 || static_cast<std::int64_t>(all.size()) <= most_steps;
    if (all.size() < 2 || !is_short) continue;
    const bool are_considered = std::ranges::all_of(
        all, [&](InstanceId one) { return is_considered(cluster_, state, options_, one); });
    if (!are_considered) continue;
    for (const NodeId target : work.targets()) {
      if (target == state[id].primary) continue;
      auto joint = joint_move(work, all, target);
      if (joint && joint->score < limit) {
        limit = joint->score;
        best = std::move(joint);
      }
    }
  }
  return best;
}

}  // namespace ballast::ganeti
