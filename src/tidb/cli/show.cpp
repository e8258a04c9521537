// SPDX-License-Identifier: BSD-2-Clause
#include "show.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/core/utf8.hpp"
#include "ballast/tidb/cli/to_plan.hpp"
#include "disagreements.hpp"
#include "show_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ballast::tidb {

namespace {

/// Columns that people read as one.
struct Merge {
  std::string_view first;
  std::string_view last;
  std::string_view header;
  std::string_view between;
};
constexpr std::array kMerges{Merge{"wished", "ready", "REPLICAS", "/"},
                             Merge{"current_revision", "update_revision", "REVISION", " -> "},
                             Merge{"used", "maximum", "LIMIT", "/"}};

std::string header_of(std::string_view column) {
  if (column.ends_with("_bytes")) column.remove_suffix(6);
  std::string header(column);
  for (char& c : header) c = c == '_' ? ' ' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  return header;
}

std::string size(std::int64_t bytes) {
  const auto mib = static_cast<double>(bytes) / 1048576.0;
  return mib >= 1024 ? fixed(mib / 1024, 1) + " GiB" : fixed(mib, 1) + " MiB";
}

std::string cell(std::string_view column, const Value& value) {
  if (const bool* holds = value.get<bool>()) return *holds ? "yes" : "no";
  if (const auto* whole = value.get<std::int64_t>())
    return column.ends_with("_bytes") ? size(*whole) : fmt::format("{}", *whole);
  const auto* words = value.get<std::string>();
  return words == nullptr ? "-" : *words;
}

/// The header and the rows as texts, merged columns as one.
std::vector<std::vector<std::string>> lines_of(const report::DataTable& table) {
  std::vector<std::vector<std::string>> lines(table.rows.size() + 1);
  const Merge* merge = nullptr;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string& column = table.columns[i];
    const bool goes_on = merge != nullptr;
    if (!goes_on) {
      const auto starts = std::ranges::find(kMerges, column, &Merge::first);
      merge = starts == kMerges.end() ? nullptr : &*starts;
      lines[0].push_back(merge == nullptr ? header_of(column) : std::string(merge->header));
    }
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      std::string word = cell(column, table.rows[row][i]);
      std::vector<std::string>& line = lines[row + 1];
      if (goes_on) {
        line.back() += std::string(merge->between) + word;
      } else {
        line.push_back(std::move(word));
      }
    }
    if (merge != nullptr && column == merge->last) merge = nullptr;
  }
  for (std::vector<std::string>& line : lines) {
    for (std::string& word : line) {
      if (word == "- -> -") word = "-";
    }
  }
  return lines;
}

std::string rendered(const report::DataTable& table) {
  const auto lines = lines_of(table);
  std::vector<std::size_t> widths(lines.front().size());
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], utf8_length(line[i]));
  }
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i)
      text += i + 1 == line.size() ? line[i] + "\n" : pad_right(line[i], widths[i]) + "  ";
  }
  return text;
}

std::string namespace_of_cluster(const Input& input) {
  return input.desired.ns.empty() ? input.live.ns : input.desired.ns;
}

}  // namespace

report::Document show(const Input& input) {
  report::Document document;
  document.tool = "htidb";
  document.options.set("profile", name_of(input.options.profile));
  document.fingerprint = fingerprint(input);
  document.findings = disagreements(input);
  document.tables = show_tables(input);
  document.summary.set("cluster", input.desired.name);
  if (const std::string ns = namespace_of_cluster(input); !ns.empty())
    document.summary.set("namespace", ns);
  for (const report::DataTable& table : document.tables)
    document.summary.set(table.name, table.rows.size());
  return document;
}

std::string show_text(const Input& input) {
  const report::Document document = show(input);
  const std::string ns = namespace_of_cluster(input);
  std::string text =
      fmt::format("Cluster {}{}, profile {}\n", input.desired.name,
                  ns.empty() ? "" : ", namespace " + ns, name_of(input.options.profile));
  for (const report::DataTable& table : document.tables) {
    if (!table.rows.empty()) text += "\n" + rendered(table);
  }
  if (document.findings.empty()) return text + "\nNothing disagrees.\n";
  text += "\nDoes not agree:\n";
  for (const report::Finding& finding : document.findings) text += "  " + finding.text + "\n";
  return text;
}

}  // namespace ballast::tidb
