// SPDX-License-Identifier: BSD-2-Clause
#include "rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace ballast::tidb {

namespace {

struct Tally {
  std::int64_t updated = 0;
  std::int64_t outdated = 0;
  std::int64_t marked = 0;        // to be deleted at the end
  std::int64_t offline = 0;       // stores on their way out
  std::int64_t away = 0;          // new, or restarted while they were well, in this phase
  std::set<std::string> known;    // names of instances, where they are known
  std::set<std::string> broken;   // not running at the start
  std::set<std::string> leaving;  // marked or offline, by name
  bool changes = false;           // its template
  bool told = false;
};

class GroupRules final : public Rules {
 public:
  GroupRules(const Input& input, const Outcome& outcome) : Rules(input, outcome) {
    for (const Component c : kComponents) {
      for (const LiveSet& live : input.live.of(c)) {
        Tally& group = groups_[{c, live.name}];
        const SetSpec* spec = input.desired.find(c, live.name);
        group.changes = spec != nullptr && !restart_fields(live.spec, *spec).empty();
        for (const LivePod& pod : live.pods) {
          const Store* store = c == Component::Tikv ? input.live.store_of(pod.name) : nullptr;
          const bool offline = store != nullptr && store->state == StoreState::Offline;
          const bool updated = group.changes ? pod.has_wished : pod.updated;
          const bool marked =
              pod.marked || (store != nullptr && store->state == StoreState::Tombstone);
          ++(marked    ? group.marked
             : offline ? group.offline
             : updated ? group.updated
                       : group.outdated);
          if (marked || offline) group.leaving.insert(pod.name);
          if (!pod.running) group.broken.insert(pod.name);
          if (!pod.name.ends_with('?')) group.known.insert(pod.name);
        }
      }
    }
    for (const Member& member : input.live.members) members_[member.name].push_back(member.healthy);
    for (const Store& store : input.live.stores) {
      if (!store.tiflash && store.state != StoreState::Tombstone)
        stores_[store.pod].push_back(store.state == StoreState::Up);
    }
  }

 private:
  using Key = std::pair<Component, std::string>;
  /// By name; those of instances without a known name are told apart by nothing else.
  using Standing = std::map<std::string, std::vector<bool>>;

  void take(const Line& step) override {
    if (step.phase < phase_) return breaks("its phase has passed");
    if (step.phase > phase_) {
      phase_ = step.phase;
      for (auto& [key, group] : groups_) group.away = 0;
      away_ = 0;
    }
    const Key key{*step.component, step.set};
    const bool moves = step.action == Action::ScaleOut || step.action == Action::ScaleIn ||
                       step.action == Action::MarkInstance || step.action == Action::RestartPod;
    if (step.action == Action::CreateStatefulSet) return create(key);
    const auto found = groups_.find(key);
    if (!moves && step.action != Action::DeleteStatefulSet && step.action != Action::UpdateTemplate)
      return;
    if (found == groups_.end()) return breaks("the group does not exist");
    Tally& group = found->second;
    if (step.action == Action::UpdateTemplate) group.told = true;
    if (step.action == Action::ScaleOut) out(key, group, step);
    if (step.action == Action::ScaleIn) in(key, group, step);
    if (step.action == Action::MarkInstance) mark(group, step);
    if (step.action == Action::RestartPod) restart(key, group, step);
    if (step.action == Action::DeleteStatefulSet) {
      if (existing(group) > 0) return breaks("the group still has instances");
      groups_.erase(found);
    }
  }

  void create(const Key& key) {
    const SetSpec* spec = input_.desired.find(key.first, key.second);
    if (spec == nullptr || groups_.contains(key)) return breaks("the group is not new");
    groups_[key].updated = spec->replicas;
    for (std::int64_t i = 0; i < spec->replicas; ++i) join(key, spec->statefulset + "-??????");
  }

  void join(const Key& key, const std::string& name) {
    if (key.first == Component::Pd) members_[name].push_back(true);
    if (key.first == Component::Tikv) stores_[name].push_back(true);
  }

  void out(const Key& key, Tally& group, const Line& step) {
    const SetSpec* spec = input_.desired.find(key.first, key.second);
    if (spec == nullptr) return breaks("a group that is not wished grows");
    if (step.replicas_before != existing(group)) return breaks("replicas do not fit");
    ++group.away;
    if (group.offline > 0) {
      --group.offline;
      ++group.updated;
      group.leaving.erase(step.object);
      return join(key, step.object);
    }
    const std::int64_t total = group.updated + group.outdated;
    const std::int64_t surge = key.first == Component::Tidb ? spec->max_surge : 0;
    if (total + 1 > spec->replicas + std::min(surge, group.outdated))
      return breaks("more instances than wished and surge");
    if (group.changes && !group.told) return breaks("the new template is not written yet");
    ++group.updated;
    join(key, step.object);
  }

  static std::int64_t existing(const Tally& group) {
    return group.updated + group.outdated + group.marked + group.offline;
  }

