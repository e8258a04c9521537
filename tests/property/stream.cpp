// SPDX-License-Identifier: BSD-2-Clause
// A program that starts each step as soon as all that it waits for are done: whatever comes first,
// each step is still a legal move, and all end where the plan says, with and without rules of
// administrators.
#include <set>

#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"
#include "ballast/ganeti/search/mend/mend.hpp"
#include "ballast/ganeti/search/planning/builder.hpp"
#include "ballast/ganeti/search/planning/move_step.hpp"
#include "support/each_seed.hpp"
#include "support/random_cluster.hpp"
#include "support/random_rules.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

/// Apart by location, memory that is kept, and whatever else; disks kept off a unit where there are
/// some.
std::vector<RuleSpec> some_rules(Random& rnd, const Cluster& cluster) {
  std::vector<RuleSpec> specs = test::random_rules(rnd, cluster);
  RuleSpec apart;
  apart.kind = RuleKind::Apart;
  apart.name = "apart";
  apart.location = "l";
  for (const Instance& instance : cluster.instances) {
    if (rnd.chance(50)) apart.instances.push_back(instance.name);
  }
  if (apart.instances.empty()) apart.instances.emplace_back("i0");
  specs.push_back(std::move(apart));
  const auto& units = cluster.nodes.front().units;
  if (!units.empty() && rnd.chance(50)) {
    RuleSpec unit;
    unit.kind = RuleKind::ForbidUnits;
    unit.name = "unit";
    unit.units.push_back(cluster[units[rnd.below(units.size())].key]);
    unit.nodes.push_back(cluster.nodes.front().name);
    specs.push_back(std::move(unit));
  }
  return specs;
}

std::vector<std::size_t> ready_steps(const plan::Plan& plan, const std::set<int>& done) {
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const plan::Step& step = plan.steps[i];
    if (done.contains(step.n)) continue;
    const bool is_ready = std::all_of(
        step.waits_for.begin(), step.waits_for.end(),
        [&](const plan::Wait& wait) { return !wait.step || done.contains(*wait.step); });
    if (is_ready) ready.push_back(i);
  }
  return ready;
}

/// Steps that may run at the same time have no node in common: while one runs it takes its room at
/// both ends.
bool do_meet(const BalanceResult& result, const std::vector<std::size_t>& ready) {
  std::set<NodeId> busy;
  for (const std::size_t i : ready) {
    const BalanceStep& step = result.steps[i];
    for (const NodeId node : touched_nodes(step.before, step.after)) {
      if (!busy.insert(node).second) return true;
    }
  }
  return false;
}

std::string check_stream(const Snapshot& snapshot, const BalanceResult& result,
                         const plan::Plan& plan, Random& rnd) {
  State state = snapshot.state;
  std::set<int> done;
  while (done.size() < plan.steps.size()) {
    const std::vector<std::size_t> ready = ready_steps(plan, done);
    if (ready.empty()) return "steps wait for each other";
    if (do_meet(result, ready)) return "two steps on one node may run at the same time";
    const std::size_t i = ready[rnd.below(ready.size())];
    const BalanceStep& step = result.steps[i];
    auto effect = evaluate(snapshot.cluster, state, step.instance, step.move, false);
    if (!effect) return "step " + std::to_string(i + 1) + " is refused when it comes early";
    apply(state, step.instance, std::move(*effect));
    done.insert(plan.steps[i].n);
  }
  for (std::size_t i = 0; i < state.placements.size(); ++i) {
    if (!(state.placements[i] == result.state.placements[i]))
      return "an instance ends at another place";
  }
  return "";
}

std::string check_plan(const Snapshot& snapshot, const Part& part, const BalanceResult& result,
                       Random& rnd, std::size_t& steps) {
  const double before = result.score_before;
  if (result.steps.empty() || before != before) return "";
  const plan::Plan plan = balance_plan(snapshot.cluster, snapshot.state, part, result,
                                       job_sets(snapshot.cluster, result.steps), false);
  steps += plan.steps.size();
  for (int round = 0; round < 5; ++round) {
    std::string wrong = check_stream(snapshot, result, plan, rnd);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::string check(std::uint64_t seed, std::size_t& steps) {
  Random rnd(seed * 6151 + 5);
  const test::RandomCluster text = test::ClusterGenerator(seed).make();
  auto snapshot = read_text(text.text(), "case", {});
  if (!snapshot || !run_pipeline(*snapshot, {})) return "";
  if (rnd.chance(50) && !set_rules(*snapshot, some_rules(rnd, snapshot->cluster)))
    return "rules are refused";
  for (const Part& part : parts_of(snapshot->cluster, snapshot->state)) {
    const BalanceResult balanced = balance(snapshot->cluster, snapshot->state, part, {});
    std::string wrong = check_plan(*snapshot, part, balanced, rnd, steps);
    const auto goal = repair_goal(snapshot->cluster, part);
    const MendResult mended = mend(snapshot->cluster, snapshot->state, part, {}, *goal);
    if (wrong.empty()) wrong = check_plan(*snapshot, part, mended.plan, rnd, steps);
    if (!wrong.empty()) return wrong + "\n" + text.text();
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) { return test::holds_for_some(argc, argv, 300, "steps", check); }
