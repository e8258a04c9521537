// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/squeeze/steps.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/planning/builder.hpp"
#include "ballast/ganeti/search/planning/move_step.hpp"
#include "ballast/ganeti/search/planning/node_step.hpp"
#include "ballast/ganeti/search/planning/refusal_text.hpp"
#include "ballast/ganeti/search/planning/states.hpp"
#include "ballast/plan/outcome.hpp"
#include "ballast/plan/select.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::ganeti {
namespace {

using Steps = std::vector<plan::Step>;

std::string obstacle_text(const Cluster& cluster, const State& state,
                          const SqueezeObstacle& obstacle) {
  if (!obstacle.stranded.is_none()) {
    return fmt::format("{} would be left on {}, which is offline", cluster[obstacle.stranded].name,
                       cluster[obstacle.node].name);
  }
  return fmt::format("{} would not take the reference instance: {}", cluster[obstacle.node].name,
                     refusal_text(cluster, state, Instance{}, obstacle.refusal));
}

/// The moves, numbered after `first` steps and phases that come before.
Steps move_steps(const State& before, const SqueezePlan& found, int first_step, int first_phase) {
  const Cluster named = with_full_instance_names(found.cluster);
  const auto& moves = found.balance.steps;
  Steps steps = balance_steps(named, before, whole_part(named), moves, job_sets(named, moves));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    plan::Step& step = steps[i];
    step.n += first_step;
    step.phase += first_phase;
    for (plan::Wait& wait : step.waits_for) *wait.step += first_step;
    for (plan::Unprotected& unprotected : step.unprotected) unprotected.until_step = step.n;
    const NodeId left = moves[i].before.primary;
    if (std::ranges::find(found.nodes, left) == found.nodes.end()) continue;
    if (found.action != SqueezeAction::Squeeze) continue;
    step.reason.code = "EMPTY_NODE";
    step.reason.text =
        fmt::format("{} is to be switched off; {}", named[left].name, step.reason.text);
  }
  return steps;
}

/// The last move off each node is waited for.
void wait_for_moves(plan::Step& step, const Steps& moves) {
  const auto leaves = [&](const plan::Step& move) {
    const Value* from = move.from.find("primary");
    return from != nullptr && *from == Value(step.subject.name);
  };
  const auto last = std::find_if(moves.rbegin(), moves.rend(), leaves);
  if (last == moves.rend()) return;
  plan::Wait wait;
  wait.step = last->n;
  wait.text = "nothing is left there then";
  step.waits_for.push_back(std::move(wait));
}

void add_power_off(Steps& steps, const SqueezePlan& found) {
  const Steps moves = steps;
  const int phase = moves.empty() ? 1 : moves.back().phase + 1;
  for (const NodeId node : found.nodes) {
    plan::Step step = power_off_step(found.cluster, static_cast<int>(steps.size()) + 1, node);
    step.phase = phase;
    step.reason.code = "SQUEEZE";
    step.reason.text =
        "without it every node still takes the instance of --target-resources, and everything runs";
    wait_for_moves(step, moves);
    steps.push_back(std::move(step));
  }
}

Steps expansion(const State& before, const SqueezePlan& found) {
  const std::string cause = obstacle_text(found.cluster, before, *found.cause);
  Steps steps;
  for (const NodeId node : found.nodes) {
    plan::Step step = power_on_step(found.cluster, static_cast<int>(steps.size()) + 1, node);
    step.phase = 1;
    step.reason.code = "EXPAND";
    step.reason.text = "--minimal-resources: " + cause;
    steps.push_back(std::move(step));
  }
  const int count = static_cast<int>(steps.size());
  std::ranges::move(move_steps(before, found, count, count > 0 ? 1 : 0), std::back_inserter(steps));
  return steps;
}

void add_obstacles(plan::Plan& plan, const Cluster& cluster, const State& state,
                   const SqueezePlan& found) {
  for (const auto& [node, obstacle] : found.kept) {
    plan.deferred.push_back({"STAYS_ON", fmt::format("{} stays on: {}", cluster[node].name,
                                                     obstacle_text(cluster, state, obstacle))});
  }
  for (const auto& [node, instance] : found.reserved) {
    plan.deferred.push_back(
        {"STAYS_ON", fmt::format("{} stays on: a place there is reserved for {}",
                                 cluster[node].name, cluster[instance].name)});
  }
  if (found.is_enough) return;
  plan::Blocked blocked;
  blocked.code = "NOT_ENOUGH_CAPACITY";
  blocked.text = "with all standby nodes switched on, " +
                 obstacle_text(found.cluster, found.balance.state, *found.shortage);
  blocked.subject = {"node", cluster[found.shortage->node].name, ""};
  if (found.enough_for) {
    blocked.remedies.push_back({fmt::format("ask for less: the nodes that can be switched on are "
                                            "enough for --minimal-resources={:.2f}",
                                            *found.enough_for),
                                {},
                                {}});
  }
  plan.blocked.push_back(std::move(blocked));
}

std::string headline_of(const SqueezePlan& found, const plan::Plan& plan) {
  const std::string nodes = counted(found.nodes.size(), "node");
  const std::string moves = counted(found.balance.steps.size(), "move");
  if (found.action == SqueezeAction::Nothing) return "no node to switch on or off";
  if (found.action == SqueezeAction::Squeeze)
    return fmt::format("{} can be switched off, after {}", nodes, moves);
  std::string text = fmt::format("{} must be switched on, then {}", nodes, moves);
  if (!plan.blocked.empty()) text += "; that is not enough";
  return text;
}

/// The last node that is on stays on. (The reference, which knows no master there, may name it.)
void keep_last_node(plan::Plan& plan, SqueezePlan& found) {
  const bool has_other =
      std::ranges::any_of(found.cluster.nodes, [](const Node& node) { return !node.is_offline; });
  if (found.action != SqueezeAction::Squeeze || has_other) return;
  Node& last = found.cluster.nodes[found.nodes.back().index()];
  last.is_offline = false;
  found.nodes.pop_back();
  if (found.nodes.empty()) found.action = SqueezeAction::Nothing;
  plan.deferred.push_back({"STAYS_ON", last.name + " stays on: no other node would be on"});
}

}  // namespace

Cluster with_full_instance_names(Cluster cluster) {
  for (Instance& instance : cluster.instances) instance.alias = instance.name;
  return cluster;
}

plan::Plan squeeze_plan(const Cluster& cluster, const State& state, SqueezePlan found) {
  const Part part = whole_part(cluster);
  plan::Plan plan;
  plan.system = plan::System::Ganeti;
  keep_last_node(plan, found);
  if (found.action == SqueezeAction::Squeeze) {
    plan.steps = move_steps(state, found, 0, 0);
    add_power_off(plan.steps, found);
  } else if (found.action == SqueezeAction::Expand) {
    plan.steps = expansion(state, found);
  }
  add_obstacles(plan, cluster, state, found);
  plan.score = plan_score(cluster, score_detail(cluster, state, part.nodes),
                          score_detail(found.cluster, found.balance.state, part.nodes),
                          score_lower_bound(found.cluster, found.balance.state, part.nodes));
  plan.result = plan::outcome_of(plan);
  plan.totals.bytes = 0;
  plan::renumber(plan);
  plan.totals.moved = static_cast<std::int64_t>(found.balance.steps.size());
  plan.headline = headline_of(found, plan);
  (void)fill_states(plan, cluster, state, part, false);
  return plan;
}

}  // namespace ballast::ganeti
