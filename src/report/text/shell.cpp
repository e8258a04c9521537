// SPDX-License-Identifier: BSD-2-Clause
// The script form. Where people make the steps (Ganeti), it runs them, each after the gate of the
// one before; where an operator does, it runs nothing and waits for one step after the other.
#include "ballast/core/shell.hpp"
#include "ballast/report/render.hpp"

#include "ballast/report/facts.hpp"
#include "ballast/report/words.hpp"
#include "shell_head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ballast::report {
namespace {

/// What a gate is given beyond --timeout for data that are copied: 10 MiB/s is slow.
constexpr std::int64_t kSlowBytesPerSecond = 10 * 1024 * 1024;

/// For echo, which acts on backslashes in some shells.
std::string quoted_line(std::string_view text) {
  std::string line;
  for (const char c : one_line(text)) line += c == '\\' ? "\\\\" : std::string(1, c);
  return shell_quoted(line);
}

bool has_gate(const plan::Step& step) { return !step.done_when.empty(); }

class ScriptPrinter {
 public:
  explicit ScriptPrinter(const plan::Plan& plan)
      : plan_(plan), is_watch_(has_operator(plan.system)) {}

  std::string run() {
    print_head();
    for (const PhaseRange& range : phases_of(plan_)) print_phase(range);
    print_end();
    return std::move(out_);
  }

 private:
  void line(std::string_view text) {
    out_ += text;
    out_ += '\n';
  }
  void comment(std::string_view text) {
    if (!text.empty()) line("# " + one_line(text));
  }
  void comments(std::string_view title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    line("#");
    comment(std::string(title) + ":");
    for (const std::string& text : lines) comment("  " + text);
  }

  void print_head() {
    line("#!/bin/sh");
    comment(headline_text(plan_));
    comment(origin_text(plan_));
    for (const plan::Warning& warning : dangers_of(plan_))
      comment(warning_line(plan_.system, warning));
    for (const plan::Warning& warning : other_warnings_of(plan_))
      comment(warning_line(plan_.system, warning));
    for (const std::string& text : figure_lines(plan_)) comment(text);
    comments("Before and after", change_lines(plan_));
    for (const Section& section : sections_of(plan_)) comments(section.title, section.lines);
    if (plan_.steps.empty()) return line("set -eu");
    if (is_watch_) {
      line("#");
      comment(
          "This script changes nothing. Once the change that is wished is applied, the operator");
      comment("makes the steps; here each is waited for in turn.");
    }
    line("");
    ScriptHead head;
    head.steps = plan_.steps.size();
    head.has_gates = std::ranges::any_of(plan_.steps, has_gate);
    head.has_checks = !is_watch_ && std::ranges::any_of(plan_.steps, [](const plan::Step& step) {
      return std::ranges::find(step.commands, plan::CommandUse::Check, &plan::Command::use) !=
             step.commands.end();
    });
    head.tools = tools();
    out_ += script_functions(head);
  }

  /// Programs that read gates.
  [[nodiscard]] std::string tools() const {
    constexpr std::array<std::string_view, 4> kTools = {"kubectl", "fdbcli", "pd-ctl", "jq"};
    std::string text;
    for (const std::string_view tool : kTools) {
      const std::string word = std::string(tool) + " ";
      const bool is_used = std::ranges::any_of(plan_.steps, [&](const plan::Step& step) {
        return std::ranges::any_of(step.done_when, [&](const plan::Gate& gate) {
          return gate.command.find(word) != std::string::npos;
        });
      });
      if (is_used) text += (text.empty() ? "" : " ") + std::string(tool);
    }
    return text;
  }

  void print_phase(const PhaseRange& range) {
    line("");
    comment(fmt::format("{} {}", phase_word(plan_.system), range.phase));
    for (std::size_t i = range.first; i < range.last && !is_watch_; ++i) {
      const plan::Step& step = plan_.steps[i];
      for (const plan::Command& command : step.commands) {
        if (command.use != plan::CommandUse::Check) continue;
        line(fmt::format("[ \"$first\" -gt {0} ] || {{ {1}; }} || unexpected {0} {2} {3}", step.n,
                         one_line(command.text), plan_.steps[range.first].n - 1,
                         quoted_line(subject_text(step.subject))));
      }
    }
    for (std::size_t i = range.first; i < range.last; ++i) print_step(plan_.steps[i]);
  }

  void print_step(const plan::Step& step) {
    const std::string title = fmt::format("{} {}", step.action, subject_text(step.subject));
    const std::string placement = placement_text(step);
    line("");
    comment(fmt::format("step {} of {}: {}{}", step.n, plan_.steps.size(), title,
                        placement.empty() ? "" : ": " + placement));
    for (const Fact& fact : facts_of(step)) {
      const std::string_view word = word_of(fact.kind);
      comment(fmt::format("{}{}{}", word, word.empty() ? "" : ": ", fact.text));
    }
    for (const plan::Command& command : step.commands) {
      const bool is_run = !is_watch_ && (command.use == plan::CommandUse::Hand ||
                                         command.use == plan::CommandUse::Check);
      if (!is_run)
        comment(fmt::format("{}: {}", command_word(plan_.system, command.use), command.text));
    }
    line(fmt::format("if begin {} {}; then", step.n, quoted_line(title)));
    print_actions(step);
    print_gates(step);
    line("fi");
  }

  void print_actions(const plan::Step& step) {
    bool does_something = has_gate(step);
    for (const plan::Command& command : step.commands) {
      if (is_watch_ || command.use != plan::CommandUse::Hand) continue;
      const std::string text = one_line(command.text);
      line(fmt::format("  {} || failed {} {}", text, step.n, shell_quoted(text)));
      does_something = true;
    }
    if (!does_something) line("  : # nothing to look at: what follows shows that it is done");
  }

  void print_gates(const plan::Step& step) {
    more_seconds_ += step.cost.bytes.value_or(0) > 0 ? *step.cost.bytes / kSlowBytesPerSecond : 0;
    std::int64_t waits = step.cost.seconds_at_least.value_or(0);
    for (const plan::Wait& wait : step.waits_for)
      waits = std::max(waits, wait.seconds_at_least.value_or(0));
    more_seconds_ += std::max<std::int64_t>(waits, 0);
    for (const plan::Gate& gate : step.done_when) {
      line(fmt::format("  holds() {{ {}; }}", one_line(gate.command)));
      line(fmt::format("  await {} {} {}", step.n, more_seconds_, quoted_line(gate.text)));
    }
    if (has_gate(step)) more_seconds_ = 0;
  }

  void print_end() {
    line("");
    for (const plan::Blocked& blocked : plan_.blocked) {
      line(fmt::format("echo {} >&2", quoted_line("blocked: " + blocked_text(blocked))));
      for (const std::string& text : blocked_lines(blocked)) comment(text);
    }
    if (!plan_.blocked.empty()) return line("exit 3");
    line(plan_.steps.empty() ? "echo 'nothing to do'" : "echo \"all $steps steps are done\"");
  }

  const plan::Plan& plan_;
  bool is_watch_;
  std::int64_t more_seconds_ = 0;  ///< that steps without a gate take, before the next one
  std::string out_;
};

}  // namespace

std::string plan_to_shell(const plan::Plan& plan) { return ScriptPrinter(plan).run(); }

}  // namespace ballast::report
