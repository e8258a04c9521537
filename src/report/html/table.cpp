// SPDX-License-Identifier: BSD-2-Clause
#include "table.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/core/words.hpp"

#include "page.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::report {
namespace {

using Sections = std::vector<const FigureSection*>;
using Cells = std::vector<const FigureRow*>;

std::vector<std::string> changed_names(const Sections& sections) {
  std::vector<std::string> names;
  for (const FigureSection* section : sections) {
    for (const FigureRow& row : section->rows) {
      if (row.is_changed()) names.push_back(row.name);
    }
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Rows by name, a cell for each section.
std::vector<Cells> cells_of(const Sections& sections, const std::vector<std::string>& names) {
  std::vector<Cells> rows(names.size(), Cells(sections.size(), nullptr));
  for (std::size_t c = 0; c < sections.size(); ++c) {
    for (const FigureRow& row : sections[c]->rows) {
      const auto at = std::ranges::lower_bound(names, row.name);
      if (at != names.end() && *at == row.name)
        rows[static_cast<std::size_t>(at - names.begin())][c] = &row;
    }
  }
  return rows;
}

std::string share_text(const Value& value) {
  const auto gauge = gauge_of(value);
  return gauge ? fixed(share_of(*gauge), 0) : std::string("-");
}

std::string cell_text(const FigureSection& section, const FigureRow& row) {
  const auto shown = [&](const Value& value) {
    return section.is_gauge ? share_text(value)
                            : html_text(big_figure_text(section.is_bytes, value));
  };
  std::string text = shown(row.before);
  if (row.is_changed()) text += fmt::format(" → <b>{}</b>", shown(row.after));
  return section.is_gauge ? text + " %" : text;
}

bool is_sparse(const Sections& sections, const std::vector<Cells>& rows) {
  std::size_t filled = 0;
  bool has_lists = false;
  for (const Cells& cells : rows) {
    for (const FigureRow* row : cells) {
      if (row == nullptr) continue;
      ++filled;
      has_lists |=
          row->before.get<ValueList>() != nullptr || row->after.get<ValueList>() != nullptr;
    }
  }
  return has_lists || 2 * filled < rows.size() * sections.size();
}

HtmlTable list_of_changes(const PageView& page, const Sections& sections,
                          const std::vector<std::string>& names, const std::vector<Cells>& rows) {
  HtmlTable table({"what", "figure", "before", "after"}, {true, true, true, true});
  for (std::size_t n = 0; n < rows.size(); ++n) {
    for (std::size_t c = 0; c < sections.size(); ++c) {
      const FigureRow* row = rows[n][c];
      if (row == nullptr || !row->is_changed()) continue;
      const bool is_plain = sections[c]->title == kPlainFigure;
      const std::string name(page.names.shown(names[n]));
      table.add({html_text(is_plain ? key_in_words(name) : name),
                 is_plain ? "" : html_text(sections[c]->title),
                 html_text(big_figure_text(sections[c]->is_bytes, row->before)),
                 fmt::format("<b>{}</b>",
                             html_text(big_figure_text(sections[c]->is_bytes, row->after)))});
    }
  }
  return table;
}

HtmlTable crossed(const PageView& page, const Sections& sections,
                  const std::vector<std::string>& names, const std::vector<Cells>& rows) {
  std::vector<std::string> headings = {"name"};
  std::vector<bool> is_text = {true};
  for (const FigureSection* section : sections) {
    headings.push_back(section->title);
    is_text.push_back(false);
  }
  HtmlTable table(std::move(headings), std::move(is_text));
  for (std::size_t n = 0; n < rows.size(); ++n) {
    std::vector<std::string> cells = {html_text(page.names.shown(names[n]))};
    for (std::size_t c = 0; c < sections.size(); ++c)
      cells.push_back(rows[n][c] == nullptr ? "" : cell_text(*sections[c], *rows[n][c]));
    table.add(cells);
  }
  return table;
}

}  // namespace

HtmlTable::HtmlTable(std::vector<std::string> headings, std::vector<bool> is_text)
    : headings_(std::move(headings)), is_text_(std::move(is_text)) {}

void HtmlTable::add(const std::vector<std::string>& cells, std::string_view look) {
  rows_ += look.empty() ? std::string("<tr>") : fmt::format("<tr class=\"{}\">", look);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i == 0) {
      rows_ += fmt::format("<th scope=\"row\">{}</th>", cells[i]);
    } else {
      rows_ += fmt::format("<td{} data-h=\"{}\">{}</td>", is_text_[i] ? " class=\"t\"" : "",
                           html_text(headings_[i]), cells[i]);
    }
  }
  rows_ += "</tr>\n";
}

std::string HtmlTable::text() const {
  std::string text = "<table>\n<thead><tr>";
  for (std::size_t i = 0; i < headings_.size(); ++i) {
    text += fmt::format("<th{} scope=\"col\">{}</th>", is_text_[i] ? "" : " class=\"n\"",
                        html_text(headings_[i]));
  }
  return text + "</tr></thead>\n<tbody>\n" + rows_ + "</tbody>\n</table>\n";
}

std::string html_figure_table(const PageView& page, const Sections& sections,
                              std::size_t most_open) {
  const std::vector<std::string> names = changed_names(sections);
  if (names.empty()) return "";
  const std::vector<Cells> rows = cells_of(sections, names);
  const HtmlTable table = is_sparse(sections, rows) ? list_of_changes(page, sections, names, rows)
                                                    : crossed(page, sections, names, rows);
  if (names.size() <= most_open)
    return "<div class=\"chart\"><h3>Other figures that change</h3>\n" + table.text() + "</div>\n";
  return fmt::format(
      "<details class=\"more chart\"><summary>All figures of {} that "
      "change</summary>{}</details>\n",
      grouped(static_cast<std::int64_t>(names.size())), table.text());
}

}  // namespace ballast::report
