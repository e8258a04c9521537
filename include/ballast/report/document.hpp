// SPDX-License-Identifier: BSD-2-Clause
// What a tool found out, as a value: the one --json shape (kind "report") of the tools that make no
// plan. data/report.schema.json states it.
#pragma once

#include "ballast/core/finding.hpp"
#include "ballast/core/value.hpp"

#include <string>
#include <vector>

namespace ballast::report {

using ballast::Finding;
using ballast::Severity;

/// Rows of equal things. Cells keep their types: numbers are numbers, sizes are bytes.
struct DataTable {
  std::string name;                  ///< snake_case, unique in the document
  std::vector<std::string> columns;  ///< snake_case; sizes end in _bytes
  std::vector<ValueList> rows;       ///< each as long as `columns`
};

struct Document {
  std::string tool;
  Value options = Value::map();  ///< those that shaped the answer, by long name
  std::string fingerprint;       ///< of the snapshot; empty where there is none
  Value summary = Value::map();  ///< headline figures by name
  std::vector<Finding> findings;
  std::vector<DataTable> tables;
};

/// The document as JSON, indented by two blanks, with a final newline; keys in the order above,
/// each table as a list of objects.
std::string document_to_json(const Document& document);

/// The word of the JSON form: "note", "warning", "error".
std::string severity_word(Severity severity);

}  // namespace ballast::report
