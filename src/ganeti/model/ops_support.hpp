// SPDX-License-Identifier: BSD-2-Clause
// What the operations on primaries and on secondaries share.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "ballast/ganeti/model/node_ops.hpp"

namespace ballast::ganeti {

inline void push_front(std::vector<InstanceId>& list, InstanceId id) {
  list.insert(list.begin(), id);
}

inline void erase_first(std::vector<InstanceId>& list, InstanceId id) {
  const auto found = std::find(list.begin(), list.end(), id);
  if (found != list.end()) list.erase(found);
}

/// Counters are sorted by key.
template <class Key>
using Counters = std::vector<std::pair<Key, std::int64_t>>;

template <class Key>
auto counter_place(Counters<Key>& counters, const Key& key) {
  return std::lower_bound(
      counters.begin(), counters.end(), key,
      [](const auto& entry, const Key& wanted) { return entry.first < wanted; });
}

/// All keys at once, in time n log n of both: an instance may have very many tags.
template <class Key>
void count_up(Counters<Key>& counters, const std::vector<Key>& keys) {
  const auto known = static_cast<std::ptrdiff_t>(counters.size());
  const auto by_key = [](const auto& one, const auto& other) { return one.first < other.first; };
  std::vector<Key> added;
  for (const Key& key : keys) {
    const auto place = counter_place(counters, key);
    if (place != counters.end() && place->first == key) {
      ++place->second;
    } else {
      added.push_back(key);
    }
  }
  if (added.empty()) return;
  std::sort(added.begin(), added.end());
  for (const Key& key : added) {
    if (static_cast<std::ptrdiff_t>(counters.size()) > known && counters.back().first == key) {
      ++counters.back().second;
    } else {
      counters.emplace_back(key, 1);
    }
  }
  std::inplace_merge(counters.begin(), counters.begin() + known, counters.end(), by_key);
}

/// An entry goes when its count would reach zero; one that is not there is no error.
template <class Key>
void count_down(Counters<Key>& counters, const std::vector<Key>& keys) {
  bool some_go = false;
  for (const Key& key : keys) {
    const auto place = counter_place(counters, key);
    if (place == counters.end() || place->first != key || place->second == 0) continue;
    some_go = --place->second <= 0 || some_go;
  }
  if (some_go) std::erase_if(counters, [](const auto& entry) { return entry.second <= 0; });
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

/// An entry goes before the first that is not larger.
void set_peer(NodeState& state, NodeId primary, std::int64_t memory);
void erase_peer(NodeState& state, NodeId primary);

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

template <class Wanted, class Available>
Refusal refusal(FailReason reason, Rule rule, NodeId node, Wanted wanted, Available available) {
  return Refusal{
      reason, rule, node, -1, {}, static_cast<double>(wanted), static_cast<double>(available)};
}

/// Wanted is -1 where the instance's spindles are not known.
inline Refusal spindle_refusal(Rule rule, NodeId node, const Instance& instance,
                               std::int64_t free) {
  return refusal(FailReason::Spindles, rule, node, instance.disk_spindles().value_or(-1), free);
}

}  // namespace ballast::ganeti
