// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/render.hpp"

#include "ballast/report/facts.hpp"
#include "ballast/report/figures.hpp"
#include "ballast/report/html_text.hpp"
#include "ballast/report/words.hpp"

#include "markdown_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::report {
namespace {

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
    line("");
    for (const std::string& text : figure_lines(plan_)) item(text);
    print_warnings("Dangers", dangers_of(plan_));
    print_blocked();
    print_warnings("Warnings", other_warnings_of(plan_));
    print_steps();
    print_summary();
    for (const Section& section : sections_of(plan_)) {
      heading(section.title);
      for (const std::string& text : section.lines) item(text);
    }
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

  void print_blocked() {
    if (plan_.blocked.empty()) return;
    heading("Blocked");
    for (const plan::Blocked& blocked : plan_.blocked) {
      item(blocked_text(blocked));
      for (const std::string& text : blocked_lines(blocked))
        item(text.substr(text.find_first_not_of(' ')), text.starts_with(' ') ? 4 : 2);
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
    line("| # | step | from, to | why | what else |");
    line("|---:|---|---|---|---|");
    for (const PhaseRange& range : phases_of(plan_)) {
      line(fmt::format("| | **{} {}** | | | |", phase_word(plan_.system), range.phase));
      for (std::size_t i = range.first; i < range.last; ++i) print_row(plan_.steps[i]);
    }
    for (const plan::Step& step : plan_.steps) print_commands(step);
  }
  void print_row(const plan::Step& step) {
    std::string targets;
    std::string why;
    std::string others;
    for (const Fact& fact : facts_of(step)) {
      const std::string_view word = word_of(fact.kind);
      std::string& cell = fact.kind == FactKind::Target ? targets
                          : fact.kind == FactKind::Why  ? why
                                                        : others;
      if (!cell.empty() || fact.kind == FactKind::Target) cell += "<br>";
      const bool is_told_by_column = word.empty() || fact.kind == FactKind::Why;
      cell +=
          is_told_by_column ? escaped(fact.text) : fmt::format("{}: {}", word, escaped(fact.text));
    }
    line(fmt::format("| {} | {} {}{} | {} | {} | {} |", step.n, escaped(step.action),
                     escaped(subject_text(step.subject)), targets, escaped(placement_text(step)),
                     why, others));
  }

  /// Folded: a reviewer opens what he wants to see.
  void print_commands(const plan::Step& step) {
    std::vector<std::string> lines;
    for (const plan::Command& command : step.commands) {
      const bool is_run = command.use == plan::CommandUse::Hand && !has_operator(plan_.system);
      lines.push_back(
          is_run ? command.text
                 : fmt::format("# {}: {}", command_word(plan_.system, command.use), command.text));
    }
    for (const plan::Gate& gate : step.done_when) {
      lines.push_back("# done when: " + gate.text);
      lines.push_back(gate.command);
    }
    if (lines.empty()) return;
    line("");
    line(fmt::format("<details><summary>{}. {} {}</summary>", step.n, html_text(step.action),
                     html_text(subject_text(step.subject))));
    line("");
    out_ += code_block(lines);
    line("");
    line("</details>");
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
                         escaped(figure_text(section.is_bytes, row.before)),
                         escaped(figure_text(section.is_bytes, row.after))));
      }
    }
  }

  const plan::Plan& plan_;
  std::string out_;
};

}  // namespace

std::string plan_to_markdown(const plan::Plan& plan) { return MarkdownPrinter(plan).run(); }

}  // namespace ballast::report
