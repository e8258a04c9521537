// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/facts.hpp"

#include "ballast/report/figures.hpp"
#include "ballast/report/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::report {
namespace {

/// Targets; neighbours of one kind and group are told together: "pod a, b, c (storage)".
std::vector<std::string> target_texts(const std::vector<plan::Subject>& targets) {
  std::vector<plan::Subject> merged;
  for (const plan::Subject& target : targets) {
    if (!merged.empty() && merged.back().kind == target.kind &&
        merged.back().group == target.group) {
      merged.back().name += ", " + target.name;
    } else {
      merged.push_back(target);
    }
  }
  std::vector<std::string> texts;
  texts.reserve(merged.size());
  for (const plan::Subject& subject : merged) texts.push_back(subject_text(subject));
  return texts;
}

class FactList {
 public:
  void add(FactKind kind, std::string text) {
    if (!text.empty()) facts_.push_back({kind, one_line(text)});
  }
  std::vector<Fact> take() { return std::move(facts_); }

 private:
  std::vector<Fact> facts_;
};

void add_section(std::vector<Section>& sections, std::string_view title,
                 std::vector<std::string> lines) {
  if (!lines.empty()) sections.push_back({title, std::move(lines)});
}

std::vector<std::string> coded_lines(plan::System system,
                                     const std::vector<plan::CodedText>& texts) {
  std::vector<std::string> lines;
  lines.reserve(texts.size());
  for (const plan::CodedText& text : texts) lines.push_back(coded_text(system, text));
  return lines;
}

}  // namespace

std::vector<std::string> touched_texts(const plan::Step& step) {
  std::vector<plan::Subject> touched = {step.subject};
  touched.insert(touched.end(), step.targets.begin(), step.targets.end());
  return target_texts(touched);
}

std::vector<Fact> facts_of(const plan::Step& step) {
  FactList facts;
  for (std::string& text : target_texts(step.targets)) facts.add(FactKind::Target, std::move(text));
  for (const plan::Change& change : step.changes) facts.add(FactKind::Change, change_text(change));
  facts.add(FactKind::Why, reason_text(step.reason));
  facts.add(FactKind::Detail, step.detail);
  for (const plan::Wait& wait : step.waits_for) facts.add(FactKind::Wait, wait_text(wait));
  facts.add(FactKind::Cost, cost_text(step.cost));
  for (std::string& text : unprotected_texts(step.unprotected))
    facts.add(FactKind::Unprotected, std::move(text));
  for (const plan::CodedText& risk : step.risks)
    facts.add(FactKind::Risk, risk.text.empty() ? risk.code : risk.text);
  for (const Value& substep : step.substeps) facts.add(FactKind::Substep, value_text(substep));
  return facts.take();
}

std::string_view word_of(FactKind kind) {
  switch (kind) {
    case FactKind::Target:
      return "also";
    case FactKind::Change:
      return "change";
    case FactKind::Why:
      return "why";
    case FactKind::Detail:
    case FactKind::Substep:
      return "";
    case FactKind::Wait:
      return "waits for";
    case FactKind::Cost:
      return "cost";
    case FactKind::Unprotected:
      return "unprotected";
    case FactKind::Risk:
      return "risk";
  }
  return "";
}

bool is_alarm(FactKind kind) { return kind == FactKind::Unprotected || kind == FactKind::Risk; }

std::string_view command_word(plan::System system, plan::CommandUse use) {
  if (use != plan::CommandUse::Hand) return to_string(use);
  return plan::has_operator(system) ? "the operator runs" : "run";
}

std::vector<std::string> blocked_lines(const plan::Blocked& blocked) {
  std::vector<std::string> lines;
  if (!blocked.cycle.empty()) {
    lines.push_back(fmt::format("wait for each other: {} -> {}", fmt::join(blocked.cycle, " -> "),
                                blocked.cycle.front()));
  }
  for (const plan::Remedy& remedy : blocked.remedies) {
    lines.push_back("remedy: " + remedy.text);
    for (const std::string& assignment : remedy.set) lines.push_back("  set " + assignment);
    for (const std::string& command : remedy.commands) lines.push_back("  " + command);
  }
  return lines;
}

std::vector<Section> sections_of(const plan::Plan& plan) {
  std::vector<Section> sections;
  add_section(sections, "Not part of this plan", coded_lines(plan.system, plan.deferred));
  add_section(sections, "Later", coded_lines(plan.system, plan.later));
  std::vector<std::string> queues;
  for (const plan::Queue& queue : plan.queues) queues.push_back(queue_text(queue));
  add_section(sections, "Queues", std::move(queues));
  add_section(sections, "Assumptions", coded_lines(plan.system, plan.assumptions));
  add_section(sections, "Notes", coded_lines(plan.system, plan.notes));
  return sections;
}

std::vector<std::string> figure_lines(const plan::Plan& plan) {
  std::vector<std::string> lines = {"Result: " + std::string(outcome_text(plan.result))};
  if (!plan.steps.empty()) lines.push_back("Total: " + totals_text(plan));
  if (plan.score) {
    lines.push_back(fmt::format("Score: {} -> {}", score_text(plan.score->before),
                                score_text(plan.score->after)));
  }
  for (const plan::Weakest& weakest : plan.weakest)
    lines.push_back("Weakest moment " + weakest_text(weakest));
  if (plan.totals.peak) {
    const std::string peak = peak_text(*plan.totals.peak);
    if (!peak.empty()) lines.push_back("Peak: " + peak);
  }
  return lines;
}

std::vector<std::string> change_lines(const plan::Plan& plan) {
  std::vector<std::string> lines;
  for (const FigureSection& section : figure_sections(plan)) {
    for (const FigureRow& row : section.rows) {
      if (!row.is_changed()) continue;
      lines.push_back(fmt::format("{}: {} {} -> {}", row.name, section.title,
                                  figure_text(section.is_bytes, row.before),
                                  figure_text(section.is_bytes, row.after)));
    }
  }
  return lines;
}

}  // namespace ballast::report
