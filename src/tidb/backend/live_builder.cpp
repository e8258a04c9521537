// SPDX-License-Identifier: BSD-2-Clause
#include "live_builder.hpp"

#include "group_instances.hpp"
#include "running_template.hpp"
#include "set_status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ballast::tidb {

namespace {

constexpr std::int64_t kMaxStoreDown = 30 * 60;  // PD's own default, in seconds

class Builder {
 public:
  explicit Builder(const LiveSources& sources) : from_(sources), cluster_(sources.desired->name) {}

  Live build() {
    live_.exists = from_.current != nullptr;
    choose_namespace();
    infra();
    replication();
    if (live_.exists) {
      for (const Component c : kComponents) sets(c);
      stores();
      members();
      tidb_members();
      synced();
    }
    claims();
    pods_elsewhere();
    live_.remarks.insert(live_.remarks.end(), from_.pd.remarks.begin(), from_.pd.remarks.end());
    live_.newest = std::max({from_.status.newest, from_.kube.newest, from_.pd.newest});
    return std::move(live_);
  }

 private:
  bool here(const std::string& ns) const {
    return live_.ns.empty() || ns.empty() || ns == live_.ns;
  }

  bool is_name_of(Component c, const std::string& statefulset) const {
    const std::string own = fmt::format("{}-{}", cluster_, name_of(c));
    if (statefulset == own || statefulset.starts_with(own + "-")) return true;
    const auto spelled = [&](const ClusterSpec* spec) {
      return spec != nullptr && std::ranges::any_of(spec->of(c), [&](const SetSpec& set) {
               return set.statefulset == statefulset;
             });
    };
    return spelled(from_.current) || spelled(from_.desired);
  }

  void choose_namespace() {
    if (from_.current != nullptr) live_.ns = from_.current->ns;
    if (live_.ns.empty()) live_.ns = from_.desired->ns;
    if (!live_.ns.empty()) return;
    for (const KubeStatefulSet& set : from_.kube.sets) {
      for (const Component c : kComponents) {
        if (is_name_of(c, set.name)) {
          live_.ns = set.ns;
          return;
        }
      }
    }
    for (const KubePod& pod : from_.kube.pods) {
      if (pod.instance == cluster_) {
        live_.ns = pod.ns;
        return;
      }
    }
  }

  void infra() {
    live_.nodes = from_.infra.nodes;
    live_.nodes_known = from_.infra.has_nodes;
    live_.volumes = from_.infra.volumes;
    live_.volumes_known = from_.infra.has_volumes;
    live_.phase = {};
    for (const Component c : kComponents)
      live_.phase[index_of(c)] = from_.status.components[index_of(c)].phase;
    live_.other_phases = from_.status.other_phases;
    live_.bootstrapped = from_.status.bootstrapped;
    live_.failover_uid = from_.status.failover_uid;
    live_.asked_evictions = from_.status.asked_evictions;
    live_.pods_known = from_.kube.has_pods;
    for (const Component c : kComponents) {
      const ComponentStatus& status = from_.status.components[index_of(c)];
      live_.suspended[index_of(c)] =
          status.phase == "Suspend" && status.sets.empty() && !sets_complete(c);
    }
  }

  void replication() {
    live_.max_replicas = from_.pd.max_replicas;
    live_.location_labels = from_.pd.location_labels;
    if (from_.pd.low_space_ratio) live_.low_space_ratio = *from_.pd.low_space_ratio;
  }

  const KubeStatefulSet* kube_set(const std::string& name) const {
    for (const KubeStatefulSet& set : from_.kube.sets) {
      if (set.name == name && here(set.ns)) return &set;
    }
    return nullptr;
  }

  /// The StatefulSets of a component are all given where one of them is.
  bool sets_complete(Component c) const {
    return std::ranges::any_of(from_.kube.sets, [&](const KubeStatefulSet& set) {
      return here(set.ns) && is_name_of(c, set.name);
    });
  }

  void sets(Component c) {
    if (live_.suspended[index_of(c)]) return;
    const bool complete = sets_complete(c);
    std::set<std::string> done;
    for (const SetSpec& spec : from_.current->of(c)) {
      const KubeStatefulSet* kube = kube_set(spec.statefulset);
      done.insert(spec.statefulset);
      if (kube == nullptr && complete) continue;
      add_set(c, spec, kube);
    }
    for (const KubeStatefulSet& kube : from_.kube.sets) {
      if (!here(kube.ns) || !is_name_of(c, kube.name) || !done.insert(kube.name).second) continue;
      SetSpec spec;
      const auto& wished = from_.desired->of(c);
      const auto found = std::ranges::find(wished, kube.name, &SetSpec::statefulset);
      if (found != wished.end()) {
        spec = *found;
      } else {
        spec.component = c;
        spec.statefulset = kube.name;
        spec.config_map = kube.name;
        spec.name = unlisted_name(c, kube.name);
        if (c != Component::Tidb) spec.claim_templates.emplace_back(name_of(c));
      }
      add_set(c, spec, &kube);
    }
  }

