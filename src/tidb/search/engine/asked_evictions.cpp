// SPDX-License-Identifier: BSD-2-Clause
// v1.6: a person asks by an annotation of a TiKV pod that PD takes the leaders of its store away,
// and, where it says so, that the pod is deleted once they are gone. This is served beside whatever
// else the operator does, as long as every store is Up.
#include "ballast/tidb/search/engine/engine.hpp"

#include "store_word.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

void Engine::serve_evictions(Component c) {
  if (c != Component::Tikv || !v16()) return;
  const bool is_stable = std::ranges::all_of(live_.stores, [](const Store& store) {
    return store.state == StoreState::Up || store.state == StoreState::Tombstone;
  });
  for (LiveSet& live : live_.of(c)) {
    for (LivePod& pod : live.pods) {
      Store* store = live_.store_of(pod.name);
      const bool is_begun =
          std::ranges::find(live_.asked_evictions, pod.name) != live_.asked_evictions.end();
      if (store == nullptr) continue;
      if (pod.asked_eviction.empty()) {
        if (is_begun) end_when_ready(live, pod, *store);
      } else if (!is_stable) {
        warn("W-EVICT-LEADER", pod.name,
             fmt::format("its annotation evict-leader: {} is served only once every store is Up",
                         pod.asked_eviction));
      } else if (pod.asked_eviction == "delete-pod") {
        delete_when_empty(live, pod, *store);
      } else {
        warn("W-EVICT-LEADER", pod.name,
             "its annotation evict-leader: none keeps all leaders away from its store until "
             "somebody takes it off; a restart of the pod loses it, and the leaders come back");
      }
    }
  }
}

void Engine::delete_when_empty(const LiveSet& live, LivePod& pod, Store& store) {
  Line step = make(Action::Wait, Component::Tikv, live.name, pod.name, "evicted, deleted, back");
  step.until_ready = true;
  step.reason_code = "EVICTION_ASKED";
  step.reason = "its annotation evict-leader: delete-pod asks for it; beside whatever else is done";
  step.store = store.id;
  const std::string id = store_word(store, pdctl("store"));
  step.substeps.push_back(fmt::format("evict leaders of store {} (begun already)", store.id));
  step.substeps.push_back(fmt::format("delete pod {} once it leads no region", pod.name));
  step.substeps.emplace_back("remove the eviction scheduler");
  step.waits.push_back(wait_for(fmt::format("pod {} is Ready again, its store Up", pod.name)));
  step.commands.push_back({CommandUse::Watch, pdctl(fmt::format("store {}", id))});
  step.commands.push_back(
      {CommandUse::Undo,
       kubectl(fmt::format("annotate pod {} tidb.pingcap.com/evict-leader-", pod.name))});
  emit(std::move(step));
  pod.asked_eviction.clear();
}

/// The annotation is gone, with its pod or by hand.
void Engine::end_when_ready(const LiveSet& live, const LivePod& pod, const Store& store) {
  Line step = make(Action::Wait, Component::Tikv, live.name, pod.name, "eviction ends");
  step.reason_code = "EVICTION_ASKED";
  step.reason = "its leaders were taken away for an annotation that it has no longer";
  step.store = store.id;
  step.substeps.emplace_back("remove the eviction scheduler");
  step.waits.push_back(
      wait_for(fmt::format("pod {} is Ready, its eviction scheduler is gone", pod.name)));
  step.commands.push_back({CommandUse::Watch, pdctl("scheduler show")});
  emit(std::move(step));
}

}  // namespace ballast::tidb
