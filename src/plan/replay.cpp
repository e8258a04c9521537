// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/plan/replay.hpp"

#include "ballast/core/listed.hpp"
#include "ballast/core/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ballast::plan {
namespace {

/// Every plan of every tool passes here: nothing is taken away with something on it.
class Guarded : public StateOf<Step> {
 public:
  explicit Guarded(ReplayState& state) : state_(state) {}

  std::optional<Problem> apply(const Step& step) override {
    const std::vector<std::string> names = state_.at_stake(step);
    if (names.empty()) return state_.apply(step);
    return Problem{ProblemKind::BrokenRule,
                   fmt::format("would {} {} with {} on it: no earlier step moves or stops {}",
                               key_in_words(step.action), step.subject.name, listed(names, 3),
                               of_count(names.size(), "it", "them"))};
  }
  [[nodiscard]] std::optional<Problem> ending() const override { return state_.ending(); }
  [[nodiscard]] std::vector<Margin> margins() const override { return state_.margins(); }

 private:
  ReplayState& state_;
};

}  // namespace

void WeakestMoments::look(const std::vector<Margin>& margins, std::optional<int> step) {
  for (const Margin& margin : margins) look_at(margin, step);
}

void WeakestMoments::look_at(const Margin& margin, std::optional<int> step) {
  const Weakest moment{step, margin.what, margin.where, margin.left, margin.required};
  const std::string& kind = margin.kind.empty() ? margin.what : margin.kind;
  const std::int64_t slack = margin.left - margin.required;
  const auto known = std::ranges::find(kinds_, kind);
  const auto at = static_cast<std::size_t>(known - kinds_.begin());
  if (known == kinds_.end()) {
    moments_.push_back(moment);
    kinds_.push_back(kind);
    slacks_.push_back(slack);
  } else if (slack < slacks_[at]) {
    moments_[at] = moment;
    slacks_[at] = slack;
  }
}

std::vector<std::string> lines_of(const ReplayReport& report) {
  std::vector<std::string> lines;
  for (const auto& [step, problem] : report.problems) {
    lines.push_back(step == 0 ? "at the end: " + problem.text
                              : fmt::format("step {}: {}", step, problem.text));
  }
  return lines;
}

ReplayReport replay(const Plan& plan, ReplayState& state) {
  Guarded guarded(state);
  return replay_steps(plan.steps, guarded, plan.blocked.empty());
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
