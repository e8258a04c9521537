// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/report/explain/evacuation_plan.hpp"

#include "ballast/core/words.hpp"
#include "ballast/ganeti/moves/ends.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/planning/blocked_by.hpp"
#include "ballast/ganeti/search/planning/builder.hpp"
#include "ballast/ganeti/search/planning/move_step.hpp"
#include "ballast/ganeti/search/planning/refusal_text.hpp"
#include "ballast/ganeti/search/planning/states.hpp"
#include "ballast/plan/outcome.hpp"
#include "ballast/plan/select.hpp"
#include "blocked_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

namespace ballast::ganeti {
namespace {

Move move_of(const AllocatorOperation& operation) {
  if (operation.kind == AllocatorOperation::Kind::ReplaceSecondary)
    return {MoveKind::ReplaceSecondary, operation.target};
  if (operation.target.is_none()) return {MoveKind::Failover, NodeId()};
  return {MoveKind::FailoverToAny, operation.target};
}

/// Relocation answers with a node only: its one operation.
EvacuateResult as_evacuation(const Cluster& cluster, const Placement& start,
                             const RelocateRequest& request, const AllocatorAnswer& answer) {
  const InstanceId id = request.instance;
  EvacuateResult result;
  const auto* nodes = std::get_if<std::vector<NodeId>>(&answer.result);
  if (!answer.success || nodes == nullptr || nodes->empty()) {
    result.failed.push_back({cluster[id].name, answer.info, {}});
    return result;
  }
  const bool is_mirrored = has_secondary(cluster[id].disk_template);
  const auto kind =
      is_mirrored ? AllocatorOperation::Kind::ReplaceSecondary : AllocatorOperation::Kind::Migrate;
  std::vector<NodeId> all = *nodes;
  if (is_mirrored) all.insert(all.begin(), start.primary);
  result.moved.push_back({id, cluster[all.front()].group, all, {{kind, nodes->front()}}});
  return result;
}

/// Nodes that the instance has now and will not have.
std::string left_nodes(const Cluster& cluster, const Placement& start, const MovedInstance& one) {
  std::string text;
  for (const NodeId node : {start.primary, start.secondary}) {
    if (node.is_none() || std::ranges::find(one.nodes, node) != one.nodes.end()) continue;
    text += (text.empty() ? "" : " and ") + cluster[node].name;
  }
  return text;
}

plan::Reason reason_of(const Cluster& cluster, const Request& request, const Placement& start,
                       const MovedInstance& one) {
  plan::Reason reason;
  if (std::holds_alternative<ChangeGroupRequest>(request)) {
    reason.code = "CHANGE_GROUP";
    reason.text = fmt::format("goes from group {} to group {}",
                              cluster[cluster[start.primary].group].name, cluster[one.group].name);
    return reason;
  }
  const auto* evacuate = std::get_if<NodeEvacuateRequest>(&request);
  const std::string left = left_nodes(cluster, start, one);
  reason.code = evacuate != nullptr ? "EVACUATE" : "RELOCATE";
  reason.text = left.empty() ? fmt::format("is not to run on {}", cluster[start.primary].name)
                             : fmt::format("is to leave {}", left);
  return reason;
}

class Builder {
 public:
  Builder(const Cluster& cluster, const State& state, const Request& request, bool force)
      : cluster_(cluster), request_(request), now_(state), force_(force), use_(cluster) {}

  /// `joined`: how many moves are left of the set that the instance belongs to, its own included;
  /// 0: it moves alone.
  void add(const MovedInstance& one, std::int32_t joined) {
    if (!seen_.insert(one.instance).second) return;
    std::vector<Move> moves;
    for (const AllocatorOperation& operation : one.job) {
      moves.push_back(move_of(operation));
      if (joined > 0) moves.back().joined = joined--;
    }
    State end = now_;
    if (auto problem = first_problem(one.instance, moves, end)) {
      problem->code = "UNSAFE_ANSWER";
      problem->subject = {"instance", cluster_[one.instance].name, ""};
      unsafe.push_back(std::move(*problem));
      return;
    }
    const plan::Reason reason = reason_of(cluster_, request_, now_[one.instance], one);
    Placement at = now_[one.instance];
    for (const Move move : moves) at = add_step(one.instance, move, at, reason);
    now_ = std::move(end);
  }

  std::vector<plan::Step> steps;
  std::vector<plan::Blocked> unsafe;
  [[nodiscard]] const State& end() const { return now_; }

