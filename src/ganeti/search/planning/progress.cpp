// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/fingerprint.hpp"
#include "ballast/ganeti/search/planning/move_step.hpp"
#include "ballast/ganeti/search/planning/node_step.hpp"
#include "ballast/ganeti/search/planning/replay.hpp"
#include "ballast/ganeti/search/planning/tier_step.hpp"
#include "ballast/plan/select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace ballast::ganeti {
namespace {

bool is_at(const Placement& now, const Placement& place) {
  return now.primary == place.primary && now.secondary == place.secondary;
}

/// Is the instance, which stands there, as it was before the step?
bool is_before(const Cluster& cluster, const Placement& now, const ResolvedStep& step) {
  return is_at(now, step.from) && !(step.tier && is_on_tier(cluster[step.instance], *step.tier));
}

/// ... and as the step leaves it?
bool is_after(const Cluster& cluster, const Placement& now, const ResolvedStep& step) {
  return is_at(now, step.to) && (!step.tier || is_on_tier(cluster[step.instance], *step.tier));
}

/// How many of an instance's steps are made, `told` of them for certain; none where no number fits.
std::optional<std::size_t> count_done(const Cluster& cluster, const Placement& now,
                                      const std::vector<ResolvedStep>& steps, std::size_t told) {
  if (told == 0 && is_before(cluster, now, steps.front())) return 0;
  for (std::size_t done = std::max<std::size_t>(told, 1); done <= steps.size(); ++done) {
    if (is_after(cluster, now, steps[done - 1])) return done;
  }
  return std::nullopt;
}

/// Something that a step moves or switches.
using Key = std::pair<bool, std::size_t>;  ///< is it a node, index

/// Is it now as it was before the step, and as the step leaves it?
struct Comparison {
  Key key;
  bool is_before = false;
  bool is_after = false;
};

std::optional<Comparison> compare(const Cluster& cluster, const State& state,
                                  const plan::Step& step, const ResolvedStep& resolved) {
  if (!resolved.node.is_none()) {
    if (step.action != kPowerOff && step.action != kPowerOn) return std::nullopt;
    const bool is_made = cluster[resolved.node].is_offline == (step.action == kPowerOff);
    return Comparison{{true, resolved.node.index()}, !is_made, is_made};
  }
  if (resolved.instance.is_none()) return std::nullopt;
  const Placement& now = state[resolved.instance];
  return Comparison{{false, resolved.instance.index()},
                    is_before(cluster, now, resolved),
                    is_after(cluster, now, resolved)};
}

/// After how many steps all that the plan touches is where it is now: none of them if it is as
/// before the plan, all of them if it is as after it, else the least number. None: after no number.
std::optional<std::size_t> made_by_whole_state(const Cluster& cluster, const State& state,
                                               const plan::Plan& plan,
                                               const std::vector<ResolvedStep>& resolved) {
  std::map<Key, bool> is_alike;
  std::vector<std::optional<Comparison>> comparisons;
  for (std::size_t i = 0; i < resolved.size(); ++i) {
    comparisons.push_back(compare(cluster, state, plan.steps[i], resolved[i]));
    if (comparisons.back())
      is_alike.try_emplace(comparisons.back()->key, comparisons.back()->is_before);
  }
  auto unlike = std::ranges::count_if(is_alike, [](const auto& entry) { return !entry.second; });
  if (unlike == 0) return 0;
  std::optional<std::size_t> least;
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    if (comparisons[i]) {
      bool& alike = is_alike.at(comparisons[i]->key);
      unlike += static_cast<std::ptrdiff_t>(alike) -
                static_cast<std::ptrdiff_t>(comparisons[i]->is_after);
      alike = comparisons[i]->is_after;
    }
    if (unlike == 0 && !least) least = i + 1;
  }
  return unlike == 0 ? comparisons.size() : least;
}

