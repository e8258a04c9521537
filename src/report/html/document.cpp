// SPDX-License-Identifier: BSD-2-Clause
// The page of a report without a plan: what was found, the nodes at a glance, the tables.
#include "ballast/core/decimal.hpp"
#include "ballast/core/words.hpp"
#include "ballast/report/document_page.hpp"
#include "ballast/report/document_words.hpp"

#include "ballast/report/words.hpp"

#include "map.hpp"
#include "names.hpp"
#include "page.hpp"
#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::report {
namespace {

/// A table with more rows is folded.
constexpr std::size_t kMostOpen = 50;

std::string figure_words(std::string_view key, const Value& value) {
  if (const auto* is = value.get<bool>()) return *is ? "yes" : "no";
  return big_figure_text(is_of_bytes(key), value);
}

/// As above, but fractions with four places: a headline is no place for all of them.
std::string card_words(std::string_view key, const Value& value) {
  const auto* fraction = value.get<double>();
  return fraction == nullptr ? figure_words(key, value) : fixed(*fraction, 4);
}

bool is_number(const Value& value) {
  return value.get<std::int64_t>() != nullptr || value.get<double>() != nullptr;
}

class DocumentPrinter {
 public:
  DocumentPrinter(const Document& document, const DocumentPage& wish)
      : document_(document), wish_(wish), page_(wish.nodes) {}

  std::string run() {
    out_ = html_head(document_.tool + ": " + wish_.headline, "found", "to what was found");
    const std::size_t end = wish_.headline.find("; ");
    out_ += fmt::format("<header>\n<p class=\"origin\">{}</p>\n<h1>{}</h1>\n",
                        html_text(document_.tool), html_text(wish_.headline.substr(0, end)));
    if (end != std::string::npos)
      out_ += fmt::format("<p class=\"lead\">{}</p>\n", html_text(wish_.headline.substr(end + 2)));
    out_ += "</header>\n";
    print_cards();
    print_summary_table();
    print_findings();
    out_ += html_map(page_) + html_histograms(page_);
    for (const DataTable& table : document_.tables) print_table(table);
    print_origin();
    return std::move(out_) + html_foot();
  }

 private:
  void print_cards() {
    const auto* summary = document_.summary.get<ValueMap>();
    if (summary == nullptr) return;
    out_ += "<ul class=\"cards\" aria-label=\"headline figures\">\n";
    for (const auto& [key, value] : *summary) {
      if (value.is_map() || value.get<ValueList>() != nullptr) continue;
      out_ += fmt::format("<li><b>{}</b>{}</li>\n", html_text(card_words(key, value)),
                          html_text(key_words(key)));
    }
    out_ += "</ul>\n";
  }

  /// Figures of several moments: a column for each.
  void print_summary_table() {
    std::vector<std::string> headings = {"check"};
    std::vector<const ValueMap*> columns;
    const auto* summary = document_.summary.get<ValueMap>();
    if (summary == nullptr) return;
    for (const auto& [key, value] : *summary) {
      if (const auto* figures = value.get<ValueMap>()) {
        headings.push_back(key_words(key));
        columns.push_back(figures);
      }
    }
    if (columns.empty()) return;
    std::vector<bool> is_text(headings.size(), false);
    is_text.front() = true;
    HtmlTable table(headings, is_text);
    for (const auto& [key, first] : *columns.front()) {
      std::vector<std::string> cells = {html_text(key_words(key))};
      for (const ValueMap* column : columns) {
        const auto same =
            std::ranges::find(*column, key, [](const auto& pair) { return pair.first; });
        cells.push_back(same == column->end() ? "" : html_text(figure_words(key, same->second)));
      }
      table.add(cells);
    }
    out_ += "<h2>Checks</h2>\n" + table.text();
  }

  void print_findings() {
    if (document_.findings.empty() && wish_.no_findings.empty()) {
      out_ += "<span id=\"found\" tabindex=\"-1\"></span>\n";
      return;
    }
    out_ += "<h2 id=\"found\" tabindex=\"-1\">What was found</h2>\n";
    if (document_.findings.empty())
      out_ += fmt::format("<p>{}</p>\n", html_text(wish_.no_findings));
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note}) {
      for (const Finding& finding : document_.findings) {
        if (finding.severity == severity) print_finding(finding);
      }
    }
  }

  void print_finding(const Finding& finding) {
    const std::string word = severity_word(finding.severity);
    out_ +=
        fmt::format("<div class=\"box {}\" data-find><b>{}</b> {} <span class=\"where\">{}</span>",
                    finding.severity == Severity::Error ? "danger" : word, word,
                    html_text(page_.names.shorten(finding.text)), html_text(finding.code));
    if (!finding.action.empty())
      out_ += fmt::format("<br>what to do: {}", html_text(finding.action));
    out_ += "</div>\n";
  }

  void print_table(const DataTable& data) {
    if (data.rows.empty()) return;
    std::vector<std::string> headings;
    std::vector<bool> is_text;
    for (std::size_t c = 0; c < data.columns.size(); ++c) {
      headings.push_back(key_words(data.columns[c]));
      is_text.push_back(std::ranges::none_of(
          data.rows, [c](const ValueList& row) { return is_number(row.at(c)); }));
    }
    HtmlTable table(headings, is_text);
    for (const ValueList& row : data.rows) {
      std::vector<std::string> cells;
      for (std::size_t c = 0; c < row.size(); ++c)
        cells.push_back(html_text(page_.names.shorten(figure_words(data.columns[c], row[c]))));
      table.add(cells);
    }
    std::string title = html_text(key_words(data.name));
    if (!title.empty() && title.front() >= 'a' && title.front() <= 'z')
      title.front() = static_cast<char>(title.front() - 'a' + 'A');
    if (data.rows.size() <= kMostOpen) {
      out_ += fmt::format("<h2>{}</h2>\n{}", title, table.text());
    } else {
      out_ += fmt::format(
          "<h2>{}</h2>\n<details class=\"more\"><summary>{} rows</summary>{}</details>\n", title,
          grouped(static_cast<std::int64_t>(data.rows.size())), table.text());
    }
  }

  void print_origin() {
    out_ += "<footer class=\"faint\">\n<h2>Made from</h2>\n<p>";
    out_ += html_text(document_.tool);
    if (!document_.fingerprint.empty())
      out_ += "<br>snapshot <code>" + html_text(document_.fingerprint) + "</code>";
    if (document_.options.is_map() && document_.options != Value::map())
      out_ += "<br>options: " + html_text(value_text(document_.options));
    if (!page_.names.ending().empty())
      out_ += fmt::format("<br>names are shown without their ending {}",
                          html_text(page_.names.ending()));
    out_ += "</p>\n</footer>\n";
  }

  const Document& document_;
  const DocumentPage& wish_;
  const PageView page_;
  std::string out_;
};

}  // namespace

std::string document_to_html(const Document& document, const DocumentPage& page) {
  return DocumentPrinter(document, page).run();
}

}  // namespace ballast::report
