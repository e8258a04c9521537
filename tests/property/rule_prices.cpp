// SPDX-License-Identifier: BSD-2-Clause
// Rules with a price, on random clusters: what breaches cost in all is the sum of what the steps
// change, counted here from names and placements alone; and a searched plan is worth no less than
// the step-by-step one, score and prices together, and breaks no rule that has no price.
#include <cmath>
#include <map>

#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/rules/prices.hpp"
#include "ballast/ganeti/search/improve/improve.hpp"
#include "support/each_seed.hpp"
#include "support/random_cluster.hpp"
#include "support/random_rules.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

bool is_in(const Selection& selection, const std::string& name) {
  return std::find(selection.begin(), selection.end(), name) != selection.end();
}

/// Wrong nodes, pairs on one node, pairs on different nodes.
std::int64_t breaches_of(const Cluster& cluster, const State& state, const RuleSpec& spec) {
  std::int64_t wrong = 0;
  std::int64_t members = 0;
  std::int64_t pairs = 0;
  std::map<NodeId, std::int64_t> on;
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    if (!is_in(spec.instances, cluster.instances[i].name)) continue;
    const Placement& at = state.placements[i];
    ++members;
    pairs += on[at.primary]++;
    for (const NodeId node : {at.primary, at.secondary}) {
      if (!node.is_none() && !is_in(spec.nodes, cluster[node].name)) ++wrong;
    }
  }
  if (spec.kind == RuleKind::Pin) return wrong;
  return spec.kind == RuleKind::Apart ? pairs : members * (members - 1) / 2 - pairs;
}

double price_by_names(const Cluster& cluster, const State& state,
                      const std::vector<RuleSpec>& specs) {
  double sum = 0;
  for (const RuleSpec& spec : specs) {
    if (spec.price) sum += *spec.price * static_cast<double>(breaches_of(cluster, state, spec));
  }
  return sum;
}

bool differ(double a, double b) { return std::abs(a - b) > 1e-6; }

std::string check_steps(const Cluster& cluster, State state, const std::vector<RuleSpec>& specs,
                        const std::vector<BalanceStep>& steps, bool force) {
  for (const BalanceStep& step : steps) {
    const double before = price_of_breaches(cluster, state);
    if (differ(before, price_by_names(cluster, state, specs)))
      return "the price of all breaches is another one";
    const double change = price_change(
        cluster, {step.instance, &cluster[step.instance], step.before, step.after, false},
        [&](NodeId node) -> const NodeState& { return state[node]; });
    auto effect = evaluate(cluster, state, step.instance, step.move, force);
    if (!effect) return "a step is refused";
    apply(state, step.instance, std::move(*effect));
    if (differ(before + change, price_of_breaches(cluster, state)))
      return "a step changes the price by something else";
  }
  return "";
}

std::string check(std::uint64_t seed, std::size_t& steps) {
  Random rnd(seed * 6007 + 5);
  const test::RandomCluster text = test::ClusterGenerator(seed).make();
  auto snapshot = read_text(text.text(), "case", {});
  if (!snapshot || !run_pipeline(*snapshot, {})) return "";
  std::vector<RuleSpec> specs = test::random_rules(rnd, snapshot->cluster);
  for (RuleSpec& spec : specs) {
    const bool can_have_one = spec.kind == RuleKind::Pin || spec.kind == RuleKind::Apart ||
                              spec.kind == RuleKind::Together;
    if (can_have_one) spec.price = static_cast<double>(rnd.between(1, 40)) / 10;
  }
  if (!set_rules(*snapshot, specs)) return "rules are refused";
  const Cluster& cluster = snapshot->cluster;
  for (const Part& part : parts_of(cluster, snapshot->state)) {
    const BalanceOptions options;
    ImproveOptions wish;
    wish.trials = 500;
    wish.bound_work = 10'000;  // no matter of this property
    if (rnd.chance(30)) wish.move_price = 0.01;
    const ImproveResult found =
        improve(cluster, snapshot->state, part, options, wish, [] { return 0.0; });
    steps += found.plan.steps.size();
    std::string wrong = check_steps(cluster, snapshot->state, specs, found.plan.steps, false);
    const double start = found.plan.score_before + price_by_names(cluster, snapshot->state, specs);
    const double end = found.plan.score_after + price_by_names(cluster, found.plan.state, specs);
    if (wrong.empty() && end > start + 1e-6) wrong = "score and prices rise";
    if (wrong.empty() && !wish.move_price && found.figures.value() > found.plain.value() + 1e-6)
      wrong = "the search is worth less than the step-by-step plan";
    if (wrong.empty() &&
        differ(found.figures.breaches, price_by_names(cluster, found.plan.state, specs)))
      wrong = "the figures tell another price";
    if (!wrong.empty()) return wrong + "\n" + text.text();
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) { return test::holds_for_some(argc, argv, 100, "steps", check); }
