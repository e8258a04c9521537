// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/planning/move_step.hpp"
#include "ballast/ganeti/search/planning/node_step.hpp"
#include "ballast/ganeti/search/planning/replay.hpp"
#include "ballast/plan/select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace ballast::ganeti {
namespace {

bool is_at(const Placement& now, const Placement& place) {
  return now.primary == place.primary && now.secondary == place.secondary;
}

/// How many of an instance's steps are made, `told` of them for certain; none where no number fits.
std::optional<std::size_t> count_done(const Placement& now, const std::vector<ResolvedStep>& steps,
                                      std::size_t told) {
  if (told == 0 && is_at(now, steps.front().from)) return 0;
  for (std::size_t done = std::max<std::size_t>(told, 1); done <= steps.size(); ++done) {
    if (is_at(now, steps[done - 1].to)) return done;
  }
  return std::nullopt;
}

/// Does the step leave nothing behind that could be taken back or seen?
bool is_passing(const plan::Step& step, const ResolvedStep& resolved) {
  return resolved.node.is_none() ? resolved.instance.is_none() : step.action == kReboot;
}

/// The state that the plan expects after so many of its steps, held against the one that is there.
class ExpectedState {
 public:
  ExpectedState(const Cluster& cluster, const State& state) : cluster_(cluster), state_(state) {}

  /// `step` is one of the plan; all are noted before the first is made.
  void note(const plan::Step& step, const ResolvedStep& resolved) {
    if (!resolved.instance.is_none()) {
      if (places_.emplace(resolved.instance, resolved.from).second) judge(resolved.instance);
    } else if (is_power(step)) {
      if (power_.emplace(resolved.node, step.action != kPowerOn).second) judge(resolved.node);
    }
  }

  void make(const plan::Step& step, const ResolvedStep& resolved) {
    if (!resolved.instance.is_none()) {
      places_[resolved.instance] = resolved.to;
      judge(resolved.instance);
    } else if (is_power(step)) {
      power_[resolved.node] = step.action == kPowerOn;
      judge(resolved.node);
    }
  }

  [[nodiscard]] bool holds() const { return other_places_.empty() && other_power_.empty(); }

 private:
  static bool is_power(const plan::Step& step) {
    return step.action == kPowerOff || step.action == kPowerOn;
  }
  void judge(InstanceId instance) {
    if (is_at(state_[instance], places_[instance])) {
      other_places_.erase(instance);
    } else {
      other_places_.insert(instance);
    }
  }
  void judge(NodeId node) {
    if (cluster_[node].is_offline != power_[node]) {
      other_power_.erase(node);
    } else {
      other_power_.insert(node);
    }
  }

  const Cluster& cluster_;
  const State& state_;
  std::map<InstanceId, Placement> places_;
  std::map<NodeId, bool> power_;  ///< on?
  std::set<InstanceId> other_places_;
  std::set<NodeId> other_power_;
};

/// After how many steps, at least `told`, the whole state is the one that is there. Where several
/// numbers fit, moves that lead back to where things are, with nothing between them that leaves no
/// trace, need not be made (again): up to such a step the largest number counts. None where no
/// number fits: steps of one phase may be made in any order.
std::optional<std::size_t> count_by_state(const Cluster& cluster, const State& state,
                                          const plan::Plan& plan,
                                          const std::vector<ResolvedStep>& steps,
                                          std::size_t told) {
  ExpectedState expected(cluster, state);
  for (std::size_t i = 0; i < steps.size(); ++i) expected.note(plan.steps[i], steps[i]);
  std::optional<std::size_t> found;
  for (std::size_t done = 0; done <= steps.size(); ++done) {
    if (done > 0) {
      const plan::Step& step = plan.steps[done - 1];
      if (found && is_passing(step, steps[done - 1])) break;
      expected.make(step, steps[done - 1]);
    }
    if (done >= told && expected.holds()) found = done;
  }
  return found;
}

plan::Step step_back(const Cluster& cluster, const plan::Step& step, const ResolvedStep& back) {
  plan::Step out = back.node.is_none()
                       ? move_step(cluster, step.n, back.instance, back.move, back.from, back.to)
                       : power_step_back(step);
  if (back.node.is_none())
    out.action = step.action.starts_with("undo_") ? step.action.substr(5) : "undo_" + step.action;
  out.phase = step.phase;
  out.reason.code = "UNDO";
  out.reason.text = fmt::format("takes back step {}: {}", step.n, step.action);
  return out;
}

/// What waited for a step is taken back before it.
void reverse_waits(const plan::Plan& plan, std::vector<plan::Step>& reversed) {
  std::map<int, plan::Step*> by_number;
  for (plan::Step& step : reversed) by_number.emplace(step.n, &step);
  for (const plan::Step& step : plan.steps) {
    for (const plan::Wait& wait : step.waits_for) {
      if (!wait.step || !by_number.contains(*wait.step) || !by_number.contains(step.n)) continue;
      plan::Wait back;
      back.step = step.n;
      back.text = wait.text;
      by_number.at(*wait.step)->waits_for.push_back(std::move(back));
    }
  }
}

}  // namespace

