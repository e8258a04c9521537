// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/basis/end_state.hpp"
#include "ballast/tidb/search/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

/// Blocks at which the operator returns an error, so that later components are not handled in the
/// same pass.
bool stops_later_components(std::string_view code) {
  return code != "B-PD-IN-USE" && code != "B-GATE";
}

void add_once(std::vector<plan::CodedText>& list, plan::CodedText text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
}

}  // namespace

Line Engine::make(Action action, Component c, std::string set, std::string object,
                  std::string detail) {
  Line step;
  step.action = action;
  step.component = c;
  step.set = std::move(set);
  step.object = std::move(object);
  step.detail = std::move(detail);
  step.bytes = 0;
  return step;
}

Line& Engine::emit(Line step) {
  out_.steps.push_back(std::move(step));
  return out_.steps.back();
}

Engine::Going Engine::block(Component c, const std::string& set, const std::string& object,
                            std::string code, std::string required, std::string observed) {
  if (stops_later_components(code)) stop_code_ = code;
  if (code != "B-GATE") phase_[index_of(c)] = part_;
  emit(blocked(make(Action::Blocked, c, set, object), std::move(code), std::move(required),
               std::move(observed)));
  return false;
}

Engine::Going Engine::block_or_wait(Component c, const std::string& set, const std::string& object,
                                    std::string code, std::string required, std::string observed) {
  if (!input_.options.assume_healthy) {
    return block(c, set, object, std::move(code), std::move(required), std::move(observed));
  }
  Line step = make(Action::Wait, c, set, object, "ready");
  step.until_ready = true;
  step.reason_code = "ROLLING_CONTINUES";
  step.reason = fmt::format("taken as passing by itself ({}): {}", code, observed);
  step.waits.push_back(wait_for(required, required, observed));
  watch_pod(step, object);
  emit(std::move(step));
  return true;
}

Engine::Going Engine::refuse(Component c, const std::string& set, const std::string& object,
                             std::string code, std::string required, std::string observed) {
  if (!input_.options.allow_unsafe) {
    return block(c, set, object, std::move(code), std::move(required), std::move(observed));
  }
  out_.wave_through(code, object, required, observed);
  return true;
}

void Engine::warn(std::string code, std::string subject, std::string text) {
  add_warning(out_, std::move(code), std::move(subject), std::move(text));
}

void Engine::note(std::string code, std::string text) {
  add_once(out_.notes, {std::move(code), std::move(text)});
}

void Engine::assume(std::string code, std::string text) {
  add_once(out_.assumptions, {std::move(code), std::move(text)});
}

void Engine::watch_pod(Line& step, const std::string& pod) const {
  step.commands.push_back({CommandUse::Watch, kubectl(fmt::format("get pod {} -o wide", pod))});
}

const SetSpec* Engine::wished(Component c, const std::string& set) const {
  return input_.desired.find(c, set);
}

std::int64_t Engine::adding_records(Component c, const std::string& set) const {
  const LiveSet* live = running(c, set);
  if (live == nullptr) return 0;
  return std::ranges::count_if(live->failures, [&](const Failure& f) {
    return c != Component::Pd || !v16() || f.member_deleted;
  });
}

std::int64_t Engine::target(Component c, const std::string& set) const {
  const SetSpec* spec = wished(c, set);
  return spec == nullptr ? 0 : spec->replicas + adding_records(c, set);
}

bool Engine::pod_well(Component c, const LivePod& pod) const {
  if (!pod.ready) return false;
  if (c == Component::Pd) {
    const Member* member = live_.member_of(pod.name);
    return member == nullptr ? !live_.members_known : member->healthy;
  }
  if (c == Component::Tikv) {
    const Store* store = live_.store_of(pod.name);
    return store == nullptr ? !live_.stores_known : store->state == StoreState::Up;
  }
  return pod.healthy;
}

}  // namespace ballast::tidb