 private:
  /// The reference fails over to secondaries that are offline; such an answer is no plan.
  std::optional<plan::Blocked> first_problem(InstanceId id, const std::vector<Move>& moves,
                                             State& state) const {
    for (const Move move : moves) {
      const NodeId to = move.target.is_none() ? state[id].secondary : move.target;
      plan::Blocked problem;
      if (cluster_[to].is_offline) {
        problem.text =
            fmt::format("the answer moves it to {}, which is offline", cluster_[to].name);
        problem.gate = std::string(name_of(Rule::TargetOffline));
        return problem;
      }
      auto effect = evaluate(cluster_, state, id, move, force_);
      if (!effect) {
        problem.text = refusal_text(cluster_, state, cluster_[id], effect.error());
        set_rule(problem, cluster_, effect.error());
        return problem;
      }
      apply(state, id, std::move(*effect));
    }
    return std::nullopt;
  }

  Placement add_step(InstanceId id, Move move, const Placement& before,
                     const plan::Reason& reason) {
    const Placement after = ganeti::after(before, move);
    const int number = static_cast<int>(steps.size()) + 1;
    plan::Step step = move_step(cluster_, number, id, move, before, after);
    const std::vector<NodeId> nodes = touched_nodes(before, after);
    step.reason = reason;
    step.waits_for = use_.touch(number, nodes, id);
    step.phase = phase_with(nodes);
    if (move.joined > 0) step.system = Value::map().set("joined", move.joined);
    steps.push_back(std::move(step));
    return after;
  }

  int phase_with(const std::vector<NodeId>& nodes) {
    const bool overlaps =
        std::ranges::any_of(nodes, [&](NodeId node) { return in_phase_.contains(node); });
    if (overlaps) {
      ++phase_;
      in_phase_.clear();
    }
    in_phase_.insert(nodes.begin(), nodes.end());
    return phase_;
  }

  const Cluster& cluster_;
  const Request& request_;
  State now_;
  bool force_;
  NodeUse use_;
  std::set<InstanceId> seen_;
  std::set<NodeId> in_phase_;
  int phase_ = 1;
};

/// The operations of this instance and of those of its set that follow.
std::int32_t joined_moves(const std::vector<MovedInstance>& moved, std::size_t at) {
  std::size_t count = 0;
  const auto left = static_cast<std::size_t>(moved[at].set_left);
  for (std::size_t i = at; i < at + left; ++i) count += moved[i].job.size();
  return static_cast<std::int32_t>(count);
}

std::string headline_of(const plan::Plan& plan) {
  const std::int64_t moves = plan.totals.moved.value_or(0);
  std::string text =
      fmt::format("{} {}", counted(moves, "instance"), of_count(moves, "moves", "move"));
  if (!plan.blocked.empty()) text += fmt::format(", {} cannot", plan.blocked.size());
  return text;
}

}  // namespace

bool has_plan(const Request& request) {
  return std::holds_alternative<RelocateRequest>(request) ||
         std::holds_alternative<ChangeGroupRequest>(request) ||
         std::holds_alternative<NodeEvacuateRequest>(request);
}

std::string_view request_name(const Request& request) {
  constexpr std::array<std::string_view, 6> kNames{"allocate",      "multi-allocate",
                                                   "relocate",      "change-group",
                                                   "node-evacuate", "allocate-secondary"};
  return kNames[request.index()];
}

plan::Plan evacuation_plan(const Cluster& cluster, const State& state, const Request& request,
                           const AllocatorAnswer& answer, const AllocatorOptions& options) {
  const bool force = options.ignore_soft_errors || options.ignore_all_soft_errors;
  const auto* relocate = std::get_if<RelocateRequest>(&request);
  const EvacuateResult result =
      relocate != nullptr ? as_evacuation(cluster, state[relocate->instance], *relocate, answer)
                          : std::get<EvacuateResult>(answer.result);
  Builder builder(cluster, state, request, force);
  for (std::size_t i = 0; i < result.moved.size(); ++i)
    builder.add(result.moved[i], joined_moves(result.moved, i));
  const Part part = whole_part(cluster);
  plan::Plan plan;
  plan.system = plan::System::Ganeti;
  plan.steps = std::move(builder.steps);
  if (!result.failed.empty()) {
    const BlockedTexts texts(cluster, state, request, options);
    for (const FailedInstance& one : result.failed) plan.blocked.push_back(texts.of(one));
  }
  std::ranges::move(builder.unsafe, std::back_inserter(plan.blocked));
  plan.result = plan::outcome_of(plan);
  plan.score = plan_score(cluster, score_detail(cluster, state, part.nodes),
                          score_detail(cluster, builder.end(), part.nodes),
                          score_lower_bound(cluster, state, part.nodes));
  plan.totals.bytes = 0;
  plan.totals.moved = 0;
  plan::renumber(plan);
  plan.headline = headline_of(plan);
  (void)fill_states(plan, cluster, state, part, force);
  return plan;
}

}  // namespace ballast::ganeti