PlanProgress progress_of(const Cluster& cluster, const State& state, const plan::Plan& plan,
                         int made) {
  const StepResolver resolver(cluster);
  PlanProgress progress;
  progress.is_done.assign(plan.steps.size(), false);
  std::map<InstanceId, std::vector<ResolvedStep>> moves;
  std::map<InstanceId, std::vector<std::size_t>> indices;
  std::vector<ResolvedStep> all;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    auto resolved = resolver.resolve(plan.steps[i]);
    all.push_back(resolved ? *resolved : ResolvedStep{});
    if (!resolved) {
      progress.problems.push_back({plan.steps[i].n, std::move(resolved.error())});
    } else if (is_passing(plan.steps[i], *resolved)) {
      progress.is_done[i] = plan.steps[i].n <= made;
    } else if (!resolved->node.is_none()) {
      const bool is_offline = cluster[resolved->node].is_offline;
      const std::string_view action = plan.steps[i].action;
      progress.is_done[i] = action == (is_offline ? kPowerOff : kPowerOn);
    } else if (!resolved->instance.is_none()) {
      indices[resolved->instance].push_back(i);
      moves[resolved->instance].push_back(*resolved);
    }
  }
  const auto told_steps =
      std::ranges::count_if(plan.steps, [&](const plan::Step& step) { return step.n <= made; });
  const auto whole =
      progress.problems.empty()
          ? count_by_state(cluster, state, plan, all, static_cast<std::size_t>(told_steps))
          : std::nullopt;
  if (whole) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!is_passing(plan.steps[i], all[i])) progress.is_done[i] = i < *whole;
    }
    return progress;
  }
  for (const auto& [instance, steps] : moves) {
    const auto told = std::ranges::count_if(indices[instance],
                                            [&](std::size_t i) { return plan.steps[i].n <= made; });
    const auto done = count_done(state[instance], steps, static_cast<std::size_t>(told));
    if (!done) {
      const int first = plan.steps[indices[instance].front()].n;
      progress.problems.push_back(
          {first,
           {plan::ProblemKind::OtherState,
            cluster[instance].name +
                " is neither where the plan found it nor where a step leaves it"}});
      continue;
    }
    for (std::size_t i = 0; i < *done; ++i) progress.is_done[indices[instance][i]] = true;
  }
  std::ranges::stable_sort(progress.problems, {}, &plan::StepProblem::step);
  return progress;
}

tl::expected<plan::Plan, std::vector<plan::StepProblem>> reversed_plan(const Cluster& cluster,
                                                                       const plan::Plan& plan) {
  const StepResolver resolver(cluster);
  std::vector<plan::StepProblem> problems;
  std::vector<plan::Step> steps;
  for (auto step = plan.steps.rbegin(); step != plan.steps.rend(); ++step) {
    const auto resolved = resolver.resolve(*step);
    if (!resolved) {
      problems.push_back({step->n, resolved.error()});
      continue;
    }
    if (is_passing(*step, *resolved)) continue;
    if (!resolved->node.is_none()) {
      steps.push_back(step_back(cluster, *step, *resolved));
      continue;
    }
    const auto move = move_between(cluster[resolved->instance], resolved->to, resolved->from);
    if (!move) {
      problems.push_back(
          {step->n, {plan::ProblemKind::NotAStep, "cannot be taken back by a move"}});
      continue;
    }
    steps.push_back(step_back(cluster, *step,
                              {{}, resolved->instance, resolved->to, resolved->from, *move, {}}));
  }
  if (!problems.empty()) {
    std::ranges::stable_sort(problems, {}, &plan::StepProblem::step);
    return tl::unexpected(std::move(problems));
  }
  reverse_waits(plan, steps);
  plan::Plan back;
  back.system = plan.system;
  back.cluster = plan.cluster;
  back.result = steps.empty() ? plan::Outcome::NoChange : plan::Outcome::Changes;
  back.steps = std::move(steps);
  back.totals.bytes = 0;
  back.totals.moved = 0;
  plan::renumber(back);
  return back;
}

}  // namespace ballast::ganeti
