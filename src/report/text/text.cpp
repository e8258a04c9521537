// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/words.hpp"
#include "ballast/report/render.hpp"

#include "ballast/report/facts.hpp"
#include "ballast/report/words.hpp"
#include "fold.hpp"

#include <fmt/format.h>

#include <algorithm>

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
    if (plan_.system == plan::System::Tidb) return print_chunks();
    for (const PhaseRange& range : phases_of(plan_)) {
      std::string word(phase_word(plan_.system));
      word.front() = static_cast<char>(word.front() - 'a' + 'A');
      const std::size_t count = range.last - range.first;
      heading(fmt::format("{} {}: {}", word, range.phase, counted(count, "step")));
      for (std::size_t i = range.first; i < range.last; ++i) print_step(plan_.steps[i]);
    }
  }
  struct Line {
    std::string text;
    Ink ink = Ink::Plain;
    bool is_change = false;  // of a field: never said once for several steps
    friend bool operator==(const Line&, const Line&) = default;
  };

  void print_step(const plan::Step& step) {
    print_head(step);
    for (const Line& fact : lines_of(step)) line(6, fact.text, fact.ink);
  }
  void print_head(const plan::Step& step) {
    std::string head = fmt::format("{:4}. {} {}", step.n, step.action, touched_texts(step).front());
    if (const std::string placement = placement_text(step); !placement.empty())
      head += ": " + placement;
    line(0, head, Ink::Good);
  }
  /// What a step says below its head.
  std::vector<Line> lines_of(const plan::Step& step) const {
    std::vector<Line> lines;
    const auto add = [&](std::string_view word, std::string_view text, Ink ink = Ink::Plain) {
      if (text.empty()) return;
      lines.push_back({word.empty() ? std::string(text)
                                    : fmt::format("{}{} {}", word, word == "-" ? "" : ":", text),
                       ink});
    };
    const std::vector<std::string> touched = touched_texts(step);
    for (std::size_t i = 1; i < touched.size(); ++i) add(word_of(FactKind::Target), touched[i]);
    for (const Fact& fact : facts_of(step)) {
      if (fact.kind == FactKind::Target) continue;
      if (fact.kind == FactKind::Cost && !options_.with_costs) continue;
      add(fact.kind == FactKind::Substep ? "-" : word_of(fact.kind), fact.text,
          is_alarm(fact.kind) ? Ink::Alarm : Ink::Plain);
      if (!fact.text.empty()) lines.back().is_change = fact.kind == FactKind::Change;
    }
    if (!options_.with_commands) return lines;
    for (const plan::Command& command : step.commands)
      add(command_word(plan_.system, command.use), command.text);
    return lines;
  }

  /// Steps that do the same: what they have in common once, what is their own with each. A chunk
  /// that has the same in common as one before it refers to that one.
  void print_chunks() {
    std::vector<std::pair<std::vector<Line>, std::string>> told;
    int phase = 0;
    for (const Chunk& chunk : chunks_of(plan_)) {
      const plan::Step& first = plan_.steps[chunk.first];
      if (first.phase != phase) heading(chunk_heading(chunk));
      phase = plan_.steps[chunk.last - 1].phase;
      const std::vector<Line> common = common_facts(chunk);
      const bool is_said = say_common(chunk, common, told);
      for (std::size_t i = chunk.first; i < chunk.last; ++i) {
        const plan::Step& step = plan_.steps[i];
        print_head(step);
        for (const Line& fact : lines_of(step)) {
          const Line open{with_open_names(fact.text, step), fact.ink};
          const bool is_common = std::ranges::find(common, open) != common.end();
          if (!is_said || !is_common) line(6, fact.text, fact.ink);
        }
      }
    }
  }
  std::string chunk_heading(const Chunk& chunk) const {
    std::string word(phase_word(plan_.system));
    word.front() = static_cast<char>(word.front() - 'a' + 'A');
    const int phase = plan_.steps[chunk.first].phase;
    const int last = plan_.steps[chunk.last - 1].phase;
    if (last > phase) return fmt::format("{}s {} to {}: one step each", word, phase, last);
    const auto count = std::ranges::count(plan_.steps, phase, &plan::Step::phase);
    return fmt::format("{} {}: {}", word, phase, counted(count, "step"));
  }
  /// False where each step tells for itself what it has.
  bool say_common(const Chunk& chunk, const std::vector<Line>& common,
                  std::vector<std::pair<std::vector<Line>, std::string>>& told) {
    if (common.empty()) return false;
    const auto before = std::ranges::find(told, common, [](const auto& one) { return one.first; });
    const bool is_alone = chunk.last - chunk.first == 1;
    if (before != told.end()) {
      line(2, fmt::format("{}as {}:", is_alone ? "" : "each ", before->second));
      return true;
    }
    const int n = plan_.steps[chunk.first].n;
    const int last = plan_.steps[chunk.last - 1].n;
    told.emplace_back(
        common, last > n ? fmt::format("steps {} to {}", n, last) : fmt::format("step {}", n));
    if (is_alone) return false;
    line(2, "each:");
    for (const Line& fact : common) line(6, fact.text, fact.ink);
    return true;
  }
  /// With open names, and without what is changed.
  std::vector<Line> common_facts(const Chunk& chunk) const {
    std::vector<Line> common;
    for (std::size_t i = chunk.first; i < chunk.last; ++i) {
      const plan::Step& step = plan_.steps[i];
      std::vector<Line> open;
      for (const Line& fact : lines_of(step)) {
        if (!fact.is_change) open.push_back({with_open_names(fact.text, step), fact.ink});
      }
      if (i == chunk.first) {
        common = std::move(open);
      } else {
        std::erase_if(
            common, [&](const Line& fact) { return std::ranges::find(open, fact) == open.end(); });
      }
    }
    return common;
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
