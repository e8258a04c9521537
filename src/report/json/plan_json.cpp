// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/plan_json.hpp"

#include "ballast/plan/shape.hpp"

#include "parse.hpp"
#include "plan_value.hpp"
#include "text.hpp"

namespace ballast::report {
namespace {

Path path_of(const plan::Flaw& flaw) {
  Path path;
  if (flaw.step) path = {{"steps", 0, false}, {"", *flaw.step, true}};
  path.push_back({flaw.key, 0, false});
  return path;
}

}  // namespace

std::string plan_to_json(const plan::Plan& plan) { return value_to_json(plan_to_value(plan)); }

Result<ReadPlan> plan_from_json(std::string_view text, const std::string& file) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return fail("empty: expected a plan in JSON", {file, 1, 1});
  }
  const auto document = parse_json(text, file);
  if (!document) return fail(document.error());
  auto plan = plan_from_value(*document);
  if (!plan) return fail(plan.error().message, locate(text, file, plan.error().path));
  if (const auto flaws = plan::find_flaws(*plan); !flaws.empty()) {
    const Path path = path_of(flaws.front());
    return fail(to_string(path) + ": " + flaws.front().text, locate(text, file, path));
  }
  const Value* seal = document->find("seal");
  return ReadPlan{std::move(*plan), seal != nullptr && *seal == Value(seal_of(*document))};
}

namespace {

void set_place(Value& into, const Place& where) {
  if (where.file.empty()) return;
  Value place = Value::map();
  place.set("file", where.file);
  if (where.line != 0) place.set("line", where.line);
  if (where.column != 0) place.set("column", where.column);
  into.set("place", std::move(place));
}

}  // namespace

std::string errors_to_json(std::string_view message, const std::vector<ListedError>& errors,
                           std::string_view tool, int exit_status) {
  Value document = Value::map();
  document.set("kind", "error").set("format", "ballast-error").set("version", 1).set("tool", tool);
  document.set("message", message);
  set_place(document, errors.front().place);
  Value list = Value::list();
  for (const ListedError& error : errors) {
    Value item = Value::map();
    if (!error.code.empty()) item.set("code", error.code);
    if (!error.path.empty() && error.path != "-") item.set("path", error.path);
    item.set("message", error.message);
    set_place(item, error.place);
    list.push(std::move(item));
  }
  document.set("errors", std::move(list));
  document.set("exit", exit_status);
  return value_to_json(document);
}

std::string error_to_json(const Error& error, std::string_view tool, int exit_status) {
  Value document = Value::map();
  document.set("kind", "error").set("format", "ballast-error").set("version", 1).set("tool", tool);
  document.set("message", error.message);
  set_place(document, error.place);
  document.set("exit", exit_status);
  return value_to_json(document);
}

std::string value_to_json(const Value& value) { return json_indented(value) + "\n"; }

}  // namespace ballast::report
