// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/balance/work_state.hpp"

#include "ballast/ganeti/model/move_ends.hpp"
#include <algorithm>
#include <utility>

namespace ballast::ganeti {

WorkState::WorkState(const Cluster& cluster, const State& start, const Part& part,
                     const BalanceOptions& options)
    : cluster_(cluster),
      options_(options),
      trial_(start),
      targets_(target_nodes(cluster, part)),
      sheet_(cluster, trial_.state(), part.nodes),
      score_(sheet_.total()),
      kept_score_(score_) {}

std::optional<MoveEffect> WorkState::effect(InstanceId instance, Move move) const {
  auto effect = evaluate(cluster_, state(), instance, move, options_.ignore_soft_errors);
  if (!effect) return std::nullopt;
  return std::move(*effect);
}

bool WorkState::allows(InstanceId instance, Move move) const {
  const MoveKinds allowed = kinds(instance);
  if (move.kind == MoveKind::Failover) return allowed.failover;
  if (move.target.is_none() || cluster_[move.target].is_offline) return false;
  if (move.target == state()[instance].primary || move.target == state()[instance].secondary)
    return false;
  const auto kinds = allowed.per_target();
  return std::ranges::find(kinds, move.kind) != kinds.end();
}

std::optional<double> WorkState::score_after(InstanceId instance, Move move) const {
  const auto effect = evaluate(cluster_, state(), instance, move, options_.ignore_soft_errors);
  if (!effect) return std::nullopt;
  return sheet_.total_with(changed_nodes(*effect));
}

bool WorkState::make(InstanceId instance, Move move) {
  auto effect = evaluate(cluster_, state(), instance, move, options_.ignore_soft_errors);
  if (!effect) return false;
  std::vector<NodeId> nodes;
  for (const MoveEffect::Changed& changed : changed_nodes(*effect)) nodes.push_back(changed.node);
  trial_.make(instance, std::move(*effect));
  for (const NodeId node : nodes) sheet_.update(node);
  score_ = sheet_.total();
  return true;
}

void WorkState::take_back() {
  trial_.back_to(0, [this](NodeId node) { sheet_.update(node); });
  score_ = kept_score_;
}

void WorkState::keep() {
  trial_.forget();
  kept_score_ = score_;
}

}  // namespace ballast::ganeti
