// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/words.hpp"
#include "ballast/tidb/search/remedy/parts.hpp"
#include "ballast/tidb/search/steps/plan_steps.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

/// Whether the plan of a changed copy gets through.
bool gets_through(const Input& input, const std::function<void(Input&)>& apply) {
  Input tried = input;
  apply(tried);
  return plan_steps(tried).first_block() == nullptr;
}

/// The smallest set beside the others that lets the scale-in through; as many pods as there are,
/// where none does.
void more_stores(Candidates& into, const Input& input, const Line& block) {
  const Component c = Component::Tikv;
  const LiveSet* live = input.live.find(c, block.set);
  if (live == nullptr) return;
  const SetSpec* wished = input.desired.find(c, block.set);
  const SetSpec& spec = wished != nullptr ? *wished : live->spec;
  for (std::int64_t n = 1; n <= live->replicas; ++n) {
    const SetSpec beside = set_beside(input, spec, n);
    const auto apply = [beside](Input& tried) {
      tried.desired.of(Component::Tikv).push_back(beside);
    };
    if (n < live->replicas && !gets_through(input, apply)) continue;
    into.add(fmt::format("more stores first: a set {} with {} beside it", beside.name,
                         counted(n, "replica")),
             {Loss::Effort, "a set more, with its volumes"}, set_first_extra(input, beside), {},
             apply);
    return;
  }
}

/// The most copies that let the plan through; fewer are only worse, and one is none.
void fewer_copies(Candidates& into, const Input& input) {
  for (std::int64_t copies = input.max_replicas - 1; copies >= 2; --copies) {
    const auto apply = [copies](Input& tried) { tried.max_replicas = copies; };
    if (!gets_through(input, apply)) continue;
    const std::int64_t lost = (copies - 1) / 2;
    into.add(fmt::format("fewer copies of each region, max-replicas {}", copies),
             {Loss::Redundancy, fmt::format("{} copies: the loss of {} can be survived", copies,
                                            lost == 0 ? "no store" : counted(lost, "store"))},
             {}, {pdctl(input, fmt::format("config set max-replicas {}", copies))}, apply);
    return;
  }
}

void max_replicas(Candidates& into, const Input& input, const Line& block) {
  std::vector<std::string> sick;
  for (const Store& store : input.live.stores) {
    if (store.state != StoreState::Up && !store.tiflash) sick.push_back(store.pod);
  }
  add_slots(into, input, block, sick, "take out the pods whose stores are not Up");
  more_stores(into, input, block);
  add_old_replicas(into, input, block);
  fewer_copies(into, input);
}

constexpr int kMostClaims = 100;

/// Whether what a claim holds may still be a store's: PD knows one there that has not moved its
/// data, or was not asked.
bool may_be_a_store(const Input& input, const std::string& pod) {
  if (!input.live.stores_known) return true;
  return std::ranges::any_of(input.live.stores, [&](const Store& store) {
    return store.pod == pod && !store.tiflash && store.state != StoreState::Tombstone;
  });
}

/// The ordinals of the claims are left out, and other pods come in their place.
void pass_over_claims(Candidates& into, const Input& input, const Line& block) {
  const SetSpec* spec = input.desired.find(component_of(block), block.set);
  if (spec == nullptr || block.set != kDefaultSet || input.options.profile == Profile::V2) return;
  Input tried = input;
  tried.options.features.insert("AdvancedStatefulSet");
  std::vector<std::int64_t>& slots = wished_set(tried, component_of(block), block.set)->slots;
  for (int i = 0; i < kMostClaims; ++i) {
    const Outcome outcome = plan_steps(tried);
    const Line* next = outcome.first_block();
    const auto split = next == nullptr ? std::nullopt : split_pod_name(next->object);
    if (!split || next->code != "B-STALE-CLAIM" || next->set != block.set) break;
    slots.push_back(split->second);
    std::ranges::sort(slots);
  }
  add_slots_of(into, input, block, slots, "pass over the claim, another pod comes in its place",
               {Loss::Effort, "the claim and its volume stay"});
}

/// The pods that are to come as a set of their own, whose names no claim has.
void set_for_new_pods(Candidates& into, const Input& input, const Line& block) {
  const Component c = component_of(block);
  const LiveSet* live = input.live.find(c, block.set);
  const SetSpec* spec = input.desired.find(c, block.set);
  if (live == nullptr || spec == nullptr || input.options.profile == Profile::V2) return;
  const std::int64_t stay = live->replicas - static_cast<std::int64_t>(live->failures.size());
  if (spec->replicas <= stay) return;
  const SetSpec beside = set_beside(input, *spec, spec->replicas - stay);
  std::vector<std::string> set = set_first_extra(input, beside);
  if (!set.empty())
    set.push_back(fmt::format("{}={}", set_key(input.desired, c, block.set, "replicas"), stay));
  into.add(fmt::format("the new pods as a set of their own, {} with {}; {} stays at {}",
                       beside.name, counted(beside.replicas, "replica"), block.set, stay),
           {Loss::Effort, "a set more; the claim and its volume stay"}, std::move(set), {},
           [c, name = block.set, stay, beside](Input& tried) {
             if (SetSpec* old = wished_set(tried, c, name)) old->replicas = stay;
             tried.desired.of(c).push_back(beside);
           });
}

