// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/strings.hpp"
#include "ballast/tidb/search/changes.hpp"
#include "ballast/tidb/search/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

/// Earlier components that are in the way: the upgrade does not begin while they scale or upgrade.
Engine::Going Engine::gates(Component c) {
  const auto busy_other = [&](const std::string& name, bool scale_counts) {
    const auto found = live_.other_phases.find(name);
    return found != live_.other_phases.end() &&
           (found->second == "Upgrade" || (scale_counts && found->second == "Scale"));
  };
  std::string in_the_way;
  for (const Component other : kComponents) {
    const Phase phase = phase_[index_of(other)];
    if (other < c && in_the_way.empty() &&
        (phase == Phase::Upgrade || (v16() && phase == Phase::Scale)))
      in_the_way = name_of(other);
  }
  if (v16() && c != Component::Pd && in_the_way.empty()) {
    if (busy_other("tiflash", true)) in_the_way = "tiflash";
    if (c == Component::Tidb && in_the_way.empty() && busy_other("pump", true)) in_the_way = "pump";
  }
  if (in_the_way.empty()) return true;
  for (const std::string& set : order_[index_of(c)]) {
    if (needs_upgrade(c, set)) {
      block(c, set, "-", "B-GATE",
            fmt::format("{} must be done with scaling and upgrading first", in_the_way),
            "it is not");
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
  Step step = make(Action::UpdateConfigMap, spec.component, spec.name, spec.config_map);
  step.reason_code = "TEMPLATE_CHANGED";
  step.reason = fmt::format("{} changes in place", join(fields, ", "));
  step.changes = config_changes(live.spec, spec, input_.desired.form);
  step.commands.push_back({"watch", kubectl(fmt::format("get configmap {}", spec.config_map))});
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

Engine::Going Engine::update_template(const SetSpec& spec, LiveSet& live) {
  const Component c = spec.component;
  const auto fields = template_difference(c, spec.name);
  if (fields.empty()) return true;
  if (!may_change_template(spec, live, fields)) return false;
  const bool by_hand = spec.on_delete || !live.rolling_update;
  const std::int64_t partition =
      by_hand ? 0 : static_cast<std::int64_t>(live.pods.size() + spec.slots.size());
  Step step = make(Action::UpdateTemplate, c, spec.name, live.statefulset,
                   fmt::format("partition {} fields {}", partition, join(fields, ",")));
  step.partition = partition;
  step.reason_code = "TEMPLATE_CHANGED";
  step.reason = by_hand ? "pods are not restarted; delete them by hand"
                        : "the partition holds all pods back, so nothing restarts yet";
  if (std::ranges::find(fields, "config") != fields.end()) {
    step.substeps.push_back(fmt::format("write ConfigMap {} (+digest)", spec.config_map));
  }
  step.substeps.push_back(
      fmt::format("change {} in the template of {}", join(fields, ", "), live.statefulset));
  step.commands.push_back(
      {"watch", kubectl(fmt::format("get statefulset {} -o wide", live.statefulset))});
  step.changes = template_changes(live.spec, spec, input_.desired.form);
  emit(std::move(step));
  live.spec = spec;
  live.partition = partition;
  for (LivePod& pod : live.pods) pod.updated = pod.has_wished;
  return true;
}

Engine::Going Engine::upgrade_set(Component c, const SetSpec& spec) {
  LiveSet& live = *running(c, spec.name);
  if (!live.pods.empty() && c == Component::Pd && !synced(c, spec.name, live.pods.back().name))
    return false;
  if (live.pods.size() > 1 && c == Component::Tikv && !synced(c, spec.name, live.pods.back().name))
    return false;
  if (!update_template(spec, live)) return false;
  if (spec.on_delete || !live.rolling_update) {
    warn("W-ONDELETE", live.statefulset,
         "updateStrategy OnDelete: pods are not restarted; delete them by hand");
    return true;
  }
  for (std::size_t i = live.pods.size(); i > 0; --i) {
    LivePod& pod = live.pods[i - 1];
    if (!(pod.updated ? check_updated(spec, pod) : restart(spec, live, pod))) return false;
  }
  live.current_revision = live.update_revision;
  live.generation_pending = false;
  return true;
}

Engine::Going Engine::restart(const SetSpec& spec, LiveSet& live, LivePod& pod) {
  const Component c = spec.component;
  Step step =
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
      {"watch", kubectl(fmt::format(
                    "get pod -l app.kubernetes.io/instance={},app.kubernetes.io/component={} -L "
                    "controller-revision-hash",
                    cluster_, name_of(c)))});
  step.commands.push_back({"hand", kubectl(fmt::format("delete pod {}", pod.name))});
  step.node = capacity_.node_of(pod.name);
  emit(std::move(step));
  live.partition = pod.ordinal;
  pod.updated = true;
  pod.ready = true;
  pod.healthy = true;
  pod.scheduled = true;
  pod.waiting_reason.clear();
  if (Member* member = c == Component::Pd ? live_.member_of(pod.name) : nullptr)
    member->healthy = true;
  if (Store* store = c == Component::Tikv ? live_.store_of(pod.name) : nullptr;
      store != nullptr && store->state != StoreState::Tombstone &&
      store->state != StoreState::Offline) {
    store->state = StoreState::Up;
  }
  return true;
}

}  // namespace ballast::tidb
