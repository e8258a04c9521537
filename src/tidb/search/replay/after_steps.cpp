// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/replay/after_steps.hpp"

#include "ballast/tidb/search/basis/wellness.hpp"
#include "live_edit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

class Applier {
 public:
  explicit Applier(const Input& input)
      : result_(input), live_(result_.live), edit_(live_, input.options.profile != Profile::V2) {
    for (const Component c : kComponents) {
      for (LiveSet& set : live_.of(c)) edit_.name_all(set);
    }
  }

  void apply(const Line& step) {
    ++n_;
    if (!step.component) return other(step);
    LiveSet* set = live_.find(*step.component, step.set);
    const SetSpec* wished = result_.desired.find(*step.component, step.set);
    switch (step.action) {
      case Action::CreateStatefulSet:
        if (wished != nullptr) create(*wished, step);
        return;
      case Action::UpdateService:
        services(step);
        return;
      case Action::Wait:
        wait(step, set);
        return;
      default:
        if (set != nullptr) change(*set, wished, step);
        return;
    }
  }

  Input take() { return std::move(result_); }

 private:
  bool is_v2() const { return result_.options.profile == Profile::V2; }

  void change(LiveSet& set, const SetSpec* wished, const Line& step) {
    switch (step.action) {
      case Action::DeleteStatefulSet:
        remove_set(set, step);
        return;
      case Action::ScaleOut:
        if (wished != nullptr) out(set, *wished, step);
        return;
      case Action::ScaleIn:
        in(set, step);
        return;
      case Action::MarkInstance:
        if (LivePod* pod = edit_.instance(set, step.object, false)) pod->marked = true;
        return;
      case Action::UpdateTemplate:
        if (wished != nullptr) update(set, *wished, step);
        return;
      case Action::UpdateConfigMap:
        if (wished != nullptr) set.spec.config = wished->config;
        return;
      case Action::RestartPod:
        restart(set, step);
        return;
      case Action::FailoverMark:
        mark(set, step);
        return;
      case Action::FailoverReplace:
        replace(set, step);
        return;
      case Action::FailoverClear:
        std::erase_if(set.failures, [&](const Failure& failure) {
          return std::ranges::find(step.dropped, failure.pod) != step.dropped.end();
        });
        return;
      case Action::ExpandVolume:
        if (wished != nullptr) expand(set, *wished, step);
        return;
      default:
        return;
    }
  }

  /// A component that is not planned: suspended, or resumed.
  void other(const Line& step) {
    if (step.action == Action::CreateDiscovery) live_.exists = true;
    if (step.other.empty()) return;
    live_.other_phases[step.other] =
        step.action == Action::DeleteStatefulSet ? "Suspend" : "Normal";
  }

  void services(const Line& step) {
    if (!result_.current) return;
    for (const Component c : kComponents) {
      for (SetSpec& set : result_.current->of(c)) {
        const SetSpec* wished = result_.desired.find(c, set.name);
        const bool concerned = c == step.component && (step.set.empty() || step.set == set.name);
        if (wished != nullptr && concerned) set.service = wished->service;
      }
    }
    if (step.component == Component::Pd) result_.current->services = result_.desired.services;
  }

  void create(const SetSpec& spec, const Line& step) {
    const Component c = spec.component;
    live_.exists = true;
    LiveSet set;
    set.component = c;
    set.name = spec.name;
    set.statefulset = spec.statefulset;
    set.spec = spec;
    set.current_revision = set.update_revision = spec.statefulset + "-1";
    const auto all = is_v2() ? ordinals(step.count, {}) : ordinals(step.count, spec.slots);
    for (const std::int64_t ordinal : all) {
      const std::string name =
          is_v2() ? set.statefulset + "-?" : pod_name(set.statefulset, ordinal);
      set.pods.push_back(edit_.fresh(set, name, ordinal));
      if (live_.store_of(set.pods.back().name) == nullptr) edit_.join(c, set.pods.back().name);
    }
    set.replicas = step.count;
    live_.suspended[index_of(c)] = false;
    if (live_.phase[index_of(c)] == "Suspend") live_.phase[index_of(c)] = "Normal";
    if (live_.synced[index_of(c)]) live_.synced[index_of(c)] = true;
    live_.of(c).push_back(std::move(set));
    // What was created is as wished.
    if (!result_.current) {
      result_.current = result_.desired;
      for (auto& sets : result_.current->sets) sets.clear();
    }
    auto& listed = result_.current->of(c);
    if (std::ranges::find(listed, spec.name, &SetSpec::name) == listed.end())
      listed.push_back(spec);
    result_.current->given[index_of(c)] = true;
  }

