// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/basis/changes.hpp"
#include "ballast/tidb/search/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

void Engine::service(Action action, Component c, const std::string& set, const std::string& name,
                     std::string_view why) {
  Line step = make(action, c, set, name);
  step.reason_code = action == Action::CreateService   ? (live_.exists ? "NEW_SET" : "NEW_CLUSTER")
                     : action == Action::DeleteService ? "SET_REMOVED"
                                                       : "SERVICE_CHANGED";
  step.reason = std::string(why);
  step.commands.push_back({CommandUse::Watch, kubectl(fmt::format("get service {}", name))});
  emit(std::move(step));
}

Engine::Going Engine::create_component(Component c) {
  const std::string peer = peer_service(cluster_, c);
  const std::string client = client_service(cluster_, c);
  if (input_.desired.of(c).empty() || live_.suspended[index_of(c)]) return true;
  if (c == Component::Pd) {
    service(Action::CreateService, c, "", client, "clients reach PD through it");
    service(Action::CreateService, c, "", peer, "headless, gives PD pods their names");
    return true;
  }
  service(Action::CreateService, c, "", peer, "headless, gives the pods their names");
  if (c == Component::Tikv) return true;
  service(Action::CreateService, c, "", client, "the main service, over all TiDB pods");
  if (input_.desired.of(c).size() < 2 || input_.desired.form == Form::Hetero) return true;
  for (const std::string& set : order_[index_of(c)]) {
    service(Action::CreateService, c, set, set_service(cluster_, set),
            "one service per TiDB set, besides the main one");
  }
  return true;
}

/// TiDB in a running cluster: the per-set services exist from two sets on, and come before the
/// sets.
void Engine::services_before(Component c) {
  if (c != Component::Tidb || input_.desired.of(c).size() < 2) return;
  if (input_.desired.form == Form::Hetero) return;
  const auto& now = live_.of(c);
  const bool had_services = now.size() > 1;
  const LiveSet* first = running(c, std::string(kDefaultSet));
  if (!had_services && first != nullptr && !first->pods.empty() &&
      wished(c, first->name) != nullptr) {
    Line step =
        make(Action::LabelPods, c, first->name, first->statefulset,
             fmt::format("pods {}-{}", first->pods.front().ordinal, first->pods.back().ordinal));
    step.reason_code = "NEW_SET";
    step.reason =
        "the service of the default set must tell its pods from those of the new set; patched, so "
        "nothing restarts";
    step.commands.push_back(
        {CommandUse::Watch,
         kubectl(fmt::format(
             "get pod -l app.kubernetes.io/instance={},app.kubernetes.io/component=tidb "
             "--show-labels",
             cluster_))});
    for (const LivePod& pod : first->pods) {
      step.commands.push_back(
          {CommandUse::Hand,
           kubectl(
               fmt::format("label pod {} tidb.pingcap.com/statefulset-name=default", pod.name))});
    }
    emit(std::move(step));
  }
  for (const std::string& set : order_[index_of(c)]) {
    const bool exists = had_services && running(c, set) != nullptr;
    if (!exists)
      service(Action::CreateService, c, set, set_service(cluster_, set),
              "one service per TiDB set, besides the main one");
  }
}

void Engine::services_after(Component c) {
  if (!input_.current || !input_.current->given[index_of(c)] || !input_.desired.given[index_of(c)])
    return;
  const ClusterSpec& now = *input_.current;
  const auto changed = [&](const std::string& set) {
    const SetSpec* old = now.find(c, set);
    const SetSpec* spec = wished(c, set);
    return old != nullptr && spec != nullptr && !differing(old->service, spec->service).empty();
  };
  const bool cluster_level =
      c == Component::Pd && !differing(now.services, input_.desired.services).empty();
  const std::string first(kDefaultSet);
  if (c != Component::Tikv && (cluster_level || changed(first))) {
    service(Action::UpdateService, c, "", client_service(cluster_, c), "its settings change");
  }
  if (c != Component::Tidb || now.of(c).size() < 2 || input_.desired.of(c).size() < 2) return;
  for (const std::string& set : order_[index_of(c)]) {
    if (changed(set))
      service(Action::UpdateService, c, set, set_service(cluster_, set), "its settings change");
  }
}

/// What a set needs beside its StatefulSet.
void Engine::objects_of_set(const SetSpec& spec) {
  const Component c = spec.component;
  if (input_.desired.form == Form::Hetero && spec.name != kDefaultSet) {
    // A TidbCluster of its own brings services of its own.
    service(Action::CreateService, c, spec.name, spec.statefulset + "-peer",
            "headless, gives the pods their names");
    if (c != Component::Tikv) {
      service(Action::CreateService, c, spec.name, spec.statefulset,
              "clients reach its pods through it");
    }
  }
  Line config = make(Action::CreateConfigMap, c, spec.name, spec.config_map);
  config.reason_code = live_.exists ? "NEW_SET" : "NEW_CLUSTER";
  config.reason =
      spec.config_rollout
          ? "one ConfigMap per set; the real name gets a digest of its content (+digest)"
          : "one ConfigMap per set";
  config.commands.push_back(
      {CommandUse::Watch, kubectl(fmt::format("get configmap {}", spec.config_map))});
  emit(std::move(config));
}

void Engine::warn_reused_claims(const SetSpec& spec, const std::vector<std::string>& pods) {
  for (const std::string& pod : pods) {
    for (const std::string& claim_template : spec.claim_templates) {
      const std::string claim = claim_name(claim_template, pod);
      if (std::ranges::find(live_.claims, claim, &Claim::name) != live_.claims.end()) {
        warn("W-CLAIM-REUSED", claim,
             "exists already, from a set of the same name; a TiKV that starts on the data of a "
             "Tombstone store refuses to run");
      }
    }
  }
}

