// SPDX-License-Identifier: BSD-2-Clause
// Levelling one storage unit, on random clusters: each step is a legal move that gives the stated
// score, the deviation is the one computed from scratch and never rises, and no instance takes more
// steps than the shortest way to where it ends, unless the whole plan has no shorter order.
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "../../src/ganeti/search/improve/order.hpp"
#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/score/node_values.hpp"
#include "ballast/ganeti/search/improve/level_unit.hpp"
#include "support/each_seed.hpp"
#include "support/random_cluster.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

constexpr double kAlike = 1e-9;

struct Counts {
  std::size_t levelled = 0;
  std::size_t longer_than_ways = 0;
};

double deviation_of(const Cluster& cluster, const State& state, const Part& part,
                    StorageKeyId unit) {
  std::vector<double> values;
  for (const NodeId node : part.nodes) {
    if (cluster[node].is_offline) continue;
    if (const auto fraction = unit_fraction(cluster, cluster[node], state[node], unit))
      values.push_back(fraction->now);
  }
  if (values.empty()) return 0;
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

std::string broken_step(const Cluster& cluster, State& state, const Part& part,
                        const BalanceStep& step) {
  if (state[step.instance] != step.before) return "a step does not start where its instance is";
  auto effect = evaluate(cluster, state, step.instance, step.move, false);
  if (!effect) return "a step is refused";
  apply(state, step.instance, std::move(*effect));
  if (full_score(cluster, state, part.nodes) != step.score)
    return "a step's score is not the score from scratch";
  return "";
}

std::string broken_rule(const Cluster& cluster, const State& start, const Part& part,
                        StorageKeyId unit, Counts& counts) {
  const BalanceOptions options;
  const LevelResult result = level_unit(cluster, start, part, options, unit);
  State state = start;
  for (const BalanceStep& step : result.plan.steps) {
    std::string rule = broken_step(cluster, state, part, step);
    if (!rule.empty()) return rule;
  }
  const double before = deviation_of(cluster, start, part, unit);
  const double after = deviation_of(cluster, state, part, unit);
  if (std::abs(result.deviation_before - before) > kAlike ||
      std::abs(result.deviation_after - after) > kAlike)
    return "a deviation is not the one from scratch";
  if (after > before + kAlike) return "the deviation rises";
  const Reach reach(options);
  std::size_t shortest = 0;
  for (const InstanceId id : part.instances) {
    if (state[id] == start[id]) continue;
    shortest += static_cast<std::size_t>(reach.way(cluster, id, start[id], state[id]).steps);
  }
  if (result.plan.steps.size() < shortest) return "fewer steps than the shortest ways";
  counts.levelled += result.plan.steps.empty() ? 0U : 1U;
  if (result.plan.steps.size() == shortest) return "";
  ++counts.longer_than_ways;
  const OrderTask task{cluster, start,
                       part,    options,
                       false,   {static_cast<std::int64_t>(result.plan.steps.size()), 1LL << 60},
                       {}};
  const OrderedPlan ordered = order_steps(task, state.placements);
  return ordered.stuck == 0 && ordered.plan.steps.size() == shortest ? "a plan can be shorter" : "";
}

std::string check(std::uint64_t seed, Counts& counts) {
  const test::RandomCluster cluster_text = test::ClusterGenerator(seed).make();
  auto snapshot = read_text(cluster_text.text(), "case", {});
  if (!snapshot || !run_pipeline(*snapshot, {}) || !snapshot->cluster.has_storage) return "";
  for (const Part& part : parts_of(snapshot->cluster, snapshot->state)) {
    for (const StorageKeyId unit : scored_units(snapshot->cluster, part.nodes)) {
      const std::string rule = broken_rule(snapshot->cluster, snapshot->state, part, unit, counts);
      if (!rule.empty()) return rule + "\n" + cluster_text.text();
    }
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  const test::Seeds seeds = test::seeds_of(argc, argv, 400);
  Counts counts;
  const auto held = [&](std::uint64_t seed) { return check(seed, counts); };
  if (!test::holds_for_each(seeds, held)) return 1;
  std::cout << counts.levelled << " units levelled, " << counts.longer_than_ways
            << " by more steps than the shortest ways\n";
  return counts.levelled > 0 || seeds.count < 50 ? 0 : 1;
}
