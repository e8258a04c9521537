// SPDX-License-Identifier: BSD-2-Clause
// suspendAction.suspendStatefulSet: the StatefulSets of a component go with all of their pods, and
// come again when it is taken off. Claims, volumes, services and ConfigMaps stay.
#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"
#include "ballast/tidb/search/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ballast::tidb {

namespace {

/// A component is not suspended before those in front of it are.
constexpr std::array<std::string_view, 6> kSuspendOrder{"tidb", "tiflash", "ticdc",
                                                        "tikv", "pump",    "pd"};

/// The planned component that a component is reconciled right before.
std::optional<Component> handled_before(std::string_view name) {
  if (const auto c = component_named(name)) return c;
  if (name == "tiflash") return Component::Tikv;
  if (name == "pump") return Component::Tidb;
  return std::nullopt;  // after all of them
}

}  // namespace

bool Engine::is_suspended(Component c) const {
  return std::ranges::any_of(input_.desired.of(c), &SetSpec::suspended);
}

/// Its turn comes later, so what else is wished of it is done first: while it is in another phase
/// than Normal, and while one in front of it is still there.
bool Engine::changes_before_suspension(Component c) const {
  const std::string& phase = live_.phase[index_of(c)];
  if (phase == "Upgrade" || phase == "Scale") return true;
  for (const std::string_view name : kSuspendOrder) {
    if (name == name_of(c)) return false;
    const auto other = component_named(name);
    if (other ? is_suspended(*other) && !live_.of(*other).empty() : other_goes(std::string(name)))
      return true;
  }
  return false;
}

/// Whether a component that is reconciled before it scales or upgrades in this plan. A pod for a
/// failure that is only found now comes later than that.
bool Engine::earlier_change(Component c) const {
  const auto is_found_now = [&](const Line& added) {
    return added.reason_code == "FAILOVER_RECORDED" &&
           std::ranges::any_of(out_.steps, [&](const Line& step) {
             return step.component == added.component &&
                    (step.action == Action::FailoverMark || step.action == Action::FailoverReplace);
           });
  };
  return std::ranges::any_of(out_.steps, [&](const Line& step) {
    if (is_found_now(step)) return false;
    const bool is_change = step.action == Action::UpdateTemplate ||
                           step.action == Action::ScaleOut || step.action == Action::ScaleIn ||
                           step.action == Action::RestartPod;
    return is_change && step.component && *step.component < c;
  });
}

/// An earlier component that changes keeps its template back until its turn has come.
bool Engine::is_held_by_changes(Component c) const {
  return is_suspended(c) && live_.phase[index_of(c)] != "Upgrade" && earlier_change(c);
}

Line Engine::suspension_of(const std::string& statefulset) const {
  Line step;
  step.action = Action::DeleteStatefulSet;
  step.object = statefulset;
  step.bytes = 0;
  step.reason_code = "SUSPENDED";
  step.reason = "suspended: its pods are deleted with it, its claims and volumes stay";
  step.waits.push_back(wait_for(fmt::format("{} and all of its pods are gone", statefulset)));
  step.commands.push_back(
      {CommandUse::Watch, kubectl(fmt::format("get statefulset {}", statefulset))});
  return step;
}

/// What is blocked keeps back what is reconciled after it, and nothing before it: PD is suspended
/// even where TiKV is blocked because PD is.
bool Engine::may_suspend(std::string_view name) const {
  const auto blocked = std::ranges::find(out_.steps, Action::Blocked, &Line::action);
  if (stop_code_.empty() || blocked == out_.steps.end()) return stop_code_.empty();
  const auto here = handled_before(name);
  if (!here || !blocked->component) return false;
  return component_named(name) ? *here < *blocked->component : *here <= *blocked->component;
}

void Engine::suspend_component(Component c) {
  for (const std::string& set : order_[index_of(c)]) {
    LiveSet* live = running(c, set);
    if (live == nullptr) continue;
    const std::string& phase = live_.phase[index_of(c)];
    const bool has_steps = std::ranges::any_of(
        out_.steps, [&](const Line& step) { return step.component == c && step.set == set; });
    if (!has_steps && (phase == "Upgrade" || phase == "Scale")) {
      Line wait = make(Action::Wait, c, set, live->statefulset, "phase Normal");
      wait.reason_code = "SUSPENDED";
      wait.reason = fmt::format("it is in phase {}: it is suspended once that has ended", phase);
      wait.waits.push_back(
          wait_for(fmt::format("{} is in phase Normal", name_of(c)), "Normal", phase));
      emit(std::move(wait));
    }
    Line step = suspension_of(live->statefulset);
    step.component = c;
    step.set = set;
    step.count = static_cast<std::int64_t>(live->pods.size());
    emit(std::move(step));
    if (changes(c, set)) {
      warn("W-SUSPEND-WITH-CHANGES", live->statefulset,
           "other changes of it are wished as well: they are there when it is resumed");
    }
    for (const LivePod& pod : live->pods) capacity_.remove(pod.name);
    auto& all = live_.of(c);
    all.erase(all.begin() + (live - all.data()));
  }
}

/// Whether it runs and is to be suspended.
bool Engine::other_goes(const std::string& name) const {
  const auto& others = input_.desired.suspended_others;
  const auto phase = live_.other_phases.find(name);
  const bool already = phase != live_.other_phases.end() && phase->second == "Suspend";
  const bool runs = input_.current && input_.current->other_components.contains(name);
  return runs && !already && std::ranges::find(others, name) != others.end();
}

void Engine::suspend_other(const std::string& name) {
  if (!other_goes(name)) return;
  Line step = suspension_of(fmt::format("{}-{}", cluster_, name));
  step.other = name;
  emit(std::move(step));
}

/// What comes again where the suspension is taken off, of a component that is not planned.
void Engine::resume_other(const std::string& name) {
  const auto& others = input_.desired.suspended_others;
  const auto phase = live_.other_phases.find(name);
  if (phase == live_.other_phases.end() || phase->second != "Suspend" || !stop_code_.empty())
    return;
  if (!input_.desired.other_components.contains(name) ||
      std::ranges::find(others, name) != others.end())
    return;
  Line step;
  step.action = Action::CreateStatefulSet;
  step.other = name;
  step.object = fmt::format("{}-{}", cluster_, name);
  step.bytes = 0;
  step.reason_code = "RESUMED";
  step.reason = "resumed: its pods start again on their volumes";
  step.commands.push_back(
      {CommandUse::Watch, kubectl(fmt::format("get statefulset {} -o wide", step.object))});
  emit(std::move(step));
}

void Engine::suspend() {
  const auto first =
      std::ranges::count_if(out_.steps, [](const Line& step) { return is_step(step); });
  std::vector<std::string> names;
  for (const std::string_view name : kSuspendOrder) {
    const std::size_t before = out_.steps.size();
    const auto c = component_named(name);
    if (c && is_suspended(*c)) {
      if (may_suspend(name)) {
        suspend_component(*c);
      } else if (!live_.of(*c).empty()) {
        defer(*c);
      }
    } else if (!c && may_suspend(name)) {
      suspend_other(std::string(name));
    }
    if (out_.steps.size() > before && out_.steps.back().action == Action::DeleteStatefulSet)
      names.emplace_back(name);
  }
  if (names.empty()) return;
  warn("W-SUSPEND", cluster_,
       fmt::format(
           "{} {} suspended: all of their pods are deleted, the service is down from step {} "
           "on until it is resumed; claims and volumes stay",
           join(names, ", "), of_count(names.size(), "is", "are"), first + 1));
}

}  // namespace ballast::tidb
