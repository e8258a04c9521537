// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/decimal.hpp"
#include "ballast/core/words.hpp"
#include "ballast/report/render.hpp"

#include "ballast/report/facts.hpp"
#include "ballast/report/words.hpp"
#include "charts.hpp"
#include "map.hpp"
#include "names.hpp"
#include "page.hpp"
#include "steps.hpp"
#include "timeline.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::report {
namespace {

class HtmlPrinter {
 public:
  explicit HtmlPrinter(const plan::Plan& plan) : page_(plan), plan_(plan) {}

  std::string run() {
    const std::string headline = headline_text(plan_);
    out_ = html_head(plan_.tool + ": " + headline);
    print_header(in_larger_units(with_arrows(headline)));
    print_cards();
    print_warnings("dangers", "Dangers", dangers_of(plan_));
    print_blocked();
    print_warnings("warnings", "Warnings", other_warnings_of(plan_));
    const std::string map = html_map(page_);
    print_navigation(!map.empty());
    out_ += map;
    out_ += html_timeline(page_);
    print_figures();
    print_steps();
    out_ += html_score(plan_);
    for (const Section& section : sections_of(plan_)) print_section(section);
    print_origin();
    return std::move(out_) + html_foot();
  }

 private:
  /// Whose plan this is, and of when: "hbal · group west · 2026-03-01T12:00:00Z".
  [[nodiscard]] std::string subject_line() const {
    std::string line = plan_.tool;
    if (const auto* facts = plan_.cluster.get<ValueMap>()) {
      for (const auto& [key, value] : *facts)
        line += fmt::format(" · {} {}", key, value_text(value));
    }
    return plan_.now.empty() ? line : line + " · " + plan_.now;
  }

  /// The first clause stands out; what follows it is read second.
  void print_header(const std::string& headline) {
    const std::size_t end = headline.find("; ");
    out_ += fmt::format("<header>\n<p class=\"origin\">{}</p>\n<h1>{}</h1>\n",
                        html_text(subject_line()), html_text(headline.substr(0, end)));
    if (end != std::string::npos)
      out_ += fmt::format("<p class=\"lead\">{}</p>\n", html_text(headline.substr(end + 2)));
    out_ += "</header>\n";
  }

  void card(std::string_view word, std::string_view figure) {
    if (!figure.empty())
      out_ += fmt::format("<li><b>{}</b>{}</li>\n", html_text(figure), html_text(word));
  }
  void count_card(std::string_view word, const std::optional<std::int64_t>& count) {
    if (count && *count != 0) card(word, grouped(*count));
  }
  void print_cards() {
    const plan::Totals& totals = plan_.totals;
    out_ += "<ul class=\"cards\" aria-label=\"headline figures\">\n";
    card("result", outcome_text(plan_.result));
    card(of_count(totals.steps, "step", "steps"), grouped(totals.steps));
    if (totals.phases > 0) {
      card(fmt::format("{}{}", phase_word(plan_.system),
                       totals.phases == 1                  ? ""
                       : plan_.system == plan::System::Fdb ? "es"
                                                           : "s"),
           grouped(totals.phases));
    }
    if (totals.bytes.value_or(0) > 0) card("to copy", big_size_text(*totals.bytes));
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
    out_ += "</ul>\n";
    print_moments();
  }

  /// When least of something is left, and when most is there.
  void print_moments() {
    if (plan_.weakest.empty() && !plan_.totals.peak) return;
    out_ += "<dl class=\"moments\">\n";
    if (!plan_.weakest.empty()) {
      out_ += of_count(plan_.weakest.size(), "<dt>Weakest moment</dt>", "<dt>Weakest moments</dt>");
      for (const plan::Weakest& weakest : plan_.weakest) {
        const auto* left = weakest.left.get<std::int64_t>();
        out_ += fmt::format("<dd{}>{}</dd>", left != nullptr && *left < 0 ? " class=\"alarm\"" : "",
                            html_text(in_larger_units(page_.names.shorten(weakest_text(weakest)))));
      }
    }
    if (plan_.totals.peak)
      out_ += fmt::format("<dt>Peak</dt><dd>{}</dd>",
                          html_text(in_larger_units(peak_text(*plan_.totals.peak))));
    out_ += "</dl>\n";
  }

