// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/document_page.hpp"
#include "ballast/report/document_words.hpp"
#include "ballast/report/figures.hpp"
#include "ballast/report/words.hpp"

#include "markdown_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ballast::report {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    if (std::string_view("\\`*_{}[]<>#|~&").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

namespace {

std::string figure_words(std::string_view key, const Value& value) {
  if (const auto* is = value.get<bool>()) return *is ? "yes" : "no";
  return escaped(figure_text(is_of_bytes(key), value));
}

std::string row_of(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string table_text(const DataTable& table) {
  std::vector<std::string> headings;
  for (const std::string& column : table.columns) headings.push_back(escaped(key_words(column)));
  std::string text =
      fmt::format("\n## {}\n\n{}{}", escaped(key_words(table.name)), row_of(headings),
                  row_of(std::vector<std::string>(headings.size(), "---")));
  for (const ValueList& row : table.rows) {
    std::vector<std::string> cells;
    for (std::size_t c = 0; c < row.size(); ++c)
      cells.push_back(figure_words(table.columns[c], row[c]));
    text += row_of(cells);
  }
  return text;
}

std::string finding_text(const Finding& finding) {
  std::string text = fmt::format("- **{}**: {} ({})\n", severity_word(finding.severity),
                                 escaped(finding.text), escaped(finding.code));
  if (!finding.action.empty()) text += fmt::format("  - what to do: {}\n", escaped(finding.action));
  return text;
}

}  // namespace

std::string document_to_markdown(const Document& document, const DocumentPage& page) {
  std::string text = fmt::format("# {}\n", escaped(page.headline));
  if (const auto* summary = document.summary.get<ValueMap>(); summary != nullptr) {
    text += "\n";
    for (const auto& [key, value] : *summary)
      text += fmt::format("- {}: {}\n", escaped(key_words(key)), figure_words(key, value));
  }
  if (!document.findings.empty()) {
    text += "\n## What was found\n\n";
    for (const Finding& finding : document.findings) text += finding_text(finding);
  } else if (!page.no_findings.empty()) {
    text += fmt::format("\n{}\n", escaped(page.no_findings));
  }
  for (const DataTable& table : document.tables) {
    if (!table.rows.empty()) text += table_text(table);
  }
  return text;
}

}  // namespace ballast::report
