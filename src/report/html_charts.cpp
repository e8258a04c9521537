// SPDX-License-Identifier: BSD-2-Clause
#include "html_charts.hpp"

#include "ballast/core/decimal.hpp"

#include "figures.hpp"
#include "html_page.hpp"
#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ballast::report {
namespace {

/// More unchanged rows than this are folded away.
constexpr std::size_t kMostUnchanged = 12;

double percent(const Gauge& gauge) {
  if (gauge.total <= 0) return gauge.used > 0 ? 100 : 0;
  return 100 * static_cast<double>(gauge.used) / static_cast<double>(gauge.total);
}

/// One bar: at most the whole track; more than that is shown in the colour of alarm.
std::string bar(double share, int y, std::string_view look) {
  return fmt::format("<rect class=\"{}\" y=\"{}\" width=\"{}\" height=\"5\"/>",
                     share > 100 ? "over" : look, y, fixed(std::clamp(share, 0.0, 100.0), 1));
}

/// "60.0 → 28.0 of 64.0 GiB" where the total stays.
std::string change_text(const FigureSection& section, const FigureRow& row) {
  const std::string before = figure_text(section, row.before);
  const std::string after = figure_text(section, row.after);
  const std::size_t of = before.find(" of ");
  const bool is_same_total = of != std::string::npos && after.ends_with(before.substr(of));
  return fmt::format("{} → {}", is_same_total ? before.substr(0, of) : before, after);
}

std::string gauge_row(const FigureSection& section, const FigureRow& row) {
  const auto before = gauge_of(row.before);
  const auto after = gauge_of(row.after);
  const auto shown = [](const std::optional<Gauge>& gauge) {
    return gauge ? fixed(percent(*gauge), 1) + " %" : std::string("-");
  };
  std::string value = fmt::format("{} <span class=\"faint\">({})</span>", shown(before),
                                  html_text(figure_text(section, row.before)));
  if (row.is_changed()) {
    value = fmt::format("{} &rarr; <b>{}</b> <span class=\"faint\">({})</span>", shown(before),
                        shown(after), html_text(change_text(section, row)));
  }
  std::string bars = "<rect class=\"track\" width=\"100\" height=\"12\"/>";
  if (before) bars += bar(percent(*before), 1, "was");
  if (after) bars += bar(percent(*after), 6, "is");
  return fmt::format(
      "<li data-find><span>{}</span><svg viewBox=\"0 0 100 12\" preserveAspectRatio=\"none\" "
      "role=\"img\" "
      "aria-label=\"{} before, {} after\">{}</svg><span class=\"value\">{}</span></li>\n",
      html_text(row.name), shown(before), shown(after), bars, value);
}

std::string gauge_chart(const FigureSection& section) {
  std::string changed;
  std::string unchanged;
  std::size_t unchanged_count = 0;
  const auto is_unchanged = [](const FigureRow& row) { return !row.is_changed(); };
  const bool folds =
      static_cast<std::size_t>(std::ranges::count_if(section.rows, is_unchanged)) > kMostUnchanged;
  for (const FigureRow& row : section.rows) {
    if (folds && is_unchanged(row)) {
      unchanged += gauge_row(section, row);
      ++unchanged_count;
    } else {
      changed += gauge_row(section, row);
    }
  }
  std::string text = fmt::format("<div class=\"chart\">\n<h3>{}</h3>\n", html_text(section.title));
  if (!changed.empty()) text += fmt::format("<ul class=\"rows\">\n{}</ul>\n", changed);
  if (!unchanged.empty()) {
    text += fmt::format(
        "<details class=\"more\"><summary>{} unchanged</summary><ul "
        "class=\"rows\">\n{}</ul></details>\n",
        unchanged_count, unchanged);
  }
  return text + "</div>\n";
}

/// Names down, figures across; "before -> after" where they differ.
std::string table_of(const std::vector<const FigureSection*>& sections) {
  std::vector<std::string> names;
  std::vector<std::vector<const FigureRow*>> columns;
  for (const FigureSection* section : sections) {
    for (const FigureRow& row : section->rows) names.push_back(row.name);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const FigureSection* section : sections) {
    auto& column = columns.emplace_back(names.size(), nullptr);
    for (const FigureRow& row : section->rows) {
      column[static_cast<std::size_t>(std::ranges::lower_bound(names, row.name) - names.begin())] =
          &row;
    }
  }
  std::string text = "<div class=\"chart scroll\"><table>\n<thead><tr><th>name</th>";
  for (const FigureSection* section : sections)
    text += fmt::format("<th class=\"n\">{}</th>", html_text(section->title));
  text += "</tr></thead>\n<tbody>\n";
  for (std::size_t n = 0; n < names.size(); ++n) {
    text += fmt::format("<tr data-find><td>{}</td>", html_text(names[n]));
    for (std::size_t c = 0; c < sections.size(); ++c) {
      const FigureRow* row = columns[c][n];
      text += "<td class=\"n\">";
      if (row != nullptr) {
        text += html_text(figure_text(*sections[c], row->before));
        if (row->is_changed())
          text +=
              fmt::format(" &rarr; <b>{}</b>", html_text(figure_text(*sections[c], row->after)));
      }
      text += "</td>";
    }
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table></div>\n";
}

std::string metric_row(const plan::MetricRow& row, bool is_unit) {
  const std::string change = row.before == row.after ? "" : score_text(row.after - row.before);
  return fmt::format(
      "<tr{}><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
      "class=\"n\">{}</td></tr>\n",
      is_unit ? " class=\"unit\"" : "", html_text(row.name), is_unit ? "" : fixed(row.weight, 2),
      score_text(row.before), score_text(row.after), change);
}

}  // namespace

std::string html_charts(const plan::Plan& plan) {
  const auto sections = figure_sections(plan);
  if (sections.empty()) return "";
  std::string text =
      "<h2 id=\"figures\">Before and after</h2>\n<p class=\"faint\" aria-hidden=\"true\"><span "
      "class=\"key\" "
      "style=\"background:var(--before);margin-left:0\"></span>before <span class=\"key\" "
      "style=\"background:var(--after)\"></span>after</p>\n";
  std::vector<const FigureSection*> others;
  for (const FigureSection& section : sections) {
    if (section.is_gauge) {
      text += gauge_chart(section);
    } else {
      others.push_back(&section);
    }
  }
  if (!others.empty()) text += table_of(others);
  return text;
}

std::string html_score(const plan::Plan& plan) {
  if (!plan.score || plan.score->metrics.empty()) return "";
  std::string text =
      "<h2 id=\"score\">Score by metric</h2>\n<p class=\"faint\">Lower is better; the score is the "
      "sum of weight times value.</p>\n"
      "<div class=\"scroll\"><table>\n<thead><tr><th>metric</th><th class=\"n\">weight</th><th "
      "class=\"n\">before</th>"
      "<th class=\"n\">after</th><th class=\"n\">change</th></tr></thead>\n<tbody>\n";
  for (const plan::MetricRow& row : plan.score->metrics) {
    text += metric_row(row, false);
    for (const plan::MetricRow& unit : row.units) text += metric_row(unit, true);
  }
  return text + "</tbody>\n</table></div>\n";
}

}  // namespace ballast::report
