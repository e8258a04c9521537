// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/drain.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "ballast/fdb/search/spread_parts.hpp"

namespace ballast::fdb {
namespace {

template <class Holds>
std::vector<std::string> ids_where(const Cluster& cluster, const Holds& holds) {
  std::vector<std::string> ids;
  for (const ProcessGroup& group : cluster.groups) {
    if (holds(group)) ids.push_back(group.id);
  }
  return ids;
}

std::optional<int> step_with(const std::vector<Step>& steps, Action action, const std::string& id) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& targets = steps[i].targets;
    if (steps[i].action == action && std::ranges::find(targets, id) != targets.end())
      return static_cast<int>(i) + 1;
  }
  return std::nullopt;
}

DrainedGroup drained_group(const ProcessGroup& group, const std::vector<Step>& steps) {
  return {group.id,
          group.process_class,
          zone_of_group(group),
          group.stored_bytes(),
          group.is_leaving(),
          step_with(steps, Action::Exclude, group.id),
          step_with(steps, Action::DeleteResources, group.id)};
}

}  // namespace

Drain follow_drain(const Cluster& cluster, const ClusterSpec& desired,
                   const std::vector<std::string>& groups, const std::vector<Step>& steps) {
  Drain drain;
  drain.fault_tolerance = desired.redundancy().fault_tolerance;
  for (const std::string& id : groups) {
    if (const ProcessGroup* group = cluster.find(id))
      drain.groups.push_back(drained_group(*group, steps));
  }
  std::ranges::stable_sort(drain.groups, {}, [](const DrainedGroup& group) {
    constexpr int kNever = std::numeric_limits<int>::max();
    return std::tuple(group.removed_at.value_or(kNever), group.excluded_at.value_or(kNever));
  });
  drain.weak_moments = follow_copies(cluster, drain.fault_tolerance, steps).moments;
  return drain;
}

std::vector<std::string> groups_on_node(const Cluster& cluster, std::string_view node) {
  return ids_where(cluster, [node](const ProcessGroup& group) {
    return !node.empty() && host_of(group) == node;
  });
}

std::vector<std::string> groups_in_zone(const Cluster& cluster, std::string_view zone) {
  return ids_where(cluster, [zone](const ProcessGroup& group) {
    return !zone.empty() && zone_of_group(group) == zone;
  });
}

ClusterSpec with_removals(ClusterSpec spec, const std::vector<std::string>& groups) {
  for (const std::string& id : groups) {
    if (std::ranges::find(spec.groups_to_remove, id) == spec.groups_to_remove.end())
      spec.groups_to_remove.push_back(id);
  }
  return spec;
}

}  // namespace ballast::fdb
