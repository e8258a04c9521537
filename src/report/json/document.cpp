// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/document.hpp"

#include "ballast/core/version.hpp"
#include "ballast/report/plan_json.hpp"

namespace ballast::report {
namespace {

void set_unless_empty(Value& map, std::string_view key, const Value& members) {
  if (const ValueMap* pairs = members.get<ValueMap>(); pairs && !pairs->empty())
    map.set(key, members);
}

Value value_of(const Finding& finding) {
  Value value = Value::map();
  value.set("severity", severity_word(finding.severity)).set("code", finding.code);
  set_unless_empty(value, "subject", finding.subject);
  set_unless_empty(value, "figures", finding.figures);
  value.set("text", finding.text);
  if (!finding.action.empty()) value.set("action", finding.action);
  return value;
}

Value rows_of(const DataTable& table) {
  Value rows = Value::list();
  for (const ValueList& cells : table.rows) {
    Value row = Value::map();
    for (std::size_t c = 0; c < table.columns.size(); ++c) row.set(table.columns[c], cells.at(c));
    rows.push(std::move(row));
  }
  return rows;
}

}  // namespace

std::string document_to_json(const Document& document) {
  Value value = Value::map();
  value.set("kind", "report").set("format", "ballast-report").set("version", 1);
  value.set("tool", document.tool).set("tool_version", kVersion).set("options", document.options);
  if (!document.fingerprint.empty()) value.set("fingerprint", document.fingerprint);
  value.set("summary", document.summary);
  Value findings = Value::list();
  for (const Finding& finding : document.findings) findings.push(value_of(finding));
  value.set("findings", std::move(findings));
  Value tables = Value::map();
  for (const DataTable& table : document.tables) tables.set(table.name, rows_of(table));
  value.set("tables", std::move(tables));
  return value_to_json(value);
}

}  // namespace ballast::report