  void remove_set(LiveSet& set, const Line& step) {
    const Component c = set.component;
    const std::string name = set.name;
    auto& all = live_.of(c);
    if (step.reason_code == "SUSPENDED") {
      for (const LivePod& pod : set.pods) edit_.leave(c, pod.name, true);
    } else if (result_.current) {
      std::erase_if(result_.current->of(c), [&](const SetSpec& s) { return s.name == name; });
    }
    all.erase(all.begin() + (&set - all.data()));
    if (step.reason_code == "SUSPENDED" && all.empty()) {
      live_.suspended[index_of(c)] = true;
      live_.phase[index_of(c)] = "Suspend";
    }
  }

  void out(LiveSet& set, const SetSpec& wished, const Line& step) {
    if (is_v2()) {
      if (step.replicas_before == step.replicas_after) {  // an offline one taken back
        if (Store* store = live_.store_of(step.object)) store->state = StoreState::Up;
        if (LivePod* pod = edit_.instance(set, step.object, false)) pod->updated = true;
        return;
      }
      set.pods.push_back(edit_.fresh(set, step.object, set.replicas));
      edit_.join(set.component, set.pods.back().name);
    } else {
      LivePod pod = edit_.fresh(set, step.object, step.ordinal);
      const bool is_old = result_.options.profile == Profile::V16
                              ? set.gives_old_template()
                              : set.rolling() && set.partition && step.ordinal < *set.partition;
      pod.updated = restart_fields(set.spec, wished).empty() && !is_old;
      if (!pod.updated) pod.revision = set.current_revision;
      const auto place = std::ranges::lower_bound(set.pods, step.ordinal, {}, &LivePod::ordinal);
      set.pods.insert(place, std::move(pod));
      edit_.join(set.component, step.object);
      for (const std::string& claim_template : wished.claim_templates) {
        const std::string claim = claim_name(claim_template, step.object);
        std::erase_if(live_.claims, [&](const Claim& c) { return c.name == claim && c.deferred; });
      }
    }
    set.replicas = static_cast<std::int64_t>(set.pods.size());
    hold_back(set);
  }

  /// A pass that scales writes the partition as it is without a roll-out.
  void hold_back(LiveSet& set) const {
    if (result_.options.profile == Profile::V16 && set.partition)
      set.partition = static_cast<std::int64_t>(set.pods.size() + set.spec.slots.size());
  }

  void in(LiveSet& set, const Line& step) {
    LivePod* pod = edit_.instance(set, step.object, true);
    if (pod == nullptr) return;
    const std::string name = pod->name;
    if (!is_v2()) {
      for (const std::string& claim_template : set.spec.claim_templates)
        edit_.mark_claim(claim_name(claim_template, name), name);
    }
    if (step.forced) {
      if (Member* member = live_.member_of(name)) member->healthy = false;
    } else {
      edit_.leave(set.component, name, false);
      if (step.awaits_majority) regain_majority(live_);
    }
    if (!step.leader.empty()) live_.leader = step.leader;
    std::erase_if(set.pods, [&](const LivePod& p) { return p.name == name; });
    set.replicas = static_cast<std::int64_t>(set.pods.size());
    hold_back(set);
    edit_.finish_rolling(set);
  }

  void update(LiveSet& set, const SetSpec& wished, const Line& step) {
    const auto storage = set.spec.storage_bytes;
    const std::string storage_class = set.spec.storage_class;
    set.spec = wished;
    set.spec.storage_bytes = storage;
    set.spec.storage_class = storage_class;
    set.partition = step.partition;
    set.update_revision = fmt::format("{}-planned{}", set.statefulset, n_);
    bool goes_back = false;  // to a revision that some pods have
    for (const LivePod& pod : set.pods) {
      if (!pod.has_wished || pod.revision.empty()) continue;
      set.update_revision = pod.revision;
      goes_back = true;
    }
    set.generation_pending = false;
    if (set.current_revision.empty() || (set.current_revision == set.update_revision && !goes_back))
      set.current_revision = set.statefulset + "-before";
    for (LivePod& pod : set.pods) {
      if (pod.revision.empty()) pod.revision = set.current_revision;
      pod.updated = step.forced || pod.has_wished;
      pod.has_wished = false;
      if (pod.updated) pod.revision = set.update_revision;
      if (step.forced) edit_.make_well(set, pod);
    }
    if (step.forced) live_.synced[index_of(Component::Pd)] = true;
    current_as_running(set);
    edit_.finish_rolling(set);
  }

  /// The specification of what runs.
  void current_as_running(const LiveSet& set) {
    if (!result_.current) return;
    for (SetSpec& listed : result_.current->of(set.component)) {
      if (listed.name != set.name) continue;
      const std::int64_t replicas = listed.replicas;
      listed = set.spec;
      listed.replicas = replicas;
    }
  }

