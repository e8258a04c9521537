// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/render.hpp"

#include "figures.hpp"
#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::report {
namespace {

/// One line of CommonMark text that shows exactly `text`.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    if (std::string_view("\\`*_{}[]<>#|~&").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// A code block whose fence is longer than any run of backticks in it.
std::string code_block(const std::vector<std::string>& lines) {
  std::size_t longest = 2;
  std::string body;
  for (const std::string& text : lines) {
    std::size_t run = 0;
    for (const char c : text) {
      run = c == '`' ? run + 1 : 0;
      longest = std::max(longest, run);
    }
    body += one_line(text) + "\n";
  }
  const std::string fence(longest + 1, '`');
  return fence + "sh\n" + body + fence + "\n";
}

class MarkdownPrinter {
 public:
  explicit MarkdownPrinter(const plan::Plan& plan) : plan_(plan) {}

  std::string run() {
    line("# " + escaped(headline_text(plan_)));
    line("");
    line(escaped(origin_text(plan_)));
    print_figures();
    print_warnings("Dangers", dangers_of(plan_));
    print_blocked();
    print_warnings("Warnings", other_warnings_of(plan_));
    print_steps();
    print_summary();
    print_texts("Not part of this plan", plan_.deferred);
    print_texts("Later", plan_.later);
    print_queues();
    print_texts("Assumptions", plan_.assumptions);
    print_texts("Notes", plan_.notes);
    return std::move(out_);
  }

 private:
  void line(std::string_view text) {
    out_ += text;
    out_ += '\n';
  }
  void item(std::string_view text, std::size_t indent = 0) {
    out_.append(indent, ' ');
    line(fmt::format("- {}", escaped(text)));
  }
  void heading(std::string_view title) { out_ += fmt::format("\n## {}\n\n", title); }

  void print_figures() {
    const std::string peak = plan_.totals.peak ? peak_text(*plan_.totals.peak) : "";
    line("");
    item("Result: " + std::string(outcome_text(plan_.result)));
    if (!plan_.steps.empty()) item("Total: " + totals_text(plan_));
    if (plan_.score)
      item(fmt::format("Score: {} -> {}", score_text(plan_.score->before),
                       score_text(plan_.score->after)));
    for (const plan::Weakest& weakest : plan_.weakest)
      item("Weakest moment " + weakest_text(weakest));
    if (!peak.empty()) item("Peak: " + peak);
  }

  void print_blocked() {
    if (plan_.blocked.empty()) return;
    heading("Blocked");
    for (const plan::Blocked& blocked : plan_.blocked) {
      item(blocked_text(blocked));
      if (!blocked.cycle.empty())
        item(fmt::format("wait for each other: {} -> {}", fmt::join(blocked.cycle, " -> "),
                         blocked.cycle.front()),
             2);
      for (const plan::Remedy& remedy : blocked.remedies) {
        item("remedy: " + remedy.text, 2);
        for (const std::string& assignment : remedy.set) item("set " + assignment, 4);
        for (const std::string& command : remedy.commands) item(command, 4);
      }
    }
  }

  void print_warnings(std::string_view title, const std::vector<plan::Warning>& warnings) {
    if (warnings.empty()) return;
    heading(title);
    for (const plan::Warning& warning : warnings) item(warning_line(plan_.system, warning));
  }

  void print_steps() {
    if (plan_.steps.empty()) return;
    heading("Steps");
    line("| | what | from, to | why | cost |");
    line("|---:|---|---|---|---|");
    for (const PhaseRange& range : phases_of(plan_)) {
      line(fmt::format("| | **{} {}** | | | |", phase_word(plan_.system), range.phase));
      for (std::size_t i = range.first; i < range.last; ++i) print_row(plan_.steps[i]);
    }
    std::vector<std::string> commands;
    for (const plan::Step& step : plan_.steps) {
      for (const plan::Command& command : step.commands) {
        if (command.use == plan::CommandUse::Hand) commands.push_back(command.text);
      }
    }
    if (!commands.empty()) {
      heading("Commands");
      out_ += code_block(commands);
    }
  }
  void print_row(const plan::Step& step) {
    std::string why = reason_text(step.reason);
    for (const plan::Wait& wait : step.waits_for) why += "; waits for " + wait_text(wait);
    for (const plan::CodedText& risk : step.risks) why += "; risk: " + risk.text;
    std::string from_to = placement_text(step);
    for (const plan::Change& change : step.changes)
      from_to += (from_to.empty() ? "" : "; ") + change_text(change);
    std::string cost = cost_text(step.cost);
    for (const std::string& unprotected : unprotected_texts(step.unprotected)) {
      cost += (cost.empty() ? "unprotected: " : "; unprotected: ") + unprotected;
    }
    line(fmt::format("| {} | {} {} | {} | {} | {} |", step.n, escaped(step.action),
                     escaped(subject_text(step.subject)), escaped(from_to), escaped(why),
                     escaped(cost)));
  }

  void print_summary() {
    const auto sections = figure_sections(plan_);
    if (sections.empty()) return;
    heading("Before and after");
    line("| name | figure | before | after |");
    line("|---|---|---:|---:|");
    for (const FigureSection& section : sections) {
      for (const FigureRow& row : section.rows) {
        line(fmt::format("| {} | {} | {} | {} |", escaped(row.name), escaped(section.title),
                         escaped(figure_text(section, row.before)),
                         escaped(figure_text(section, row.after))));
      }
    }
  }

  void print_texts(std::string_view title, const std::vector<plan::CodedText>& texts) {
    if (texts.empty()) return;
    heading(title);
    for (const plan::CodedText& text : texts) item(coded_text(plan_.system, text));
  }
  void print_queues() {
    if (plan_.queues.empty()) return;
    heading("Queues");
    for (const plan::Queue& queue : plan_.queues) item(queue_text(queue));
  }

  const plan::Plan& plan_;
  std::string out_;
};

}  // namespace

std::string plan_to_markdown(const plan::Plan& plan) { return MarkdownPrinter(plan).run(); }

}  // namespace ballast::report
