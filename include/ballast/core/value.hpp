// SPDX-License-Identifier: BSD-2-Clause
// A small tree of values with stable key order: what a plan carries of its system's own state, so
// that plan and search need no JSON library. Renderers turn it into JSON.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ballast {

class Value;
using ValueList = std::vector<Value>;
/// Keys in order of insertion; unique.
using ValueMap = std::vector<std::pair<std::string, Value>>;

class Value {
 public:
  using Variant =
      std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, ValueList, ValueMap>;

  Value() : data_(nullptr) {}
  Value(std::nullptr_t)
      : data_(nullptr) {}  // NOLINT(google-explicit-constructor): values are written as literals
  Value(bool b) : data_(b) {}  // NOLINT(google-explicit-constructor)
  template <std::integral T>
  requires(!std::same_as<T, bool>) Value(T i)
      : data_(static_cast<std::int64_t>(i)) {}          // NOLINT(google-explicit-constructor)
  Value(double d) : data_(d) {}                         // NOLINT(google-explicit-constructor)
  Value(const char* s) : data_(std::string(s)) {}       // NOLINT(google-explicit-constructor)
  Value(std::string_view s) : data_(std::string(s)) {}  // NOLINT(google-explicit-constructor)
  Value(std::string s) : data_(std::move(s)) {}         // NOLINT(google-explicit-constructor)
  Value(ValueList l) : data_(std::move(l)) {}           // NOLINT(google-explicit-constructor)
  Value(ValueMap m) : data_(std::move(m)) {}            // NOLINT(google-explicit-constructor)

  static Value map() { return ValueMap{}; }
  static Value list() { return ValueList{}; }

  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::nullptr_t>(data_); }
  [[nodiscard]] bool is_map() const { return std::holds_alternative<ValueMap>(data_); }
  [[nodiscard]] bool is_list() const { return std::holds_alternative<ValueList>(data_); }
  [[nodiscard]] bool is_string() const { return std::holds_alternative<std::string>(data_); }

  /// The alternative T, or nullptr where the value is something else.
  template <class T>
  [[nodiscard]] const T* get() const {
    return std::get_if<T>(&data_);
  }
  template <class T>
  [[nodiscard]] T* get() {
    return std::get_if<T>(&data_);
  }
  [[nodiscard]] const Variant& data() const { return data_; }

  /// The value of `key`, or nullptr where this is no map or has no such key.
  [[nodiscard]] const Value* find(std::string_view key) const;
  /// Sets or replaces `key`; a value that is null becomes a map first.
  Value& set(std::string_view key, Value value);
  /// Appends to a list; a value that is null becomes a list first.
  Value& push(Value value);

  friend bool operator==(const Value&, const Value&) = default;

 private:
  Variant data_;
};

/// A list of texts.
Value text_list(const std::vector<std::string>& texts);

}  // namespace ballast
