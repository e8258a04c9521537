// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/strings.hpp"
#include "ballast/tidb/search/basis/changes.hpp"
#include "ballast/tidb/search/basis/versions.hpp"
#include "ballast/tidb/search/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace ballast::tidb {

/// The earlier component that is in the way: the upgrade does not begin while it scales or
/// upgrades.
std::string Engine::in_the_way(Component c) const {
  const auto busy_other = [&](const std::string& name, bool scale_counts) {
    const auto found = live_.other_phases.find(name);
    return found != live_.other_phases.end() &&
           (found->second == "Upgrade" || (scale_counts && found->second == "Scale"));
  };
  std::string found;
  for (const Component other : kComponents) {
    const Phase phase = phase_[index_of(other)];
    if (other < c && found.empty() && (phase == Phase::Upgrade || (v16() && phase == Phase::Scale)))
      found = name_of(other);
  }
  if (v16() && c != Component::Pd && found.empty()) {
    if (busy_other("tiflash", true)) found = "tiflash";
    if (c == Component::Tidb && found.empty() && busy_other("pump", true)) found = "pump";
  }
  return found;
}

Engine::Going Engine::gates(Component c) {
  const std::string busy = in_the_way(c);
  if (busy.empty()) return true;
  for (const std::string& set : order_[index_of(c)]) {
    if (needs_upgrade(c, set)) {
      block(c, set, "-", "B-GATE",
            fmt::format("{} must be done with scaling and upgrading first", busy), "it is not");
    }
  }
  return false;
}

Engine::Going Engine::upgrade(Component c) {
  for (const std::string& set : order_[index_of(c)]) {
    if (LiveSet* live = running(c, set)) update_configs(*wished(c, set), *live);
  }
  if (!upgrade_wanted(c)) return true;
  if (!gates(c)) return true;  // the rest of the component is not held
  for (const std::string& set : order_[index_of(c)]) {
    if (needs_upgrade(c, set) && !upgrade_set(c, *wished(c, set))) return false;
  }
  return true;
}

/// Content that changes in place: no pod restarts, so nothing takes effect before one does.
void Engine::update_configs(const SetSpec& spec, LiveSet& live) {
  if (live.spec.config_rollout != spec.config_rollout || spec.config_rollout) return;
  const auto fields = differing(live.spec.config, spec.config);
  if (fields.empty()) return;
  Line step = make(Action::UpdateConfigMap, spec.component, spec.name, spec.config_map);
  step.reason_code = "TEMPLATE_CHANGED";
  step.reason = fmt::format("{} changes in place", join(fields, ", "));
  step.changes = config_changes(live.spec, spec, input_.desired.form);
  step.commands.push_back(
      {CommandUse::Watch, kubectl(fmt::format("get configmap {}", spec.config_map))});
  emit(std::move(step));
  note(
      "N-CONFIG-NEEDS-RESTART",
      fmt::format("{}: the new content is read when a pod restarts, and no pod is restarted for it",
                  spec.config_map));
  live.spec.config = spec.config;
}

/// What the planner refuses of a changed template: pods that start on an empty directory or find no
/// room.
Engine::Going Engine::may_change_template(const SetSpec& spec, LiveSet& live,
                                          const std::vector<std::string>& fields) {
  const Component c = spec.component;
  if (std::ranges::find(fields, "dataSubDir") != fields.end()) {
    const std::string pod = live.pods.empty() ? "-" : live.pods.back().name;
    if (!refuse(c, spec.name, pod, "U-DATA-SUBDIR", "dataSubDir must stay as it is",
                "it changes, and the pods would start on an empty directory")) {
      return false;
    }
  }
  std::int64_t total = 0;
  for (const std::string& set : order_[index_of(c)]) total += target(c, set);
  const bool requests = std::ranges::find(fields, "requests") != fields.end();
  if (requests) {
    std::vector<std::string> pods;
    for (auto pod = live.pods.rbegin(); pod != live.pods.rend(); ++pod) pods.push_back(pod->name);
    if (const auto refusal = capacity_.restart(spec, pods, total)) {
      if (!refuse(c, spec.name, refusal->pod, "U-CAPACITY", "every restarted pod needs a node",
                  refusal->text))
        return false;
    }
  }
  return true;
}

/// Below it no pod gets the new template.
std::int64_t Engine::partition_of(const SetSpec& spec, const LiveSet& live) const {
  const auto slots = static_cast<std::int64_t>(spec.slots.size());
  if (spec.on_delete || !live.rolling_update) return 0;
  if (v16() && spec.component == Component::Tikv && is_only_tikv()) return 0;
  if (v16() && spec.component == Component::Tidb && spec.replicas == 0)
    return target(spec.component, spec.name) + slots;
  return static_cast<std::int64_t>(live.pods.size()) + slots;
}

Engine::Going Engine::update_template(const SetSpec& spec, LiveSet& live) {
  const Component c = spec.component;
  const auto fields = template_difference(c, spec.name);
  if (fields.empty()) return true;
  if (!may_change_template(spec, live, fields)) return false;
  const bool by_hand = spec.on_delete || !live.rolling_update;
  const std::int64_t partition = partition_of(spec, live);
  const bool is_free = !by_hand && !live.pods.empty() && live.pods.back().ordinal >= partition;
  Line step = make(Action::UpdateTemplate, c, spec.name, live.statefulset,
                   fmt::format("partition {} fields {}", partition, join(fields, ",")));
  step.partition = partition;
  step.reason_code = "TEMPLATE_CHANGED";
  step.reason = by_hand   ? "pods are not restarted; delete them by hand"
                : is_free ? "the partition holds nothing back: pods restart at once"
                          : "the partition holds all pods back, so nothing restarts yet";
  if (std::ranges::find(fields, "config") != fields.end()) {
    step.substeps.push_back(fmt::format("write ConfigMap {} (+digest)", spec.config_map));
  }
  step.substeps.push_back(
      fmt::format("change {} in the template of {}", join(fields, ", "), live.statefulset));
  step.commands.push_back(
      {CommandUse::Watch, kubectl(fmt::format("get statefulset {} -o wide", live.statefulset))});
  step.changes = template_changes(live.spec, spec, input_.desired.form);
  emit(std::move(step));
  live.spec = spec;
  live.partition = partition;
  live.update_revision = fmt::format("{}-planned", live.statefulset);
  for (LivePod& pod : live.pods) {
    pod.updated = pod.has_wished;
    if (pod.has_wished && !pod.revision.empty()) live.update_revision = pod.revision;
  }
  return true;
}

