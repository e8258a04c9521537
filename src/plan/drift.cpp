// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/plan/drift.hpp"

#include <string_view>
#include <unordered_map>

namespace ballast::plan {
namespace {

using Index = std::unordered_map<std::string_view, const Value*>;

Index index_of(const Value& value) {
  Index index;
  if (const auto* map = value.get<ValueMap>()) {
    for (const auto& [key, item] : *map) index.emplace(key, &item);
  }
  return index;
}

void compare(const std::string& name, const std::string& figure, const Value& planned,
             const Value& found, std::vector<Drift>& drifts) {
  if (planned == found) return;
  const auto* planned_map = planned.get<ValueMap>();
  const auto* found_map = found.get<ValueMap>();
  // A gauge is one figure.
  if (planned_map == nullptr || found_map == nullptr || planned.find("used") != nullptr) {
    drifts.push_back({name, figure, planned, found});
    return;
  }
  const auto below = [&](const std::string& key) {
    return figure.empty() ? key : figure + "." + key;
  };
  const Index found_index = index_of(found);
  for (const auto& [key, item] : *planned_map) {
    const auto other = found_index.find(key);
    compare(name, below(key), item, other == found_index.end() ? Value() : *other->second, drifts);
  }
  const Index planned_index = index_of(planned);
  for (const auto& [key, item] : *found_map) {
    if (!planned_index.contains(key)) compare(name, below(key), Value(), item, drifts);
  }
}

}  // namespace

std::vector<Drift> find_drift(const Value& planned, const Value& found) {
  std::vector<Drift> drifts;
  const Index planned_index = index_of(planned);
  const Index found_index = index_of(found);
  if (const auto* names = planned.get<ValueMap>()) {
    for (const auto& [name, figures] : *names) {
      const auto other = found_index.find(name);
      compare(name, "", figures, other == found_index.end() ? Value() : *other->second, drifts);
    }
  }
  if (const auto* names = found.get<ValueMap>()) {
    for (const auto& [name, figures] : *names) {
      if (!planned_index.contains(name)) drifts.push_back({name, "", Value(), figures});
    }
  }
  return drifts;
}

}  // namespace ballast::plan
