// SPDX-License-Identifier: BSD-2-Clause
// What it means that a node can be emptied, whatever keeps the state: mirrored instances fail over,
// then those on shared storage start elsewhere, then the others are made anew, most memory first.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti {

/// The instances on a node by what becomes of them; `Key` is what the steps call an instance.
template <class Key>
struct Residents {
  std::vector<Key> mirrored;
  std::vector<Key> shared;
  std::vector<Key> fixed;  ///< most memory first
};

template <class Key, class InstanceOf>
Residents<Key> residents_of(const std::vector<Key>& primaries, InstanceOf&& instance_of) {
  Residents<Key> all;
  for (const Key& key : primaries) {
    const DiskTemplate disk_template = instance_of(key).disk_template;
    (has_secondary(disk_template)              ? all.mirrored
     : is_shared_for_evacuation(disk_template) ? all.shared
                                               : all.fixed)
        .push_back(key);
  }
  std::ranges::stable_sort(all.fixed, [&](const Key& a, const Key& b) {
    return instance_of(a).memory_mib > instance_of(b).memory_mib;
  });
  return all;
}

/// `steps` has fail_over(key), restart(key), recreate(key), which give what stops the emptying, or
/// nothing; and surely_take(shared, fixed): true where it is known that all of these find a place.
template <class Steps, class Key>
auto empty_by(Steps& steps, const Residents<Key>& all) -> decltype(steps.fail_over(Key())) {
  for (const Key& key : all.mirrored) {
    if (auto stopped = steps.fail_over(key)) return stopped;
  }
  if (all.shared.empty() && all.fixed.empty()) return {};
  if (steps.surely_take(all.shared, all.fixed)) return {};
  for (const Key& key : all.shared) {
    if (auto stopped = steps.restart(key)) return stopped;
  }
  for (const Key& key : all.fixed) {
    if (auto stopped = steps.recreate(key)) return stopped;
  }
  return {};
}

}  // namespace ballast::ganeti
