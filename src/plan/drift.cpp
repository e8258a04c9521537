// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/plan/drift.hpp"

#include <algorithm>
#include <array>
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
    drifts.push_back({"", name, figure, planned, found});
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

/// Keys of an object that say where it is.
constexpr std::array<std::string_view, 5> kPlaces = {"primary", "secondary", "node", "zone", "set"};

}  // namespace

DriftChange change_of(const Drift& drift) {
  if (drift.figure.empty() && drift.planned.is_null()) return DriftChange::Came;
  if (drift.figure.empty() && drift.found.is_null()) return DriftChange::Went;
  const bool is_place = std::ranges::find(kPlaces, drift.figure) != kPlaces.end();
  return !drift.kind.empty() && is_place ? DriftChange::Moved : DriftChange::Changed;
}

std::string_view to_string(DriftChange change) {
  switch (change) {
    case DriftChange::Came:
      return "came";
    case DriftChange::Went:
      return "went";
    case DriftChange::Moved:
      return "moved";
    case DriftChange::Changed:
      return "changed";
  }
  return "";
}

std::vector<Drift> find_object_drift(const Value& planned, const Value& found) {
  std::vector<Drift> all;
  const auto* kinds = planned.get<ValueMap>();
  // A plan without an inventory tells nothing of what has changed.
  if (kinds == nullptr || !found.is_map()) return all;
  for (const auto& [kind, objects] : *kinds) {
    const Value* now = found.find(kind);
    if (now == nullptr) continue;
    for (Drift& drift : find_drift(objects, *now)) {
      drift.kind = kind;
      all.push_back(std::move(drift));
    }
  }
  return all;
}

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
      if (!planned_index.contains(name)) drifts.push_back({"", name, "", Value(), figures});
    }
  }
  return drifts;
}

}  // namespace ballast::plan