  void restart(LiveSet& set, const Line& step) {
    LivePod* pod = edit_.instance(set, step.object, false);
    if (pod == nullptr) return;
    pod->updated = true;
    pod->revision = set.update_revision;
    pod->image = set.spec.image;
    pod->evict_begin.reset();
    pod->evict_end.reset();
    pod->asked_eviction.clear();
    if (set.component == Component::Pd) edit_.join(set.component, pod->name);
    edit_.make_well(set, *pod);
    if (step.partition) set.partition = step.partition;
    if (!step.leader.empty()) live_.leader = step.leader;
    if (is_v2() && live_.leader == pod->name) live_.leader.clear();
    edit_.finish_rolling(set);
  }

  void wait(const Line& step, LiveSet* set) {
    if (step.component) {
      std::string& phase = live_.phase[index_of(*step.component)];
      if (step.reason_code == "SUSPENDED") phase = "Normal";
      auto& synced = live_.synced[index_of(*step.component)];
      if (synced) synced = true;
    }
    if (result_.options.assume_healthy) {
      for (Member& member : live_.members) member.healthy = true;
      for (Store& store : live_.stores) {
        if (store.state != StoreState::Tombstone && store.state != StoreState::Offline)
          store.state = StoreState::Up;
      }
    }
    if (set == nullptr) return;
    const auto pod = std::ranges::find(set->pods, step.object, &LivePod::name);
    if (pod == set->pods.end()) return;
    if (step.reason_code == "EVICTION_ASKED") {
      pod->asked_eviction.clear();
      std::erase(live_.asked_evictions, pod->name);
    }
    const bool came_to_be = step.reason_code != "REPLICAS_LOWERED";
    if (came_to_be) edit_.make_well(*set, *pod);
    // Known for long enough by now not to have a store.
    if (!came_to_be) pod->created = result_.options.now - 1000;
    Store* store = set->component == Component::Tikv ? live_.store_of(pod->name) : nullptr;
    if (store != nullptr && came_to_be) {
      store->leaders_before.reset();
      pod->evict_end.reset();
      pod->evict_begin.reset();
    }
    edit_.finish_rolling(*set);
  }

  void mark(LiveSet& set, const Line& step) {
    Failure failure;
    failure.pod = step.object;
    const Member* member = set.component == Component::Pd ? live_.member_of(step.object) : nullptr;
    failure.id = member != nullptr ? member->id : step.store;
    failure.created = result_.options.now;
    set.failures.push_back(std::move(failure));
    if (set.component == Component::Tikv && live_.failover_uid.empty())
      live_.failover_uid = "planned";
  }

  void replace(LiveSet& set, const Line& step) {
    for (Failure& failure : set.failures) {
      if (failure.pod == step.object) failure.member_deleted = true;
    }
    if (live_.leader == step.object) live_.leader.clear();
    const auto pod = std::ranges::find(set.pods, step.object, &LivePod::name);
    if (pod != set.pods.end()) edit_.make_well(set, *pod);
    if (Member* member = live_.member_of(step.object)) {
      member->healthy = true;
      member->since.reset();
    }
  }

  void expand(LiveSet& set, const SetSpec& wished, const Line& step) {
    edit_.claim_named(step.object).request_bytes = wished.storage_bytes;
    const bool last = set.pods.empty() || step.object.ends_with(set.pods.back().name);
    if (!last) return;
    set.spec.storage_bytes = wished.storage_bytes;
    current_as_running(set);
  }

  Input result_;
  Live& live_;
  LiveEdit edit_;
  std::size_t n_ = 0;
};

}  // namespace

Input after_steps(const Input& input, const Outcome& outcome, std::size_t count) {
  Applier applier(input);
  for (std::size_t i = 0; i < outcome.steps.size() && i < count; ++i) {
    const Line& step = outcome.steps[i];
    if (is_step(step)) applier.apply(step);
  }
  return applier.take();
}

std::string end_of(const Input& input) {
  std::string text;
  for (const Component c : kComponents) {
    std::vector<std::string> lines;
    for (const LiveSet& set : input.live.of(c)) {
      lines.push_back(
          fmt::format("{} {} pods, {} updated, {} records\n", set.statefulset, set.pods.size(),
                      std::ranges::count_if(set.pods, &LivePod::updated), set.failures.size()));
    }
    std::ranges::sort(lines);
    for (const std::string& line : lines) text += line;
  }
  return text + fmt::format("{} stores Up, {} members\n", input.live.up_stores(),
                            input.live.members.size());
}

}  // namespace ballast::tidb
