// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/value.hpp"

#include <algorithm>

namespace ballast {

const Value* Value::find(std::string_view key) const {
  const auto* map = get<ValueMap>();
  if (map == nullptr) return nullptr;
  const auto it = std::ranges::find(*map, key, &ValueMap::value_type::first);
  return it == map->end() ? nullptr : &it->second;
}

Value& Value::set(std::string_view key, Value value) {
  if (is_null()) data_ = ValueMap{};
  auto& map = std::get<ValueMap>(data_);
  const auto it = std::ranges::find(map, key, &ValueMap::value_type::first);
  if (it == map.end()) {
    map.emplace_back(std::string(key), std::move(value));
  } else {
    it->second = std::move(value);
  }
  return *this;
}

Value& Value::push(Value value) {
  if (is_null()) data_ = ValueList{};
  std::get<ValueList>(data_).push_back(std::move(value));
  return *this;
}

Value text_list(const std::vector<std::string>& texts) {
  ValueList list;
  for (const std::string& text : texts) list.emplace_back(text);
  return list;
}

}  // namespace ballast
