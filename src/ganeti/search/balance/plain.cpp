// SPDX-License-Identifier: BSD-2-Clause
#include "plain.hpp"

#include "ballast/ganeti/moves/ends.hpp"
#include "ballast/ganeti/rules/prices.hpp"
#include "ballast/ganeti/search/balance/candidates.hpp"

namespace ballast::ganeti {

PlainFinder::PlainFinder(const Cluster& cluster, const State& state, const Part& part,
                         const BalanceOptions& options, const ScoreSheet* sheet)
    : cluster_(cluster),
      state_(state),
      part_(part),
      options_(options),
      targets_(target_nodes(cluster, part)),
      sheet_(sheet),
      has_prices_(cluster.rules.has_prices()) {}

double PlainFinder::score_after(InstanceId instance, const MoveEffect& effect) const {
  if (sheet_ != nullptr) return sheet_->total_with(changed_nodes(effect));
  State after = state_;
  MoveEffect copy = effect;
  apply(after, instance, std::move(copy));
  return full_score(cluster_, after, part_.nodes);
}

double PlainFinder::price_of(InstanceId instance, const MoveEffect& effect) const {
  if (!has_prices_) return 0;
  return price_change(cluster_,
                      {instance, &cluster_[instance], state_[instance], effect.placement, false},
                      view_of(state_));
}

bool PlainFinder::consider(InstanceId instance, Move move, StepChoice& best,
                           double& best_score) const {
  const auto effect = evaluate(cluster_, state_, instance, move, options_.ignore_soft_errors);
  if (!effect) {
    if (effect.error().reason != FailReason::Internal) return true;
    best = {StepChoice::Kind::ReferenceWouldDie, instance, move, 0};
    return false;
  }
  const double score = score_after(instance, *effect);
  const double value = score + price_of(instance, *effect);
  if (best_score > value) {
    best = {StepChoice::Kind::Found, instance, move, score, value - score};
    best_score = value;
  }
  return true;
}

bool PlainFinder::consider_all(InstanceId instance, StepChoice& best, double& best_score) const {
  return for_each_move(move_kinds(cluster_, state_, options_, instance), state_[instance], targets_,
                       [&](Move move) { return consider(instance, move, best, best_score); });
}

StepChoice PlainFinder::best(double current) {
  StepChoice best;
  double best_score = current;
  for (const InstanceId instance : part_.instances) {
    if (!is_considered(cluster_, state_, options_, instance)) continue;
    if (!consider_all(instance, best, best_score)) break;
  }
  return best;
}

BalanceResult balance_plainly(const Cluster& cluster, const State& state, const Part& part,
                              const BalanceOptions& options, const StepSeen& seen) {
  BalanceResult result;
  result.state = state;
  PlainFinder finder(cluster, result.state, part, options, nullptr);
  balance_with(finder, cluster, part, options, seen, result);
  return result;
}

}  // namespace ballast::ganeti
