// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/plan/match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace ballast::plan {
namespace {

using Key = std::tuple<std::string, std::string, std::string, std::string>;

Key key_of(const Step& step) {
  return {step.action, step.subject.kind, step.subject.name, step.subject.group};
}

bool is_wait(const Step& step) { return step.action == "wait"; }

std::string name_of(const Step& step) {
  return fmt::format("{} {} {}", step.action, step.subject.kind, step.subject.name);
}

std::string list_text(const std::vector<int>& steps) {
  constexpr std::size_t kMost = 20;
  if (steps.size() <= kMost) return fmt::format("{}", fmt::join(steps, ", "));
  return fmt::format("{} and {} more", fmt::join(steps.begin(), steps.begin() + kMost, ", "),
                     steps.size() - kMost);
}

/// Steps of a plan that nothing was matched with yet.
class OpenSteps {
 public:
  explicit OpenSteps(const Plan& plan) {
    for (const Step& step : plan.steps) {
      if (!is_wait(step)) open_[key_of(step)].push_back(&step);
    }
  }
  /// Takes the last step that does the same as `step` with the same targets.
  std::optional<int> take_equal(const Step& step) {
    return take(step, [&](const Step* other) { return other->targets == step.targets; });
  }
  /// Takes the last step that does the same as `step`, whatever its further targets are: some of
  /// them may be done.
  std::optional<int> take_alike(const Step& step) {
    return take(step, [](const Step*) { return true; });
  }

 private:
  template <class Predicate>
  std::optional<int> take(const Step& step, Predicate fits) {
    const auto known = open_.find(key_of(step));
    if (known == open_.end()) return std::nullopt;
    auto& steps = known->second;
    const auto last = std::find_if(steps.rbegin(), steps.rend(), fits);
    if (last == steps.rend()) return std::nullopt;
    const int number = (*last)->n;
    steps.erase(std::next(last).base());
    return number;
  }

  std::map<Key, std::vector<const Step*>> open_;
};

}  // namespace

Match match_plans(const Plan& planned, const Plan& today) {
  OpenSteps open(planned);
  Match match;
  std::vector<const Step*> others;
  for (auto step = today.steps.rbegin(); step != today.steps.rend(); ++step) {
    if (is_wait(*step)) continue;
    if (const auto number = open.take_equal(*step)) {
      match.left.push_back(*number);
    } else {
      others.push_back(&*step);
    }
  }
  for (const Step* step : others) {
    if (const auto number = open.take_alike(*step)) {
      match.left.push_back(*number);
    } else {
      match.added.push_back(step->n);
    }
  }
  std::ranges::sort(match.added);
  std::ranges::sort(match.left);
  for (const Step& step : planned.steps) {
    if (is_wait(step) || std::ranges::binary_search(match.left, step.n)) continue;
    const bool is_before = match.left.empty() || step.n < match.left.front();
    (is_before ? match.made : match.dropped).push_back(step.n);
  }
  return match;
}

std::vector<StepProblem> mismatches(const Plan& planned, const Plan& today, const Match& match) {
  std::vector<StepProblem> problems;
  for (const int step : match.dropped) {
    problems.push_back({step,
                        {ProblemKind::OtherState,
                         "is no part of what is left today: made out of order, or not needed"}});
  }
  if (planned.steps.empty()) return problems;
  std::map<Key, int> number_in_plan;
  for (const int left : match.left) {
    const Step& step = planned.steps[static_cast<std::size_t>(left) - 1];
    number_in_plan.emplace(key_of(step), step.n);
  }
  for (const int added : match.added) {
    int before = static_cast<int>(planned.steps.size());
    for (auto i = static_cast<std::size_t>(added); i < today.steps.size(); ++i) {
      const auto known = number_in_plan.find(key_of(today.steps[i]));
      if (known == number_in_plan.end()) continue;
      before = known->second;
      break;
    }
    const Step& step = today.steps[static_cast<std::size_t>(added) - 1];
    problems.push_back({before,
                        {ProblemKind::OtherState,
                         fmt::format("today this is done too, and is not planned: {} ({})",
                                     name_of(step), step.reason.text)}});
  }
  std::ranges::stable_sort(problems, {}, &StepProblem::step);
  return problems;
}

Plan rest_of(const Plan& planned, Plan today) {
  const Match match = match_plans(planned, today);
  today.notes.push_back(
      {"RESUMED", match.made.empty()
                      ? "no step is made yet"
                      : "steps made already, or not needed any more: " + list_text(match.made)});
  if (!match.dropped.empty()) {
    today.warnings.push_back(
        {"NO_LONGER",
         Severity::Warning,
         "steps of the plan that are no part of what is left: " + list_text(match.dropped),
         {},
         {}});
  }
  if (!match.added.empty()) {
    today.warnings.push_back(
        {"NOT_PLANNED", Severity::Warning, "steps that the plan does not have", match.added, {}});
  }
  return today;
}

}  // namespace ballast::plan
