// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/check.hpp"

#include "ballast/plan/match.hpp"
#include "ballast/report/plan_json.hpp"

#include "figures.hpp"
#include "words.hpp"

#include <fmt/format.h>

#include <set>

namespace ballast::report {
namespace {

std::string drift_text(const plan::Drift& drift) {
  if (drift.figure.empty()) {
    if (drift.planned.is_null()) return drift.name + ": not in the plan";
    if (drift.found.is_null()) return drift.name + ": not in the snapshot";
  }
  const FigureSection section{"", drift.figure.find("_bytes") != std::string::npos, false, {}};
  const std::string figure = drift.figure.empty() ? "" : drift.figure + ": ";
  return fmt::format("{}: {}{} when planned, now {}", drift.name, figure,
                     figure_text(section, drift.planned), figure_text(section, drift.found));
}

std::string drifts_text(std::string_view title, const std::vector<plan::Drift>& drifts) {
  std::string text = drifts.empty() ? "" : fmt::format("\n{}\n", title);
  for (const plan::Drift& drift : drifts) text += "  " + one_line(drift_text(drift)) + "\n";
  return text;
}

std::size_t failed_steps(const PlanCheck& check) {
  std::set<int> steps;
  for (const plan::StepProblem& problem : check.problems) steps.insert(problem.step);
  return steps.size();
}

std::string steps_text(const std::vector<int>& steps) {
  return fmt::format("{} {}", steps.size() == 1 ? "step" : "steps", fmt::join(steps, ", "));
}

std::string_view problem_word(plan::ProblemKind kind) {
  switch (kind) {
    case plan::ProblemKind::UnknownName:
      return "unknown_name";
    case plan::ProblemKind::OtherState:
      return "other_state";
    case plan::ProblemKind::BrokenRule:
      return "broken_rule";
    case plan::ProblemKind::NotAStep:
      return "not_a_step";
  }
  return "";
}

void set_if(Value& map, std::string_view key, const Value& value) {
  if (!value.is_null()) map.set(key, value);
}

Value problem_value(const plan::StepProblem& problem) {
  Value value = Value::map();
  value.set("step", problem.step)
      .set("kind", problem_word(problem.problem.kind))
      .set("text", problem.problem.text);
  return value;
}

Value drift_value(const plan::Drift& drift) {
  Value value = Value::map().set("name", drift.name);
  if (!drift.figure.empty()) value.set("figure", drift.figure);
  set_if(value, "planned", drift.planned);
  set_if(value, "found", drift.found);
  return value;
}

Value weakest_value(const plan::Weakest& weakest) {
  Value value = Value::map();
  if (weakest.step) value.set("step", *weakest.step);
  value.set("what", weakest.what).set("where", weakest.where);
  set_if(value, "left", weakest.left);
  set_if(value, "required", weakest.required);
  return value;
}

template <class T, class Function>
Value list_of(const std::vector<T>& items, Function value_of) {
  Value list = Value::list();
  for (const T& item : items) list.push(value_of(item));
  return list;
}

}  // namespace

std::string problems_to_text(const plan::Plan& plan,
                             const std::vector<plan::StepProblem>& problems) {
  std::string text;
  for (const plan::StepProblem& problem : problems) {
    const plan::Step& step = plan.steps[static_cast<std::size_t>(problem.step) - 1];
    text += one_line(fmt::format("step {} ({} {}): {}", step.n, step.action,
                                 subject_text(step.subject), problem.problem.text)) +
            "\n";
  }
  return text;
}

PlanCheck check_against(const plan::Plan& planned, const plan::Plan& today) {
  PlanCheck check;
  check.fingerprint = today.fingerprint;
  check.drifts = plan::find_drift(planned.before, today.before);
  check.end_drifts = plan::find_drift(planned.after, today.after);
  plan::Match match = plan::match_plans(planned, today);
  check.problems = plan::mismatches(planned, today, match);
  check.made = std::move(match.made);
  check.weakest = plan::weakest_moments(planned, {});
  return check;
}

std::string check_to_text(const plan::Plan& plan, const PlanCheck& check) {
  std::string text;
  if (check.fingerprint == plan.fingerprint) {
    text += "The snapshot is the one that the plan was made from.\n";
  } else {
    text += fmt::format("The snapshot ({}) is not the one that the plan was made from ({}).\n",
                        check.fingerprint.substr(0, 12), one_line(plan.fingerprint.substr(0, 12)));
  }
  text += drifts_text("What differs", check.drifts);
  text += drifts_text("What differs at the end: the plan leads elsewhere", check.end_drifts);
  if (!check.problems.empty())
    text += "\nSteps that do not hold\n" + problems_to_text(plan, check.problems);
  if (!check.weakest.empty()) text += "\nWeakest moments\n";
  for (const plan::Weakest& weakest : check.weakest)
    text += "  " + one_line(weakest_text(weakest)) + "\n";
  if (!check.made.empty())
    text += fmt::format("\nMade already, or not needed any more: {}\n", steps_text(check.made));
  const std::size_t failed = failed_steps(check);
  const std::size_t left = plan.steps.size() - check.made.size();
  if (failed != 0) return text + fmt::format("\n{} of {} steps do not hold.\n", failed, left);
  return text + fmt::format("\nAll {} steps{} hold{}.\n", left,
                            check.made.empty() ? "" : " that are left",
                            check.end_drifts.empty() ? "" : ", but they lead elsewhere");
}

std::string check_to_json(const plan::Plan& plan, const PlanCheck& check) {
  Value document = Value::map();
  document.set("kind", "report").set("format", "ballast-check").set("version", 1);
  document.set("planned_on", plan.fingerprint).set("checked_on", check.fingerprint);
  document.set("same_snapshot", plan.fingerprint == check.fingerprint)
      .set("seal_holds", check.seal_holds);
  document.set("steps", plan.steps.size())
      .set("steps_that_hold", plan.steps.size() - check.made.size() - failed_steps(check));
  if (!check.made.empty())
    document.set("made", list_of(check.made, [](int step) { return Value(step); }));
  document.set("drift", list_of(check.drifts, drift_value));
  if (!check.end_drifts.empty())
    document.set("drift_at_end", list_of(check.end_drifts, drift_value));
  document.set("problems", list_of(check.problems, problem_value));
  document.set("weakest", list_of(check.weakest, weakest_value));
  return value_to_json(document);
}

}  // namespace ballast::report
