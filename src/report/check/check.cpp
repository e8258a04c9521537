// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/check.hpp"

#include "ballast/core/words.hpp"
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

std::size_t steps_that_hold(const plan::Plan& plan, const PlanCheck& check) {
  return plan.steps.size() - check.made.size() - failed_steps(check);
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

std::string problem_text(const plan::Plan& plan, const plan::StepProblem& problem) {
  const plan::Step& step = plan.steps[static_cast<std::size_t>(problem.step) - 1];
  return one_line(fmt::format("step {} ({} {}): {}", step.n, step.action,
                              subject_text(step.subject), problem.problem.text));
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
  for (const plan::StepProblem& problem : problems) text += problem_text(plan, problem) + "\n";
  return text;
}

std::string check_summary(const plan::Plan& plan, const PlanCheck& check) {
  const std::size_t all = plan.steps.size();
  const std::size_t failed = failed_steps(check);
  const std::size_t hold = steps_that_hold(plan, check);
  const std::string_view elsewhere = check.end_drifts.empty() ? "" : ", but they lead elsewhere";
  if (all == 0) return fmt::format("The plan has no steps{}.", elsewhere);
  if (check.made.empty() && failed == 0) {
    return all == 1 ? fmt::format("The one step holds{}.", elsewhere)
                    : fmt::format("All {} steps hold{}.", all, elsewhere);
  }
  const std::string_view do_not_hold = of_count(failed, "does not hold", "do not hold");
  if (check.made.empty())
    return fmt::format("{} of {} {}.", failed, counted(all, "step"), do_not_hold);
  // An operator's steps may also have become needless.
  std::string text =
      fmt::format("{} of {} {} done{} ({} {})", check.made.size(), counted(all, "step"),
                  of_count(check.made.size(), "is", "are"),
                  plan::has_operator(plan.system) ? ", or not needed any more" : "",
                  of_count(check.made.size(), "step", "steps"), fmt::join(check.made, ", "));
  if (hold > 0) text += fmt::format(", {} {}", hold, of_count(hold, "holds", "hold"));
  if (failed > 0) text += fmt::format(", {} {}", failed, do_not_hold);
  return fmt::format("{}{}.", text, elsewhere);
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
  return text + "\n" + check_summary(plan, check) + "\n";
}

Document check_document(const plan::Plan& plan, const PlanCheck& check) {
  Document document;
  document.tool = "hplan";
  document.fingerprint = check.fingerprint;
  document.summary.set("steps", plan.steps.size())
      .set("done", check.made.size())
      .set("hold", steps_that_hold(plan, check))
      .set("do_not_hold", failed_steps(check))
      .set("same_snapshot", plan.fingerprint == check.fingerprint)
      .set("as_it_was_written", check.seal_holds);
  for (const plan::StepProblem& problem : check.problems) {
    document.findings.push_back({Severity::Error, std::string(problem_word(problem.problem.kind)),
                                 problem_text(plan, problem)});
  }
  document.tables = {drift_table("objects", check.objects),
                     drift_table("what_differs", check.drifts),
                     drift_table("what_differs_at_the_end", check.end_drifts)};
  DataTable moments{"weakest_moments", {"moment"}, {}};
  for (const plan::Weakest& weakest : check.weakest)
    moments.rows.push_back({weakest_text(weakest)});
  document.tables.push_back(std::move(moments));
  return document;
}

std::string check_to_json(const plan::Plan& plan, const PlanCheck& check) {
  Value document = Value::map();
  document.set("kind", "report").set("format", "ballast-check").set("version", 1);
  document.set("planned_on", plan.fingerprint).set("checked_on", check.fingerprint);
  document.set("same_snapshot", plan.fingerprint == check.fingerprint)
      .set("seal_holds", check.seal_holds);
  document.set("steps", plan.steps.size()).set("steps_that_hold", steps_that_hold(plan, check));
  document.set("summary", check_summary(plan, check));
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
