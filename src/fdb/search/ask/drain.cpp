// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/ask/drain.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/spread/parts.hpp"

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

std::optional<int> step_with(const std::vector<TraceStep>& steps, Action action,
                             const std::string& id) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& targets = steps[i].targets;
    if (steps[i].action == action && std::ranges::find(targets, id) != targets.end())
      return static_cast<int>(i) + 1;
  }
  return std::nullopt;
}

DrainedGroup drained_group(const ProcessGroup& group, const std::vector<TraceStep>& steps) {
  const auto removed = step_with(steps, Action::DeleteResources, group.id);
  auto excluded = step_with(steps, Action::Exclude, group.id);
  // What is excluded once it is gone was not emptied.
  if (removed && excluded && *excluded > *removed) excluded.reset();
  return {group.id,
          group.process_class,
          zone_of_group(group),
          group.stored_bytes(),
          group.is_leaving(),
          excluded,
          removed};
}

}  // namespace

Drain follow_drain(const Cluster& cluster, const ClusterSpec& desired,
                   const std::vector<std::string>& groups, const std::vector<TraceStep>& steps) {
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

std::vector<DrainPart> select_groups(const Cluster& cluster, const DrainSelection& selection,
                                     const PlanOptions& options) {
  std::vector<DrainPart> parts;
  for (const std::string& node : selection.nodes)
    parts.push_back({"--node", node, "node " + node, groups_on_node(cluster, node)});
  for (const std::string& zone : selection.zones)
    parts.push_back({"--zone", zone, "zone " + zone, groups_in_zone(cluster, zone)});
  for (const ProcessClass c : selection.classes) {
    const std::string text(name(c));
    parts.push_back(
        {"--class", text, "class " + text,
         ids_where(cluster, [c](const ProcessGroup& g) { return g.process_class == c; })});
  }
  if (!selection.conditions.empty()) {
    World world = make_world(cluster, cluster.spec, options);
    update_status(world);
    for (const Condition condition : selection.conditions) {
      const std::string text(name(condition));
      DrainPart part{"--condition", text, "condition " + text, {}};
      for (const Member& group : world.groups) {
        if (group.conditions.has(condition)) part.groups.push_back(group.id);
      }
      parts.push_back(std::move(part));
    }
  }
  for (const auto& [key, value] : selection.node_labels) {
    const auto has_label = [&, key = key, value = value](const ProcessGroup& group) {
      const auto node = cluster.node_labels.find(host_of(group));
      if (node == cluster.node_labels.end()) return false;
      const auto label = node->second.find(key);
      return label != node->second.end() && label->second == value;
    };
    parts.push_back({"--node-label", key + "=" + value, "nodes with " + key + "=" + value,
                     ids_where(cluster, has_label)});
  }
  return parts;
}

std::vector<std::string> groups_of(const std::vector<DrainPart>& parts) {
  std::set<std::string> ids;
  for (const DrainPart& part : parts) ids.insert(part.groups.begin(), part.groups.end());
  return {ids.begin(), ids.end()};
}

ClusterSpec with_removals(ClusterSpec spec, const std::vector<std::string>& groups) {
  for (const std::string& id : groups) {
    if (std::ranges::find(spec.groups_to_remove, id) == spec.groups_to_remove.end())
      spec.groups_to_remove.push_back(id);
  }
  return spec;
}

}  // namespace ballast::fdb
