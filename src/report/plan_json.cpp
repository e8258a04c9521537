// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/plan_json.hpp"

#include "json_text.hpp"

namespace ballast::report {

std::string error_to_json(const Error& error, std::string_view tool, int exit_status) {
  Value document = Value::map();
  document.set("kind", "error").set("format", "ballast-error").set("version", 1).set("tool", tool);
  document.set("message", error.message);
  if (!error.place.file.empty()) {
    Value place = Value::map();
    place.set("file", error.place.file);
    if (error.place.line != 0) place.set("line", error.place.line);
    if (error.place.column != 0) place.set("column", error.place.column);
    document.set("place", std::move(place));
  }
  document.set("exit", exit_status);
  return value_to_json(document);
}

std::string value_to_json(const Value& value) { return json_indented(value) + "\n"; }

}  // namespace ballast::report