plan::Step step_back(const Cluster& cluster, const plan::Step& step, const ResolvedStep& back) {
  plan::Step out = !back.node.is_none() ? power_step_back(step)
                   : back.tier
                       ? tier_step(cluster, step.n, back.instance, back.from, back.to, *back.tier)
                       : move_step(cluster, step.n, back.instance, back.move, back.from, back.to);
  if (back.node.is_none())
    out.action = step.action.starts_with(kUndo) ? step.action.substr(kUndo.size())
                                                : std::string(kUndo) + step.action;
  out.phase = step.phase;
  out.reason.code = "UNDO";
  out.reason.text = fmt::format("takes back step {}: {}", step.n, step.action);
  return out;
}

/// Move::joined of the way back, by the number of the step: a set that goes together comes back
/// together, its last first.
std::map<int, std::int64_t> joined_back(const plan::Plan& plan) {
  std::map<int, std::int64_t> back;
  std::int64_t whole = 0;
  std::int64_t left = 0;
  for (const plan::Step& step : plan.steps) {
    const Value* told = step.system.find("joined");
    const auto* joined = told == nullptr ? nullptr : told->get<std::int64_t>();
    if (joined == nullptr || *joined <= 0) continue;
    if (*joined != left - 1) whole = *joined;
    left = *joined;
    back.emplace(step.n, whole - left + 1);
  }
  return back;
}

/// Does the step leave nothing behind that could be taken back or seen?
bool is_passing(const plan::Step& step, const ResolvedStep& resolved) {
  return resolved.node.is_none() ? resolved.instance.is_none() : step.action == kReboot;
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
  // With the very state that the plan was made for nothing is made, whatever its steps look like.
  const bool is_start =
      made == 0 && !plan.fingerprint.empty() && plan.fingerprint == fingerprint(cluster, state);
  std::map<InstanceId, std::vector<ResolvedStep>> moves;
  std::map<InstanceId, std::vector<std::size_t>> indices;
  std::vector<ResolvedStep> all;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    auto resolved = resolver.resolve(plan.steps[i]);
    if (resolved) all.push_back(*resolved);
    if (!resolved) {
      progress.problems.push_back({plan.steps[i].n, std::move(resolved.error())});
    } else if (is_start) {
      continue;
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
  if (is_start) return progress;
  if (made == 0 && all.size() == plan.steps.size()) {
    if (const auto known = made_by_whole_state(cluster, state, plan, all)) {
      std::fill_n(progress.is_done.begin(), *known, true);
      std::fill(progress.is_done.begin() + static_cast<std::ptrdiff_t>(*known),
                progress.is_done.end(), false);
      return progress;
    }
  }
  for (const auto& [instance, steps] : moves) {
    const auto told = std::ranges::count_if(indices[instance],
                                            [&](std::size_t i) { return plan.steps[i].n <= made; });
    const auto done = count_done(cluster, state[instance], steps, static_cast<std::size_t>(told));
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
  const std::map<int, std::int64_t> joined = joined_back(plan);
  Cluster then = cluster;  // as it is before each step back: disks change their storage
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
    if (resolved->tier) {
      const auto before = tier_before(cluster, *step);
      if (!before) {
        problems.push_back(
            {step->n,
             {plan::ProblemKind::NotAStep, "does not say on which storage the disks were"}});
        continue;
      }
      const ResolvedStep back{{}, resolved->instance, resolved->to, resolved->from, {}, {}, before};
      put_on_tier(then.instances[resolved->instance.index()], *resolved->tier);
      steps.push_back(step_back(then, *step, back));
      put_on_tier(then.instances[resolved->instance.index()], *before);
      continue;
    }
    const auto move = move_between(then[resolved->instance], resolved->to, resolved->from);
    if (!move) {
      problems.push_back(
          {step->n, {plan::ProblemKind::NotAStep, "cannot be taken back by a move"}});
      continue;
    }
    steps.push_back(
        step_back(then, *step, {{}, resolved->instance, resolved->to, resolved->from, *move, {}}));
    if (const auto set = joined.find(step->n); set != joined.end())
      steps.back().system = Value::map().set("joined", set->second);
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
