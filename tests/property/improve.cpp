// SPDX-License-Identifier: BSD-2-Clause
// Better plans, on random clusters of all kinds: each step is a legal move that gives the stated
// score, the plan is nowhere worse than the step-by-step one, no score is below the proven bound,
// limits hold, no step leaves less redundancy than there was, no more is left on offline nodes than
// by the step-by-step plan, and the same seed gives the same plan with one thread and with two.
#include <iostream>

#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/bound/bound.hpp"
#include "ballast/ganeti/search/improve/improve.hpp"
#include "support/each_seed.hpp"
#include "support/random_cluster.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

constexpr std::int64_t kBoundWork = 200000;

std::size_t online_copies(const Cluster& cluster, const Placement& placement) {
  std::size_t count = 0;
  for (const NodeId node : {placement.primary, placement.secondary})
    count += node.is_none() || cluster[node].is_offline ? 0U : 1U;
  return count;
}

/// Of the instance and its nodes after the step: copies on online nodes against the start, and N+1
/// against the nodes that `failed` before the step. Off an offline node an instance may go where
/// N+1 then fails, as the step-by-step plan does.
std::string lost_redundancy(const Cluster& cluster, const State& start, const State& now,
                            const std::vector<bool>& failed, const BalanceOptions& options,
                            const BalanceStep& step) {
  if (online_copies(cluster, now[step.instance]) < online_copies(cluster, start[step.instance]))
    return "an instance has fewer copies on online nodes than at the start";
  const auto is_offline = [&](NodeId node) { return !node.is_none() && cluster[node].is_offline; };
  if (options.ignore_soft_errors || is_offline(step.before.primary) ||
      is_offline(step.before.secondary))
    return "";
  for (const NodeId node : {step.after.primary, step.after.secondary}) {
    if (node.is_none() || cluster[node].is_offline) continue;
    if (now[node].fails_n1 && !failed[node.index()])
      return "a step makes a node fail N+1 that did not before";
  }
  return "";
}

std::size_t on_offline_nodes(const Cluster& cluster, const State& state, const Part& part) {
  std::size_t count = 0;
  for (const NodeId node : part.nodes) {
    if (cluster[node].is_offline)
      count += state[node].primaries.size() + state[node].secondaries.size();
  }
  return count;
}

std::string broken_rule(const Cluster& cluster, const State& start, const Part& part,
                        const BalanceOptions& options, const ImproveOptions& wish,
                        const ImproveResult& result) {
  const double none = result.plan.score_before;
  if (none != none) return "";
  State state = start;
  double last = none;
  for (const BalanceStep& step : result.plan.steps) {
    if (state[step.instance].primary != step.before.primary ||
        state[step.instance].secondary != step.before.secondary) {
      return "a step does not start where its instance is";
    }
    auto effect = evaluate(cluster, state, step.instance, step.move, options.ignore_soft_errors);
    if (!effect) return "a step is refused";
    std::vector<bool> failed;
    for (const NodeState& node : state.nodes) failed.push_back(node.fails_n1);
    apply(state, step.instance, std::move(*effect));
    std::string rule = lost_redundancy(cluster, start, state, failed, options, step);
    if (!rule.empty()) return rule;
    if (full_score(cluster, state, part.nodes) != step.score)
      return "a step's score is not the score from scratch";
    if (step.score < result.at_least.score) return "a step's score is below the bound";
    if (wish.never_worse && step.score > last) return "the score rises although it must not";
    last = step.score;
  }
  const bool has_limits = wish.max_data_mib || wish.max_steps;
  if (!has_limits &&
      on_offline_nodes(cluster, state, part) >
          on_offline_nodes(cluster, balance(cluster, start, part, options).state, part))
    return "more is left on offline nodes than by the step-by-step plan";
  if (result.plan.score_after != last) return "the plan's score is not its last step's";
  if (result.figures.score > result.plain.score ||
      (!has_limits && (result.figures.steps > result.plain.steps ||
                       result.figures.copied_mib > result.plain.copied_mib))) {
    return "the plan is worse than the step-by-step one";
  }
  if (wish.max_data_mib && result.figures.copied_mib > *wish.max_data_mib)
    return "the plan copies more than it may";
  if (wish.max_steps && static_cast<std::int64_t>(result.figures.steps) > *wish.max_steps)
    return "the plan has more steps than it may";
  if (options.max_length >= 0 &&
      static_cast<std::int64_t>(result.figures.steps) > options.max_length)
    return "the plan is too long";
  // The bound of a run knows what the run has reached; this one does not.
  const double unaware = least_possible_score(cluster, start, part, {.work = kBoundWork}).score;
  if (result.figures.score < std::max(unaware, result.at_least.score) ||
      none < result.at_least.score)
    return "a score is below the bound";
  return "";
}

std::string check(std::uint64_t seed, std::size_t& better) {
  Random rnd(seed * 104729 + 3);
  const test::RandomCluster cluster_text = test::ClusterGenerator(seed).make();
  auto snapshot = read_text(cluster_text.text(), "case", {});
  PipelineOptions pipeline;
  if (auto loads = read_utilisation(cluster_text.load_text())) pipeline.utilisation = *loads;
  if (!snapshot || !run_pipeline(*snapshot, pipeline)) return "";
  BalanceOptions options;
  if (rnd.chance(15)) options.max_length = 3;
  if (rnd.chance(20)) options.evacuation = true;
  if (rnd.chance(10)) options.disk_moves = false;
  if (rnd.chance(10)) options.instance_moves = false;
  if (rnd.chance(10)) options.restricted_migration = true;
  if (rnd.chance(10)) options.ignore_soft_errors = true;
  ImproveOptions wish;
  wish.trials = 2000;
  wish.bound_work = kBoundWork;
  wish.seed = seed;
  wish.never_worse = rnd.chance(20);
  if (rnd.chance(15)) wish.max_data_mib = 60000;
  if (rnd.chance(15)) wish.max_steps = 1 + static_cast<std::int64_t>(seed % 9);
  if (rnd.chance(5)) wish.trials = 110'000;  // long walks are guided by more than the score
  const Clock clock = [] { return 0.0; };
  for (const Part& part : parts_of(snapshot->cluster, snapshot->state)) {
    const ImproveResult result =
        improve(snapshot->cluster, snapshot->state, part, options, wish, clock);
    std::string rule = broken_rule(snapshot->cluster, snapshot->state, part, options, wish, result);
    if (!rule.empty()) return rule + "\n" + cluster_text.text();
    BalanceOptions on_two = options;
    on_two.threads = 2;
    const ImproveResult again =
        improve(snapshot->cluster, snapshot->state, part, on_two, wish, clock);
    if (again.plan.steps.size() != result.plan.steps.size())
      return "the same seed gives another plan";
    for (std::size_t i = 0; i < result.plan.steps.size(); ++i) {
      const BalanceStep& a = result.plan.steps[i];
      const BalanceStep& b = again.plan.steps[i];
      if (a.instance != b.instance || a.move != b.move || a.score != b.score)
        return "the same seed gives another plan";
    }
    better += result.is_better ? 1 : 0;
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  const test::Seeds seeds = test::seeds_of(argc, argv, 300);
  std::size_t better = 0;
  const auto held = [&](std::uint64_t seed) { return check(seed, better); };
  if (!test::holds_for_each(seeds, held)) return 1;
  std::cout << seeds.count << " clusters, " << better << " better plans\n";
  return better > 0 || seeds.count < 20 ? 0 : 1;
}
