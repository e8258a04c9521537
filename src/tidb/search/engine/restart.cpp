// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"
#include "ballast/kube/quantity.hpp"
#include "ballast/tidb/search/basis/wellness.hpp"
#include "ballast/tidb/search/engine/engine.hpp"

#include "store_word.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

/// Whom leadership goes to before the leader restarts; empty: there is nobody.
std::string Engine::transfer_on_restart(const LiveSet& live, std::int64_t ordinal) {
  const auto healthy = [&](const LivePod& pod) {
    const Member* member = live_.member_of(pod.name);
    return member != nullptr && member->healthy;
  };
  if (!v16()) {
    if (live.pods.size() > 1)
      return ordinal == live.pods.back().ordinal ? live.pods.front().name : live.pods.back().name;
  } else {
    for (auto pod = live.pods.rbegin(); pod != live.pods.rend(); ++pod) {
      if (pod->ordinal > ordinal && healthy(*pod)) return pod->name;
    }
    for (const LivePod& pod : live.pods) {
      if (pod.ordinal < ordinal && healthy(pod)) return pod.name;
    }
  }
  for (const std::string& name : order_[index_of(Component::Pd)]) {
    const LiveSet* other = running(Component::Pd, name);
    if (other == nullptr || other == &live) continue;
    for (const LivePod& pod : other->pods) {
      if (healthy(pod)) return pod.name;
    }
  }
  return "";
}

/// With the leader unknown the transfer is told as a condition.
void Engine::tell_transfer(const std::string& to, Line& step) const {
  if (!live_.leader.empty()) step.leader = to;
  const std::string transfer = fmt::format("transfer leader to {}, wait until it is leader", to);
  step.substeps.push_back(live_.leader.empty() ? "if this member is leader: " + transfer
                                               : transfer);
  step.commands.push_back({CommandUse::Watch, pdctl("member leader show")});
  step.commands.push_back({CommandUse::Hand, pdctl(fmt::format("member leader transfer {}", to))});
}

Engine::Going Engine::restart_pd(const SetSpec& spec, LiveSet& live, LivePod& pod, Line& step) {
  const Component c = Component::Pd;
  const auto all = static_cast<std::int64_t>(live_.members.size());
  if (input_.desired.check_pd_quorum && live_.healthy_members() <= all / 2 + 1) {
    if (!block_or_wait(
            c, spec.name, pod.name, "B-PD-CHECK",
            fmt::format("more than {} healthy members before a restart (annotation)", all / 2 + 1),
            fmt::format("{} are healthy", live_.healthy_members()))) {
      return false;
    }
    for (Member& member : live_.members) member.healthy = true;
  }
  const Member* member = live_.member_of(pod.name);
  if (all >= 3 && member != nullptr && member->healthy) {
    const std::int64_t others = live_.healthy_members() - 1;
    if (others < all / 2 + 1 &&
        !refuse(c, spec.name, pod.name, "U-PD-QUORUM",
                fmt::format("while it restarts {} of {} members must be healthy", all / 2 + 1, all),
                fmt::format("only {} would be", others))) {
      return false;
    }
  }
  if (all > 0 && all < 3)
    warn("W-PD-SMALL", "pd",
         fmt::format("{} cannot do without one: PD is away while a pod restarts",
                     counted(all, "PD member")));
  if (live_.leader == pod.name || (live_.leader.empty() && all > 1)) {
    const std::string to = transfer_on_restart(live, pod.ordinal);
    if (!to.empty()) {
      tell_transfer(to, step);
      if (live_.leader == pod.name) live_.leader = to;
    } else if (live_.leader == pod.name) {
      warn("W-NO-TRANSFER", pod.name,
           "it is the leader and no other member can take over: PD is away while it restarts");
    }
  }
  step.substeps.push_back(freeing(live, pod.ordinal));
  step.waits.push_back(wait_for(fmt::format("pod {} is Ready, its member healthy{}", pod.name,
                                            v16() ? ", its ready endpoint says ready" : ""),
                                "", "", input_.desired.min_ready_s[index_of(c)]));
  return true;
}

