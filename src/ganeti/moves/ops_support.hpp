// SPDX-License-Identifier: BSD-2-Clause
// What the operations on primaries and on secondaries share.
#pragma once

#include <algorithm>
#include <vector>

#include "ballast/ganeti/model/counters.hpp"
#include "ballast/ganeti/moves/node_ops.hpp"

namespace ballast::ganeti {

inline void push_front(std::vector<InstanceId>& list, InstanceId id) {
  list.insert(list.begin(), id);
}

inline void erase_first(std::vector<InstanceId>& list, InstanceId id) {
  const auto found = std::find(list.begin(), list.end(), id);
  if (found != list.end()) list.erase(found);
}

/// Spindle load after adding (`sign` +1) or removing (-1) the instance.
inline double spindle_load(const Node& node, double load, const Instance& instance, int sign) {
  if (node.has_exclusive_storage) return 0;
  if (!uses_local_disk(instance.disk_template)) return load;
  return load + static_cast<double>(sign * instance.spindle_use);
}

/// Free spindles after giving them back (`sign` +1) or taking them (-1).
inline std::int64_t spindles_left(const Node& node, std::int64_t free, const Instance& instance,
                                  int sign) {
  if (!node.has_exclusive_storage) return 0;
  const std::optional<std::int64_t> spindles = instance.disk_spindles();
  if (!spindles) return sign < 0 ? -1 : free;
  return free + sign * *spindles;
}

/// What checks need of the node as it was without the instance.
struct Before {
  explicit Before(const NodeState& state)
      : fails_n1(state.fails_n1),
        free_spindles(state.free_spindles),
        forth_free_spindles(state.forth_free_spindles) {}
  bool fails_n1;
  std::int64_t free_spindles;
  std::int64_t forth_free_spindles;
};

/// The checks of add_secondary that come before the reference looks at the old secondary: template
/// and room for the disks.
MaybeRefusal check_secondary_disk_first(const Cluster& cluster, NodeId node, const NodeState& state,
                                        const InstanceRef& instance);

/// Wanted is -1 where the instance's spindles are not known.
inline Refusal spindle_refusal(Rule rule, NodeId node, const Instance& instance,
                               std::int64_t free) {
  return refusal(FailReason::Spindles, rule, node, instance.disk_spindles().value_or(-1), free);
}

}  // namespace ballast::ganeti
