// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/diff.hpp"

#include "ballast/core/words.hpp"
#include "ballast/report/plan_json.hpp"

#include "ballast/report/drift_words.hpp"
#include "ballast/report/words.hpp"

#include <fmt/format.h>

namespace ballast::report {
namespace {

const plan::Step& step_of(const plan::Plan& plan, int number) {
  return plan.steps[static_cast<std::size_t>(number) - 1];
}

std::string steps_text(std::string_view title, const plan::Plan& plan,
                       const std::vector<int>& numbers) {
  std::string text = numbers.empty() ? "" : fmt::format("\n{}\n", title);
  for (const int number : numbers) {
    const plan::Step& step = step_of(plan, number);
    std::string line = fmt::format("{:4}. {} {}", step.n, step.action, subject_text(step.subject));
    if (const std::string placement = placement_text(step); !placement.empty())
      line += ": " + placement;
    text += one_line(line) + "\n";
  }
  return text;
}

DataTable steps_table(std::string name, const plan::Plan& plan, const std::vector<int>& numbers) {
  DataTable table{std::move(name), {"step", "action", "what", "where"}, {}};
  for (const int number : numbers) {
    const plan::Step& step = step_of(plan, number);
    table.rows.push_back(
        {step.n, words_of_key(step.action), subject_text(step.subject), placement_text(step)});
  }
  return table;
}

std::string lines_text(std::string_view title, const std::vector<std::string>& lines) {
  std::string text = lines.empty() ? "" : fmt::format("\n{}\n", title);
  for (const std::string& line : lines) text += "  " + one_line(line) + "\n";
  return text;
}

Value step_value(const plan::Plan& plan, int number) {
  const plan::Step& step = step_of(plan, number);
  Value value = Value::map().set("step", step.n).set("action", step.action);
  value.set("kind", step.subject.kind).set("name", step.subject.name);
  set_if(value, "from", step.from);
  set_if(value, "to", step.to);
  return value;
}

}  // namespace

std::string diff_to_text(const plan::Diff& diff, const plan::Plan& first,
                         const plan::Plan& second) {
  std::string text;
  if (diff.is_empty() || diff.is_of_plans) text = diff_summary(diff) + ".\n";
  if (diff.is_empty()) return text;
  if (diff.is_of_plans && first.score && second.score) {
    text += fmt::format("Score: {} -> {} in the first, {} -> {} in the second.\n",
                        score_text(first.score->before), score_text(first.score->after),
                        score_text(second.score->before), score_text(second.score->after));
  }
  text += drifts_text("What came, went, moved or has another size", diff.objects);
  text += steps_text("Steps that are gone", first, diff.gone);
  text += steps_text("Steps that are new", second, diff.added);
  text += lines_text("No longer said", diff.said_before);
  text += lines_text("Newly said", diff.said_now);
  text +=
      drifts_text(diff.is_of_plans ? "Where they begin" : "What differs", diff.summary, "before");
  text += drifts_text("Where they end", diff.summary_end, "before");
  // The first part has no line above it.
  return text.starts_with('\n') ? text.substr(1) : text;
}

std::string diff_summary(const plan::Diff& diff) {
  if (diff.is_empty())
    return diff.is_of_plans ? "The plans do the same" : "The snapshots are the same";
  if (!diff.is_of_plans) return "The snapshots differ";
  return fmt::format("{} in both, {} gone, {} new", counted(diff.common, "step"), diff.gone.size(),
                     diff.added.size());
}

Document diff_document(const plan::Diff& diff, const plan::Plan& first, const plan::Plan& second) {
  Document document;
  document.tool = "hplan";
  if (diff.is_of_plans && first.score && second.score) {
    const auto way = [](const plan::Score& score) {
      return fmt::format("{} → {}", score_text(score.before), score_text(score.after));
    };
    document.summary.set("score_in_the_first", way(*first.score))
        .set("score_in_the_second", way(*second.score));
  }
  for (const std::string& said : diff.said_before)
    document.findings.push_back({Severity::Note, "no longer said", said});
  for (const std::string& said : diff.said_now)
    document.findings.push_back({Severity::Warning, "newly said", said});
  const std::string_view begin = diff.is_of_plans ? "where_they_begin" : "what_differs";
  document.tables = {drift_table("objects", diff.objects),
                     steps_table("steps_that_are_gone", first, diff.gone),
                     steps_table("steps_that_are_new", second, diff.added),
                     drift_table(std::string(begin), diff.summary),
                     drift_table("where_they_end", diff.summary_end)};
  return document;
}

std::string diff_to_json(const plan::Diff& diff, const plan::Plan& first,
                         const plan::Plan& second) {
  Value document = Value::map();
  document.set("kind", "report").set("format", "ballast-diff").set("version", 1);
  document.set("of", diff.is_of_plans ? "plans" : "snapshots").set("same", diff.is_empty());
  document.set("objects", list_of(diff.objects, drift_value));
  document.set("summary", list_of(diff.summary, drift_value));
  if (!diff.is_of_plans) return value_to_json(document);
  const auto in = [](const plan::Plan& plan) {
    return [&plan](int number) { return step_value(plan, number); };
  };
  const auto text = [](const std::string& line) { return Value(line); };
  document.set("summary_end", list_of(diff.summary_end, drift_value));
  document.set("steps_in_both", diff.common);
  document.set("steps_gone", list_of(diff.gone, in(first)));
  document.set("steps_new", list_of(diff.added, in(second)));
  document.set("said_before", list_of(diff.said_before, text));
  document.set("said_now", list_of(diff.said_now, text));
  return value_to_json(document);
}

}  // namespace ballast::report
