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

const Step& step_of(const Plan& plan, int number) {
  return plan.steps[static_cast<std::size_t>(number) - 1];
}

/// What a wait asks for, without what was seen and how long it takes.
bool is_same_wait(const Wait& a, const Wait& b) {
  return a.step == b.step && a.gate == b.gate && a.text == b.text && a.required == b.required;
}

/// Parts of two steps on one snapshot that differ. Texts for people and commands do not count.
std::vector<std::string_view> differing_parts(const Step& a, const Step& b) {
  std::vector<std::string_view> parts;
  const auto hold = [&](bool is_same, std::string_view word) {
    if (!is_same) parts.push_back(word);
  };
  hold(a.phase == b.phase, "phase");
  hold(a.targets == b.targets, "targets");
  hold(a.from == b.from && a.to == b.to, "place");
  hold(a.changes == b.changes, "changes");
  hold(std::ranges::equal(a.waits_for, b.waits_for, is_same_wait), "waits");
  hold(a.done_when == b.done_when, "gates");
  hold(a.cost.bytes == b.cost.bytes, "bytes");
  hold(a.before == b.before && a.after == b.after, "figures");
  hold(a.substeps == b.substeps, "substeps");
  return parts;
}

/// Targets of today's step that the plan's lacks: some of the plan's may be done, none may be new.
std::vector<std::string> new_targets(const Step& planned, const Step& today) {
  std::vector<std::string> names;
  for (const Subject& target : today.targets) {
    if (std::ranges::find(planned.targets, target) == planned.targets.end())
      names.push_back(target.name);
  }
  return names;
}

StepProblem other_state(int step, std::string text) {
  return {step, {ProblemKind::OtherState, std::move(text)}};
}

/// Steps that today's plan makes after one that the plan makes later. On another snapshot the
/// steps of one phase may have changed places.
void find_disorder(const Plan& planned, const Plan& today, const Match& match,
                   std::vector<StepProblem>& problems) {
  const bool is_strict = is_of_one_snapshot(planned, today);
  Match::Pair last;
  for (const Match::Pair& pair : match.pairs) {
    if (pair.today > last.today) {
      last = pair;
      continue;
    }
    if (!is_strict && step_of(today, pair.today).phase == step_of(today, last.today).phase)
      continue;
    problems.push_back(other_state(
        pair.planned, fmt::format("comes after step {}, and is done before it", last.planned)));
  }
}

void find_other_contents(const Plan& planned, const Plan& today, const Match& match,
                         std::vector<StepProblem>& problems) {
  const bool is_strict = is_of_one_snapshot(planned, today);
  for (const Match::Pair& pair : match.pairs) {
    const Step& step = step_of(planned, pair.planned);
    const Step& now = step_of(today, pair.today);
    if (const auto names = new_targets(step, now); !names.empty()) {
      problems.push_back(other_state(
          step.n, fmt::format("is done to {} too, which is not planned", fmt::join(names, ", "))));
    } else if (const auto parts = differing_parts(step, now); is_strict && !parts.empty()) {
      problems.push_back(
          other_state(step.n, fmt::format("is not what is planned on this snapshot: other {}",
                                          fmt::join(parts, ", "))));
    }
  }
}

/// On one snapshot the waits are the same, too.
void find_other_waits(const Plan& planned, const Plan& today, std::vector<StepProblem>& problems) {
  if (!is_of_one_snapshot(planned, today) || !problems.empty()) return;
  const auto differ =
      std::ranges::mismatch(planned.steps, today.steps, [](const Step& a, const Step& b) {
        return key_of(a) == key_of(b) && (!is_wait(a) || differing_parts(a, b).empty());
      });
  if (differ.in1 == planned.steps.end() && differ.in2 == today.steps.end()) return;
  const int at =
      differ.in1 == planned.steps.end() ? static_cast<int>(planned.steps.size()) : differ.in1->n;
  problems.push_back(other_state(at, differ.in2 == today.steps.end()
                                         ? "is no part of what is planned on this snapshot"
                                         : "on this snapshot comes here: " + name_of(*differ.in2)));
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

bool is_of_one_snapshot(const Plan& planned, const Plan& today) {
  return planned.fingerprint == today.fingerprint && planned.now == today.now;
}

Match match_plans(const Plan& planned, const Plan& today) {
  OpenSteps open(planned);
  Match match;
  std::vector<const Step*> others;
  for (auto step = today.steps.rbegin(); step != today.steps.rend(); ++step) {
    if (is_wait(*step)) continue;
    if (const auto number = open.take_equal(*step)) {
      match.left.push_back(*number);
      match.pairs.push_back({*number, step->n});
    } else {
      others.push_back(&*step);
    }
  }
  for (const Step* step : others) {
    if (const auto number = open.take_alike(*step)) {
      match.left.push_back(*number);
      match.pairs.push_back({*number, step->n});
    } else {
      match.added.push_back(step->n);
    }
  }
  std::ranges::sort(match.added);
  std::ranges::sort(match.left);
  std::ranges::sort(match.pairs, {}, &Match::Pair::planned);
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
    problems.push_back(
        other_state(step, "is no part of what is left today: made out of order, or not needed"));
  }
  if (is_of_one_snapshot(planned, today)) {
    for (const int step : match.made)
      problems.push_back(other_state(step, "is no part of what is planned on this snapshot"));
  }
  if (planned.steps.empty()) return problems;
  find_disorder(planned, today, match, problems);
  find_other_contents(planned, today, match, problems);
  std::map<Key, int> number_in_plan;
  for (const int left : match.left) {
    const Step& step = step_of(planned, left);
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
    const Step& step = step_of(today, added);
    problems.push_back(
        other_state(before, fmt::format("today this is done too, and is not planned: {} ({})",
                                        name_of(step), step.reason.text)));
  }
  find_other_waits(planned, today, problems);
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