  /// A running set that no side names is called by what follows the component; one that took the
  /// default's place by its full name.
  std::string unlisted_name(Component c, const std::string& statefulset) const {
    const std::string own = fmt::format("{}-{}-", cluster_, name_of(c));
    if (!statefulset.starts_with(own)) return statefulset;
    std::string name = statefulset.substr(own.size());
    return name == kDefaultSet || name.empty() ? statefulset : name;
  }

  void add_set(Component c, const SetSpec& spec, const KubeStatefulSet* kube) {
    LiveSet set;
    set.component = c;
    set.name = spec.name;
    set.statefulset = spec.statefulset;
    set.spec = spec;
    set.failures = failures_of(c, spec.statefulset);
    if (kube != nullptr) {
      from_kube(set, *kube);
    } else {
      from_status(c, set);
    }
    pods(c, set);
    live_.of(c).push_back(std::move(set));
  }

  std::vector<Failure> failures_of(Component c, const std::string& statefulset) const {
    std::vector<Failure> result;
    for (const Failure& failure : from_.status.components[index_of(c)].failures) {
      const auto split = split_pod_name(failure.pod);
      if (split && split->first == statefulset) result.push_back(failure);
    }
    std::ranges::sort(result, {}, [](const Failure& f) { return std::pair(f.id, f.pod); });
    return result;
  }

  void from_kube(LiveSet& set, const KubeStatefulSet& kube) {
    set.seen = true;
    set.replicas = kube.replicas;
    set.partition = kube.partition;
    set.rolling_update = kube.rolling_update;
    set.current_revision = kube.current_revision;
    set.update_revision = kube.update_revision;
    set.ready_replicas = kube.ready_replicas;
    set.updated_replicas = kube.updated_replicas;
    set.generation_pending = kube.observed_generation &&
                             kube.generation > *kube.observed_generation &&
                             kube.status_replicas == kube.replicas;
    if (kube.slots) set.spec.slots = *kube.slots;
    overlay_running_template(kube, set.spec);
  }

  void from_status(Component c, LiveSet& set) {
    const SetStatus* status =
        status_of(from_.status.components[index_of(c)], from_.current->of(c), set, live_.remarks);
    const auto adds = [&](const Failure& f) {
      return c != Component::Pd || !from_.failure_needs_deletion || f.member_deleted;
    };
    set.replicas = set.spec.replicas + std::ranges::count_if(set.failures, adds);
    if (status == nullptr) return;
    if (status->replicas && *status->replicas >= 0 && *status->replicas <= 10000)
      set.replicas = *status->replicas;
    set.current_revision = status->current_revision;
    set.update_revision = status->update_revision;
    set.ready_replicas = status->ready_replicas;
    set.updated_replicas = status->updated_replicas;
  }

  void pods(Component c, LiveSet& set) {
    if (from_.desired->form == Form::Groups) {
      set.pods = group_instances(from_, set);
      set.replicas = static_cast<std::int64_t>(set.pods.size());
      return;
    }
    const bool complete = std::ranges::any_of(
        from_.kube.pods, [&](const KubePod& pod) { return here(pod.ns) && belongs(c, pod); });
    const auto wanted = ordinals(set.replicas, set.spec.slots);
    const bool rolling =
        !set.update_revision.empty() && set.current_revision != set.update_revision;
    const auto updated =
        static_cast<std::size_t>(std::max<std::int64_t>(0, set.updated_replicas.value_or(0)));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      LivePod pod;
      if (const KubePod* kube = kube_pod(set.statefulset, wanted[i])) {
        pod = kube->pod;
        pod.updated = set.update_revision.empty() || pod.revision.empty() ||
                      pod.revision == set.update_revision;
        pod.has_wished = !pod.updated && wishes_template_of(*kube, set.spec);
      } else {
        pod.name = pod_name(set.statefulset, wanted[i]);
        if (complete) {
          pod.ready = false;
          pod.ready_known = true;
        }
        pod.updated = !rolling || wanted.size() - i <= updated;
      }
      pod.ordinal = wanted[i];
      set.pods.push_back(std::move(pod));
    }
  }

  bool wishes_template_of(const KubePod& pod, const SetSpec& running) const {
    const SetSpec* wished = from_.desired->find(running.component, running.name);
    return wished != nullptr && shows_template_of(pod, running, *wished);
  }

  bool belongs(Component c, const KubePod& pod) const {
    if (!pod.owner.empty()) return is_name_of(c, pod.owner);
    const auto split = split_pod_name(pod.pod.name);
    return split && is_name_of(c, split->first);
  }

  const KubePod* kube_pod(const std::string& statefulset, std::int64_t ordinal) {
    if (pod_index_.empty()) {
      for (const KubePod& pod : from_.kube.pods) {
        const auto split = split_pod_name(pod.pod.name);
        if (!split || !here(pod.ns)) continue;
        pod_index_.emplace(pod_name(pod.owner.empty() ? split->first : pod.owner, split->second),
                           &pod);
      }
    }
    const auto found = pod_index_.find(pod_name(statefulset, ordinal));
    return found == pod_index_.end() ? nullptr : found->second;
  }