/// The volumes of a suspended PD know all of its members, and those that do not come again stay
/// members.
Engine::Going Engine::may_resume_pd(const SetSpec& spec) {
  if (spec.component != Component::Pd || !input_.current) return true;
  const std::int64_t were = total_replicas(input_.current->of(Component::Pd));
  const std::int64_t come = total_replicas(input_.desired.of(Component::Pd));
  if (were == 0 || come * 2 > were) return true;
  return refuse(Component::Pd, spec.name, pod_name(spec.statefulset, come), "U-PD-QUORUM",
                fmt::format("more than half of the {} members that were suspended must come again, "
                            "fewer replicas are for afterwards",
                            were),
                fmt::format("{} {}", come, come == 1 ? "comes" : "come"));
}

Engine::Going Engine::create_set(const SetSpec& spec) {
  const Component c = spec.component;
  const bool resumed = live_.suspended[index_of(c)];
  if (resumed && !may_resume_pd(spec)) return false;
  const std::int64_t replicas = input_.options.ramp && !resumed ? 0 : target(c, spec.name);
  std::vector<std::string> pods;
  for (const std::int64_t ordinal : ordinals(replicas, spec.slots))
    pods.push_back(pod_name(spec.statefulset, ordinal));
  std::vector<Capacity::Placed> placed;
  std::int64_t total = 0;
  for (const std::string& set : order_[index_of(c)]) total += target(c, set);
  if (const auto refusal = capacity_.add(spec, pods, total, placed)) {
    if (!refuse(c, spec.name, refusal->pod, "U-CAPACITY", "every new pod needs a node",
                refusal->text))
      return false;
  }
  if (!resumed) objects_of_set(spec);
  Line step = make(Action::CreateStatefulSet, c, spec.name, spec.statefulset,
                   fmt::format("replicas {}", replicas));
  step.count = replicas;
  const SetSpec* before = input_.current ? input_.current->find(c, spec.name) : nullptr;
  if (resumed && before != nullptr) {
    step.changes = template_changes(*before, spec, input_.desired.form);
  } else if (!resumed) {
    step.changes = {{"image", {}, spec.image}};
  }
  step.reason_code = resumed ? "RESUMED" : live_.exists ? "NEW_SET" : "NEW_CLUSTER";
  step.reason = resumed               ? "resumed: its pods start again on their volumes"
                : input_.options.ramp ? "created empty, pods are added one by one"
                                      : "all pods start together, as the operator creates a set";
  for (const auto& one : placed) {
    step.placements.push_back(
        one.volume.empty() ? fmt::format("{} on {}", one.pod, one.node)
                           : fmt::format("{} on {}, volume {}", one.pod, one.node, one.volume));
  }
  if (!resumed) warn_reused_claims(spec, pods);
  if (replicas > 0) {
    static constexpr std::array kWaits{"every pod of {} is a healthy member",
                                       "every pod of {} is Ready and its store Up",
                                       "every pod of {} is Ready and healthy"};
    step.waits.push_back(wait_for(fmt::format(fmt::runtime(kWaits[index_of(c)]), spec.statefulset),
                                  "", "", input_.desired.min_ready_s[index_of(c)]));
  }
  step.commands.push_back(
      {CommandUse::Watch, kubectl(fmt::format("get statefulset {} -o wide", spec.statefulset))});
  if (c == Component::Pd && live_.exists && replicas > 1 && !resumed) {
    warn("W-PD-JOIN-MANY", spec.statefulset,
         fmt::format("{} PD members join at once; --create-mode ramp adds them one by one",
                     replicas));
  }
  emit(std::move(step));
  if (live_.of(c).empty() && live_.synced[index_of(c)]) live_.synced[index_of(c)] = true;
  LiveSet live;
  fill_new_set(spec, live);
  live_.of(c).push_back(std::move(live));
  return true;
}

/// The store of a pod that is made: a new one, or the one that its volume holds, which comes back.
void Engine::start_store(const std::string& pod) {
  if (Store* known = live_.store_of(pod)) {
    if (known->state == StoreState::Offline || known->state == StoreState::Tombstone) return;
    known->state = StoreState::Up;
    known->since.reset();
    return;
  }
  Store store;
  store.pod = pod;
  live_.stores.push_back(std::move(store));
}

/// The same of a member.
void Engine::start_member(const std::string& pod) {
  if (Member* known = live_.member_of(pod)) {
    known->healthy = true;
    known->since.reset();
    return;
  }
  Member member;
  member.name = pod;
  live_.members.push_back(std::move(member));
}

void Engine::fill_new_set(const SetSpec& spec, LiveSet& live) {
  const Component c = spec.component;
  live.component = c;
  live.name = spec.name;
  live.statefulset = spec.statefulset;
  live.spec = spec;
  live.replicas = input_.options.ramp && !live_.suspended[index_of(c)] ? 0 : target(c, spec.name);
  for (const std::int64_t ordinal : ordinals(live.replicas, spec.slots)) {
    LivePod pod;
    pod.ordinal = ordinal;
    pod.name = pod_name(spec.statefulset, ordinal);
    if (c == Component::Tikv) start_store(pod.name);
    if (c == Component::Pd) start_member(pod.name);
    live.pods.push_back(std::move(pod));
  }
}

}  // namespace ballast::tidb