/// The annotation that wants every store well before a restart.
Engine::Going Engine::check_stores_up(const SetSpec& spec, const LivePod& pod) {
  const Component c = spec.component;
  if (!input_.desired.check_stores_up) return true;
  const auto down = std::ranges::find_if(live_.stores, [](const Store& s) {
    return !s.tiflash && s.state != StoreState::Up && s.state != StoreState::Tombstone;
  });
  if (down != live_.stores.end()) {
    if (!block_or_wait(
            c, spec.name, pod.name, "B-STORES-NOT-UP",
            "every store Up or Tombstone before a restart (annotation)",
            fmt::format("store {} of {} is {}", down->id, down->pod, name_of(down->state)))) {
      return false;
    }
    for (Store& s : live_.stores) {
      if (s.state != StoreState::Tombstone) s.state = StoreState::Up;
    }
  }
  return true;
}

/// Leaders go to other stores for the time of the restart, and come back where there were many.
void Engine::evict_and_restart(const SetSpec& spec, const LiveSet& live, const LivePod& pod,
                               const Store& store, Line& step) {
  const std::int64_t min_ready = input_.desired.min_ready_s[index_of(spec.component)];
  const std::string id = store_word(store, pdctl("store"));
  step.store = store.id;
  const std::int64_t timeout = v16() ? spec.evict_leader_s : 180;
  if (store.state == StoreState::Down) {
    warn("W-DOWN-STORE-UPGRADE", pod.name,
         fmt::format("its store is Down, so its leader count cannot be read: the eviction waits "
                     "for the whole {} minutes",
                     timeout / 60));
  }
  const std::string of_store = store.id == 0 ? "its store" : "store " + id;
  std::vector<std::string> now;
  if (store.leaders) now.push_back(fmt::format("{} now", *store.leaders));
  if (pod.evict_begin || eviction_goes_on(pod) || !pod.asked_eviction.empty())
    now.emplace_back("begun already");
  step.substeps.push_back(fmt::format("evict leaders of {}{}, at most {} min", of_store,
                                      now.empty() ? "" : fmt::format(" ({})", join(now, ", ")),
                                      timeout / 60));
  if (!v16()) step.substeps.emplace_back("remove the eviction scheduler");
  step.substeps.push_back(freeing(live, pod.ordinal));
  step.waits.push_back(
      wait_for(fmt::format("pod {} is {}, its store Up", pod.name, v16() ? "Ready" : "Running"), "",
               "", min_ready));
  if (v16()) {
    step.substeps.emplace_back("remove the eviction scheduler");
    const std::int64_t before = pod.evict_begin
                                    ? store.leaders_before.value_or(store.leaders.value_or(0))
                                    : store.leaders.value_or(0);
    if (before >= kFewLeaders) {
      step.substeps.push_back(fmt::format("wait until it leads {} regions again, at most {} s",
                                          before * 2 / 3, spec.transfer_back_s));
    }
  }
  step.commands.push_back({CommandUse::Watch, pdctl(fmt::format("store {}", id))});
  step.commands.push_back(
      {CommandUse::Hand, pdctl(fmt::format("scheduler add evict-leader-scheduler {}", id))});
  step.commands.push_back(
      {CommandUse::Hand, pdctl(fmt::format("scheduler remove evict-leader-scheduler-{}", id))});
}

/// The only one in the cluster: it is not emptied, and nothing holds it back.
bool Engine::is_only_tikv() const {
  std::size_t pods = 0;
  for (const LiveSet& set : live_.of(Component::Tikv)) pods += set.pods.size();
  return pods < 2 && std::ranges::none_of(live_.stores, &Store::peer);
}

/// Pods of the last pass, which have no store yet when the roll-out begins right after it.
std::vector<std::string> Engine::pods_just_added(Component c, const std::string& set) const {
  std::vector<std::string> pods;
  if (c != Component::Tikv || !v16() || earlier_change(c)) return pods;
  for (auto step = out_.steps.rbegin(); step != out_.steps.rend(); ++step) {
    const bool is_same = step->action == Action::ScaleOut && step->component == c &&
                         step->set == set &&
                         (pods.empty() || (step->batch && step->batch == out_.steps.back().batch));
    if (!is_same) break;
    pods.push_back(step->object);
  }
  return pods;
}

/// The next outdated pod below `below` whose store can be emptied.
const LivePod* Engine::next_to_evict(const LiveSet& live, std::int64_t below,
                                     const std::vector<std::string>& passed_over) const {
  for (auto pod = live.pods.rbegin(); pod != live.pods.rend(); ++pod) {
    const Store* store = live_.store_of(pod->name);
    const bool is_passed = std::ranges::find(passed_over, pod->name) != passed_over.end();
    if (pod->ordinal >= below || is_passed || pod->updated) continue;
    if (store != nullptr && store->state != StoreState::Tombstone) return &*pod;
  }
  return nullptr;
}

