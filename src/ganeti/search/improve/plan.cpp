// SPDX-License-Identifier: BSD-2-Clause
#include "plan.hpp"

#include <algorithm>

#include "ballast/ganeti/rules/prices.hpp"
#include "ballast/ganeti/search/planning/builder.hpp"

namespace ballast::ganeti {

PlanFigures figures_of(const Cluster& cluster, const BalanceResult& plan) {
  return {plan.score_after,
          plan.steps.size(),
          total_copied_mib(cluster, plan.steps),
          {},
          price_of_breaches(cluster, plan.state)};
}

WeakestMoment weakest_moment(const Cluster& cluster, const State& start, const Part& part,
                             const BalanceOptions& options, const std::vector<BalanceStep>& steps) {
  WeakestMoment weakest;
  State state = start;
  const auto look_at = [&](NodeId node, std::size_t after_step) {
    if (node.is_none() || cluster[node].is_offline) return;
    const std::int64_t spare =
        unallocated_mem(cluster[node], state[node]) - state[node].reserved_mem;
    if (weakest.node.is_none() || spare < weakest.spare_mib) weakest = {node, after_step, spare};
  };
  for (const NodeId node : part.nodes) look_at(node, 0);
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const BalanceStep& step = steps[s];
    apply(state, step.instance,
          *evaluate(cluster, state, step.instance, step.move, options.ignore_soft_errors));
    for (const NodeId node :
         {step.before.primary, step.before.secondary, step.after.primary, step.after.secondary})
      look_at(node, s + 1);
  }
  return weakest;
}

bool is_no_worse(const PlanFigures& a, const PlanFigures& b) {
  return a.value() <= b.value() && a.steps <= b.steps && a.copied_mib <= b.copied_mib;
}

bool is_better(const PlanFigures& a, const PlanFigures& b) {
  return is_no_worse(a, b) &&
         (a.value() < b.value() || a.steps < b.steps || a.copied_mib < b.copied_mib);
}

void cut(const Cluster& cluster, const State& start, const Part& part,
         const BalanceOptions& options, std::size_t count, BalanceResult& plan) {
  if (count >= plan.steps.size()) return;
  // Moves that belong together stay or go together.
  while (count > 0 && plan.steps[count - 1].move.joined > 1) --count;
  plan.steps.erase(plan.steps.begin() + static_cast<std::ptrdiff_t>(count), plan.steps.end());
  plan.state = start;
  for (const BalanceStep& step : plan.steps) {
    apply(plan.state, step.instance,
          *evaluate(cluster, plan.state, step.instance, step.move, options.ignore_soft_errors));
  }
  plan.score_after = full_score(cluster, plan.state, part.nodes);
}

void limit_data(const Cluster& cluster, const State& start, const Part& part,
                const BalanceOptions& options, std::int64_t most_mib, BalanceResult& plan) {
  std::int64_t mib = 0;
  std::size_t count = 0;
  for (const BalanceStep& step : plan.steps) {
    mib += copied_mib(cluster, step.instance, step.move);
    if (mib > most_mib) break;
    ++count;
  }
  cut(cluster, start, part, options, count, plan);
}

void stop_at(const Cluster& cluster, const State& start, const Part& part,
             const BalanceOptions& options, double percent, BalanceResult& plan) {
  if (percent >= 100) return;
  const double wanted = plan.score_before - (plan.score_before - plan.score_after) * percent / 100;
  const auto last = std::find_if(plan.steps.begin(), plan.steps.end(),
                                 [&](const BalanceStep& step) { return step.score <= wanted; });
  if (last == plan.steps.end()) return;
  cut(cluster, start, part, options, static_cast<std::size_t>(last - plan.steps.begin()) + 1, plan);
}

}  // namespace ballast::ganeti
