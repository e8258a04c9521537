// SPDX-License-Identifier: BSD-2-Clause
// Rules of administrators, on random clusters: no step of any search breaks one or makes a broken
// one worse, by a measure of its own that asks names and placements only; what is kept together is
// parted only within a set of joined moves; --repair never ends with more broken than it began
// with, and says what is left. The same for the nodes that the allocator names.
#include <map>
#include <set>

#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"
#include "ballast/ganeti/search/allocate/allocator.hpp"
#include "ballast/ganeti/search/improve/improve.hpp"
#include "ballast/ganeti/search/mend/left.hpp"
#include "ballast/ganeti/search/squeeze/squeeze.hpp"
#include "support/each_seed.hpp"
#include "support/random_cluster.hpp"
#include "support/random_rules.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

/// How badly each rule is broken, by names and placements alone.
class Harm {
 public:
  Harm(const Cluster& cluster, const std::vector<RuleSpec>& specs)
      : cluster_(cluster), specs_(specs) {}

  [[nodiscard]] std::vector<std::vector<std::int64_t>> of(const State& state) const {
    std::vector<std::vector<std::int64_t>> all;
    for (const RuleSpec& spec : specs_) all.push_back(of_rule(spec, state));
    return all;
  }

 private:
  template <class Named>
  static bool is_in(const Selection& selection, const Named& one) {
    return std::find(selection.begin(), selection.end(), one.name) != selection.end();
  }

  [[nodiscard]] std::vector<std::int64_t> of_rule(const RuleSpec& spec, const State& state) const {
    std::vector<std::int64_t> harm;
    std::map<NodeId, std::int64_t> on;
    for (std::size_t i = 0; i < cluster_.instances.size(); ++i) {
      if (!is_in(spec.instances, cluster_.instances[i])) continue;
      const Placement& at = state.placements[i];
      ++on[at.primary];
      if (spec.kind == RuleKind::Pin)
        harm.push_back(is_in(spec.nodes, cluster_[at.primary]) ? 0 : 2);
    }
    std::int64_t pairs = 0;
    for (const auto& [node, count] : on) pairs += count * (count - 1) / 2;
    if (spec.kind == RuleKind::Apart) harm.push_back(pairs);
    if (spec.kind == RuleKind::Together) harm.push_back(-pairs);
    if (spec.kind == RuleKind::ReserveMemory) {
      for (std::size_t n = 0; n < cluster_.nodes.size(); ++n) {
        const Node& node = cluster_.nodes[n];
        const std::int64_t left = unallocated_mem(node, state.nodes[n]);
        harm.push_back(
            node.memory_reserve > 0 ? std::max<std::int64_t>(0, node.memory_reserve - left) : 0);
      }
    }
    return harm;
  }

  const Cluster& cluster_;
  const std::vector<RuleSpec>& specs_;
};

bool is_selected(const Selection& selection, const std::string& name) {
  return std::find(selection.begin(), selection.end(), name) != selection.end();
}

std::string forbidden_step(const Cluster& cluster, const std::vector<RuleSpec>& specs,
                           const BalanceStep& step) {
  for (const RuleSpec& spec : specs) {
    if (spec.kind == RuleKind::KeepInstances &&
        is_selected(spec.instances, cluster[step.instance].name))
      return "an instance moves that a rule keeps";
    if (spec.kind != RuleKind::ExcludeNodes) continue;
    for (const NodeId node : {step.after.primary, step.after.secondary}) {
      const bool is_new =
          !node.is_none() && node != step.before.primary && node != step.before.secondary;
      if (is_new && is_selected(spec.nodes, cluster[node].name))
        return "an instance moves to a node that a rule excludes";
    }
  }
  return "";
}

std::string broken_by(const Cluster& cluster, const State& start,
                      const std::vector<RuleSpec>& specs, const std::vector<BalanceStep>& steps,
                      bool force) {
  const Harm harm(cluster, specs);
  State state = start;
  auto before = harm.of(state);
  for (const BalanceStep& step : steps) {
    if (std::string wrong = forbidden_step(cluster, specs, step); !wrong.empty()) return wrong;
    auto effect = evaluate(cluster, state, step.instance, step.move, force);
    if (!effect) return "a step is refused";
    apply(state, step.instance, std::move(*effect));
    if (step.move.joined > 1) continue;  // parted only until the last of the set
    const auto now = harm.of(state);
    for (std::size_t r = 0; r < specs.size(); ++r) {
      for (std::size_t k = 0; k < now[r].size(); ++k) {
        if (now[r][k] > before[r][k]) return "a step makes " + specs[r].name + " worse";
      }
    }
    before = now;
  }
  if (!steps.empty() && steps.back().move.joined > 1) return "the plan ends within a joined set";
  return "";
}

