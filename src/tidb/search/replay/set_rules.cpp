// SPDX-License-Identifier: BSD-2-Clause
#include "rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace ballast::tidb {

namespace {

struct SetState {
  std::string statefulset;
  std::set<std::int64_t> pods;
  std::set<std::int64_t> updated;
  std::int64_t records = 0;
  bool template_sent = false;
};

class SetRules final : public Rules {
 public:
  SetRules(const Input& input, const Outcome& outcome) : Rules(input, outcome) {
    for (const Component c : kComponents) {
      for (const LiveSet& live : input.live.of(c)) {
        SetState& state = sets_[{c, live.name}];
        state.statefulset = live.statefulset;
        for (const LivePod& pod : live.pods) {
          state.pods.insert(pod.ordinal);
          if (pod.updated) state.updated.insert(pod.ordinal);
        }
        for (const Failure& failure : live.failures) state.records += adds(c, failure) ? 1 : 0;
      }
    }
    for (const Member& member : input.live.members) members_[member.name] = member.healthy;
    for (const Store& store : input.live.stores) {
      if (!store.tiflash && store.state != StoreState::Tombstone) {
        up_[store.pod] = store.state == StoreState::Up;
      }
    }
  }

 private:
  bool v16() const { return input_.options.profile == Profile::V16; }
  bool adds(Component c, const Failure& failure) const {
    return c != Component::Pd || !v16() || failure.member_deleted;
  }

  void take(const Line& step) override {
    if (!step.component || step.set.empty()) return;
    const std::pair key{*step.component, step.set};
    switch (step.action) {
      case Action::CreateStatefulSet:
        create(key, step);
        break;
      case Action::DeleteStatefulSet:
        remove_set(key, step);
        break;
      case Action::ScaleOut:
        out(key, step);
        break;
      case Action::ScaleIn:
        in(key, step);
        break;
      case Action::UpdateTemplate:
        update(key, step);
        break;
      case Action::RestartPod:
        restart(key, step);
        break;
      case Action::FailoverMark:
        mark(key);
        break;
      case Action::FailoverReplace:
        replace(key, step);
        break;
      case Action::FailoverClear:
        clear(key, step);
        break;
      case Action::Wait:
        well(step.object);
        break;
      default:
        break;
    }
  }

  using Key = std::pair<Component, std::string>;

  void well(const std::string& pod) {
    if (const auto member = members_.find(pod); member != members_.end()) member->second = true;
    if (const auto store = up_.find(pod); store != up_.end()) store->second = true;
  }

  void join(const Key& key, const std::string& pod) {
    if (key.first == Component::Pd) members_[pod] = true;
    if (key.first == Component::Tikv) up_[pod] = true;
  }

  /// None is a breach: null then.
  SetState* existing(const Key& key) {
    const auto found = sets_.find(key);
    if (found != sets_.end()) return &found->second;
    breaks("the set does not exist");
    return nullptr;
  }

  void create(const Key& key, const Line& step) {
    if (sets_.contains(key)) return breaks("the set exists already");
    const SetSpec* spec = input_.desired.find(key.first, key.second);
    if (spec == nullptr) return breaks("the set is not wished");
    SetState& state = sets_[key];
    state.statefulset = spec->statefulset;
    const bool resumed = input_.live.suspended[index_of(key.first)];
    const std::int64_t replicas = input_.options.ramp && !resumed ? 0 : spec->replicas;
    for (const std::int64_t ordinal : ordinals(replicas, spec->slots)) {
      state.pods.insert(ordinal);
      state.updated.insert(ordinal);
      join(key, pod_name(state.statefulset, ordinal));
    }
    if (step.object != state.statefulset) breaks("it has another name");
  }

  void remove_set(const Key& key, const Line& step) {
    const SetState* const set = existing(key);
    if (set == nullptr) return;
    const SetSpec* spec = input_.desired.find(key.first, key.second);
    const bool suspended = spec != nullptr && spec->suspended && step.reason_code == "SUSPENDED";
    if (!set->pods.empty() && !suspended) return breaks("the set still has pods");
    sets_.erase(key);
  }

  void out(const Key& key, const Line& step) {
    SetState* const set = existing(key);
    if (set == nullptr) return;
    SetState& state = *set;
    const SetSpec* spec = input_.desired.find(key.first, key.second);
    if (spec == nullptr) return breaks("a set that is not wished grows");
    if (step.replicas_before != static_cast<std::int64_t>(state.pods.size()))
      return breaks("replicas do not fit");
    const bool rolls = v16() && state.updated != state.pods;
    if (!state.pods.insert(step.ordinal).second) return breaks("the pod exists already");
    for (const std::int64_t o : ordinals(spec->replicas + state.records, spec->slots)) {
      if (o < step.ordinal && !state.pods.contains(o))
        return breaks("a lower ordinal is still missing");
    }
    const LiveSet* live = input_.live.find(key.first, key.second);
    const bool old_template =
        live != nullptr && !state.template_sent && !restart_fields(live->spec, *spec).empty();
    if (!old_template && !rolls) state.updated.insert(step.ordinal);
    join(key, step.object);
  }

