// SPDX-License-Identifier: BSD-2-Clause
#include "peers.hpp"

#include <utility>

namespace ballast::tidb {

namespace {

bool takes_away(const Line& step) {
  return step.action == Action::RestartPod || step.action == Action::ScaleIn ||
         step.action == Action::FailoverReplace ||
         (step.action == Action::DeleteStatefulSet && step.count > 0);
}

}  // namespace

std::int64_t Peers::Side::left() const {
  return static_cast<std::int64_t>(well.size()) + unnamed - away;
}

std::int64_t Peers::Side::total() const { return static_cast<std::int64_t>(all.size()) + unnamed; }

void Peers::Side::add(const std::string& name, bool is_well) {
  if (name.ends_with('?')) {
    unnamed += is_well ? 1 : 0;
    return;
  }
  all.insert(name);
  if (is_well) well.insert(name);
}

void Peers::Side::remove(const std::string& name) {
  if (all.erase(name) == 0 && unnamed > 0) --unnamed;
  well.erase(name);
}

void Peers::Side::restart(const std::string& name) {
  if (well.contains(name) || name.ends_with('?')) ++away;
  if (all.contains(name)) comes = name;
}

void Peers::Side::empty() {
  const bool was_touched = is_touched;
  *this = {};
  is_touched = was_touched;
}

void Peers::Side::settle() {
  if (const std::string name = std::exchange(comes, {}); !name.empty()) add(name, true);
}

Peers::Peers(const Input& input, const Outcome& outcome) : input_(input) {
  for (const Line& step : outcome.made()) {
    if (step.component && takes_away(step)) of(*step.component).is_touched = input.live.exists;
  }
  for (const Member& member : input.live.members)
    of(Component::Pd).add(member.name, member.healthy);
  for (const Store& store : input.live.stores) {
    if (!store.tiflash && store.state != StoreState::Tombstone)
      of(Component::Tikv).add(store.pod, store.state == StoreState::Up);
  }
  for (const LiveSet& set : input.live.of(Component::Tidb)) {
    for (const LivePod& pod : set.pods) of(Component::Tidb).add(pod.name, pod.ready && pod.healthy);
  }
}

void Peers::apply(const Line& step) {
  const bool is_new_phase = before_ == nullptr || !is_beside(*before_, step);
  before_ = &step;
  for (Side& side : sides_) {
    side.settle();
    if (is_new_phase) side.away = 0;
  }
  if (!step.component) return;
  Side& side = of(*step.component);
  switch (step.action) {
    case Action::CreateStatefulSet:
      return create(*step.component, step);
    case Action::ScaleOut:
      return side.add(step.object, true);
    case Action::RestartPod:
      return side.restart(step.object);
    case Action::ScaleIn:
      return side.remove(step.object);
    case Action::FailoverReplace:
      side.remove(step.object);
      side.comes = step.object;
      return;
    case Action::DeleteStatefulSet:
      if (step.count > 0) side.empty();
      return;
    default:
      return;
  }
}

void Peers::create(Component c, const Line& step) {
  const SetSpec* spec = input_.desired.find(c, step.set);
  if (spec == nullptr) return;
  for (std::int64_t i = 0; i < step.count; ++i)
    of(c).add(input_.options.profile == Profile::V2 ? "?" : pod_name(spec->statefulset, i), true);
}

std::int64_t Peers::required(Component c) const {
  if (c == Component::Pd) return sides_[index_of(c)].total() / 2 + 1;
  return c == Component::Tikv ? input_.max_replicas : 1;
}

std::vector<plan::Margin> Peers::margins() const {
  std::vector<plan::Margin> margins;
  for (const Component c : kComponents) {
    const Side& side = sides_[index_of(c)];
    const std::string where(name_of(c));
    if (side.is_touched)
      margins.push_back(
          {c == Component::Pd ? "quorum" : "replicas", where, side.left(), required(c), where});
  }
  return margins;
}

}  // namespace ballast::tidb
