// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/drift_words.hpp"
#include "ballast/core/words.hpp"

#include "ballast/report/figures.hpp"
#include "ballast/report/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::report {
namespace {

constexpr std::string_view kBytes = "_bytes";

/// "primary n1, memory 4.0 GiB".
std::string sized_text(const Value& figures) {
  const auto* map = figures.get<ValueMap>();
  if (map == nullptr) return value_text(figures);
  std::string text;
  for (const auto& [key, value] : *map) {
    const bool is_bytes = key.ends_with(kBytes);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        key.substr(0, key.size() - (is_bytes ? kBytes.size() : 0)),
                        figure_text(is_bytes, value));
  }
  return text;
}

std::string object_text(const plan::Drift& drift) {
  const std::string name = fmt::format("{} {}", drift.kind, drift.name);
  const bool is_bytes = drift.figure.find("_bytes") != std::string::npos;
  switch (plan::change_of(drift)) {
    case plan::DriftChange::Came:
      return fmt::format("{} came: {}", name, sized_text(drift.found));
    case plan::DriftChange::Went:
      return fmt::format("{} went: it had {}", name, sized_text(drift.planned));
    case plan::DriftChange::Moved:
      return fmt::format("{} moved: {} {} -> {}", name, drift.figure,
                         figure_text(is_bytes, drift.planned), figure_text(is_bytes, drift.found));
    case plan::DriftChange::Changed:
      break;
  }
  return fmt::format("{} changed: {} {} -> {}", name, drift.figure,
                     figure_text(is_bytes, drift.planned), figure_text(is_bytes, drift.found));
}

std::string drift_text(const plan::Drift& drift, std::string_view before) {
  if (!drift.kind.empty()) return object_text(drift);
  if (drift.figure.empty()) {
    if (drift.planned.is_null()) return drift.name + ": not in the plan";
    if (drift.found.is_null()) return drift.name + ": not in the snapshot";
  }
  const bool is_bytes = drift.figure.find("_bytes") != std::string::npos;
  const std::string figure = drift.figure.empty() ? "" : drift.figure + ": ";
  return fmt::format("{}: {}{} {}, now {}", drift.name, figure,
                     figure_text(is_bytes, drift.planned), before,
                     figure_text(is_bytes, drift.found));
}

}  // namespace

std::string words_of_key(std::string_view key) {
  if (key.ends_with(kBytes)) key.remove_suffix(kBytes.size());
  return key_in_words(key);
}

std::string drifts_text(std::string_view title, const std::vector<plan::Drift>& drifts,
                        std::string_view before) {
  std::string text = drifts.empty() ? "" : fmt::format("\n{}\n", title);
  for (const plan::Drift& drift : drifts) text += "  " + one_line(drift_text(drift, before)) + "\n";
  return text;
}

DataTable drift_table(std::string name, const std::vector<plan::Drift>& drifts) {
  DataTable table{std::move(name), {"what", "figure", "change", "before", "now"}, {}};
  for (const plan::Drift& drift : drifts) {
    const bool is_bytes = drift.figure.find("_bytes") != std::string::npos;
    const bool is_whole = !drift.kind.empty() && drift.figure.empty();
    const auto text = [&](const Value& side) {
      return side.is_null() ? "" : is_whole ? sized_text(side) : figure_text(is_bytes, side);
    };
    const std::string what = drift.kind.empty() ? drift.name : drift.kind + " " + drift.name;
    table.rows.push_back({what, words_of_key(drift.figure), to_string(plan::change_of(drift)),
                          text(drift.planned), text(drift.found)});
  }
  return table;
}

void set_if(Value& map, std::string_view key, const Value& value) {
  if (!value.is_null()) map.set(key, value);
}

Value drift_value(const plan::Drift& drift) {
  Value value = Value::map();
  if (!drift.kind.empty()) value.set("kind", drift.kind);
  value.set("name", drift.name).set("change", to_string(plan::change_of(drift)));
  if (!drift.figure.empty()) value.set("figure", drift.figure);
  set_if(value, "planned", drift.planned);
  set_if(value, "found", drift.found);
  return value;
}

}  // namespace ballast::report