  void in(const Key& key, const Line& step) {
    SetState* const set = existing(key);
    if (set == nullptr) return;
    SetState& state = *set;
    if (step.replicas_before != static_cast<std::int64_t>(state.pods.size()))
      return breaks("replicas do not fit");
    if (!state.pods.contains(step.ordinal)) return breaks("the pod does not exist");
    if (key.first == Component::Pd && !step.forced) leave_pd(step.object);
    if (key.first == Component::Tikv) leave_tikv(step.object);
    state.pods.erase(step.ordinal);
    state.updated.erase(step.ordinal);
    const SetSpec* spec = input_.desired.find(key.first, key.second);
    if (spec == nullptr) return;
    const auto stay = ordinals(spec->replicas + state.records, spec->slots);
    if (std::ranges::binary_search(stay, step.ordinal)) return breaks("a wished pod is removed");
  }

  std::int64_t healthy() const {
    return std::ranges::count_if(members_, [](const auto& member) { return member.second; });
  }

  void leave_pd(const std::string& pod) {
    if (members_.erase(pod) == 0 || members_.empty() || !safe()) return;
    if (healthy() < static_cast<std::int64_t>(members_.size()) / 2 + 1)
      breaks("PD loses its majority");
  }

  void leave_tikv(const std::string& pod) {
    const auto store = up_.find(pod);
    const bool is_up = store != up_.end() && store->second;
    const auto up = std::ranges::count_if(up_, [](const auto& one) { return one.second; });
    const bool guarded = safe() && (!v16() || input_.live.bootstrapped);
    if (guarded && (up < input_.max_replicas || (up == input_.max_replicas && is_up))) {
      breaks("TiKV falls below its copies");
    }
    if (store != up_.end()) up_.erase(store);
  }

  void update(const Key& key, const Line& step) {
    SetState* const set = existing(key);
    if (set == nullptr) return;
    set->updated.clear();
    set->template_sent = true;
    const SetSpec* spec = input_.desired.find(key.first, key.second);
    const LiveSet* live = input_.live.find(key.first, key.second);
    for (const std::int64_t ordinal : set->pods) {
      const LivePod* pod = live == nullptr ? nullptr : live->pod(ordinal);
      if (pod != nullptr && pod->has_wished) set->updated.insert(ordinal);
    }
    const bool by_hand =
        (spec != nullptr && spec->on_delete) || (live != nullptr && !live->rolling_update);
    if (!step.forced && !by_hand) return;
    set->updated = set->pods;
    if (step.forced) {
      for (auto& [name, is_well] : members_) is_well = true;
    }
  }

  void restart(const Key& key, const Line& step) {
    const auto found = sets_.find(key);
    if (found == sets_.end() || !found->second.pods.contains(step.ordinal))
      return breaks("the pod does not exist");
    for (const std::int64_t other : found->second.pods) {
      if (other > step.ordinal && !found->second.updated.contains(other)) {
        return breaks("a higher ordinal is still outdated");
      }
    }
    if (key.first == Component::Pd && members_.size() >= 3 && safe() && members_[step.object] &&
        healthy() - 1 < static_cast<std::int64_t>(members_.size()) / 2 + 1) {
      return breaks("PD loses its majority");
    }
    found->second.updated.insert(step.ordinal);
    well(step.object);
  }

  void mark(const Key& key) {
    if (key.first != Component::Pd || !v16()) ++sets_[key].records;
  }

  void replace(const Key& key, const Line& step) {
    if (v16()) ++sets_[key].records;
    members_[step.object] = true;
  }

  void clear(const Key& key, const Line& step) {
    sets_[key].records = std::max<std::int64_t>(0, sets_[key].records - step.count);
  }

  [[nodiscard]] std::string end() const override {
    for (const Component c : kComponents) {
      if (!input_.desired.given[index_of(c)]) continue;
      if (std::ranges::any_of(input_.desired.of(c), &SetSpec::suspended)) {
        const bool left =
            std::ranges::any_of(sets_, [&](const auto& set) { return set.first.first == c; });
        if (left) return fmt::format("{} is to be suspended, and still runs", name_of(c));
        continue;
      }
      for (const SetSpec& spec : input_.desired.of(c)) {
        const auto found = sets_.find({c, spec.name});
        if (found == sets_.end()) return fmt::format("{} is missing", spec.statefulset);
        const SetState& state = found->second;
        const auto wanted = ordinals(spec.replicas + state.records, spec.slots);
        if (!std::ranges::equal(wanted, state.pods))
          return fmt::format("{} has other pods than wished", spec.statefulset);
        if (!(c == Component::Tidb && spec.replicas == 0) && state.updated != state.pods) {
          const LiveSet* live = input_.live.find(c, spec.name);
          const bool wanted_update =
              live != nullptr && (!restart_fields(live->spec, spec).empty() || live->rolling());
          if (wanted_update) return fmt::format("{} has outdated pods", spec.statefulset);
        }
      }
      for (const auto& [key, state] : sets_) {
        if (key.first == c && input_.desired.find(c, key.second) == nullptr) {
          return fmt::format("{} is still there", state.statefulset);
        }
      }
    }
    return {};
  }

  std::map<Key, SetState> sets_;
  std::map<std::string, bool> members_;
  std::map<std::string, bool> up_;
};

}  // namespace

std::unique_ptr<Rules> set_rules(const Input& input, const Outcome& outcome) {
  return std::make_unique<SetRules>(input, outcome);
}

}  // namespace ballast::tidb