Engine::Going Engine::begin_upgrade(const SetSpec& spec, LiveSet& live) {
  const Component c = spec.component;
  const bool asks = c == Component::Pd || (c == Component::Tikv && !is_only_tikv());
  if (asks && !live.pods.empty() && !synced(c, spec.name, live.pods.back().name)) return false;
  return may_pause_ddl(spec, live) && update_template(spec, live);
}

/// From some versions on TiDB is told that an upgrade begins.
bool Engine::pauses_ddl(const SetSpec& spec, const LiveSet& live) const {
  if (spec.component != Component::Tidb || !v16() || live.pods.empty()) return false;
  const auto from = parse_version(live.spec.version);
  const auto to = parse_version(spec.version);
  return from && to && *to > *from && smooth_upgrade(live.spec.version, spec.version);
}

/// A pod of TiDB that is well tells it.
Engine::Going Engine::may_pause_ddl(const SetSpec& spec, const LiveSet& live) {
  if (!pauses_ddl(spec, live)) return true;
  const auto is_well = [](const LiveSet& set) {
    return std::ranges::any_of(set.pods, &LivePod::healthy);
  };
  if (std::ranges::any_of(live_.of(spec.component), is_well)) return true;
  return block_or_wait(
      spec.component, spec.name, live.pods.front().name, "B-NO-HEALTHY-TIDB",
      fmt::format("one TiDB pod must be healthy to pause DDL for the upgrade {} -> {}",
                  live.spec.version, spec.version),
      "none is");
}

Engine::Going Engine::upgrade_set(Component c, const SetSpec& spec) {
  LiveSet& live = *running(c, spec.name);
  const std::vector<std::string> added = pods_just_added(c, spec.name);
  if (!begin_upgrade(spec, live)) return false;
  if (v16() && !live.rolling()) {  // all pods have the wished template already
    end_evictions(spec, live.pods);
    return true;
  }
  if (spec.on_delete || !live.rolling_update) {
    warn("W-ONDELETE", live.statefulset,
         "updateStrategy OnDelete: pods are not restarted; delete them by hand");
    return true;
  }
  tell_early_eviction(live, added);
  // Back to the revision that the StatefulSet calls its current one: the roll-out is over with the
  // last outdated pod, and those below it are not looked at.
  const bool goes_back =
      v16() && !live.update_revision.empty() && live.current_revision == live.update_revision;
  for (std::size_t i = live.pods.size(); i > 0; --i) {
    LivePod& pod = live.pods[i - 1];
    const auto rest = std::span(live.pods).first(i);
    if (goes_back && std::ranges::all_of(rest, &LivePod::updated)) {
      if (c == Component::Tikv && !await_lowest(spec, live)) return false;
      end_evictions(spec, rest);
      break;
    }
    if (!(pod.updated ? check_updated(spec, pod) : restart(spec, live, pod))) return false;
  }
  live.current_revision = live.update_revision;
  live.generation_pending = false;
  return true;
}

Engine::Going Engine::restart(const SetSpec& spec, LiveSet& live, LivePod& pod) {
  const Component c = spec.component;
  Line step =
      make(Action::RestartPod, c, spec.name, pod.name, fmt::format("partition {}", pod.ordinal));
  step.ordinal = pod.ordinal;
  step.partition = pod.ordinal;
  step.reason_code = start_.find(c, spec.name) != nullptr && start_.find(c, spec.name)->rolling()
                         ? "ROLLING_CONTINUES"
                         : "TEMPLATE_CHANGED";
  step.reason = "still on the old template; highest ordinal first, one pod at a time";
  const bool going = c == Component::Pd     ? restart_pd(spec, live, pod, step)
                     : c == Component::Tikv ? restart_tikv(spec, live, pod, step)
                                            : restart_tidb(spec, live, pod, step);
  if (!going) return false;
  watch_pod(step, pod.name);
  step.commands.push_back(
      {CommandUse::Watch,
       kubectl(
           fmt::format("get pod -l app.kubernetes.io/instance={},app.kubernetes.io/component={} -L "
                       "controller-revision-hash",
                       cluster_, name_of(c)))});
  step.commands.push_back({CommandUse::Hand, kubectl(fmt::format("delete pod {}", pod.name))});
  step.node = capacity_.node_of(pod.name);
  const auto partition = step.partition;
  emit(std::move(step));
  live.partition = partition;
  pod.updated = true;
  pod.ready = true;
  pod.healthy = true;
  pod.scheduled = true;
  pod.waiting_reason.clear();
  if (c == Component::Pd) {
    if (live_.member_of(pod.name) == nullptr) live_.members.emplace_back().name = pod.name;
    live_.member_of(pod.name)->healthy = true;
  }
  if (Store* store = c == Component::Tikv ? live_.store_of(pod.name) : nullptr;
      store != nullptr && store->state != StoreState::Tombstone &&
      store->state != StoreState::Offline) {
    store->state = StoreState::Up;
  }
  return true;
}

}  // namespace ballast::tidb
