// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/plan_builder.hpp"
#include "ballast/ganeti/search/plan_replay.hpp"
#include "ballast/plan/select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ballast::ganeti {
namespace {

constexpr std::int64_t kMib = 1024 * 1024;

bool is_at(const Placement& now, const Placement& place) {
  return now.primary == place.primary && now.secondary == place.secondary;
}

/// How many of an instance's steps are made; none where no number fits.
std::optional<std::size_t> count_done(const Placement& now,
                                      const std::vector<ResolvedStep>& steps) {
  if (is_at(now, steps.front().from)) return 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (is_at(now, steps[i].to)) return i + 1;
  }
  return std::nullopt;
}

plan::Step step_back(const Cluster& cluster, const plan::Step& step, const ResolvedStep& back) {
  plan::Step out;
  out.n = step.n;
  out.phase = step.phase;
  out.action = step.action.starts_with("undo_") ? step.action.substr(5) : "undo_" + step.action;
  out.subject = step.subject;
  out.from = step.to;
  out.to = step.from;
  out.reason.code = "UNDO";
  out.reason.text = fmt::format("takes back step {}: {}", step.n, step.action);
  out.commands.push_back(
      {plan::CommandUse::Check, placement_check(cluster, back.instance, back.from)});
  for (const std::string& command : commands_of(cluster, back.instance, back.move, back.to)) {
    out.commands.push_back({plan::CommandUse::Hand, "gnt-instance " + command});
  }
  const std::int64_t bytes = copied_mib(cluster, back.instance, back.move) * kMib;
  out.cost.bytes = bytes;
  if (bytes > 0) out.unprotected.push_back({"mirror of the disks", step.subject.name, step.n});
  return out;
}

/// What waited for a step is taken back before it.
void reverse_waits(const plan::Plan& plan, std::vector<plan::Step>& reversed) {
  const std::size_t count = plan.steps.size();
  for (const plan::Step& step : plan.steps) {
    for (const plan::Wait& wait : step.waits_for) {
      if (!wait.step) continue;
      plan::Wait back;
      back.step = step.n;
      back.text = wait.text;
      reversed[count - static_cast<std::size_t>(*wait.step)].waits_for.push_back(std::move(back));
    }
  }
}

}  // namespace

PlanProgress progress_of(const Cluster& cluster, const State& state, const plan::Plan& plan) {
  const StepResolver resolver(cluster);
  PlanProgress progress;
  progress.is_done.assign(plan.steps.size(), false);
  std::map<InstanceId, std::vector<ResolvedStep>> moves;
  std::map<InstanceId, std::vector<std::size_t>> indices;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    auto resolved = resolver.resolve(plan.steps[i]);
    if (!resolved) {
      progress.problems.push_back({plan.steps[i].n, std::move(resolved.error())});
    } else if (!resolved->instance.is_none()) {
      indices[resolved->instance].push_back(i);
      moves[resolved->instance].push_back(*resolved);
    }
  }
  for (const auto& [instance, steps] : moves) {
    const auto done = count_done(state[instance], steps);
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
    const auto move =
        resolved->instance.is_none() ? std::nullopt : move_between(resolved->to, resolved->from);
    if (!move) {
      problems.push_back(
          {step->n, {plan::ProblemKind::NotAStep, "cannot be taken back by a move"}});
      continue;
    }
    steps.push_back(
        step_back(cluster, *step, {resolved->instance, resolved->to, resolved->from, *move}));
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