  void mark(Tally& group, const Line& step) {
    if (group.outdated == 0) return breaks("nothing outdated is left to mark");
    --group.outdated;
    ++group.marked;
    group.leaving.insert(step.object);
  }

  /// The peer that leaves, and whether it was well: the named one, else one of the group.
  bool leave(Standing& peers, const Key& key, const std::string& name) {
    auto found = peers.find(name);
    if (found == peers.end()) {
      const SetSpec* spec = input_.desired.find(key.first, key.second);
      const LiveSet* live = input_.live.find(key.first, key.second);
      const std::string prefix = (spec != nullptr ? spec->statefulset : live->statefulset) + "-";
      found = std::ranges::find_if(peers, [&](const auto& peer) {
        return peer.first.starts_with(prefix) && peer.second.back();
      });
    }
    if (found == peers.end()) return false;
    const bool well = found->second.back();
    found->second.pop_back();
    if (found->second.empty()) peers.erase(found);
    return well;
  }

  static std::int64_t well(const Standing& peers) {
    std::int64_t count = 0;
    for (const auto& [name, states] : peers) count += std::ranges::count(states, true);
    return count;
  }

  static std::int64_t all(const Standing& peers) {
    std::int64_t count = 0;
    for (const auto& [name, states] : peers) count += static_cast<std::int64_t>(states.size());
    return count;
  }

  void in(const Key& key, Tally& group, const Line& step) {
    const SetSpec* spec = input_.desired.find(key.first, key.second);
    const std::int64_t wished = spec == nullptr ? 0 : spec->replicas;
    if (step.replicas_before != existing(group)) return breaks("replicas do not fit");
    const bool known = !step.object.ends_with('?');
    if (known && group.known.erase(step.object) == 0) return breaks("the instance does not exist");
    if (group.leaving.contains(step.object) && group.marked + group.offline > 0) {
      if (group.outdated > 0) return breaks("a marked instance leaves before the roll-out is done");
      --(group.marked > 0 ? group.marked : group.offline);
    } else {
      if (group.updated <= wished) return breaks("a wished instance leaves");
      --group.updated;
    }
    if (key.first == Component::Pd) {
      leave(members_, key, step.object);
      const std::int64_t left = all(members_);
      if (safe() && left > 0 && well(members_) - away_ < left / 2 + 1)
        breaks("PD loses its majority");
    }
    if (key.first == Component::Tikv) {
      const std::int64_t up = well(stores_);
      const bool was_up = leave(stores_, key, step.object);
      if (safe() && (up < input_.max_replicas || (up == input_.max_replicas && was_up)))
        breaks("TiKV falls below its copies");
    }
  }

  void restart(const Key& key, Tally& group, const Line& step) {
    if (group.outdated == 0) return breaks("nothing is outdated");
    if (group.changes && !group.told) return breaks("the new template is not written yet");
    if (!group.broken.contains(step.object)) {
      const SetSpec* spec = input_.desired.find(key.first, key.second);
      const std::int64_t least =
          (spec == nullptr ? 0 : spec->replicas) - (key.first == Component::Tidb ? 0 : 1);
      if (group.updated + group.outdated - group.away <= least)
        return breaks("too few instances stay available");
      ++group.away;
    }
    group.broken.erase(step.object);
    --group.outdated;
    ++group.updated;
    if (key.first == Component::Tikv) {
      const auto store = stores_.find(step.object);
      if (store != stores_.end()) store->second.assign(store->second.size(), true);
    }
    if (key.first != Component::Pd) return;
    const bool was_well = leave(members_, key, step.object);
    if (safe() && was_well && all(members_) + 1 >= 3 &&
        well(members_) - away_ < (all(members_) + 1) / 2 + 1) {
      return breaks("PD loses its majority");
    }
    if (was_well) ++away_;
    members_[step.object].push_back(true);
  }

  [[nodiscard]] std::string end() const override {
    for (const Component c : kComponents) {
      if (!input_.desired.given[index_of(c)]) continue;
      for (const SetSpec& spec : input_.desired.of(c)) {
        const auto found = groups_.find({c, spec.name});
        if (found == groups_.end()) return fmt::format("{} is missing", spec.name);
        if (found->second.updated != spec.replicas || existing(found->second) != spec.replicas)
          return fmt::format("{} is not as wished", spec.name);
      }
      for (const auto& [key, group] : groups_) {
        if (key.first == c && input_.desired.find(c, key.second) == nullptr)
          return fmt::format("{} is still there", key.second);
      }
    }
    return {};
  }

  std::map<Key, Tally> groups_;
  Standing members_;
  Standing stores_;
  int phase_ = 0;
  std::int64_t away_ = 0;
};

}  // namespace

std::unique_ptr<Rules> group_rules(const Input& input, const Outcome& outcome) {
  return std::make_unique<GroupRules>(input, outcome);
}

}  // namespace ballast::tidb
