// SPDX-License-Identifier: BSD-2-Clause
// Differences in words and as values, for whatever holds two states side by side.
#pragma once

#include "ballast/plan/drift.hpp"
#include "ballast/report/document.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ballast::report {

/// "memory_reserved_bytes" -> "memory reserved".
std::string words_of_key(std::string_view key);

/// A heading and one line each; empty where there are none. `before`: of when the first of the two
/// figures is ("6 when planned, now 5").
std::string drifts_text(std::string_view title, const std::vector<plan::Drift>& drifts,
                        std::string_view before = "when planned");
/// The same as a table of texts.
DataTable drift_table(std::string name, const std::vector<plan::Drift>& drifts);
/// kind, name, change ("came", "went", "moved", "changed"), figure, planned, found.
Value drift_value(const plan::Drift& drift);

/// Sets the key unless the value is null.
void set_if(Value& map, std::string_view key, const Value& value);

template <class T, class Function>
Value list_of(const std::vector<T>& items, Function value_of) {
  Value list = Value::list();
  for (const T& item : items) list.push(value_of(item));
  return list;
}

}  // namespace ballast::report
