// SPDX-License-Identifier: BSD-2-Clause
#include "plan_value.hpp"

#include "ballast/core/sha256.hpp"

#include "plan_fields.hpp"
#include "text.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace ballast::report {
namespace {

class Writer {
 public:
  static constexpr bool kReads = false;

  std::string_view system_key;

  template <class T>
  void required(std::string_view key, const T& field) {
    map_.emplace_back(std::string(key), written(field));
  }
  template <class T>
  void optional(std::string_view key, const T& field) {
    if (!(field == T{})) required(key, field);
  }
  void optional_map(std::string_view key, const Value& field) { optional(key, field); }
  template <class T>
  void one_or_list(std::string_view key, const std::vector<T>& fields) {
    if (fields.size() == 1) {
      required(key, fields.front());
    } else if (!fields.empty()) {
      required(key, fields);
    }
  }
  ValueMap take() { return std::move(map_); }

 private:
  static Value written(const std::string& text) { return {text}; }
  static Value written(std::int64_t number) { return {number}; }
  static Value written(int number) { return {number}; }
  static Value written(double number) { return {number}; }
  static Value written(bool flag) { return {flag}; }
  static Value written(const Value& value) { return value; }
  template <class T>
  requires std::is_enum_v<T>
  static Value written(T word) { return {plan::to_string(word)}; }
  template <class T>
  Value written(const std::optional<T>& field) {
    return field ? written(*field) : Value();
  }
  template <class T>
  Value written(const std::vector<T>& fields) {
    ValueList list;
    list.reserve(fields.size());
    for (const T& field : fields) list.push_back(written(field));
    return {std::move(list)};
  }
  template <class T>
  requires std::is_class_v<T> Value written(const T& fields) {
    Writer writer;
    writer.system_key = system_key;
    describe(writer, fields);
    return {writer.take()};
  }

  ValueMap map_;
};

}  // namespace

std::string seal_of(const Value& document) {
  const auto* map = document.get<ValueMap>();
  if (map == nullptr) return "";
  ValueMap unsealed;
  unsealed.reserve(map->size());
  std::ranges::copy_if(*map, std::back_inserter(unsealed),
                       [](const auto& entry) { return entry.first != "seal"; });
  return sha256_hex(json_canonical(Value(std::move(unsealed))));
}

Value plan_to_value(const plan::Plan& plan) {
  Writer writer;
  writer.required("kind", std::string("plan"));
  writer.required("format", std::string(kPlanFormat));
  writer.required("version", kPlanVersion);
  describe(writer, plan);
  ValueMap map = writer.take();
  std::string seal = seal_of(Value(map));
  const auto fingerprint = std::ranges::find(map, "fingerprint", &ValueMap::value_type::first);
  map.emplace(fingerprint == map.end() ? fingerprint : fingerprint + 1, "seal",
              Value(std::move(seal)));
  return {std::move(map)};
}

}  // namespace ballast::report
