// SPDX-License-Identifier: BSD-2-Clause
#include "weakest.hpp"

#include "ballast/plan/replay.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <string>

namespace ballast::tidb {

namespace {

/// How many peers of a component there are, and how many of them are well.
struct Peers {
  std::set<std::string> all;
  std::set<std::string> well;
  std::int64_t unnamed = 0;  // well ones that nothing tells apart
  std::int64_t away = 0;     // well ones that restart in this phase
  bool touched = false;

  std::int64_t left() const { return static_cast<std::int64_t>(well.size()) + unnamed - away; }
  std::int64_t total() const { return static_cast<std::int64_t>(all.size()) + unnamed; }
  void add(const std::string& name, bool is_well) {
    if (name.ends_with('?')) {
      unnamed += is_well ? 1 : 0;
      return;
    }
    all.insert(name);
    if (is_well) well.insert(name);
  }
  void remove(const std::string& name) {
    if (all.erase(name) == 0 && unnamed > 0) --unnamed;
    well.erase(name);
  }
};

class Follower {
 public:
  explicit Follower(const Input& input) : input_(input) {
    for (const Member& member : input.live.members)
      of(Component::Pd).add(member.name, member.healthy);
    for (const Store& store : input.live.stores) {
      if (!store.tiflash && store.state != StoreState::Tombstone)
        of(Component::Tikv).add(store.pod, store.state == StoreState::Up);
    }
    for (const LiveSet& set : input.live.of(Component::Tidb)) {
      for (const LivePod& pod : set.pods)
        of(Component::Tidb).add(pod.name, pod.ready && pod.healthy);
    }
    for (const Component c : kComponents) note(c, std::nullopt);
  }

  void begin_phase() {
    for (Peers& peers : peers_) peers.away = 0;
  }

  void apply(const Line& step, int n) {
    if (!step.component) return;
    const Component c = *step.component;
    Peers& peers = of(c);
    switch (step.action) {
      case Action::CreateStatefulSet:
        create(c, step);
        return;
      case Action::ScaleOut:
        peers.add(step.object, true);
        return;
      case Action::RestartPod:
        peers.touched = true;
        if (peers.well.contains(step.object)) {
          ++peers.away;
        } else if (step.object.ends_with('?')) {
          ++peers.away;
        }
        note(c, n);
        if (peers.all.contains(step.object)) peers.well.insert(step.object);
        return;
      case Action::ScaleIn:
      case Action::FailoverReplace:
        peers.touched = true;
        peers.remove(step.object);
        note(c, n);
        if (step.action == Action::FailoverReplace) peers.add(step.object, true);
        return;
      case Action::DeleteStatefulSet:
        if (step.count == 0) return;
        peers = {};
        peers.touched = true;
        note(c, n);
        return;
      default:
        return;
    }
  }

  std::vector<plan::Weakest> take() {
    std::vector<plan::Weakest> result;
    for (const Component c : kComponents) {
      if (!of(c).touched || !input_.live.exists) continue;
      std::ranges::move(moments_[index_of(c)].take(), std::back_inserter(result));
    }
    return result;
  }

 private:
  Peers& of(Component c) { return peers_[index_of(c)]; }

  void create(Component c, const Line& step) {
    const SetSpec* spec = input_.desired.find(c, step.set);
    if (spec == nullptr) return;
    for (std::int64_t i = 0; i < step.count; ++i)
      of(c).add(input_.options.profile == Profile::V2 ? "?" : pod_name(spec->statefulset, i), true);
  }

  std::int64_t required(Component c) {
    if (c == Component::Pd) return of(c).total() / 2 + 1;
    return c == Component::Tikv ? input_.max_replicas : 1;
  }

  void note(Component c, std::optional<int> n) {
    moments_[index_of(c)].look({c == Component::Pd ? "quorum" : "replicas", std::string(name_of(c)),
                                of(c).left(), required(c)},
                               n);
  }

  const Input& input_;
  std::array<Peers, kComponentCount> peers_;
  std::array<plan::WeakestMoments, kComponentCount> moments_;
};

/// What has no spare while the step runs.
std::optional<plan::Unprotected> unprotected_by(const Line& step, int n) {
  if (!step.component || *step.component == Component::Tidb) return std::nullopt;
  const bool restarts = step.action == Action::RestartPod || step.action == Action::FailoverReplace;
  if (!restarts) return std::nullopt;
  return plan::Unprotected{
      *step.component == Component::Pd ? "PD member" : "one copy of its regions", step.object, n};
}

}  // namespace

void add_weakest(const Input& input, const Outcome& outcome, plan::Plan& plan) {
  Follower follower(input);
  std::size_t next = 0;
  int phase = 0;
  for (const Line& step : outcome.steps) {
    if (step.action == Action::Blocked || step.action == Action::Deferred) continue;
    plan::Step& told = plan.steps[next++];
    if (told.phase != phase) follower.begin_phase();
    phase = told.phase;
    follower.apply(step, told.n);
    if (auto unprotected = unprotected_by(step, told.n))
      told.unprotected.push_back(std::move(*unprotected));
  }
  plan.weakest = follower.take();
}

}  // namespace ballast::tidb
