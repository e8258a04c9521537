// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/planning/states.hpp"
#include "ballast/core/bytes.hpp"

#include "ballast/ganeti/moves/node_ops.hpp"
#include "ballast/ganeti/moves/soft_rules.hpp"
#include "ballast/ganeti/search/planning/builder.hpp"
#include "ballast/ganeti/search/planning/refusal_text.hpp"
#include "ballast/ganeti/search/planning/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace ballast::ganeti {
namespace {

/// Looks at the state before and after each step.
class WatchedState final : public plan::ReplayState {
 public:
  WatchedState(PlanState& state, const Part& part) : state_(state), part_(part) {
    for (const NodeId id : part.nodes) {
      if (lacks_n1(id)) failing_at_start_.insert(id);
    }
  }

  std::optional<plan::Problem> apply(const plan::Step& step) override {
    const auto resolved = state_.resolver().resolve(step);
    Value before = resolved ? touched_figures(*resolved) : Value();
    auto warning = resolved ? against_policy(step, *resolved) : std::nullopt;
    auto problem = state_.apply(step);
    if (problem) return problem;
    if (warning) warnings_.push_back(std::move(*warning));
    figures_.emplace(step.n, std::pair{std::move(before), touched_figures(*resolved)});
    look_for_gaps(step.n);
    return problem;
  }
  [[nodiscard]] std::vector<std::string> at_stake(const plan::Step& step) override {
    return state_.at_stake(step);
  }
  [[nodiscard]] std::vector<plan::Margin> margins() const override { return state_.margins(); }

  void describe(plan::Plan& plan) {
    std::vector<plan::Step>& steps = plan.steps;
    std::ranges::move(warnings_, std::back_inserter(plan.warnings));
    for (plan::Step& step : steps) {
      const auto known = figures_.find(step.n);
      if (known == figures_.end()) continue;
      step.before = std::move(known->second.first);
      step.after = std::move(known->second.second);
    }
    for (const Gap& gap : gaps_)
      steps[static_cast<std::size_t>(gap.step) - 1].unprotected.push_back(gap.unprotected);
  }

 private:
  struct Gap {
    int step;
    plan::Unprotected unprotected;
  };

  /// Told before the step is made: the rule's figures are those of the move.
  [[nodiscard]] std::optional<plan::Warning> against_policy(const plan::Step& step,
                                                            const ResolvedStep& resolved) const {
    if (resolved.instance.is_none() || resolved.tier) return std::nullopt;
    const Cluster& cluster = state_.cluster();
    const auto no = soft_refusal(cluster, state_.state(), resolved.instance, resolved.move);
    if (!no) return std::nullopt;
    const Instance& instance = cluster[resolved.instance];
    return plan::Warning{"AGAINST_POLICY",
                         plan::Severity::Warning,
                         fmt::format("{} goes against a soft rule: {}", instance.name,
                                     refusal_text(cluster, state_.state(), instance, *no)),
                         {step.n},
                         {"instance", instance.name, ""}};
  }

  [[nodiscard]] bool lacks_n1(NodeId id) const {
    return !state_.cluster()[id].is_offline && state_.state()[id].fails_n1;
  }

  void look_for_gaps(int step) {
    for (const NodeId id : part_.nodes) {
      const bool fails = lacks_n1(id);
      const auto open = open_.find(id);
      if (fails && open == open_.end() && !failing_at_start_.contains(id)) {
        open_.emplace(id, gaps_.size());
        gaps_.push_back({step, {"N+1 memory", state_.cluster()[id].name, std::nullopt}});
      } else if (!fails) {
        failing_at_start_.erase(id);
        if (open == open_.end()) continue;
        gaps_[open->second].unprotected.until_step = step;
        open_.erase(open);
      }
    }
  }

  [[nodiscard]] Value touched_figures(const ResolvedStep& step) const {
    const std::vector<NodeId> nodes = touched_nodes(step);
    if (nodes.empty()) return {};
    Value figures = Value::map();
    for (const NodeId id : nodes) {
      const Node& node = state_.cluster()[id];
      const NodeState& now = state_.state()[id];
      Value of_node = Value::map();
      if (!step.node.is_none()) {
        of_node.set("offline", node.is_offline);
        of_node.set("primaries", now.primaries.size());
        of_node.set("secondaries", now.secondaries.size());
      }
      of_node.set("memory_free_bytes", unallocated_mem(node, now) * kBytesPerMib);
      of_node.set("disk_free_bytes", now.free_disk * kBytesPerMib);
      of_node.set("n_plus_one", !now.fails_n1);
      figures.set(node.name, std::move(of_node));
    }
    return figures;
  }

  PlanState& state_;
  const Part& part_;
  std::map<int, std::pair<Value, Value>> figures_;  ///< step number -> before, after
  std::set<NodeId> failing_at_start_;
  std::map<NodeId, std::size_t> open_;
  std::vector<Gap> gaps_;
  std::vector<plan::Warning> warnings_;
};

}  // namespace

std::vector<plan::StepProblem> fill_states(plan::Plan& plan, const Cluster& cluster,
                                           const State& start, const Part& part, bool force) {
  PlanState state(cluster, start, part.nodes, force, plan);
  WatchedState watched(state, part);
  plan::ReplayReport report = plan::replay(plan, watched);
  watched.describe(plan);
  plan.weakest = plan::weakest_moments(plan, std::move(report.weakest));
  plan.before = node_summary(cluster, start, part);
  plan.after = node_summary(state.cluster(), state.state(), part);
  plan.objects = inventory(cluster, start, part);
  return std::move(report.problems);
}

}  // namespace ballast::ganeti
