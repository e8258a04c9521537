// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/words.hpp"
#include "ballast/report/render.hpp"

#include "facts.hpp"
#include "words.hpp"

#include <fmt/format.h>

namespace ballast::report {
namespace {

enum class Ink { Plain, Strong, Faint, Good, Alarm };

class TextPrinter {
 public:
  TextPrinter(const plan::Plan& plan, const TextOptions& options)
      : plan_(plan), options_(options) {}

  std::string run() {
    line(0, headline_text(plan_),
         plan_.result == plan::Outcome::Blocked ? Ink::Alarm : Ink::Strong);
    line(0, origin_text(plan_), Ink::Faint);
    print_warnings("Dangers", dangers_of(plan_), Ink::Alarm);
    print_steps();
    print_blocked();
    print_warnings("Warnings", other_warnings_of(plan_), Ink::Plain);
    print_lines("Before and after", change_lines(plan_));
    for (const Section& section : sections_of(plan_)) print_lines(section.title, section.lines);
    print_closing();
    return std::move(out_);
  }

 private:
  void line(std::size_t indent, std::string_view text, Ink ink = Ink::Plain) {
    const char* code = "";
    if (options_.colour) {
      switch (ink) {
        case Ink::Plain:
          break;
        case Ink::Strong:
          code = "\x1b[1m";
          break;
        case Ink::Faint:
          code = "\x1b[2m";
          break;
        case Ink::Good:
          code = "\x1b[32m";
          break;
        case Ink::Alarm:
          code = "\x1b[31m";
          break;
      }
    }
    out_.append(indent, ' ');
    out_ += code;
    out_ += one_line(text);
    if (*code != '\0') out_ += "\x1b[0m";
    out_ += '\n';
  }
  void heading(std::string_view text) {
    out_ += '\n';
    line(0, text, Ink::Strong);
  }

  void print_steps() {
    for (const PhaseRange& range : phases_of(plan_)) {
      std::string word(phase_word(plan_.system));
      word.front() = static_cast<char>(word.front() - 'a' + 'A');
      const std::size_t count = range.last - range.first;
      heading(fmt::format("{} {}: {} {}", word, range.phase, count, count == 1 ? "step" : "steps"));
      for (std::size_t i = range.first; i < range.last; ++i) print_step(plan_.steps[i]);
    }
  }
  void print_step(const plan::Step& step) {
    const std::vector<std::string> touched = touched_texts(step);
    std::string head = fmt::format("{:4}. {} {}", step.n, step.action, touched.front());
    if (const std::string placement = placement_text(step); !placement.empty())
      head += ": " + placement;
    line(0, head, Ink::Good);
    for (std::size_t i = 1; i < touched.size(); ++i)
      print_fact(word_of(FactKind::Target), touched[i]);
    for (const Fact& fact : facts_of(step)) {
      if (fact.kind == FactKind::Target) continue;
      if (fact.kind == FactKind::Cost && !options_.with_costs) continue;
      print_fact(fact.kind == FactKind::Substep ? "-" : word_of(fact.kind), fact.text,
                 is_alarm(fact.kind) ? Ink::Alarm : Ink::Plain);
    }
    if (!options_.with_commands) return;
    for (const plan::Command& command : step.commands)
      print_fact(command_word(plan_.system, command.use), command.text);
  }
  void print_fact(std::string_view word, std::string_view text, Ink ink = Ink::Plain) {
    if (text.empty()) return;
    if (word.empty()) return line(6, text, ink);
    line(6, fmt::format("{}{} {}", word, word == "-" ? "" : ":", text), ink);
  }

  void print_blocked() {
    if (plan_.blocked.empty()) return;
    heading("Blocked");
    for (const plan::Blocked& blocked : plan_.blocked) {
      line(2, blocked_text(blocked), Ink::Alarm);
      for (const std::string& text : blocked_lines(blocked)) line(6, text);
    }
  }
  void print_lines(std::string_view title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    heading(title);
    for (const std::string& text : lines) line(2, text);
  }
  void print_warnings(std::string_view title, const std::vector<plan::Warning>& warnings, Ink ink) {
    if (warnings.empty()) return;
    heading(title);
    for (const plan::Warning& warning : warnings) line(2, warning_line(plan_.system, warning), ink);
  }
  void print_closing() {
    if (plan_.steps.empty() && plan_.weakest.empty() && !plan_.score) return;
    out_ += '\n';
    for (const std::string& text : figure_lines(plan_)) line(0, text);
    // Whoever sees only the end of a long plan must know of them as well.
    if (const std::size_t count = dangers_of(plan_).size(); count > 0 && !plan_.steps.empty()) {
      line(0, fmt::format("{}: see above the first step", counted(count, "danger")), Ink::Alarm);
    }
  }

  const plan::Plan& plan_;
  const TextOptions& options_;
  std::string out_;
};

}  // namespace

std::string plan_to_text(const plan::Plan& plan, const TextOptions& options) {
  return TextPrinter(plan, options).run();
}

}  // namespace ballast::report
