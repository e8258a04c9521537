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

Value groups_to_value(const GroupTable& table) {
  const auto texts = [](const std::vector<std::string>& list) {
    ValueList result;
    for (const std::string& text : list) result.emplace_back(text);
    return result;
  };
  Value groups = Value::list();
  for (const GroupRow& row : table.rows) {
    Value group = Value::map();
    group.set("id", row.id).set("class", name(row.process_class));
    if (!row.domain.empty()) group.set("domain", row.domain);
    group.set("addresses", texts(row.addresses))
        .set("processes", row.reporting)
        .set("processes_expected", row.expected);
    if (row.stored_bytes) group.set("stored_bytes", *row.stored_bytes);
    if (row.marked && !row.time_unknown) group.set("marked", kube::format_time(*row.marked));
    group.set("is_marked", row.marked.has_value());
    if (row.excluded) group.set("excluded", kube::format_time(*row.excluded));
    group.set("exclusion_skipped", row.exclusion_skipped);
    Value conditions = Value::list();
    for (const auto& [condition, since] : row.conditions) {
      Value entry = Value::map();
      conditions.push(
          std::move(entry.set("type", name(condition)).set("since", kube::format_time(since))));
    }
    group.set("conditions", std::move(conditions)).set("flags", texts(row.flags));
    groups.push(std::move(group));
  }
  Value disagreements = Value::list();
  for (const Remark& remark : table.disagreements) {
    Value entry = Value::map();
    disagreements.push(std::move(entry.set("code", remark.code).set("text", remark.text)));
  }
  Value value = Value::map();
  value.set("rebuilt", table.is_rebuilt).set("groups", std::move(groups));
  return value.set("disagreements", std::move(disagreements))
      .set("not_recoverable", texts(table.not_recoverable));
}

}  // namespace ballast::fdb
