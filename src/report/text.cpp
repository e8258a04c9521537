// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/words.hpp"
#include "ballast/report/render.hpp"

#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::report {
namespace {

constexpr std::size_t kMostNames = 24;  ///< on one line; the other forms have all

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
    print_texts("Not part of this plan", plan_.deferred);
    print_texts("Later", plan_.later);
    print_queues();
    print_warnings("Warnings", other_warnings_of(plan_), Ink::Plain);
    print_closing();
    print_texts("Assumptions", plan_.assumptions);
    print_texts("Notes", plan_.notes);
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
    const std::vector<std::string> subjects = subjects_of(step);
    std::string head = fmt::format("{:4}. {} {}", step.n, step.action, subjects.front());
    if (const std::string placement = placement_text(step); !placement.empty())
      head += ": " + placement;
    line(0, head, Ink::Good);
    for (std::size_t i = 1; i < subjects.size(); ++i) fact("also", subjects[i]);
    for (const plan::Change& change : step.changes) fact("change", change_text(change));
    fact("why", reason_text(step.reason));
    fact("", step.detail);
    for (const plan::Wait& wait : step.waits_for) fact("waits for", wait_text(wait));
    if (options_.with_costs) fact("cost", cost_text(step.cost));
    for (const std::string& unprotected : unprotected_texts(step.unprotected)) {
      fact("unprotected", unprotected, Ink::Alarm);
    }
    for (const plan::CodedText& risk : step.risks) fact("risk", risk.text, Ink::Alarm);
    for (const Value& substep : step.substeps) fact("-", value_text(substep));
    if (!options_.with_commands) return;
    for (const plan::Command& command : step.commands) {
      if (command.use != plan::CommandUse::Undo) fact(command_word(command.use), command.text);
    }
  }
  /// Subject and targets; neighbours of one kind and group are told together: "pod a, b, c
  /// (storage)".
  static std::vector<std::string> subjects_of(const plan::Step& step) {
    std::vector<plan::Subject> merged = {step.subject};
    std::size_t count = 1;
    const auto close = [&] {
      if (count > kMostNames) merged.back().name += fmt::format(" and {} more", count - kMostNames);
    };
    for (const plan::Subject& target : step.targets) {
      plan::Subject& last = merged.back();
      if (last.kind == target.kind && last.group == target.group) {
        if (++count <= kMostNames) last.name += ", " + target.name;
        continue;
      }
      close();
      count = 1;
      merged.push_back(target);
    }
    close();
    std::vector<std::string> texts;
    for (plan::Subject& subject : merged) {
      std::ranges::replace(subject.kind, '_', ' ');
      texts.push_back(subject_text(subject));
    }
    return texts;
  }
  static std::string_view command_word(plan::CommandUse use) {
    return use == plan::CommandUse::Hand ? "run" : to_string(use);
  }
  void fact(std::string_view word, std::string_view text, Ink ink = Ink::Plain) {
    if (text.empty()) return;
    if (word.empty()) return line(6, text, ink);
    line(6, fmt::format("{}{} {}", word, word == "-" ? "" : ":", text), ink);
  }

  void print_blocked() {
    if (plan_.blocked.empty()) return;
    heading("Blocked");
    for (const plan::Blocked& blocked : plan_.blocked) {
      line(2, blocked_text(blocked), Ink::Alarm);
      if (!blocked.cycle.empty()) {
        line(6, fmt::format("wait for each other: {} -> {}", fmt::join(blocked.cycle, " -> "),
                            blocked.cycle.front()));
      }
      for (const plan::Remedy& remedy : blocked.remedies) {
        fact("remedy", remedy.text);
        for (const std::string& assignment : remedy.set) line(8, "set " + assignment);
        for (const std::string& command : remedy.commands) line(8, command);
      }
    }
  }
  void print_texts(std::string_view title, const std::vector<plan::CodedText>& texts) {
    if (texts.empty()) return;
    heading(title);
    for (const plan::CodedText& text : texts) line(2, coded_text(plan_.system, text));
  }
  void print_queues() {
    if (plan_.queues.empty()) return;
    heading("Queues");
    for (const plan::Queue& queue : plan_.queues) line(2, queue_text(queue));
  }
  void print_warnings(std::string_view title, const std::vector<plan::Warning>& warnings, Ink ink) {
    if (warnings.empty()) return;
    heading(title);
    for (const plan::Warning& warning : warnings) line(2, warning_line(plan_.system, warning), ink);
  }
  void print_closing() {
    const std::string peak = plan_.totals.peak ? peak_text(*plan_.totals.peak) : "";
    if (plan_.steps.empty() && plan_.weakest.empty() && !plan_.score) return;
    out_ += '\n';
    if (plan_.score) {
      line(0, fmt::format("Score: {} -> {}", score_text(plan_.score->before),
                          score_text(plan_.score->after)));
    }
    for (const plan::Weakest& weakest : plan_.weakest)
      line(0, "Weakest moment " + weakest_text(weakest));
    if (!peak.empty()) line(0, "Peak: " + peak);
    if (plan_.steps.empty()) return;
    line(0, "Total: " + totals_text(plan_));
    // Whoever sees only the end of a long plan must know of them as well.
    if (const std::size_t count = dangers_of(plan_).size(); count > 0) {
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
