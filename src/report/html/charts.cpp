// SPDX-License-Identifier: BSD-2-Clause
#include "charts.hpp"

#include "ballast/core/decimal.hpp"

#include "ballast/report/words.hpp"
#include "metric_words.hpp"
#include "names.hpp"
#include "page.hpp"
#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ballast::report {
namespace {

/// More rows than that are folded away, and more than that are rows of a table.
constexpr std::size_t kMostShown = 12;
constexpr std::size_t kMostBars = 100;

/// One bar: at most the whole track; more than that is shown in the colour of alarm.
std::string bar(double share, int y, std::string_view look) {
  return fmt::format("<rect class=\"{}\" y=\"{}\" width=\"{}\" height=\"5\"/>",
                     share > 100 ? "over" : look, y, fixed(std::clamp(share, 0.0, 100.0), 1));
}

/// "60.0 → 28.0 of 64.0 GiB" where the total stays.
std::string change_text(const FigureSection& section, const FigureRow& row) {
  const std::string before = big_figure_text(section.is_bytes, row.before);
  const std::string after = big_figure_text(section.is_bytes, row.after);
  const std::size_t of = before.find(" of ");
  const bool is_same_total = of != std::string::npos && after.ends_with(before.substr(of));
  return fmt::format("{} → {}", is_same_total ? before.substr(0, of) : before, after);
}

std::string gauge_row(const FigureSection& section, const FigureRow& row, const ShortNames& names) {
  const auto before = gauge_of(row.before);
  const auto after = gauge_of(row.after);
  const auto shown = [](const std::optional<Gauge>& gauge) {
    return gauge ? fixed(share_of(*gauge), 1) + " %" : std::string("-");
  };
  const std::string value =
      fmt::format("{} → <b>{}</b> <span class=\"faint\">({})</span>", shown(before), shown(after),
                  html_text(change_text(section, row)));
  std::string bars = "<rect class=\"track\" width=\"100\" height=\"12\"/>";
  if (before) bars += bar(share_of(*before), 1, "was");
  if (after) bars += bar(share_of(*after), 6, "is");
  return fmt::format(
      "<li data-find><span>{}</span><svg viewBox=\"0 0 100 12\" preserveAspectRatio=\"none\" "
      "role=\"img\" aria-label=\"{} before, {} after\">{}</svg><span "
      "class=\"value\">{}</span></li>\n",
      html_text(names.shown(row.name)), shown(before), shown(after), bars, value);
}

double change_of(const FigureRow& row) {
  const auto before = gauge_of(row.before);
  const auto after = gauge_of(row.after);
  return std::abs((after ? share_of(*after) : 0) - (before ? share_of(*before) : 0));
}

/// What changes, most first; the rest is counted.
std::string gauge_chart(const FigureSection& section, const ShortNames& names) {
  std::vector<const FigureRow*> changed;
  for (const FigureRow& row : section.rows) {
    if (row.is_changed()) changed.push_back(&row);
  }
  if (changed.empty()) return "";
  std::ranges::stable_sort(changed, [](const FigureRow* a, const FigureRow* b) {
    return change_of(*a) > change_of(*b);
  });
  std::string text = fmt::format("<div class=\"chart\">\n<h3>{}</h3>\n<ul class=\"rows\">\n",
                                 html_text(section.title));
  const bool is_long = changed.size() > kMostBars;
  for (std::size_t i = 0; i < (is_long ? kMostShown : changed.size()); ++i) {
    if (i == kMostShown) {
      text += fmt::format(
          "</ul>\n<details class=\"more\"><summary>{} change less</summary><ul class=\"rows\">\n",
          grouped(static_cast<std::int64_t>(changed.size() - i)));
    }
    text += gauge_row(section, *changed[i], names);
  }
  text += changed.size() > kMostShown && !is_long ? "</ul></details>\n" : "</ul>\n";
  if (is_long) {
    text += fmt::format("<p class=\"faint\">{} change less: see the table below</p>\n",
                        grouped(static_cast<std::int64_t>(changed.size() - kMostShown)));
  }
  const std::size_t others = section.rows.size() - changed.size();
  if (others > 0) {
    text += fmt::format("<p class=\"faint\">{} unchanged</p>\n",
                        grouped(static_cast<std::int64_t>(others)));
  }
  return text + "</div>\n";
}

void add_metric(const plan::MetricRow& row, bool is_unit, HtmlTable& table) {
  const std::string change = row.before == row.after ? "" : score_text(row.after - row.before);
  const ganeti::MetricWords* words = is_unit ? nullptr : find_metric_words(row.name);
  const std::string name =
      words == nullptr ? html_text(row.name)
                       : fmt::format("<abbr title=\"{}\">{}</abbr> <span class=\"faint\">{}</span>",
                                     words->meaning, words->title, html_text(row.name));
  table.add({name, is_unit ? "" : fixed(row.weight, 2), score_text(row.before),
             score_text(row.after), change},
            is_unit ? "unit" : "");
}

std::string legend_of(const plan::Score& score) {
  std::string text = "<details class=\"more\"><summary>What the metrics mean</summary><dl>\n";
  for (const plan::MetricRow& row : score.metrics) {
    if (const ganeti::MetricWords* words = find_metric_words(row.name); words != nullptr)
      text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", words->title, words->meaning);
  }
  return text + "</dl></details>\n";
}

}  // namespace

std::string html_charts(const PageView& page) {
  std::vector<const FigureSection*> others;
  std::string text;
  for (const FigureSection& section : page.sections) {
    const auto changed = std::ranges::count_if(section.rows, &FigureRow::is_changed);
    if (section.is_gauge) text += gauge_chart(section, page.names);
    if (changed > (section.is_gauge ? static_cast<std::ptrdiff_t>(kMostBars) : 0))
      others.push_back(&section);
  }
  return text + html_figure_table(page, others, kMostShown);
}

std::string html_score(const plan::Plan& plan) {
  if (!plan.score || plan.score->metrics.empty()) return "";
  std::vector<plan::MetricRow> rows = plan.score->metrics;
  const auto weight_of_change = [](const plan::MetricRow& row) {
    return std::abs(row.weight * (row.after - row.before));
  };
  std::ranges::stable_sort(rows, [&](const plan::MetricRow& a, const plan::MetricRow& b) {
    return weight_of_change(a) > weight_of_change(b);
  });
  HtmlTable table({"metric", "weight", "before", "after", "change"},
                  {true, false, false, false, false});
  for (const plan::MetricRow& row : rows) {
    add_metric(row, false, table);
    for (const plan::MetricRow& unit : row.units) add_metric(unit, true, table);
  }
  return "<h2 id=\"score\">Score by metric</h2>\n<p class=\"faint\">Lower is better; the score is "
         "the "
         "sum of weight times value. What changes it most stands first.</p>\n" +
         table.text() + legend_of(*plan.score);
}

}  // namespace ballast::report