std::string check_hbal(const Snapshot& snapshot, const std::vector<RuleSpec>& specs,
                       const BalanceOptions& options, std::size_t& steps) {
  const Cluster& cluster = snapshot.cluster;
  const bool force = options.ignore_soft_errors;
  for (const Part& part : parts_of(cluster, snapshot.state)) {
    const BalanceResult plan = balance(cluster, snapshot.state, part, options);
    steps += plan.steps.size();
    std::string wrong = broken_by(cluster, snapshot.state, specs, plan.steps, force);
    if (!wrong.empty()) return "balance: " + wrong;
    ImproveOptions wish;
    wish.trials = 500;
    const auto better = improve(cluster, snapshot.state, part, options, wish, [] { return 0.0; });
    wrong = broken_by(cluster, snapshot.state, specs, better.plan.steps, force);
    if (!wrong.empty()) return "search: " + wrong;
    const auto goal = repair_goal(cluster, part);
    const MendResult mended = mend(cluster, snapshot.state, part, options, *goal);
    steps += mended.plan.steps.size();
    wrong = broken_by(cluster, snapshot.state, specs, mended.plan.steps, force);
    if (!wrong.empty()) return "repair: " + wrong;
    if (is_less(mended.before, mended.after)) return "repair leaves more broken than there was";
    Thresholds thresholds;
    thresholds.memory = 0.5;
    const MendResult lowered =
        mend(cluster, snapshot.state, part, options, *threshold_goal(cluster, thresholds));
    steps += lowered.plan.steps.size();
    wrong = broken_by(cluster, snapshot.state, specs, lowered.plan.steps, force);
    if (!wrong.empty()) return "only-above: " + wrong;
    if (is_less(lowered.before, lowered.after)) return "only-above leaves more than there was";
    const bool is_silent = left_over(cluster, mended.plan.state, part, options, *goal).empty();
    if (mended.after.count > 0 && is_silent) return "repair does not say what is left";
  }
  return "";
}

/// The answer's placements are held against the start, instance by instance.
std::string check_evacuation(const Snapshot& snapshot, const std::vector<RuleSpec>& specs,
                             Random& rnd) {
  const Cluster& cluster = snapshot.cluster;
  NodeEvacuateRequest request;
  const NodeId node(rnd.below(cluster.nodes.size()));
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    if (snapshot.state.placements[i].primary == node) request.instances.emplace_back(i);
  }
  if (request.instances.empty()) return "";
  const AllocatorAnswer answer = answer_request(cluster, snapshot.state, request, {});
  if (answer.dies_at_key || !answer.success) return "";
  const auto* result = std::get_if<EvacuateResult>(&answer.result);
  if (result == nullptr) return "";
  for (const MovedInstance& moved : result->moved) {
    const Placement& before = snapshot.state[moved.instance];
    BalanceStep step{moved.instance, {}, before, {moved.nodes.front(), NodeId(), 0}, 0, ""};
    if (moved.nodes.size() > 1) step.after.secondary = moved.nodes[1];
    if (std::string wrong = forbidden_step(cluster, specs, step); !wrong.empty())
      return "evacuation: " + wrong;
    for (const RuleSpec& spec : specs) {
      if (spec.kind != RuleKind::Pin ||
          !is_selected(spec.instances, cluster[moved.instance].name) ||
          !is_selected(spec.nodes, cluster[before.primary].name))
        continue;
      if (!is_selected(spec.nodes, cluster[step.after.primary].name))
        return "evacuation: a pinned instance leaves its nodes";
    }
  }
  return "";
}

std::string check(std::uint64_t seed, std::size_t& steps) {
  Random rnd(seed * 7919 + 11);
  const test::RandomCluster text = test::ClusterGenerator(seed).make();
  auto snapshot = read_text(text.text(), "case", {});
  if (!snapshot || !run_pipeline(*snapshot, {})) return "";
  const std::vector<RuleSpec> specs = test::random_rules(rnd, snapshot->cluster);
  if (!set_rules(*snapshot, specs)) return "rules are refused";
  BalanceOptions options;
  if (rnd.chance(20)) options.evacuation = true;
  if (rnd.chance(20)) options.ignore_soft_errors = true;
  if (rnd.chance(20)) options.max_length = 3;
  std::string wrong = check_hbal(*snapshot, specs, options, steps);
  if (wrong.empty()) {
    const SqueezePlan plan = plan_squeeze(snapshot->cluster, snapshot->state, {});
    wrong = broken_by(plan.cluster, snapshot->state, specs, plan.balance.steps, false);
    if (!wrong.empty()) wrong = "squeeze: " + wrong;
  }
  if (wrong.empty()) wrong = check_evacuation(*snapshot, specs, rnd);
  return wrong.empty() ? "" : wrong + "\n" + text.text();
}

}  // namespace

int main(int argc, char** argv) { return test::holds_for_some(argc, argv, 100, "steps", check); }
