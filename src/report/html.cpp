// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/decimal.hpp"
#include "ballast/report/render.hpp"

#include "facts.hpp"
#include "html_charts.hpp"
#include "html_page.hpp"
#include "words.hpp"

#include <fmt/format.h>

namespace ballast::report {
namespace {

/// "a -> b" as people write it where there is more than ASCII.
std::string with_arrows(std::string text) {
  constexpr std::string_view kAscii = " -> ";
  for (std::size_t at = text.find(kAscii); at != std::string::npos; at = text.find(kAscii, at))
    text.replace(at, kAscii.size(), " → ");
  return text;
}

class HtmlPrinter {
 public:
  explicit HtmlPrinter(const plan::Plan& plan) : plan_(plan) {}

  std::string run() {
    const std::string headline = headline_text(plan_);
    out_ = html_head(plan_.tool + ": " + headline);
    out_ += fmt::format("<header>\n<h1>{}</h1>\n<p class=\"faint\">{}</p>\n</header>\n",
                        html_text(headline), html_text(origin_text(plan_)));
    print_cards();
    print_warnings("dangers", "Dangers", dangers_of(plan_));
    print_blocked();
    print_warnings("warnings", "Warnings", other_warnings_of(plan_));
    print_search();
    print_steps();
    out_ += html_charts(plan_);
    out_ += html_score(plan_);
    for (const Section& section : sections_of(plan_)) print_section(section);
    print_origin();
    return std::move(out_) + html_foot();
  }

 private:
  void card(std::string_view word, std::string_view figure) {
    if (!figure.empty())
      out_ += fmt::format("<li><b>{}</b>{}</li>\n", html_text(figure), html_text(word));
  }
  void count_card(std::string_view word, const std::optional<std::int64_t>& count) {
    if (count && *count != 0) card(word, std::to_string(*count));
  }
  void wide_card(std::string_view word, std::string_view text) {
    if (!text.empty())
      out_ +=
          fmt::format("<li class=\"wide\">{} <b>{}</b></li>\n", html_text(word), html_text(text));
  }

  void print_cards() {
    const plan::Totals& totals = plan_.totals;
    out_ += "<ul class=\"cards\" aria-label=\"headline figures\">\n";
    card("result", outcome_text(plan_.result));
    card(totals.steps == 1 ? "step" : "steps", std::to_string(totals.steps));
    if (totals.phases > 0) {
      card(fmt::format("{}{}", phase_word(plan_.system),
                       totals.phases == 1                  ? ""
                       : plan_.system == plan::System::Fdb ? "es"
                                                           : "s"),
           std::to_string(totals.phases));
    }
    if (totals.bytes) card("to copy", size_text(*totals.bytes));
    if (totals.seconds_at_least) card("at least", duration_text(*totals.seconds_at_least));
    count_card("added", totals.added);
    count_card("removed", totals.removed);
    count_card("replaced", totals.replaced);
    count_card("restarted", totals.restarted);
    count_card("recreated", totals.recreated);
    count_card("moved", totals.moved);
    if (plan_.score) {
      card("score",
           fmt::format("{} → {}", fixed(plan_.score->before, 3), fixed(plan_.score->after, 3)));
    }
    for (const plan::Weakest& weakest : plan_.weakest)
      wide_card("Weakest moment", weakest_text(weakest));
    if (totals.peak) wide_card("Peak", peak_text(*totals.peak));
    out_ += "</ul>\n";
  }

  void print_warnings(std::string_view id, std::string_view title,
                      const std::vector<plan::Warning>& warnings) {
    if (warnings.empty()) return;
    out_ += fmt::format("<h2 id=\"{}\">{}</h2>\n", id, title);
    for (const plan::Warning& warning : warnings) {
      out_ += fmt::format("<div class=\"box {}\"><b>{}</b> ", to_string(warning.severity),
                          to_string(warning.severity));
      out_ += html_text(warning_text(plan_.system, warning));
      for (const int step : warning.steps)
        out_ += fmt::format(" <a href=\"#s{0}\">step {0}</a>", step);
      out_ += "</div>\n";
    }
  }

  void print_blocked() {
    if (plan_.blocked.empty()) return;
    out_ += "<h2 id=\"blocked\">What could not be done</h2>\n";
    for (const plan::Blocked& blocked : plan_.blocked) {
      out_ +=
          fmt::format("<div class=\"box danger\" data-find>{}", html_text(blocked_text(blocked)));
      if (!blocked.cycle.empty()) {
        out_ += fmt::format("<br>wait for each other: {}",
                            html_text(fmt::format("{} -> {}", fmt::join(blocked.cycle, " -> "),
                                                  blocked.cycle.front())));
      }
      if (!blocked.remedies.empty()) out_ += "<ul>\n";
      for (const plan::Remedy& remedy : blocked.remedies) {
        out_ += "<li>" + html_text(remedy.text);
        for (const std::string& assignment : remedy.set)
          out_ += "<pre>" + html_text(assignment) + "</pre>";
        for (const std::string& command : remedy.commands)
          out_ += "<pre>" + html_text(command) + "</pre>";
        out_ += "</li>\n";
      }
      out_ += blocked.remedies.empty() ? "</div>\n" : "</ul></div>\n";
    }
  }