  /// "steps 1 to 4, 7": each end a link.
  static std::string step_links(std::vector<int> steps) {
    std::ranges::sort(steps);
    const auto link = [](int n) { return fmt::format("<a href=\"#s{0}\">{0}</a>", n); };
    std::string text = std::string(of_count(steps.size(), " step ", " steps "));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      std::size_t last = i;
      while (last + 1 < steps.size() && steps[last + 1] == steps[last] + 1) ++last;
      text += (i == 0 ? "" : ", ") + link(steps[i]);
      if (last > i) text += (last == i + 1 ? ", " : " to ") + link(steps[last]);
      i = last;
    }
    return text;
  }

  void print_warnings(std::string_view id, std::string_view title,
                      const std::vector<plan::Warning>& warnings) {
    if (warnings.empty()) return;
    out_ += fmt::format("<h2 id=\"{}\">{}</h2>\n", id, title);
    for (const plan::Warning& warning : warnings) {
      out_ += fmt::format("<div class=\"box {}\"><b>{}</b> ", to_string(warning.severity),
                          to_string(warning.severity));
      out_ += html_text(page_.names.shorten(warning_text(plan_.system, warning)));
      if (!warning.steps.empty())
        out_ += "<span class=\"where\">" + step_links(warning.steps) + "</span>";
      out_ += "</div>\n";
    }
  }

  void print_blocked() {
    if (plan_.blocked.empty()) return;
    out_ += "<h2 id=\"blocked\">What could not be done</h2>\n";
    for (const plan::Blocked& blocked : plan_.blocked) {
      out_ += fmt::format("<div class=\"box danger\" data-find>{}",
                          html_text(page_.names.shorten(blocked_text(blocked))));
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

  void print_navigation(bool has_map) {
    out_ += "<div class=\"find\"><nav aria-label=\"parts of the page\">";
    if (has_map) out_ += "<a href=\"#map\">Nodes</a> ";
    if (plan_.steps.size() > 1) out_ += "<a href=\"#timeline\">When</a> ";
    if (plan_.before.is_map() || plan_.after.is_map())
      out_ += "<a href=\"#figures\">Before and after</a> ";
    out_ += "<a href=\"#steps\">Steps</a> ";
    if (plan_.score && !plan_.score->metrics.empty()) out_ += "<a href=\"#score\">Score</a>";
    out_ += "</nav>" + html_filter(plan_) + "</div>\n";
    if (!page_.names.ending().empty()) {
      out_ += fmt::format(
          "<p class=\"faint\">Names are shown without their ending {}, except in commands.</p>\n",
          html_text(page_.names.ending()));
    }
  }

  void print_figures() {
    if (!plan_.before.is_map() && !plan_.after.is_map()) return;
    out_ += "<h2 id=\"figures\">Before and after</h2>\n";
    const std::string histograms = html_histograms(page_);
    const std::string charts = html_charts(page_);
    if (!histograms.empty()) {
      out_ +=
          "<p class=\"faint keys\" aria-hidden=\"true\"><i class=\"was\"></i>before &nbsp; <i "
          "class=\"is\"></i>after</p>\n" +
          histograms;
    }
    out_ += charts.empty() ? std::string("<p>No figure changes.</p>\n") : charts;
  }

  void print_steps() {
    out_ += "<h2 id=\"steps\" tabindex=\"-1\">Steps</h2>\n";
    if (plan_.steps.empty()) {
      out_ += plan_.blocked.empty() ? "<p>There is nothing to do.</p>\n"
                                    : "<p>No step can be made.</p>\n";
    }
    out_ += html_steps(page_);
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
    if (!plan_.fingerprint.empty() &&
        origin_text(plan_).find(plan_.fingerprint) == std::string::npos)
      out_ += "<br>snapshot <code>" + html_text(plan_.fingerprint) + "</code>";
    if (plan_.options.is_map() && plan_.options != Value::map())
      out_ += "<br>options: " + html_text(value_text(plan_.options));
    out_ += "</p>\n</footer>\n";
  }

  const PageView page_;
  const plan::Plan& plan_;
  std::string out_;
};

}  // namespace

std::string plan_to_html(const plan::Plan& plan) { return HtmlPrinter(plan).run(); }

}  // namespace ballast::report
