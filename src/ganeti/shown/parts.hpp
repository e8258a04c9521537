// SPDX-License-Identifier: BSD-2-Clause
// The notation of the reference's verbose lines: records, lists, optional values.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/ganeti/model/instance.hpp"

namespace ballast::ganeti::notation {

std::string shown_value(bool value);                ///< "True"
std::string shown_value(double value);              ///< "4.0"
std::string shown_value(const std::string& value);  ///< in double quotes
inline std::string shown_value(std::integral auto value) { return std::to_string(value); }

/// As an argument of something: a negative number stands in parentheses.
std::string shown_argument(std::int64_t value);

/// "Nothing", "Just "x"", "Just (-1)"
std::string shown_optional(const std::optional<std::string>& value);
std::string shown_optional(const std::optional<std::int64_t>& value);

/// "[a,b]", each element by `shown`.
template <class Elements, class Shown>
std::string shown_elements(const Elements& elements, Shown shown) {
  std::string text = "[";
  for (const auto& element : elements) {
    if (text.size() > 1) text += ',';
    text += shown(element);
  }
  return text + ']';
}

/// "fromList [...]": sets, and maps whose elements are "(key,value)"
template <class Elements, class Shown>
std::string shown_set(const Elements& elements, Shown shown) {
  return "fromList " + shown_elements(elements, shown);
}

/// "Name {field = value, ...}"
class Record {
 public:
  explicit Record(std::string_view name) : text_(name) { text_ += " {"; }

  /// What is shown already.
  Record& raw(std::string_view field, std::string_view shown) {
    if (text_.back() != '{') text_ += ", ";
    text_.append(field).append(" = ").append(shown);
    return *this;
  }
  template <class Value>
  Record& field(std::string_view field, const Value& value) {
    return raw(field, shown_value(value));
  }
  [[nodiscard]] std::string str() const { return text_ + '}'; }

 private:
  std::string text_;
};

std::string shown_load(const Load& load);  ///< "DynUtil {...}"

/// Where an instance is, as its record says it; -1 is none.
struct ShownPlace {
  std::int64_t primary = -1;
  std::int64_t secondary = -1;
  std::int64_t index = -1;
  std::int64_t location_score = 0;
};
std::string shown_instance(const Instance& instance, const ShownPlace& place,
                           const std::vector<std::string>& symbols, std::string_view auto_repair);

}  // namespace ballast::ganeti::notation
