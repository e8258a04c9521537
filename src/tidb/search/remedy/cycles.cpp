// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/remedy/remedies.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

/// Failover only looks at sets that have reached their number (v1), so what would repair a set
/// waits for its scaling.
bool failover_waits(const Input& input) {
  return input.options.auto_failover && input.options.profile != Profile::V2;
}

std::vector<std::string> scale_in_of_store(const Input& input, const Line& block) {
  const std::string removal = fmt::format("scale-in of {}", block.object);
  const std::string stores = fmt::format("more than {} Up stores", input.max_replicas);
  const auto down = std::ranges::find_if(input.live.stores, [](const Store& s) {
    return s.state == StoreState::Down && !s.tiflash && !s.peer;
  });
  if (down != input.live.stores.end() && failover_waits(input)) {
    return {removal, stores, fmt::format("a failover pod for {}", down->pod),
            fmt::format("{}/{} at its wished number", name_of(Component::Tikv), block.set)};
  }
  return {removal, stores, "one more TiKV pod",
          fmt::format("{}/{} at its wished number, which is lower", name_of(Component::Tikv),
                      block.set)};
}

std::vector<std::string> quorum(const Input& input, const Line& block) {
  const SetSpec* spec = input.desired.find(Component::Pd, block.set);
  const LiveSet* live = input.live.find(Component::Pd, block.set);
  const bool leaves = live != nullptr && (spec == nullptr || spec->replicas < live->replicas);
  const bool sick =
      std::ranges::any_of(input.live.members, [](const Member& m) { return !m.healthy; });
  if (!leaves || !sick || !failover_waits(input)) return {};
  return {fmt::format("scale-in of {}", block.object), "a majority of healthy members",
          "the sick members replaced by failover",
          fmt::format("{}/{} at its wished number", name_of(Component::Pd), block.set)};
}

/// A failover pod that finds no node is wanted until the failed pod is well, which is restarted
/// after it.
std::vector<std::string> failover_pod_without_node(const Input& input, const Line& block) {
  if (block.code != "B-UPGRADED-NOT-WELL" || !block.component) return {};
  const LiveSet* live = input.live.find(*block.component, block.set);
  const SetSpec* spec = input.desired.find(*block.component, block.set);
  if (live == nullptr || spec == nullptr) return {};
  const auto pod = std::ranges::find(live->pods, block.object, &LivePod::name);
  if (pod == live->pods.end() || pod->scheduled ||
      std::ranges::binary_search(ordinals(spec->replicas, spec->slots), pod->ordinal))
    return {};
  for (const Failure& failure : live->failures) {
    const auto failed = std::ranges::find(live->pods, failure.pod, &LivePod::name);
    if (failed == live->pods.end() || failed->updated) continue;
    return {fmt::format("restart of {}", failed->name), fmt::format("{} well", block.object),
            fmt::format("a node for {}, or its end", block.object),
            fmt::format("the failure record of {} dropped", failed->name),
            fmt::format("{} well", failed->name)};
  }
  return {};
}

}  // namespace

std::vector<std::string> cycle_of(const Input& input, const Line& block) {
  const std::string& code = block.code;
  if (code == "B-TIKV-MAXREPLICAS" || code == "U-TIKV-MAXREPLICAS")
    return scale_in_of_store(input, block);
  if (code == "U-PD-QUORUM") return quorum(input, block);
  if (code == "B-PD-NO-QUORUM" && failover_waits(input)) {
    return {"a majority of healthy members", "the sick members replaced by failover"};
  }
  if (code == "B-STALE-CLAIM") {
    // Only the scale-in of a pod marks its claims.
    return {fmt::format("scale-out to {}", block.object), "its left-over claim deleted",
            "the claim marked for deletion", fmt::format("a scale-in of {}", block.object)};
  }
  if (auto circle = failover_pod_without_node(input, block); !circle.empty()) return circle;
  if (code == "B-UPGRADED-NOT-WELL" && input.options.profile == Profile::V10) {
    return {"every further restart", fmt::format("{} well", block.object),
            fmt::format("{} replaced by failover", block.object), "the end of the upgrade"};
  }
  return {};
}

}  // namespace ballast::tidb
