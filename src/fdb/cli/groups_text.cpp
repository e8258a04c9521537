// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "ballast/core/strings.hpp"
#include "ballast/core/units.hpp"
#include "ballast/fdb/cli/groups_report.hpp"
#include "ballast/kube/object.hpp"

namespace ballast::fdb {
namespace {

constexpr std::size_t kColumns = 10;
using Cells = std::array<std::string, kColumns>;

constexpr std::array<std::string_view, kColumns> kHeads{
    "ID",     "CLASS",  "DOMAIN",   "ADDRESSES",  "PROCESSES",
    "STORED", "MARKED", "EXCLUDED", "CONDITIONS", "FLAGS"};

std::string or_dash(std::string text) { return text.empty() ? "-" : text; }

std::string time_text(const std::optional<Time>& time) {
  return time ? kube::format_time(*time) : "-";
}

std::string conditions_text(const GroupRow& row) {
  std::vector<std::string> parts;
  for (const auto& [condition, since] : row.conditions) {
    parts.push_back(fmt::format("{} since {}", name(condition), kube::format_time(since)));
  }
  return or_dash(fmt::format("{}", fmt::join(parts, ", ")));
}

Cells cells_of(const GroupRow& row) {
  const std::string excluded =
      row.exclusion_skipped && !row.excluded ? "skipped" : time_text(row.excluded);
  return {row.id,
          std::string(name(row.process_class)),
          or_dash(row.domain),
          or_dash(fmt::format("{}", fmt::join(row.addresses, ","))),
          fmt::format("{}/{}", row.reporting, row.expected),
          row.stored_bytes ? size_text(*row.stored_bytes) : "-",
          row.marked && row.time_unknown ? "time unknown" : time_text(row.marked),
          excluded,
          conditions_text(row),
          or_dash(fmt::format("{}", fmt::join(row.flags, ",")))};
}

void append_line(std::string& out, const Cells& cells,
                 const std::array<std::size_t, kColumns>& widths) {
  std::string line;
  for (std::size_t i = 0; i < kColumns; ++i)
    line += (i == 0 ? "" : "  ") + pad_right(cells[i], widths[i]);
  line.resize(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

std::string table_text(const GroupTable& table) {
  std::vector<Cells> lines;
  Cells heads;
  std::ranges::copy(kHeads, heads.begin());
  lines.push_back(heads);
  for (const GroupRow& row : table.rows) lines.push_back(cells_of(row));
  std::array<std::size_t, kColumns> widths{};
  for (const Cells& cells : lines) {
    for (std::size_t i = 0; i < kColumns; ++i) widths[i] = std::max(widths[i], cells[i].size());
  }
  std::string out;
  for (const Cells& cells : lines) append_line(out, cells, widths);
  return out;
}

}  // namespace

std::string groups_to_text(const GroupTable& table, const Cluster& cluster) {
  std::string text =
      fmt::format("Process groups of {}/{} at {}{}\n", cluster.name_space, cluster.name,
                  kube::format_time(cluster.now),
                  table.is_rebuilt ? ", rebuilt from pods, volumes, services and database" : "");
  text += table.rows.empty() ? "no process groups\n" : table_text(table);
  if (!table.disagreements.empty()) text += "\nstatus-disagrees\n";
  for (const Remark& remark : table.disagreements) text += "  " + remark.text + "\n";
  if (!table.not_recoverable.empty()) text += "\ncannot be recovered\n";
  for (const std::string& line : table.not_recoverable) text += "  " + line + "\n";
  return text;
}

namespace {

Value optional_time(const std::optional<Time>& time) {
  return time ? Value(kube::format_time(*time)) : Value();
}

ValueList row_of(const GroupRow& row) {
  ValueList conditions;
  for (const auto& [condition, since] : row.conditions) {
    Value entry = Value::map();
    entry.set("type", name(condition)).set("since", kube::format_time(since));
    conditions.push_back(std::move(entry));
  }
  return {row.id,
          std::string(name(row.process_class)),
          row.domain.empty() ? Value() : Value(row.domain),
          text_list(row.addresses),
          row.reporting,
          row.expected,
          row.stored_bytes ? Value(*row.stored_bytes) : Value(),
          row.marked.has_value(),
          row.time_unknown ? Value() : optional_time(row.marked),
          optional_time(row.excluded),
          row.exclusion_skipped,
          std::move(conditions),
          text_list(row.flags)};
}

}  // namespace

report::Document groups_document(const GroupTable& table, const Cluster& cluster) {
  report::Document document;
  document.tool = "hfdb";
  document.options.set("subcommand", "groups");
  document.summary.set("name", cluster.name)
      .set("namespace", cluster.name_space)
      .set("generation", cluster.generation)
      .set("groups", table.rows.size())
      .set("rebuilt", table.is_rebuilt);
  for (const Remark& remark : table.disagreements) {
    document.findings.push_back(
        {Severity::Warning, remark.code, remark.text, Value::map(), Value::map(), ""});
  }
  for (const std::string& line : table.not_recoverable) {
    document.findings.push_back(
        {Severity::Note, "not-recoverable", line, Value::map(), Value::map(), ""});
  }
  report::DataTable groups{
      "groups",
      {"id", "class", "domain", "addresses", "processes", "processes_expected", "stored_bytes",
       "is_marked", "marked", "excluded", "exclusion_skipped", "conditions", "flags"},
      {}};
  for (const GroupRow& row : table.rows) groups.rows.push_back(row_of(row));
  document.tables.push_back(std::move(groups));
  return document;
}

}  // namespace ballast::fdb