/// Pods that came in the last pass have no store yet and are passed over: what is emptied first is
/// the next outdated one.
void Engine::tell_early_eviction(const LiveSet& live, const std::vector<std::string>& added) {
  const bool waits = std::ranges::any_of(live.pods, [&](const LivePod& pod) {
    return !pod.updated && std::ranges::find(added, pod.name) != added.end();
  });
  const LivePod* next = waits ? next_to_evict(live, live.pods.back().ordinal, added) : nullptr;
  if (next != nullptr && !next->evict_begin) evicted_early_ = next->name;
}

void Engine::evict_early(LiveSet& live, const LivePod& pod, Line& step) {
  if (evicted_early_.empty()) return;
  const Store* store = live_.store_of(evicted_early_);
  step.substeps.push_back(fmt::format(
      "evict leaders of {}{} already: the operator passes over {}, which has no store yet",
      store == nullptr || store->id == 0 ? "" : fmt::format("store {} of ", store->id),
      evicted_early_, pod.name));
  if (const auto split = split_pod_name(evicted_early_); split && live.pod(split->second))
    live.pod(split->second)->evict_begin = input_.options.now;
  evicted_early_.clear();
}

/// It is not emptied, and freed together with the next pod that has a store.
void Engine::restart_without_store(const SetSpec& spec, LiveSet& live, const LivePod& pod,
                                   Line& step) {
  const LivePod* next = v16() ? next_to_evict(live, pod.ordinal, {}) : nullptr;
  if (next != nullptr) {
    if (!next->evict_begin) evicted_early_ = next->name;
    evict_early(live, pod, step);
    step.partition = next->ordinal;
    step.substeps.push_back(freeing(live, next->ordinal) + ": both pods are freed");
  } else {
    step.substeps.push_back(freeing(live, pod.ordinal) +
                            ", without eviction: the pod has no store in PD");
  }
  step.waits.push_back(wait_for(fmt::format("pod {} is Ready", pod.name), "", "",
                                input_.desired.min_ready_s[index_of(spec.component)]));
}

/// What lets the StatefulSet restart the pod.
std::string Engine::freeing(const LiveSet& live, std::int64_t ordinal) const {
  if (v16() && live.partition && *live.partition <= ordinal)
    return "the StatefulSet restarts it, for the partition frees it already";
  return fmt::format("set partition of {} to {}", live.statefulset, ordinal);
}

Engine::Going Engine::restart_tikv(const SetSpec& spec, LiveSet& live, LivePod& pod, Line& step) {
  const Component c = Component::Tikv;
  Store* store = live_.store_of(pod.name);
  if (store != nullptr && store->state == StoreState::Tombstone) store = nullptr;
  const bool only = v16() && is_only_tikv();  // nothing is asked of the others
  if (!only && !check_stores_up(spec, pod)) return false;
  for (const Store& other : live_.stores) {
    if (&other != store && !other.tiflash && other.state != StoreState::Up &&
        other.state != StoreState::Tombstone) {
      warn("W-RESTART-WITH-DOWN", other.pod,
           fmt::format("store {} is {} while other TiKV pods restart", other.id,
                       name_of(other.state)));
    }
  }
  const std::string ready = fmt::format("pod {} is Ready, its store Up", pod.name);
  const std::int64_t min_ready = input_.desired.min_ready_s[index_of(c)];
  if (only) {
    warn("W-SINGLE-TIKV", pod.name,
         "the only TiKV: its leaders have nowhere to go, TiKV is away while it restarts");
    step.substeps.push_back(freeing(live, 0) + ", without eviction");
    step.partition = 0;
    step.waits.push_back(wait_for(ready, "", "", min_ready));
    return true;
  }
  if (store == nullptr) {
    restart_without_store(spec, live, pod, step);
    return true;
  }
  evict_early(live, pod, step);
  evict_and_restart(spec, live, pod, *store, step);
  pod.asked_eviction.clear();
  return true;
}

