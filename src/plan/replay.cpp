// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/plan/replay.hpp"

#include "ballast/core/listed.hpp"
#include "ballast/core/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ballast::plan {
namespace {

void look_at(const ReplayState& state, std::optional<int> step, WeakestMoments& moments) {
  for (const Margin& margin : state.margins()) moments.look(margin, step);
}

/// Every plan of every tool passes here: nothing is taken away with something on it.
std::optional<Problem> made(const Step& step, ReplayState& state) {
  const std::vector<std::string> names = state.at_stake(step);
  if (names.empty()) return state.apply(step);
  return Problem{ProblemKind::BrokenRule,
                 fmt::format("would {} {} with {} on it: no earlier step moves or stops {}",
                             key_in_words(step.action), step.subject.name, listed(names, 3),
                             of_count(names.size(), "it", "them"))};
}

}  // namespace

void WeakestMoments::look(const Margin& margin, std::optional<int> step) {
  const Weakest moment{step, margin.what, margin.where, margin.left, margin.required};
  const std::int64_t slack = margin.left - margin.required;
  const auto known = std::ranges::find(moments_, margin.what, &Weakest::what);
  if (known == moments_.end()) {
    moments_.push_back(moment);
    slacks_.push_back(slack);
  } else if (auto& least = slacks_[static_cast<std::size_t>(known - moments_.begin())];
             slack < least) {
    *known = moment;
    least = slack;
  }
}

ReplayReport replay(const Plan& plan, ReplayState& state) {
  ReplayReport report;
  WeakestMoments moments;
  look_at(state, std::nullopt, moments);
  for (const Step& step : plan.steps) {
    if (auto problem = made(step, state)) {
      report.problems.push_back({step.n, std::move(*problem)});
      continue;
    }
    look_at(state, step.n, moments);
  }
  report.weakest = moments.take();
  return report;
}

std::optional<Weakest> least_redundancy(const Plan& plan) {
  // Steps of one phase may run at the same time, so what counts is the phase.
  std::map<int, std::vector<const Unprotected*>> open;
  std::map<int, int> first_step;
  for (const Step& step : plan.steps) first_step.try_emplace(step.phase, step.n);
  for (const Step& step : plan.steps) {
    for (const Unprotected& unprotected : step.unprotected) {
      const int until = unprotected.until_step.value_or(step.n);
      const int last = plan.steps[static_cast<std::size_t>(std::max(until, step.n)) - 1].phase;
      for (auto phase = first_step.find(step.phase);
           phase != first_step.end() && phase->first <= last; ++phase) {
        open[phase->first].push_back(&unprotected);
      }
    }
  }
  const auto worst =
      std::ranges::max_element(open, {}, [](const auto& entry) { return entry.second.size(); });
  if (worst == open.end()) return std::nullopt;
  std::vector<std::string> names;
  for (const Unprotected* unprotected : worst->second)
    names.push_back(unprotected->name.empty() ? unprotected->what : unprotected->name);
  return Weakest{first_step[worst->first], "redundancy", listed(names, 3), {}, {}};
}

std::vector<Weakest> weakest_moments(const Plan& plan, std::vector<Weakest> margins) {
  if (auto redundancy = least_redundancy(plan))
    margins.insert(margins.begin(), std::move(*redundancy));
  return margins;
}

}  // namespace ballast::plan
