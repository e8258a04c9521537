// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/engine/engine.hpp"
#include "ballast/core/words.hpp"

#include "ballast/tidb/search/basis/end_state.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

Engine::Engine(const Input& input)
    : input_(input),
      live_(input.live),
      start_(input.live),
      capacity_(input),
      cluster_(input.desired.name) {
  for (const Component c : kComponents) {
    auto& order = order_[index_of(c)];
    const auto named = input.options.order.find(c);
    if (named != input.options.order.end()) {
      for (const std::string& set : named->second) {
        if (wished(c, set) != nullptr) order.push_back(set);
      }
    }
    for (const SetSpec& set : input.desired.of(c)) {
      if (std::ranges::find(order, set.name) == order.end()) order.push_back(set.name);
    }
    // A component that the wished side does not name at all stays as it is.
    if (!input.desired.given[index_of(c)]) continue;
    for (const LiveSet& set : live_.of(c)) {
      if (wished(c, set.name) == nullptr) removed_[index_of(c)].push_back(set.name);
    }
  }
}

Outcome Engine::run() {
  warn_input();
  add_assumptions(input_, out_);
  if (!live_.exists) {
    Line step = make(Action::CreateDiscovery, Component::Pd, "", cluster_ + "-discovery");
    step.component.reset();
    step.reason_code = "NEW_CLUSTER";
    step.reason = "PD pods ask it how to start";
    step.commands.push_back(
        {CommandUse::Watch, kubectl(fmt::format("get deployment {}-discovery", cluster_))});
    emit(std::move(step));
  }
  for (const Component c : kComponents) {
    if (c == Component::Tikv) resume_other("tiflash");
    if (c == Component::Tidb) resume_other("pump");
    if (stop_code_.empty()) {
      plan_component(c);
    } else if (!is_suspended(c)) {
      defer(c);
    }
  }
  resume_other("ticdc");
  suspend();
  finish();
  return std::move(out_);
}

bool Engine::participates(Component c) const {
  return input_.desired.given[index_of(c)] || !live_.of(c).empty();
}

void Engine::plan_component(Component c) {
  if (!participates(c)) {
    assume("A-COMPONENT-NOT-GIVEN",
           fmt::format("{} is named by neither side: not planned, taken as available", name_of(c)));
    return;
  }
  if (!input_.desired.given[index_of(c)]) {
    std::size_t pods = 0;
    for (const LiveSet& set : live_.of(c)) pods += set.pods.size();
    warn("W-COMPONENT-DROPPED", std::string(name_of(c)),
         fmt::format("{} is no longer named: its {} {} on as before, the operator neither "
                     "changes nor removes anything of it",
                     name_of(c), counted(pods, "pod"), of_count(pods, "runs", "run")));
    return;
  }
  if (is_suspended(c) && !changes_before_suspension(c)) return;  // see suspend()
  if (c == Component::Pd && !force_pd()) return;
  part_ = Phase::Scale;
  if (c == Component::Pd && !check_quorum()) return;
  const std::size_t steps = out_.steps.size();
  Live live = live_;
  Outcome outcome = out_;
  const Capacity capacity = capacity_;
  const auto phase = phase_;
  const std::string stop_code = stop_code_;
  work(c);
  const bool has_work = out_.steps.size() > steps;
  if (!has_work || is_suspended(c)) return;
  std::swap(live, live_);
  const auto missing = std::ranges::find_if(
      kComponents, [&](Component before) { return before < c && !is_available(before); });
  if (missing == kComponents.end()) {
    std::swap(live, live_);
    return;
  }
  out_ = std::move(outcome);
  capacity_ = capacity;
  phase_ = phase;
  stop_code_ = stop_code;
  block(c, "", "-", "B-COMPONENT-DOWN",
        fmt::format("{} must be available before {} is handled", name_of(*missing), name_of(c)),
        fmt::format("{} is not available", name_of(*missing)));
}

Engine::Going Engine::work(Component c) {
  const bool is_new = live_.of(c).empty();
  if (is_new) {
    create_component(c);
  } else {
    services_before(c);
  }
  serve_evictions(c);
  if (!end_rollout(c) || !pass_before_recovery(c)) return false;
  recover(c);
  const bool scale_first = v16();
  const auto upgrades = [&] {
    if (is_held_by_changes(c)) return true;
    part_ = Phase::Upgrade;
    return upgrade(c);
  };
  const auto scales = [&] {
    part_ = Phase::Scale;
    return scale(c);
  };
  const auto fails_over = [&] {
    part_ = Phase::Scale;
    return fail_over(c);
  };
  if (changes_places(c) && !fails_over()) return false;
  const bool going = scale_first ? scales() && fails_over() && expand(c) && upgrades()
                                 : upgrades() && scales() && fails_over();
  if (!going) return false;
  services_after(c);
  return true;
}

