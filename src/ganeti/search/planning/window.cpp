// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/planning/window.hpp"

#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/planning/move_step.hpp"
#include "ballast/plan/estimate.hpp"

#include <algorithm>
#include <map>

namespace ballast::ganeti {
namespace {

/// The steps with their costs and phases, and nothing else.
plan::Plan skeleton(const Cluster& cluster, const std::vector<BalanceStep>& steps) {
  plan::Plan plan;
  plan.system = plan::System::Ganeti;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const BalanceStep& step = steps[i];
    plan.steps.push_back(move_step(cluster, static_cast<int>(i) + 1, step.instance, step.move,
                                   step.before, step.after));
  }
  const auto sets = job_sets(cluster, steps);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (const std::size_t i : sets[s]) plan.steps[i].phase = static_cast<int>(s) + 1;
  }
  return plan;
}

bool keeps_traffic(const plan::Plan& plan, std::int64_t most_mib) {
  constexpr std::int64_t kMib = 1024 * 1024;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> nodes;
  for (const plan::Step& step : plan.steps) {
    for (const plan::Link& link : step.cost.links) {
      nodes[link.from].first += link.bytes;
      nodes[link.to].second += link.bytes;
    }
  }
  return std::ranges::all_of(nodes, [&](const auto& node) {
    return node.second.first <= most_mib * kMib && node.second.second <= most_mib * kMib;
  });
}

bool is_within(const Cluster& cluster, const std::vector<BalanceStep>& steps,
               const Window& window) {
  plan::Plan plan = skeleton(cluster, steps);
  if (window.per_node_mib && !keeps_traffic(plan, *window.per_node_mib)) return false;
  if (!window.seconds) return true;
  plan::estimate_time(plan, {window.rate_mib, window.parallel});
  return plan.totals.seconds_at_least.value_or(0) <= *window.seconds;
}

/// Makes the step on the state; false: it is not possible from there.
bool make(const Cluster& cluster, const Part& part, const BalanceOptions& options,
          BalanceStep& step, State& state) {
  const Placement& now = state[step.instance];
  if (now.primary != step.before.primary || now.secondary != step.before.secondary) return false;
  auto effect = evaluate(cluster, state, step.instance, step.move, options.ignore_soft_errors);
  if (!effect) return false;
  step.before = now;
  apply(state, step.instance, std::move(*effect));
  step.after = state[step.instance];
  step.score = full_score(cluster, state, part.nodes);
  return true;
}

}  // namespace

std::optional<std::int64_t> Window::most_mib() const {
  if (!seconds || !rate_mib) return std::nullopt;
  const double mib = static_cast<double>(*seconds) * *rate_mib * static_cast<double>(parallel);
  constexpr double kMost = 1e15;
  return static_cast<std::int64_t>(std::min(mib, kMost));
}

std::int64_t seconds_of(const Cluster& cluster, const std::vector<BalanceStep>& steps,
                        const Window& window) {
  plan::Plan plan = skeleton(cluster, steps);
  plan::estimate_time(plan, {window.rate_mib, window.parallel});
  return plan.totals.seconds_at_least.value_or(0);
}

void fit_into(const Cluster& cluster, const State& start, const Part& part,
              const BalanceOptions& options, const Window& window, BalanceResult& plan,
              std::size_t settled) {
  if (window.is_open() || is_within(cluster, plan.steps, window)) return;
  State state = start;
  std::vector<BalanceStep> kept;
  std::size_t best = std::min(settled, plan.steps.size());
  double best_score = plan.score_before;
  for (std::size_t i = 0; i < best; ++i) {
    kept.push_back(plan.steps[i]);
    make(cluster, part, options, kept.back(), state);
    best_score = kept.back().score;
  }
  for (std::size_t first = best; first < plan.steps.size();) {
    const auto count = static_cast<std::size_t>(std::max(1, plan.steps[first].move.joined));
    const std::size_t last = std::min(plan.steps.size(), first + count);
    std::vector<BalanceStep> trial = kept;
    State after = state;
    bool is_possible = true;
    for (std::size_t i = first; i < last && is_possible; ++i) {
      trial.push_back(plan.steps[i]);
      is_possible = make(cluster, part, options, trial.back(), after);
    }
    first = last;
    if (!is_possible || !is_within(cluster, trial, window)) continue;
    kept = std::move(trial);
    state = std::move(after);
    if (kept.back().score >= best_score) continue;
    best_score = kept.back().score;
    best = kept.size();
  }
  kept.resize(best);
  plan.steps = std::move(kept);
  plan.state = start;
  plan.score_after = plan.score_before;
  for (BalanceStep& step : plan.steps) {
    make(cluster, part, options, step, plan.state);
    plan.score_after = step.score;
  }
}

}  // namespace ballast::ganeti
