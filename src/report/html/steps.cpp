// SPDX-License-Identifier: BSD-2-Clause
#include "steps.hpp"

#include "ballast/core/words.hpp"
#include "ballast/report/facts.hpp"
#include "ballast/report/words.hpp"
#include "page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ballast::report {
namespace {

/// More steps than that are folded, into about that many folds.
constexpr std::size_t kMostOpen = 50;
constexpr std::size_t kFolds = 30;
/// Beyond this many, commands that only look are left to the shell form.
constexpr std::size_t kMostWithChecks = 1000;

std::vector<std::string> actions_of(const plan::Plan& plan) {
  std::vector<std::string> actions;
  for (const plan::Step& step : plan.steps) actions.push_back(step.action);
  std::ranges::sort(actions);
  actions.erase(std::unique(actions.begin(), actions.end()), actions.end());
  return actions;
}

std::string phases_text(const plan::Plan& plan, int first, int last) {
  std::string word(phase_word(plan.system));
  word.front() = static_cast<char>(word.front() - 'a' + 'A');
  if (first == last) return fmt::format("{} {}", word, first);
  const std::string_view plural = plan.system == plan::System::Fdb ? "es" : "s";
  return fmt::format("{}{} {} to {}", word, plural, first, last);
}

class StepsPrinter {
 public:
  explicit StepsPrinter(const PageView& page)
      : plan_(page.plan),
        names_(page.names),
        actions_(actions_of(page.plan)),
        has_checks_(page.plan.steps.size() <= kMostWithChecks) {}

  std::string run() {
    const std::vector<PhaseRange> phases = phases_of(plan_);
    const bool is_folded = plan_.steps.size() > kMostOpen;
    const std::size_t together = is_folded ? (phases.size() + kFolds - 1) / kFolds : 1;
    if (!has_checks_) {
      out_ +=
          "<p class=\"faint\">Commands that only look (checks, and what a step waits for) are left "
          "out here; the plan's shell form has them.</p>\n";
    }
    if (!is_folded && plan_.steps.size() > 1 && phases.size() == plan_.steps.size())
      return single_steps();
    for (std::size_t i = 0; i < phases.size(); i += together) {
      const std::size_t last = std::min(i + together, phases.size()) - 1;
      if (is_folded) {
        fold(phases[i], phases[last]);
      } else {
        section(phases[i]);
      }
    }
    return std::move(out_);
  }

 private:
  /// Where each step is a phase of its own, headings between them would say nothing.
  std::string single_steps() {
    out_ += fmt::format(
        "<p class=\"faint\">One after the other: each is a {} of its own.</p>\n<ol "
        "class=\"steps\">\n",
        phase_word(plan_.system));
    for (const plan::Step& step : plan_.steps) print(step);
    out_ += "</ol>\n";
    return std::move(out_);
  }

  static std::string count_text(std::size_t count) {
    return fmt::format("{} {}", grouped(static_cast<std::int64_t>(count)),
                       of_count(count, "step", "steps"));
  }

  void fold(const PhaseRange& first, const PhaseRange& last) {
    std::int64_t bytes = 0;
    for (std::size_t i = first.first; i < last.last; ++i)
      bytes += plan_.steps[i].cost.bytes.value_or(0);
    out_ += fmt::format(
        "<details class=\"more phase\"><summary>{} <span "
        "class=\"faint\">{}{}</span></summary>\n<ol class=\"steps\">\n",
        phases_text(plan_, first.phase, last.phase), count_text(last.last - first.first),
        bytes > 0 ? ", " + big_size_text(bytes) + " to copy" : "");
    for (std::size_t i = first.first; i < last.last; ++i) print(plan_.steps[i]);
    out_ += "</ol></details>\n";
  }

  void section(const PhaseRange& range) {
    out_ += fmt::format("<section class=\"phase\"><h3>{}</h3><ol class=\"steps\">\n",
                        phases_text(plan_, range.phase, range.phase));
    for (std::size_t i = range.first; i < range.last; ++i) print(plan_.steps[i]);
    out_ += "</ol></section>\n";
  }

  /// Instances are what most steps are about: they need no word before their name.
  static std::string shown_subject(const plan::Subject& subject) {
    return subject.kind == "instance" ? subject.name : subject_text(subject);
  }

  /// The subject stands for its targets.
  static std::string others_text(const plan::Step& step) {
    const auto others = std::ranges::count_if(step.targets, [&](const plan::Subject& target) {
      return target.name != step.subject.name;
    });
    return others == 0 ? "" : fmt::format(" and {} more", others);
  }

