// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/drain.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "ballast/fdb/search/packing.hpp"
#include "ballast/fdb/search/spread_parts.hpp"

namespace ballast::fdb {
namespace {

std::string zone_of(const ProcessGroup& group) {
  if (const auto domain = bound_domain(group)) return domain_key(group.process_class, *domain);
  return group.fault_domain;
}

template <class Holds>
std::vector<std::string> ids_where(const Cluster& cluster, const Holds& holds) {
  std::vector<std::string> ids;
  for (const ProcessGroup& group : cluster.groups) {
    if (holds(group)) ids.push_back(group.id);
  }
  return ids;
}

/// Which pods with data are down, and whether their data was moved away first.
class Follower {
 public:
  Follower(const Cluster& cluster, int fault_tolerance)
      : cluster_(cluster), fault_tolerance_(fault_tolerance) {
    for (const ProcessGroup& group : cluster.groups) {
      if (group.excluded && !group.exclusion_skipped) {
        excluded_.insert(group.id);
      } else if (is_stateful(group.process_class) && group.processes.empty()) {
        down_[group.id] = zone_of(group);
      }
    }
  }

  /// What is down before the first step.
  void begin(Drain& drain) const { record(0, drain); }

  void apply(const Step& step, int number, Drain& drain) {
    if (step.action == Action::Exclude) excluded_.insert(step.targets.begin(), step.targets.end());
    if (step.action == Action::CreatePod) {
      for (const std::string& id : step.targets) down_.erase(id);
    }
    const bool is_removal = step.action == Action::DeleteResources;
    if (!is_removal && step.action != Action::DeletePod) return;
    for (const std::string& id : step.targets) {
      const ProcessGroup* group = cluster_.find(id);
      const bool holds_data = group != nullptr && is_stateful(group->process_class);
      if (is_removal && excluded_.contains(id)) {
        down_.erase(id);  // what it held lies elsewhere
      } else if (holds_data) {
        down_[id] = zone_of(*group);
      }
    }
    record(number, drain);
  }

 private:
  void record(int number, Drain& drain) const {
    if (down_.empty()) return;
    WeakMoment moment;
    moment.step = number;
    std::set<std::string> zones;
    for (const auto& [id, zone] : down_) {
      moment.groups.push_back(id);
      zones.insert(zone.empty() ? id : zone);
    }
    moment.zones = static_cast<int>(zones.size());
    moment.more_may_fail = fault_tolerance_ - moment.zones;
    drain.weak_moments.push_back(std::move(moment));
  }

  const Cluster& cluster_;
  int fault_tolerance_;
  std::set<std::string> excluded_;
  std::map<std::string, std::string> down_;  ///< ID, zone
};

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
          zone_of(group),
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
  Follower follower(cluster, drain.fault_tolerance);
  follower.begin(drain);
  for (std::size_t i = 0; i < steps.size(); ++i)
    follower.apply(steps[i], static_cast<int>(i) + 1, drain);
  return drain;
}

std::vector<std::string> groups_on_node(const Cluster& cluster, std::string_view node) {
  return ids_where(cluster, [node](const ProcessGroup& group) {
    return !node.empty() && host_of(group) == node;
  });
}

std::vector<std::string> groups_in_zone(const Cluster& cluster, std::string_view zone) {
  return ids_where(cluster, [zone](const ProcessGroup& group) {
    return !zone.empty() && zone_of(group) == zone;
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
