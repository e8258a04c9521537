// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/check.hpp"

#include "ballast/plan/match.hpp"
#include "ballast/report/plan_json.hpp"

#include "ballast/report/drift_words.hpp"
#include "ballast/report/words.hpp"

#include <fmt/format.h>

#include <set>

namespace ballast::report {
namespace {

std::size_t failed_steps(const PlanCheck& check) {
  std::set<int> steps;
  for (const plan::StepProblem& problem : check.problems) steps.insert(problem.step);
  return steps.size();
}

std::string steps_text(const std::vector<int>& steps) {
  return fmt::format("{} {}", steps.size() == 1 ? "step" : "steps", fmt::join(steps, ", "));
}

/// "4 of 15 steps are done (steps 1, 2, 3, 4), 11 hold."
std::string summary_of(const plan::Plan& plan, const PlanCheck& check) {
  const std::size_t all = plan.steps.size();
  const std::size_t failed = failed_steps(check);
  const std::size_t hold = all - check.made.size() - failed;
  if (check.made.empty() && failed == 0) {
    return fmt::format("All {} steps hold{}.", all,
                       check.end_drifts.empty() ? "" : ", but they lead elsewhere");
  }
  if (check.made.empty()) return fmt::format("{} of {} steps do not hold.", failed, all);
  // An operator's steps may also have become needless.
  std::string text = fmt::format("{} of {} steps are done{} ({})", check.made.size(), all,
                                 plan::has_operator(plan.system) ? ", or not needed any more" : "",
                                 steps_text(check.made));
  if (hold > 0) text += fmt::format(", {} hold", hold);
  if (failed > 0) text += fmt::format(", {} {} not hold", failed, failed == 1 ? "does" : "do");
  if (!check.end_drifts.empty()) text += ", but they lead elsewhere";
  return text + ".";
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

Value problem_value(const plan::StepProblem& problem) {
  Value value = Value::map();
  value.set("step", problem.step)
      .set("kind", problem_word(problem.problem.kind))
      .set("text", problem.problem.text);
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
  check.objects = plan::find_object_drift(planned.objects, today.objects);
  check.end_drifts = plan::find_drift(planned.after, today.after);
  plan::Match match = plan::match_plans(planned, today);
  check.problems = plan::mismatches(planned, today, match);
  // On the snapshot that the plan was made from nothing is made yet: it is among the problems.
  if (!plan::is_of_one_snapshot(planned, today)) check.made = std::move(match.made);
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
  text += drifts_text("What came, went, moved or has another size", check.objects);
  // What a made step of Ganeti's has changed is taken back first; operators' drift is as it is.
  const bool is_beyond = !check.made.empty() && plan.system == plan::System::Ganeti;
  text += drifts_text(is_beyond ? "What differs beyond the steps that are done" : "What differs",
                      check.drifts);
  text += drifts_text("What differs at the end: the plan leads elsewhere", check.end_drifts);
  if (!check.problems.empty())
    text += "\nSteps that do not hold\n" + problems_to_text(plan, check.problems);
  if (!check.weakest.empty()) text += "\nWeakest moments\n";
  for (const plan::Weakest& weakest : check.weakest)
    text += "  " + one_line(weakest_text(weakest)) + "\n";
  return text + "\n" + summary_of(plan, check) + "\n";
}

std::string check_to_json(const plan::Plan& plan, const PlanCheck& check) {
  Value document = Value::map();
  document.set("kind", "report").set("format", "ballast-check").set("version", 1);
  document.set("planned_on", plan.fingerprint).set("checked_on", check.fingerprint);
  document.set("same_snapshot", plan.fingerprint == check.fingerprint)
      .set("seal_holds", check.seal_holds);
  document.set("steps", plan.steps.size())
      .set("steps_that_hold", plan.steps.size() - check.made.size() - failed_steps(check));
  document.set("summary", summary_of(plan, check));
  if (!check.made.empty())
    document.set("made", list_of(check.made, [](int step) { return Value(step); }));
  document.set("drift", list_of(check.drifts, drift_value));
  if (!check.objects.empty()) document.set("objects", list_of(check.objects, drift_value));
  if (!check.end_drifts.empty())
    document.set("drift_at_end", list_of(check.end_drifts, drift_value));
  document.set("problems", list_of(check.problems, problem_value));
  document.set("weakest", list_of(check.weakest, weakest_value));
  return value_to_json(document);
}

}  // namespace ballast::report