  void print(const plan::Step& step) {
    const auto kind = std::ranges::lower_bound(actions_, step.action) - actions_.begin();
    out_ += fmt::format(
        "<li id=\"s{0}\" data-k=\"{1}\"><details><summary><b>{0}</b> <span>{2} "
        "<b>{3}</b>{4}</span>",
        step.n, kind, html_text(key_in_words(step.action)),
        html_text(names_.shorten(shown_subject(step.subject))), others_text(step));
    if (const std::string placement = placement_text(step); !placement.empty()) {
      out_ += fmt::format(" <span>{}</span>", html_text(with_arrows(names_.shorten(placement))));
    }
    if (step.cost.bytes.value_or(0) > 0)
      out_ += fmt::format(" <i>{}</i>", big_size_text(*step.cost.bytes));
    if (!step.risks.empty()) out_ += " <span class=\"tag alarm\">risk</span>";
    out_ += "</summary>";
    print_facts(step);
    print_commands(step);
    out_ += "</details></li>\n";
  }

  void print_facts(const plan::Step& step) {
    const std::vector<Fact> facts = facts_of(step);
    for (const Fact& fact : facts) {
      if (fact.kind != FactKind::Substep) print_fact(fact);
    }
    if (step.substeps.empty()) return;
    out_ += "<ul>";
    for (const Fact& fact : facts) {
      if (fact.kind == FactKind::Substep) out_ += "<li>" + html_text(fact.text) + "</li>";
    }
    out_ += "</ul>";
  }

  void print_fact(const Fact& fact) {
    const std::string_view look = is_alarm(fact.kind)          ? " class=\"alarm\""
                                  : fact.kind == FactKind::Why ? " class=\"why\""
                                                               : "";
    std::string_view word;
    std::string_view colon;
    if (fact.kind == FactKind::Target || fact.kind == FactKind::Wait) {
      word = word_of(fact.kind);
      colon = " ";
    } else if (is_alarm(fact.kind) || fact.kind == FactKind::Change) {
      word = word_of(fact.kind);
      colon = ": ";
    }
    const bool has_arrows = fact.kind == FactKind::Cost || fact.kind == FactKind::Change;
    const std::string text = names_.shorten(fact.text);
    out_ += fmt::format("<p{}>{}{}{}</p>", look, word, colon,
                        html_text(has_arrows ? with_arrows(text) : text));
  }

  void print_commands(const plan::Step& step) {
    std::string lines;
    const auto add = [&](std::string_view word, std::string_view text, bool is_run) {
      if (!lines.empty()) lines += '\n';
      lines += is_run ? html_text(text) : fmt::format("<i># {}: {}</i>", word, html_text(text));
    };
    for (const plan::Command& command : step.commands) {
      if (command.use == plan::CommandUse::Check && !has_checks_) continue;
      add(command_word(plan_.system, command.use), command.text,
          command.use == plan::CommandUse::Hand && !has_operator(plan_.system));
    }
    for (const plan::Gate& gate : step.done_when) {
      add("done when", names_.shorten(gate.text), false);
      if (has_checks_) add("", gate.command, true);
    }
    if (!lines.empty()) out_ += "<pre>" + lines + "</pre>";
  }

  const plan::Plan& plan_;
  const ShortNames& names_;
  const std::vector<std::string> actions_;
  const bool has_checks_;
  std::string out_;
};

}  // namespace

std::string with_arrows(std::string text) {
  constexpr std::string_view kAscii = " -> ";
  for (std::size_t at = text.find(kAscii); at != std::string::npos; at = text.find(kAscii, at))
    text.replace(at, kAscii.size(), " → ");
  return text;
}

std::string html_filter(const plan::Plan& plan) {
  if (plan.steps.size() < 2) return "";
  std::string text =
      "<div class=\"search\" role=\"search\" hidden><label for=\"find\">Find</label><input "
      "id=\"find\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\" "
      "placeholder=\"instance, "
      "node or text (press /)\"><label for=\"kind\">Kind</label><select id=\"kind\"><option "
      "value=\"\">all</option>";
  const std::vector<std::string> actions = actions_of(plan);
  for (std::size_t i = 0; i < actions.size(); ++i)
    text += fmt::format("<option value=\"{}\">{}</option>", i, html_text(key_in_words(actions[i])));
  return text +
         "</select><button id=\"unfold\" type=\"button\">Unfold all</button><span id=\"found\" "
         "role=\"status\" "
         "class=\"faint\"></span></div>\n";
}

std::string html_steps(const PageView& page) { return StepsPrinter(page).run(); }

}  // namespace ballast::report
