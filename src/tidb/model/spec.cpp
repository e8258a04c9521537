// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/model/spec.hpp"

#include <algorithm>
#include <numeric>

namespace ballast::tidb {

std::string_view name_of(Component component) {
  switch (component) {
    case Component::Pd:
      return "pd";
    case Component::Tikv:
      return "tikv";
    case Component::Tidb:
      return "tidb";
  }
  return "";
}

std::optional<Component> component_named(std::string_view name) {
  for (const Component component : kComponents) {
    if (name_of(component) == name) return component;
  }
  return std::nullopt;
}

std::string_view name_of(Profile profile) {
  switch (profile) {
    case Profile::V10:
      return "v1.0";
    case Profile::V16:
      return "v1.6";
    case Profile::V2:
      return "v2";
  }
  return "";
}

std::vector<std::string> differing(const Fields& left, const Fields& right) {
  std::vector<std::string> names;
  for (const auto& [name, value] : left) {
    const auto other = right.find(name);
    if (other == right.end() || other->second != value) names.push_back(name);
  }
  for (const auto& [name, value] : right) {
    if (!left.contains(name)) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

const SetSpec* ClusterSpec::find(Component component, std::string_view set) const {
  const auto& all = of(component);
  const auto found = std::ranges::find(all, set, &SetSpec::name);
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::int64_t> ordinals(std::int64_t replicas, const std::vector<std::int64_t>& slots) {
  std::int64_t limit = replicas;
  for (const std::int64_t slot : slots) {
    if (slot >= 0 && slot < limit) ++limit;
  }
  std::vector<std::int64_t> result;
  for (std::int64_t ordinal = 0; ordinal < limit; ++ordinal) {
    if (!std::ranges::binary_search(slots, ordinal)) result.push_back(ordinal);
  }
  return result;
}

std::int64_t total_replicas(const std::vector<SetSpec>& sets) {
  return std::accumulate(sets.begin(), sets.end(), std::int64_t{0},
                         [](std::int64_t sum, const SetSpec& set) { return sum + set.replicas; });
}

std::vector<std::string> restart_fields(const SetSpec& now, const SetSpec& wished) {
  std::vector<std::string> fields = differing(now.pod_template, wished.pod_template);
  if (now.config_rollout != wished.config_rollout) {
    fields.emplace_back("configUpdateStrategy");
  } else if (wished.config_rollout) {
    for (std::string& field : differing(now.config, wished.config))
      fields.push_back(std::move(field));
  }
  if (now.data_sub_dir != wished.data_sub_dir) fields.emplace_back("dataSubDir");
  std::ranges::sort(fields);
  return fields;
}

}  // namespace ballast::tidb