/// A quorum that is lost needs no wished change to be a finding.
Engine::Going Engine::check_quorum() {
  const auto all = static_cast<std::int64_t>(live_.members.size());
  if (!live_.members_known || all == 0 || live_.healthy_members() * 2 > all) return true;
  if (live_.of(Component::Pd).empty()) return true;  // nothing runs that could be a member
  const bool upgrades = upgrade_wanted(Component::Pd);
  std::string set;
  std::string pod = "-";
  const auto look_in = [&](const std::vector<std::string>& sets) {
    for (const std::string& name : sets) {
      const LiveSet* live = running(Component::Pd, name);
      if (live == nullptr || pod != "-") continue;
      for (const LivePod& one : live->pods) {
        const Member* member = live_.member_of(one.name);
        if (pod == "-" && member != nullptr && !member->healthy) {
          set = name;
          pod = one.name;
        }
      }
    }
  };
  look_in(order_[index_of(Component::Pd)]);
  look_in(removed_[index_of(Component::Pd)]);
  part_ = upgrades ? Phase::Upgrade : Phase::Scale;
  return block(Component::Pd, set, pod, "B-PD-NO-QUORUM",
               fmt::format("more than half of {} PD members must be healthy", all),
               fmt::format("{} of {} are healthy", live_.healthy_members(), all));
}

bool Engine::is_available(Component c) const {
  if (!participates(c)) return true;
  if (is_suspended(c)) return false;
  // Who cannot ask PD handles nothing of TiKV, nor what comes after it.
  const bool asks = v16() && c == Component::Pd && !input_.options.assume_healthy;
  if (asks && !live_.synced[index_of(c)].value_or(true)) return false;
  std::int64_t ready = 0;
  for (const LiveSet& set : live_.of(c)) ready += std::ranges::count_if(set.pods, &LivePod::ready);
  if (c == Component::Tikv) return live_.up_stores() > 0 && ready > 0;
  std::int64_t outside = 0;
  for (const Member& member : live_.members) {
    const auto split = split_pod_name(member.name);
    const bool inside = split && std::ranges::any_of(live_.of(c), [&](const LiveSet& s) {
                          return s.statefulset == split->first;
                        });
    if (!inside) ++outside;
  }
  const std::int64_t wished_total =
      input_.desired.given[index_of(c)] ? total_replicas(input_.desired.of(c)) : 0;
  const std::int64_t need = (wished_total + outside) / 2 + 1;
  // Members that are to leave still make the cluster; what is wished but refused to come must not
  // take it down.
  const auto known = static_cast<std::int64_t>(live_.members.size());
  return known >= need && live_.healthy_members() >= need && ready + outside >= need;
}

bool Engine::changes(Component c, const std::string& set) const {
  const SetSpec* spec = wished(c, set);
  const LiveSet* live = running(c, set);
  if (spec == nullptr || live == nullptr) return true;
  if (!additions(c, set).empty() || !removals(c, set).empty()) return true;
  if (needs_upgrade(c, set) || spec->storage_bytes != live->spec.storage_bytes ||
      spec->storage_class != live->spec.storage_class) {
    return true;
  }
  return !template_difference(c, set).empty() ||
         !differing(live->spec.config, spec->config).empty();
}

void Engine::defer(Component c) {
  const auto line = [&](const std::string& set) {
    Line step = make(Action::Deferred, c, set, "-", stop_code_);
    step.code = stop_code_;
    step.reason = fmt::format("not handled while {} is blocked", stop_code_);
    emit(std::move(step));
  };
  for (const std::string& set : order_[index_of(c)]) {
    if (changes(c, set)) line(set);
  }
  for (const std::string& set : removed_[index_of(c)]) line(set);
}

std::vector<std::string> Engine::template_difference(Component c, const std::string& set) const {
  const SetSpec* spec = wished(c, set);
  const LiveSet* live = running(c, set);
  if (spec == nullptr || live == nullptr) return {};
  std::vector<std::string> fields = restart_fields(live->spec, *spec);
  for (std::string& field : fields) field = field.substr(0, field.find('.'));
  fields.erase(std::unique(fields.begin(), fields.end()), fields.end());
  return fields;
}

bool Engine::needs_upgrade(Component c, const std::string& set) const {
  const SetSpec* spec = wished(c, set);
  const LiveSet* live = running(c, set);
  if (spec == nullptr || live == nullptr) return false;
  if (c == Component::Tidb && spec->replicas == 0) return false;
  return !template_difference(c, set).empty() || live->rolling();
}

bool Engine::upgrade_wanted(Component c) const {
  return std::ranges::any_of(order_[index_of(c)],
                             [&](const std::string& set) { return needs_upgrade(c, set); });
}

}  // namespace ballast::tidb