void stale_claim(Candidates& into, const Input& input, const Line& block) {
  // Every unmarked claim in the way, found by planning on without those found so far.
  Input tried = input;
  std::vector<std::string> claims;
  std::vector<std::string> commands;
  bool holds_a_store = false;
  for (int i = 0; i < kMostClaims; ++i) {
    const Outcome outcome = plan_steps(tried);
    const Line* next = outcome.first_block();
    if (next == nullptr || next->code != "B-STALE-CLAIM") break;
    const auto claim = std::ranges::find_if(tried.live.claims, [&](const Claim& one) {
      return one.name.ends_with("-" + next->object) && !one.deferred;
    });
    if (claim == tried.live.claims.end()) break;
    holds_a_store = holds_a_store ||
                    (next->component == Component::Tikv && may_be_a_store(input, next->object));
    claims.push_back(claim->name);
    commands.push_back(kubectl(input, "delete pvc " + claim->name));
    tried.live.claims.erase(claim);
  }
  pass_over_claims(into, input, block);
  set_for_new_pods(into, input, block);
  add_old_replicas(into, input, block);
  // What may be the data of a store is never given away.
  if (holds_a_store) return;
  into.add(
      "PD knows no store there any more: delete the left-over claim after making sure that its "
      "data is not needed, or mark it with tidb.pingcap.com/pvc-defer-deleting",
      {Loss::Data, "what the claim holds is lost"}, {}, std::move(commands),
      [claims](Input& changed) {
        std::erase_if(changed.live.claims, [&](const Claim& claim) {
          return std::ranges::find(claims, claim.name) != claims.end();
        });
      });
}

void store_unknown(Candidates& into, const Input& input, const Line& block) {
  const auto pod_of = [set = block.set, name = block.object](Input& changed) -> LivePod* {
    LiveSet* live = changed.live.find(Component::Tikv, set);
    if (live == nullptr) return nullptr;
    const auto pod = std::ranges::find(live->pods, name, &LivePod::name);
    return pod == live->pods.end() ? nullptr : &*pod;
  };
  Input copy = input;
  const LivePod* pod = pod_of(copy);
  const std::uint64_t id = pod == nullptr ? 0 : pod->store_label.value_or(0);
  into.add(
      "wait until the pod is known not to have a store: not Ready, or its no-active-store "
      "annotation, for 150 s",
      {}, {}, {}, [pod_of](Input& changed) {
        LivePod* known = pod_of(changed);
        if (known != nullptr) known->no_store_since = changed.options.now - 1000;
      });
  // A store that nobody knows cannot be deleted; v1.0 waits for it for ever, so there it is looked
  // for.
  if (id == 0 && input.options.profile != Profile::V10) return;
  // The label may be that of a store which is another pod's, or gone.
  const bool is_its_own = std::ranges::any_of(input.live.stores, [&](const Store& s) {
    return s.id == id && s.pod == block.object && s.state != StoreState::Tombstone;
  });
  if (id != 0 && input.live.stores_known && !is_its_own) return;
  into.add(id == 0 ? "find the store of the pod by its address, and delete it by hand"
                   : "delete the store by hand",
           {Loss::Redundancy, "its regions have one copy fewer until they are copied anew"}, {},
           {pdctl(input, id == 0 ? "store" : fmt::format("store delete {}", id))},
           [name = block.object, id](Input& changed) {
             std::erase_if(changed.live.stores, [&](const Store& s) { return s.pod == name; });
             Store store;
             store.id = id;
             store.pod = name;
             store.state = StoreState::Tombstone;
             changed.live.stores.push_back(std::move(store));
           });
}

void stores_not_up(Candidates& into, const Input& input) {
  into.add("take the check annotation off",
           {Loss::Redundancy,
            "pods restart while a store is away: two copies of some regions are down at once"},
           {}, {annotate(input, "tidb.pingcap.com/tikv-check-all-stores-up-before-upgrade-")},
           [](Input& changed) { changed.desired.check_stores_up = false; });
  into.add("repair the store", {}, {}, {}, [](Input& changed) {
    for (Store& store : changed.live.stores) {
      if (store.state != StoreState::Tombstone) store.state = StoreState::Up;
    }
  });
}

}  // namespace

void store_remedies(Candidates& into, const Input& input, const Line& block) {
  const std::string& code = block.code;
  if (code == "B-TIKV-MAXREPLICAS" || code == "U-TIKV-MAXREPLICAS")
    max_replicas(into, input, block);
  if (code == "B-STALE-CLAIM") stale_claim(into, input, block);
  if (code == "B-STORE-UNKNOWN") store_unknown(into, input, block);
  if (code == "B-STORES-NOT-UP") stores_not_up(into, input);
}

}  // namespace ballast::tidb