Engine::Going Engine::restart_tidb(const SetSpec& spec, LiveSet& live, LivePod& pod, Line& step) {
  std::int64_t pods = 0;
  for (const LiveSet& set : live_.of(spec.component))
    pods += static_cast<std::int64_t>(set.pods.size());
  if (v16() && pods < 2)
    warn("W-TIDB-SINGLE", pod.name, "the only TiDB: SQL is away while it restarts");
  if (!v16() && pods > 1 && pod.healthy)
    step.substeps.emplace_back("ask it to resign DDL ownership, up to 3 tries");
  step.substeps.push_back(freeing(live, pod.ordinal));
  step.waits.push_back(wait_for(fmt::format("pod {} is Ready and healthy", pod.name), "", "",
                                input_.desired.min_ready_s[index_of(spec.component)]));
  step.risks.emplace_back("open connections to it are cut");
  return true;
}

/// A class that one side leaves out may be the same one by default, unless the edit itself changes
/// it.
bool Engine::is_class_changed(const SetSpec& spec, const LiveSet& live) const {
  if (spec.storage_class == live.spec.storage_class) return false;
  if (!spec.storage_class.empty() && !live.spec.storage_class.empty()) return true;
  const SetSpec* before =
      input_.current ? input_.current->find(spec.component, spec.name) : nullptr;
  return before != nullptr && before->storage_class != spec.storage_class;
}

/// Bigger claims of an existing set. Claim templates cannot change, so the set is recreated around
/// its pods.
Engine::Going Engine::expand(Component c) {
  for (const std::string& set : order_[index_of(c)]) {
    LiveSet* live = running(c, set);
    const SetSpec& spec = *wished(c, set);
    if (live == nullptr || live->spec.claim_templates.empty()) continue;
    const std::string other_way =
        "; the other way: a new set with the wished storage, then drain the old one";
    if (is_class_changed(spec, *live) && !input_.desired.replace_volumes) {
      const auto shown = [](const std::string& name) { return name.empty() ? "(default)" : name; };
      warn("W-CLASS-IGNORED", live->statefulset,
           fmt::format("storageClassName {} -> {} of an existing set is ignored{}",
                       shown(live->spec.storage_class), shown(spec.storage_class), other_way));
    }
    if (!spec.storage_bytes || !live->spec.storage_bytes ||
        *spec.storage_bytes == *live->spec.storage_bytes)
      continue;
    const std::string change = fmt::format("{}->{}", kube::format_bytes(*live->spec.storage_bytes),
                                           kube::format_bytes(*spec.storage_bytes));
    const bool local = std::ranges::any_of(live_.volumes, [&](const Volume& v) {
      return v.storage_class == spec.storage_class && !v.node.empty();
    });
    if (*spec.storage_bytes < *live->spec.storage_bytes) {
      warn("W-STORAGE-SHRINK", live->statefulset,
           fmt::format("storage {} is refused by the operator, nothing changes{}", change,
                       other_way));
      continue;
    }
    if (local) {
      warn("W-STORAGE-IGNORED", live->statefulset,
           fmt::format("storage {}: local volumes cannot grow{}", change, other_way));
      continue;
    }
    assume("A-EXPANSION",
           fmt::format("StorageClass {} is taken as allowing expansion",
                       spec.storage_class.empty() ? "(default)" : spec.storage_class));
    for (std::size_t i = 0; i < live->pods.size(); ++i) {
      const std::string claim = claim_name(live->spec.claim_templates.front(), live->pods[i].name);
      const auto known = std::ranges::find(live_.claims, claim, &Claim::name);
      if (known != live_.claims.end() && known->request_bytes.value_or(0) >= *spec.storage_bytes &&
          i + 1 < live->pods.size())
        continue;
      Line step = make(Action::ExpandVolume, c, set, claim, change);
      step.ordinal = live->pods[i].ordinal;
      step.changes = {{claim + ".spec.resources.requests.storage",
                       kube::format_bytes(*live->spec.storage_bytes),
                       kube::format_bytes(*spec.storage_bytes)}};
      step.reason_code = "STORAGE_RAISED";
      step.reason = "the claim is enlarged in place, lowest ordinal first";
      step.substeps.push_back(fmt::format("set the request of {} to {}", claim,
                                          kube::format_bytes(*spec.storage_bytes)));
      if (i + 1 == live->pods.size()) {
        step.substeps.push_back(fmt::format(
            "delete StatefulSet {} with its pods kept, create it again with the new claim template",
            live->statefulset));
      }
      step.commands.push_back({CommandUse::Watch, kubectl(fmt::format("get pvc {}", claim))});
      emit(std::move(step));
    }
    live->spec.storage_bytes = spec.storage_bytes;
  }
  return true;
}

}  // namespace ballast::tidb
