// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/balance/work_state.hpp"

#include "ballast/ganeti/moves/ends.hpp"
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
      sums_(sheet_.running()),
      kept_sums_(sums_),
      score_(sheet_.total()),
      kept_score_(*score_) {}

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

std::optional<double> WorkState::score_below(double limit, InstanceId instance, Move move) const {
  const auto effect = evaluate(cluster_, state(), instance, move, options_.ignore_soft_errors);
  if (!effect) return std::nullopt;
  Running sums = sums_;
  count(sums, changed_nodes(*effect));
  if (sums.estimate().least() > limit) return std::nullopt;
  const double score = sheet_.total_with(changed_nodes(*effect));
  return score < limit ? std::optional(score) : std::nullopt;
}

void WorkState::count(Running& sums, std::span<const MoveEffect::Changed> changed) const {
  for (const MoveEffect::Changed& one : changed) {
    if (sheet_.has(one.node)) sums.update(cluster_, one.node, state()[one.node], one.state);
  }
}

bool WorkState::make(InstanceId instance, Move move) {
  auto effect = evaluate(cluster_, state(), instance, move, options_.ignore_soft_errors);
  if (!effect) return false;
  std::vector<NodeId> nodes;
  for (const MoveEffect::Changed& changed : changed_nodes(*effect)) nodes.push_back(changed.node);
  count(sums_, changed_nodes(*effect));
  trial_.make(instance, std::move(*effect));
  for (const NodeId node : nodes) sheet_.update(node);
  score_.reset();
  return true;
}

void WorkState::take_back() {
  trial_.back_to(0, [this](NodeId node) { sheet_.update(node); });
  sums_ = kept_sums_;
  score_ = kept_score_;
}

void WorkState::keep() {
  trial_.forget();
  sums_ = sheet_.running();
  kept_sums_ = sums_;
  kept_score_ = sheet_.total();
  score_ = kept_score_;
}

}  // namespace ballast::ganeti
