// SPDX-License-Identifier: BSD-2-Clause
#include "live_edit.hpp"

#include "ballast/tidb/search/basis/wellness.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

LiveEdit::LiveEdit(Live& live, bool named) : live_(live), named_(named) {
  for (const Store& store : live.stores) next_store_ = std::max(next_store_, store.id + 1);
  for (const Member& member : live.members) next_member_ = std::max(next_member_, member.id + 1);
}

LivePod LiveEdit::fresh(const LiveSet& set, const std::string& name, std::int64_t ordinal) {
  LivePod pod;
  pod.name = name;
  const auto is_taken = [&](const std::string& other) {
    return std::ranges::find(set.pods, other, &LivePod::name) != set.pods.end();
  };
  while (!named_ && (pod.name.ends_with('?') || is_taken(pod.name)))
    pod.name = fmt::format("{}-n{:05}", set.statefulset, ++names_);
  pod.ordinal = ordinal;
  pod.revision = set.update_revision;
  pod.image = set.spec.image;
  return pod;
}

void LiveEdit::name_all(LiveSet& set) {
  if (named_) return;
  for (LivePod& pod : set.pods) {
    if (!pod.name.ends_with('?')) continue;
    const std::string unknown = pod.name;
    pod.name = fresh(set, unknown, 0).name;
    const auto store = std::ranges::find(live_.stores, unknown, &Store::pod);
    if (set.component == Component::Tikv && store != live_.stores.end()) store->pod = pod.name;
    const auto member = std::ranges::find(live_.members, unknown, &Member::name);
    if (set.component == Component::Pd && member != live_.members.end()) member->name = pod.name;
  }
}

void LiveEdit::join(Component component, const std::string& pod) {
  if (component == Component::Tikv) {
    std::erase_if(live_.stores, [&](const Store& s) {
      return s.pod == pod && !s.tiflash && s.state == StoreState::Tombstone;
    });
    Store store;
    store.pod = pod;
    if (live_.stores_known) store.id = next_store_++;
    live_.stores.push_back(std::move(store));
  }
  if (component == Component::Pd && live_.member_of(pod) == nullptr) {
    Member member;
    member.name = pod;
    if (live_.members_known) member.id = next_member_++;
    live_.members.push_back(std::move(member));
    std::ranges::sort(live_.members, {}, &Member::name);
  }
}

void LiveEdit::leave(Component component, const std::string& pod, bool forgotten) {
  if (component == Component::Pd) {
    std::erase_if(live_.members, [&](const Member& m) { return m.name == pod; });
    if (live_.leader == pod) live_.leader.clear();
  }
  if (component != Component::Tikv) return;
  if (Store* store = live_.store_of(pod)) store->state = StoreState::Tombstone;
  if (forgotten) std::erase_if(live_.stores, [&](const Store& s) { return s.pod == pod; });
}

void LiveEdit::make_well(const LiveSet& set, LivePod& pod) {
  make_pod_well(pod);
  if (set.component == Component::Pd) {
    if (Member* member = live_.member_of(pod.name)) member->healthy = true;
  }
  Store* store = set.component == Component::Tikv ? live_.store_of(pod.name) : nullptr;
  if (store == nullptr || store->state == StoreState::Tombstone ||
      store->state == StoreState::Offline)
    return;
  store->state = StoreState::Up;
  store->leaders_before.reset();
}

Claim& LiveEdit::claim_named(const std::string& name) {
  const auto place = std::ranges::lower_bound(live_.claims, name, {}, &Claim::name);
  if (place != live_.claims.end() && place->name == name) return *place;
  Claim claim;
  claim.name = name;
  return *live_.claims.insert(place, std::move(claim));
}

void LiveEdit::mark_claim(const std::string& name, const std::string& pod) {
  Claim& claim = claim_named(name);
  claim.deferred = true;
  if (claim.pod.empty()) claim.pod = pod;
}

LivePod* LiveEdit::instance(LiveSet& set, const std::string& name, bool leaves) const {
  const auto named = std::ranges::find(set.pods, name, &LivePod::name);
  if (named != set.pods.end()) return &*named;
  if (!name.ends_with('?')) return nullptr;
  const auto pick = [&](auto&& fits) {
    const auto found = std::ranges::find_if(set.pods, fits);
    return found == set.pods.end() ? nullptr : &*found;
  };
  if (!leaves) return pick([](const LivePod& p) { return !p.updated && !p.marked; });
  if (LivePod* pod = pick([](const LivePod& p) { return p.marked; })) return pod;
  return pick([](const LivePod&) { return true; });
}

void LiveEdit::finish_rolling(LiveSet& set) {
  // A pod that is not ready keeps the StatefulSet from calling its update complete.
  if (!std::ranges::all_of(set.pods, [](const LivePod& p) { return p.updated && p.ready; })) return;
  set.current_revision = set.update_revision;
  set.generation_pending = false;
}

}  // namespace ballast::tidb
