// SPDX-License-Identifier: BSD-2-Clause
#include "plan_fields.hpp"
#include "plan_value.hpp"
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace ballast::report {
namespace {

std::string shown_value(const Value& value) {
  if (value.is_map()) return "an object";
  if (value.is_list()) return "a list";
  if (const auto* text = value.get<std::string>()) return quoted(*text);
  return quoted(json_canonical(value));
}

template <class T>
constexpr std::size_t kWords = 0;
template <>
constexpr std::size_t kWords<plan::System> = 4;
template <>
constexpr std::size_t kWords<plan::Outcome> = 4;
template <>
constexpr std::size_t kWords<plan::Severity> = 3;
template <>
constexpr std::size_t kWords<plan::CommandUse> = 4;

/// Reads one map; the first error wins and stops everything after it.
class Reader {
 public:
  static constexpr bool kReads = true;

  std::string_view system_key;

  Reader(const Value& value, Path path, std::optional<FieldError>& error)
      : path_(std::move(path)), error_(error), map_(value.get<ValueMap>()) {
    if (map_ == nullptr) complain(value, "an object");
  }

  template <class T>
  void required(std::string_view key, T& field) {
    const Value* value = find(key);
    if (value == nullptr) {
      if (!error_)
        error_ =
            FieldError{path_, fmt::format("{}: key {} is missing", to_string(path_), quoted(key))};
      return;
    }
    read_at({std::string(key), 0, false}, *value, field);
  }
  template <class T>
  void optional(std::string_view key, T& field) {
    if (const Value* value = find(key)) read_at({std::string(key), 0, false}, *value, field);
  }
  void optional_map(std::string_view key, Value& field) {
    optional(key, field);
    if (error_ || field.is_null() || field.is_map()) return;
    path_.push_back({std::string(key), 0, false});
    complain(field, "an object");
  }
  template <class T>
  void one_or_list(std::string_view key, std::vector<T>& fields) {
    const Value* value = find(key);
    if (value == nullptr) return;
    if (value->is_list()) {
      read_at({std::string(key), 0, false}, *value, fields);
    } else {
      read_at({std::string(key), 0, false}, *value, fields.emplace_back());
    }
  }
  void expect_no_other_keys() {
    if (error_) return;
    const auto other = std::ranges::find_if(*map_, [&](const auto& entry) {
      return std::ranges::find(known_, entry.first) == known_.end();
    });
    if (other == map_->end()) return;
    path_.push_back({other->first, 0, false});
    error_ = FieldError{path_,
                        fmt::format("{}: unknown key {}", to_string(path_), quoted(other->first))};
  }

 private:
  const Value* find(std::string_view key) {
    if (error_) return nullptr;
    known_.push_back(key);
    const auto it = std::ranges::find(*map_, key, &ValueMap::value_type::first);
    return it == map_->end() ? nullptr : &it->second;
  }
  void complain(const Value& value, std::string_view expected) {
    if (error_) return;
    error_ = FieldError{
        path_, fmt::format("{}: {}: expected {}", to_string(path_), shown_value(value), expected)};
  }
  template <class T>
  void read_at(PathPart part, const Value& value, T& field) {
    path_.push_back(std::move(part));
    read(value, field);
    path_.pop_back();
  }

  void read(const Value& value, std::string& field) {
    if (const auto* text = value.get<std::string>()) {
      field = *text;
    } else if (const auto* number = value.get<std::int64_t>();
               number != nullptr && is_written_as_string(*number)) {
      field = std::to_string(*number);
    } else {
      complain(value, "a string");
    }
  }
  static bool is_written_as_string(std::int64_t number) {
    return json_canonical(Value(number)).starts_with('"');
  }
  void read(const Value& value, std::int64_t& field) {
    const auto* number = value.get<std::int64_t>();
    if (number == nullptr) return complain(value, "an integer");
    field = *number;
  }
  void read(const Value& value, int& field) {
    const auto* number = value.get<std::int64_t>();
    if (number == nullptr || *number < 0 || *number > std::numeric_limits<int>::max()) {
      return complain(value, "an integer from 0 to 2147483647");
    }
    field = static_cast<int>(*number);
  }
  void read(const Value& value, double& field) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (const auto* number = value.get<double>()) {
      field = *number;
    } else if (const auto* integer = value.get<std::int64_t>()) {
      field = static_cast<double>(*integer);
    } else if (value == Value("NaN")) {
      field = std::numeric_limits<double>::quiet_NaN();
    } else if (value == Value("Infinity") || value == Value("-Infinity")) {
      field = value == Value("Infinity") ? kInfinity : -kInfinity;
    } else {
      complain(value, "a number");
    }
  }
  void read(const Value& value, bool& field) {
    const auto* flag = value.get<bool>();
    if (flag == nullptr) return complain(value, "true or false");
    field = *flag;
  }
  static void read(const Value& value, Value& field) { field = value; }
  template <class T>
  requires std::is_enum_v<T>
  void read(const Value& value, T& field) {
    const auto* text = value.get<std::string>();
    std::vector<std::string> words;
    for (std::size_t i = 0; i < kWords<T>; ++i) {
      words.emplace_back(to_string(static_cast<T>(i)));
      if (text != nullptr && *text == words.back()) {
        field = static_cast<T>(i);
        return;
      }
    }
    complain(value, fmt::format("one of {}", fmt::join(words, ", ")));
  }
  template <class T>
  void read(const Value& value, std::optional<T>& field) {
    field.emplace();
    read(value, *field);
  }
  template <class T>
  void read(const Value& value, std::vector<T>& fields) {
    const auto* list = value.get<ValueList>();
    if (list == nullptr) return complain(value, "a list");
    fields.reserve(list->size());
    for (std::size_t i = 0; i < list->size() && !error_; ++i) {
      read_at({"", i, true}, (*list)[i], fields.emplace_back());
    }
  }
  template <class T>
  requires std::is_class_v<T>
  void read(const Value& value, T& fields) {
    Reader reader(value, path_, error_);
    reader.system_key = system_key;
    if (error_) return;
    describe(reader, fields);
    reader.expect_no_other_keys();
  }

  Path path_;
  std::optional<FieldError>& error_;
  const ValueMap* map_;
  std::vector<std::string_view> known_;
};

std::optional<FieldError> kind_error(const Value& document) {
  const auto unlike = [&](std::string_view key,
                          const Value& expected) -> std::optional<FieldError> {
    const Value* value = document.find(key);
    if (value != nullptr && *value == expected) return std::nullopt;
    if (value == nullptr)
      return FieldError{{}, fmt::format("not a plan: key \"{}\" is missing", key)};
    return FieldError{
        {{std::string(key), 0, false}},
        fmt::format("{}: {}: expected {}", key, shown_value(*value), shown_value(expected))};
  };
  if (!document.is_map())
    return FieldError{{}, fmt::format("{}: expected a plan, an object", shown_value(document))};
  if (auto error = unlike("kind", "plan")) return error;
  if (auto error = unlike("format", kPlanFormat)) return error;
  return unlike("version", kPlanVersion);
}

}  // namespace

tl::expected<plan::Plan, FieldError> plan_from_value(const Value& document) {
  std::optional<FieldError> error = kind_error(document);
  plan::Plan plan;
  if (!error) {
    Reader reader(document, {}, error);
    std::string text;
    int version = 0;
    reader.required("kind", text);
    reader.required("format", text);
    reader.required("version", version);
    reader.required("seal", text);
    describe(reader, plan);
    reader.expect_no_other_keys();
  }
  if (error) return tl::unexpected<FieldError>(std::move(*error));
  return plan;
}

}  // namespace ballast::report
