// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/plan/select.hpp"

#include "ballast/plan/estimate.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace ballast::plan {
namespace {

using Numbers = std::map<int, int>;

/// The new number; the reference is dropped where there is none.
void follow(std::optional<int>& step, const Numbers& numbers) {
  if (!step) return;
  const auto known = numbers.find(*step);
  if (known == numbers.end()) {
    step.reset();
  } else {
    step = known->second;
  }
}

Numbers number_steps(Plan& plan) {
  Numbers numbers;
  int last_phase = 0;
  int phase = 0;
  for (Step& step : plan.steps) {
    if (phase == 0 || step.phase != last_phase) ++phase;
    last_phase = step.phase;
    step.phase = phase;
    const int number = static_cast<int>(numbers.size()) + 1;
    numbers.emplace(step.n, number);
    step.n = number;
  }
  plan.totals.phases = phase;
  return numbers;
}

void follow_in_steps(Plan& plan, const Numbers& numbers) {
  for (Step& step : plan.steps) {
    std::erase_if(step.waits_for,
                  [&](const Wait& wait) { return wait.step && !numbers.contains(*wait.step); });
    for (Wait& wait : step.waits_for) follow(wait.step, numbers);
    for (Unprotected& unprotected : step.unprotected) follow(unprotected.until_step, numbers);
  }
}

void follow_in_warnings(Plan& plan, const Numbers& numbers) {
  std::erase_if(plan.warnings, [&](const Warning& warning) {
    return !warning.steps.empty() &&
           std::ranges::none_of(warning.steps, [&](int step) { return numbers.contains(step); });
  });
  for (Warning& warning : plan.warnings) {
    std::vector<int> steps;
    for (const int step : warning.steps) {
      if (const auto known = numbers.find(step); known != numbers.end())
        steps.push_back(known->second);
    }
    warning.steps = std::move(steps);
  }
  for (Blocked& blocked : plan.blocked) follow(blocked.step, numbers);
}

void count(Plan& plan) {
  plan.totals.steps = static_cast<std::int64_t>(plan.steps.size());
  std::set<std::pair<std::string, std::string>> subjects;
  std::int64_t bytes = 0;
  for (const Step& step : plan.steps) {
    if (!step.to.is_null()) subjects.emplace(step.subject.kind, step.subject.name);
    bytes += step.cost.bytes.value_or(0);
  }
  // Times were those of other steps; they can be estimated again.
  plan.totals.seconds_at_least.reset();
  std::erase_if(plan.assumptions, [](const CodedText& text) { return text.code == "TIME"; });
  for (auto* of_all : {&plan.totals.added, &plan.totals.removed, &plan.totals.replaced,
                       &plan.totals.restarted, &plan.totals.recreated})
    of_all->reset();
  if (plan.totals.bytes) plan.totals.bytes = bytes;
  count_traffic(plan);
  if (plan.totals.moved) plan.totals.moved = static_cast<std::int64_t>(subjects.size());
}

}  // namespace

void renumber(Plan& plan) {
  const Numbers numbers = number_steps(plan);
  follow_in_steps(plan, numbers);
  follow_in_warnings(plan, numbers);
  // Without its step, a moment would be told as one before the first step.
  std::erase_if(plan.weakest, [&](const Weakest& weakest) {
    return weakest.step && !numbers.contains(*weakest.step);
  });
  for (Weakest& weakest : plan.weakest) follow(weakest.step, numbers);
  if (plan.totals.peak) follow(plan.totals.peak->step, numbers);
  count(plan);
}

void keep_steps(Plan& plan, const std::vector<bool>& keep) {
  std::vector<Step> kept;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (keep[i]) kept.push_back(std::move(plan.steps[i]));
  }
  plan.steps = std::move(kept);
  renumber(plan);
}

}  // namespace ballast::plan