  void stores() {
    live_.stores_known = from_.pd.has_stores || from_.status.has_stores;
    if (from_.pd.has_stores) {
      live_.stores = from_.pd.stores;
      for (Store& store : live_.stores) fill_from_status(store);
      return;
    }
    live_.stores = from_.status.stores;
    if (live_.stores_known) return;
    for (const LiveSet& set : live_.of(Component::Tikv)) {
      for (const LivePod& pod : set.pods) {
        Store store;
        store.pod = pod.name;
        live_.stores.push_back(std::move(store));
      }
    }
  }

  /// PD calls a store Down some time after its last heartbeat; the status tells when it did.
  void fill_from_status(Store& store) const {
    const auto known = std::ranges::find(from_.status.stores, store.id, &Store::id);
    const bool dated = known != from_.status.stores.end() && known->since;
    if (store.state == StoreState::Down && store.since && !dated)
      *store.since += from_.pd.max_store_down_s.value_or(kMaxStoreDown);
    if (known == from_.status.stores.end()) return;
    store.in_status = true;
    if (known->since) store.since = known->since;
    store.leaders_before = known->leaders_before;
    store.peer = known->peer;
  }

  void members() {
    const bool from_pd = from_.pd.has_members || from_.pd.has_health;
    live_.members_known = from_pd || from_.status.has_members;
    live_.leader = from_.pd.leader.empty() ? from_.status.leader : from_.pd.leader;
    live_.members = from_pd ? from_.pd.members : from_.status.members;
    if (from_pd) {
      for (Member& member : live_.members) {
        const auto known = std::ranges::find(from_.status.members, member.name, &Member::name);
        if (known == from_.status.members.end()) continue;
        member.peer = known->peer;
        if (!from_.pd.has_health || known->healthy == member.healthy) member.since = known->since;
        if (!from_.pd.has_health) member.healthy = known->healthy;
      }
    }
    if (live_.members_known) return;
    for (const LiveSet& set : live_.of(Component::Pd)) {
      for (const LivePod& pod : set.pods) {
        Member member;
        member.name = pod.name;
        live_.members.push_back(std::move(member));
      }
    }
    std::ranges::sort(live_.members, {}, &Member::name);
  }

  void tidb_members() {
    for (LiveSet& set : live_.of(Component::Tidb)) {
      for (LivePod& pod : set.pods) {
        const auto found =
            std::ranges::find(from_.status.tidb_members, pod.name, &TidbMember::name);
        if (found == from_.status.tidb_members.end()) continue;
        pod.healthy = found->healthy;
        if (!found->healthy) pod.unhealthy_since = found->since;
        if (pod.node.empty()) pod.node = found->node;
      }
    }
  }

  void synced() {
    for (const Component c : kComponents) {
      const bool replaced = (c == Component::Pd && (from_.pd.has_members || from_.pd.has_health)) ||
                            (c == Component::Tikv && from_.pd.has_stores);
      if (!replaced) live_.synced[index_of(c)] = from_.status.components[index_of(c)].synced;
    }
  }

  void claims() {
    for (const KubeClaim& claim : from_.kube.claims) {
      if (here(claim.ns)) live_.claims.push_back(claim.claim);
    }
    std::ranges::sort(live_.claims, {}, &Claim::name);
  }

  void pods_elsewhere() {
    std::set<std::string> ours;
    for (const Component c : kComponents) {
      for (const LiveSet& set : live_.of(c)) {
        for (const LivePod& pod : set.pods) ours.insert(pod.name);
      }
    }
    for (const KubePod& pod : from_.kube.pods) {
      if (here(pod.ns) && ours.contains(pod.pod.name)) continue;
      if (pod.phase == "Succeeded" || pod.phase == "Failed") continue;
      live_.other_pods.push_back(
          {pod.pod.name, pod.pod.node, pod.pod.cpu_milli, pod.pod.memory_bytes});
      if (here(pod.ns) && pod.instance == cluster_ && component_named(pod.component)) {
        live_.pods_without_set.push_back(pod.pod.name);
      }
    }
    std::ranges::sort(live_.pods_without_set);
  }

  const LiveSources& from_;
  std::string cluster_;
  Live live_;
  std::map<std::string, const KubePod*> pod_index_;
};

}  // namespace

Live build_live(const LiveSources& sources) { return Builder(sources).build(); }

DefaultName running_style(const KubeData& kube, const std::string& cluster) {
  bool plain = false;
  bool suffixed = false;
  for (const KubeStatefulSet& set : kube.sets) {
    for (const Component c : kComponents) {
      plain = plain || set.name == statefulset_name(cluster, c, kDefaultSet, DefaultName::Plain);
      suffixed =
          suffixed || set.name == statefulset_name(cluster, c, kDefaultSet, DefaultName::Suffixed);
    }
  }
  return suffixed && !plain ? DefaultName::Suffixed : DefaultName::Plain;
}

}  // namespace ballast::tidb