  void print_search() {
    out_ +=
        "<div class=\"find\"><nav aria-label=\"parts of the page\"><a href=\"#steps\">Steps</a>";
    if (plan_.before.is_map() || plan_.after.is_map()) {
      out_ += " <a href=\"#figures\">Before and after</a>";
    }
    if (plan_.score && !plan_.score->metrics.empty()) out_ += " <a href=\"#score\">Score</a>";
    out_ +=
        "</nav><span class=\"search\" role=\"search\" hidden><label "
        "for=\"find\">Find</label><input "
        "id=\"find\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\" "
        "placeholder=\"instance, "
        "node or text (press /)\"><span id=\"found\" role=\"status\" "
        "class=\"faint\"></span></span></div>\n";
  }

  void print_steps() {
    out_ += "<h2 id=\"steps\" tabindex=\"-1\">Steps</h2>\n";
    if (plan_.steps.empty()) {
      out_ += plan_.blocked.empty() ? "<p>There is nothing to do.</p>\n"
                                    : "<p>No step can be made.</p>\n";
    }
    for (const PhaseRange& range : phases_of(plan_)) {
      const std::size_t count = range.last - range.first;
      std::string title = fmt::format("{} {}", phase_word(plan_.system), range.phase);
      title.front() = static_cast<char>(title.front() - 'a' + 'A');
      out_ += fmt::format(
          "<section class=\"phase\">\n<h3>{} <span class=\"faint\">{} {}</span></h3>\n<ol "
          "class=\"steps\">\n",
          title, count, count == 1 ? "step" : "steps");
      for (std::size_t i = range.first; i < range.last; ++i) print_step(plan_.steps[i]);
      out_ += "</ol>\n</section>\n";
    }
  }
  void print_step(const plan::Step& step) {
    out_ += fmt::format("<li id=\"s{0}\" data-find><b>{0}</b><p>{1} <b>{2}</b>", step.n,
                        html_text(step.action), html_text(subject_text(step.subject)));
    if (const std::string placement = placement_text(step); !placement.empty())
      out_ += " <span class=\"place\">" + html_text(with_arrows(placement)) + "</span>";
    out_ += "</p>";
    for (const Fact& of : facts_of(step)) {
      if (of.kind != FactKind::Substep) fact(of);
    }
    if (!step.substeps.empty()) {
      out_ += "<ul>";
      for (const Fact& of : facts_of(step)) {
        if (of.kind == FactKind::Substep) out_ += "<li>" + html_text(of.text) + "</li>";
      }
      out_ += "</ul>";
    }
    print_commands(step);
    out_ += "</li>\n";
  }
  void fact(const Fact& of) {
    const std::string_view look = is_alarm(of.kind)          ? "alarm"
                                  : of.kind == FactKind::Why ? "why"
                                                             : "";
    out_ += look.empty() ? std::string("<p>") : fmt::format("<p class=\"{}\">", look);
    if (of.kind == FactKind::Target || of.kind == FactKind::Wait) {
      out_ += fmt::format("{} ", word_of(of.kind));
    } else if (is_alarm(of.kind) || of.kind == FactKind::Change) {
      out_ += fmt::format("{}: ", word_of(of.kind));
    }
    out_ += html_text(
        of.kind == FactKind::Cost || of.kind == FactKind::Change ? with_arrows(of.text) : of.text);
    out_ += "</p>";
  }
  void print_commands(const plan::Step& step) {
    std::string lines;
    const auto add = [&](std::string_view word, std::string_view text, bool is_run) {
      if (!lines.empty()) lines += '\n';
      lines += is_run ? html_text(text)
                      : fmt::format("<span class=\"faint\"># {}: {}</span>", word, html_text(text));
    };
    for (const plan::Command& command : step.commands) {
      add(command_word(plan_.system, command.use), command.text,
          command.use == plan::CommandUse::Hand && !has_operator(plan_.system));
    }
    for (const plan::Gate& gate : step.done_when) {
      add("done when", gate.text, false);
      add("", gate.command, true);
    }
    if (!lines.empty()) out_ += "<pre>" + lines + "</pre>";
  }

  void print_section(const Section& section) {
    out_ += fmt::format("<h2>{}</h2>\n<ul>\n", section.title);
    for (const std::string& text : section.lines)
      out_ += "<li data-find>" + html_text(text) + "</li>\n";
    out_ += "</ul>\n";
  }
  void print_origin() {
    out_ += "<footer class=\"faint\">\n<h2>Made from</h2>\n<p>";
    out_ += html_text(origin_text(plan_));
    if (!plan_.fingerprint.empty())
      out_ += "<br>snapshot <code>" + html_text(plan_.fingerprint) + "</code>";
    if (plan_.options.is_map() && plan_.options != Value::map())
      out_ += "<br>options: " + html_text(value_text(plan_.options));
    out_ += "</p>\n</footer>\n";
  }

  const plan::Plan& plan_;
  std::string out_;
};

}  // namespace

std::string plan_to_html(const plan::Plan& plan) { return HtmlPrinter(plan).run(); }

}  // namespace ballast::report
