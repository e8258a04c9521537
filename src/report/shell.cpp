// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/shell.hpp"
#include "ballast/report/render.hpp"

#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::report {
namespace {

std::string shell_word(std::string_view text) { return shell_quoted(one_line(text)); }

class ScriptPrinter {
 public:
  explicit ScriptPrinter(const plan::Plan& plan) : plan_(plan) {}

  std::string run() {
    print_head();
    for (const PhaseRange& range : phases_of(plan_)) print_phase(range);
    if (!plan_.blocked.empty()) print_blocked();
    if (plan_.steps.empty() && plan_.blocked.empty()) line("echo 'nothing to do'");
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

  void print_head() {
    line("#!/bin/sh");
    comment(headline_text(plan_));
    comment(origin_text(plan_));
    for (const plan::Warning& warning : dangers_of(plan_))
      comment(warning_line(plan_.system, warning));
    for (const plan::Warning& warning : other_warnings_of(plan_))
      comment(warning_line(plan_.system, warning));
    for (const plan::Weakest& weakest : plan_.weakest)
      comment("weakest moment " + weakest_text(weakest));
    line("set -e");
    const bool has_checks = std::ranges::any_of(plan_.steps, [](const plan::Step& step) {
      return std::ranges::any_of(step.commands, [](const plan::Command& command) {
        return command.use == plan::CommandUse::Check;
      });
    });
    if (!has_checks) return;
    line("");
    comment("stops where the state is not the one that the plan was made for");
    line("unexpected() {");
    line("  echo \"step $1: not in the expected state: $2\" >&2");
    line("  exit 1");
    line("}");
  }

  void print_phase(const PhaseRange& range) {
    line("");
    const std::string title = fmt::format("{} {}", phase_word(plan_.system), range.phase);
    comment(title);
    for (std::size_t i = range.first; i < range.last; ++i) {
      const plan::Step& step = plan_.steps[i];
      for (const plan::Command& command : step.commands) {
        if (command.use != plan::CommandUse::Check) continue;
        line(fmt::format("{{ {}; }} || unexpected {} {}", one_line(command.text), step.n,
                         shell_word(subject_text(step.subject))));
      }
    }
    for (std::size_t i = range.first; i < range.last; ++i) print_step(plan_.steps[i]);
  }

  void print_step(const plan::Step& step) {
    std::string title = fmt::format("step {} of {}: {} {}", step.n, plan_.steps.size(), step.action,
                                    subject_text(step.subject));
    line("");
    if (const std::string placement = placement_text(step); !placement.empty()) {
      comment(fmt::format("{}: {}", title, placement));
    } else {
      comment(title);
    }
    for (const plan::Change& change : step.changes) comment("change: " + change_text(change));
    comment("why: " + reason_text(step.reason));
    comment(step.detail);
    for (const plan::Wait& wait : step.waits_for) comment("waits for: " + wait_text(wait));
    if (const std::string cost = cost_text(step.cost); !cost.empty()) comment("cost: " + cost);
    for (const std::string& unprotected : unprotected_texts(step.unprotected))
      comment("unprotected: " + unprotected);
    for (const plan::CodedText& risk : step.risks) comment("risk: " + risk.text);
    line("echo " + shell_word(title));
    bool has_command = false;
    for (const plan::Command& command : step.commands) {
      switch (command.use) {
        case plan::CommandUse::Hand:
          line(one_line(command.text));
          has_command = true;
          break;
        case plan::CommandUse::Watch:
          comment("watch: " + command.text);
          break;
        case plan::CommandUse::Undo:
          comment("undo: " + command.text);
          break;
        case plan::CommandUse::Check:
          break;
      }
    }
    if (!has_command) comment("nothing to run: the system does this itself");
  }

  void print_blocked() {
    line("");
    for (const plan::Blocked& blocked : plan_.blocked) {
      line(fmt::format("echo {} >&2", shell_word("blocked: " + blocked_text(blocked))));
      for (const plan::Remedy& remedy : blocked.remedies) {
        comment("remedy: " + remedy.text);
        for (const std::string& assignment : remedy.set) comment("  set " + assignment);
        for (const std::string& command : remedy.commands) comment("  " + command);
      }
    }
    line("exit 3");
  }

  const plan::Plan& plan_;
  std::string out_;
};

}  // namespace

std::string plan_to_shell(const plan::Plan& plan) { return ScriptPrinter(plan).run(); }

}  // namespace ballast::report
