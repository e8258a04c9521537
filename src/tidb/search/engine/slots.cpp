// SPDX-License-Identifier: BSD-2-Clause
// Delete slots that take no pod away.
#include "ballast/core/strings.hpp"
#include "ballast/tidb/search/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

void Engine::warn_slots() {
  if (input_.desired.slots_given && !input_.options.advanced_statefulset()) {
    warn("W-SLOTS-IGNORED", cluster_,
         "delete-slots need the feature AdvancedStatefulSet (--features): ignored");
    return;
  }
  for (const Component c : kComponents) {
    for (const SetSpec& set : input_.desired.of(c)) warn_unused_slots(set);
  }
}

/// The StatefulSet counts its pods past a slot only where it would come to it.
void Engine::warn_unused_slots(const SetSpec& set) {
  const std::vector<std::int64_t> pods = ordinals(target(set.component, set.name), set.slots);
  const std::int64_t highest = pods.empty() ? -1 : pods.back();
  std::vector<std::string> unused;
  for (const std::int64_t slot : set.slots) {
    if (slot > highest) unused.push_back(fmt::format("{}", slot));
  }
  if (unused.empty()) return;
  warn("W-SLOT-UNUSED", set.statefulset,
       fmt::format("no pod leaves for delete-slot{} {}: {}; pods that come later pass over {}",
                   unused.size() == 1 ? "" : "s", join(unused, ", "),
                   pods.empty() ? std::string("the set has no pods")
                                : fmt::format("its highest pod is {}",
                                              pod_name(set.statefulset, highest)),
                   unused.size() == 1 ? "it" : "them"));
}

}  // namespace ballast::tidb
