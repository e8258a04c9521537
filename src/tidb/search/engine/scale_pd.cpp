// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/words.hpp"
#include "ballast/tidb/search/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

/// Asked before the first PD step, and before the first restart of a TiKV set.
Engine::Going Engine::synced(Component c, const std::string& set, const std::string& pod) {
  if (live_.synced[index_of(c)].value_or(true)) return true;
  if (!block_or_wait(c, set, pod, "B-NOT-SYNCED",
                     fmt::format("status.{}.synced must be true", name_of(c)), "it is false"))
    return false;
  live_.synced[index_of(c)] = true;
  return true;
}

/// Whom the operator hands leadership to before it removes the leader: in the set without a look at
/// health.
std::string Engine::transfer_on_removal(const LiveSet& live, std::int64_t ordinal) {
  if (live.pods.size() > 1) {
    const LivePod& lowest = live.pods.front();
    return ordinal > lowest.ordinal ? lowest.name : live.pods.back().name;
  }
  for (const auto* sets : {&order_[index_of(Component::Pd)], &removed_[index_of(Component::Pd)]}) {
    for (const std::string& name : *sets) {
      const LiveSet* other = running(Component::Pd, name);
      if (other == nullptr || other == &live) continue;
      for (const LivePod& pod : other->pods) {
        const Member* member = live_.member_of(pod.name);
        if (member != nullptr && member->healthy) return pod.name;
      }
    }
  }
  return "";
}

Engine::Going Engine::scale_in_pd(LiveSet& live, const std::string& pod, Line& step) {
  const Component c = Component::Pd;
  const std::string set = step.set;
  if (!synced(c, set, pod)) return false;
  std::int64_t others = 0;
  for (const Component other : {Component::Tikv, Component::Tidb}) {
    for (const LiveSet& one : live_.of(other)) others += static_cast<std::int64_t>(one.pods.size());
  }
  const bool unplanned =
      std::ranges::any_of(input_.desired.others_running, [](bool on) { return on; });
  if (v16() && total_replicas(input_.desired.of(c)) == 0 && (others > 0 || unplanned)) {
    return block(c, set, pod, "B-PD-IN-USE",
                 "PD can go to 0 only when TiKV, TiFlash, TiDB, TiCDC and Pump are gone",
                 fmt::format("{} of them still {}", counted(others, "pod"),
                             of_count(others, "runs", "run")));
  }
  const Member* member = live_.member_of(pod);
  if (member != nullptr) {
    const std::int64_t after = static_cast<std::int64_t>(live_.members.size()) - 1;
    const std::int64_t healthy = live_.healthy_members() - (member->healthy ? 1 : 0);
    const std::int64_t need = after / 2 + 1;
    if (after > 0 && healthy < need &&
        !refuse(c, set, pod, "U-PD-QUORUM",
                fmt::format("after its removal {} of {} members must be healthy", need, after),
                fmt::format("only {} would be", healthy))) {
      return false;
    }
    // What was waved through goes on only where members come back, or a new template is forced.
    const auto changes = [&](const std::string& one) {
      return !template_difference(c, one).empty();
    };
    const bool is_forced = may_force_pd() && std::ranges::any_of(order_[index_of(c)], changes);
    step.awaits_majority = after > 0 && healthy < need && !is_forced;
    if (step.awaits_majority) {
      step.waits.push_back(
          wait_for("PD has a majority of healthy members: it answers nobody before",
                   fmt::format("{} of {}", need, after), fmt::format("{}", healthy)));
    }
  }
  if (v16() && (live_.leader == pod || live_.leader.empty())) {
    const std::string to = transfer_on_removal(live, step.ordinal);
    if (!to.empty()) {
      tell_transfer(to, step);
      const Member* target = live_.member_of(to);
      if (live_.leader == pod && live_.members_known && target != nullptr && !target->healthy) {
        std::string better;
        for (const LivePod& one : live.pods) {
          const Member* candidate = live_.member_of(one.name);
          const SetSpec* spec = wished(c, set);
          const bool stays =
              spec != nullptr &&
              std::ranges::binary_search(ordinals(this->target(c, set), spec->slots), one.ordinal);
          if (better.empty() && stays && candidate != nullptr && candidate->healthy)
            better = one.name;
        }
        warn("W-TRANSFER-SICK", to,
             better.empty() ? fmt::format("leadership goes to {}, which is not healthy", to)
                            : fmt::format("leadership goes to {}, which is not healthy; transfer "
                                          "it by hand to {} before the edit is applied",
                                          to, better));
      }
      if (live_.leader == pod) live_.leader = to;
    }
  }
  step.substeps.push_back(fmt::format("delete member {}", pod));
  step.commands.push_back({CommandUse::Watch, pdctl("member")});
  step.commands.push_back({CommandUse::Hand, pdctl(fmt::format("member delete name {}", pod))});
  if (live_.leader == pod) live_.leader.clear();
  return true;
}

}  // namespace ballast::tidb
