// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/backend/live_dump.hpp"

#include "ballast/core/strings.hpp"
#include "ballast/kube/object.hpp"
#include "ballast/kube/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

using doc::Tree;

Tree text(std::string value) { return Tree::string(std::move(value)); }
Tree whole(std::int64_t value) { return Tree::integer(value); }
Tree time(Time at) { return text(kube::format_time(at)); }

void put(Tree& map, std::string_view key, const std::string& value) {
  if (!value.empty()) map.set(key, text(value));
}
void put_time(Tree& map, std::string_view key, const std::optional<Time>& at) {
  if (at) map.set(key, time(*at));
}
void put_whole(Tree& map, std::string_view key, const std::optional<std::int64_t>& number) {
  if (number) map.set(key, whole(*number));
}

Tree object_of(std::string_view version, std::string_view kind, const std::string& name,
               const std::string& ns) {
  Tree object = Tree::map();
  object.set("apiVersion", text(std::string(version)));
  object.set("kind", text(std::string(kind)));
  Tree metadata = Tree::map();
  metadata.set("name", text(name));
  if (!ns.empty()) metadata.set("namespace", text(ns));
  object.set("metadata", std::move(metadata));
  return object;
}

Tree container_of(Component component, const std::string& image) {
  Tree container = Tree::map();
  container.set("name", text(std::string(name_of(component))));
  put(container, "image", image);
  return container;
}

Tree claim_template_of(const LiveSet& set) {
  Tree requests = Tree::map();
  requests.set("storage", text(fmt::format("{}", *set.spec.storage_bytes)));
  Tree resources = Tree::map();
  resources.set("requests", std::move(requests));
  Tree spec = Tree::map();
  put(spec, "storageClassName", set.spec.storage_class);
  spec.set("resources", std::move(resources));
  Tree metadata = Tree::map();
  metadata.set("name", text(std::string(name_of(set.component))));
  Tree claim = Tree::map();
  claim.set("metadata", std::move(metadata));
  claim.set("spec", std::move(spec));
  return claim;
}

/// The revisions of a set as labels tell them: what is known, else names that tell the updated pods
/// from the outdated ones.
struct Revisions {
  explicit Revisions(const LiveSet& set)
      : updated(set.update_revision.empty() ? set.statefulset + "-new" : set.update_revision),
        outdated(set.current_revision.empty() || set.current_revision == updated
                     ? set.statefulset + "-old"
                     : set.current_revision) {}

  const std::string& of(const LivePod& pod) const {
    if (pod.updated) return updated;
    return pod.revision.empty() || pod.revision == updated ? outdated : pod.revision;
  }
  const std::string& current(const LiveSet& set) const {
    const bool rolled = std::ranges::all_of(set.pods, &LivePod::updated) &&
                        (set.current_revision.empty() || set.current_revision == updated);
    return rolled ? updated : outdated;
  }

  std::string updated;
  std::string outdated;
};

Tree statefulset_of(const LiveSet& set, const std::string& ns) {
  Tree object = object_of("apps/v1", "StatefulSet", set.statefulset, ns);
  Tree& metadata = *object.find("metadata");
  metadata.set("generation", whole(2));
  std::vector<std::string> slots;
  for (const std::int64_t slot : set.spec.slots) slots.push_back(fmt::format("{}", slot));
  Tree annotations = Tree::map();
  annotations.set("delete-slots", text("[" + join(slots, ",") + "]"));
  metadata.set("annotations", std::move(annotations));

  Tree strategy = Tree::map();
  strategy.set("type", text(set.rolling_update ? "RollingUpdate" : "OnDelete"));
  if (set.rolling_update) {
    Tree rolling = Tree::map();
    put_whole(rolling, "partition", set.partition);
    strategy.set("rollingUpdate", std::move(rolling));
  }
  Tree pod_spec = Tree::map();
  pod_spec.set("containers", Tree::list({container_of(set.component, set.spec.image)}));
  Tree pod_template = Tree::map();
  pod_template.set("spec", std::move(pod_spec));
  Tree spec = Tree::map();
  spec.set("replicas", whole(set.replicas));
  spec.set("updateStrategy", std::move(strategy));
  spec.set("template", std::move(pod_template));
  if (set.spec.storage_bytes && !set.spec.claim_templates.empty())
    spec.set("volumeClaimTemplates", Tree::list({claim_template_of(set)}));
  object.set("spec", std::move(spec));

  Tree status = Tree::map();
  status.set("observedGeneration", whole(set.generation_pending ? 1 : 2));
  status.set("replicas", whole(set.replicas));
  const Revisions revisions(set);
  put(status, "currentRevision", revisions.current(set));
  put(status, "updateRevision", revisions.updated);
  object.set("status", std::move(status));
  return object;
}

Tree condition_of(std::string_view type, bool holds, const std::optional<Time>& since) {
  Tree condition = Tree::map();
  condition.set("type", text(std::string(type)));
  condition.set("status", text(holds ? "True" : "False"));
  put_time(condition, "lastTransitionTime", since);
  return condition;
}

Tree requests_of(std::int64_t cpu_milli, std::int64_t memory_bytes) {
  Tree requests = Tree::map();
  requests.set("cpu", text(fmt::format("{}m", cpu_milli)));
  requests.set("memory", text(fmt::format("{}", memory_bytes)));
  Tree resources = Tree::map();
  resources.set("requests", std::move(requests));
  return resources;
}

Tree annotations_of(const LivePod& pod) {
  Tree notes = Tree::map();
  put_time(notes, "tidb.pingcap.com/tikv-no-active-store-since", pod.no_store_since);
  put_time(notes, "evictLeaderBeginTime", pod.evict_begin);
  put_time(notes, "tidb.pingcap.com/tikv-evict-leader-end-at", pod.evict_end);
  if (!pod.asked_eviction.empty())
    notes.set("tidb.pingcap.com/evict-leader", text(pod.asked_eviction));
  put_time(notes, "tidb.pingcap.com/scale-in-time", pod.scale_in_time);
  if (pod.priority) notes.set("core.pingcap.com/priority", text(fmt::format("{}", *pod.priority)));
  if (pod.marked) notes.set("core.pingcap.com/defer-delete", text("true"));
  return notes;
}

Tree pod_of(const LiveSet& set, const LivePod& pod, const std::string& cluster,
            const std::string& ns, bool grouped) {
  Tree object = object_of("v1", "Pod", pod.name, ns);
  Tree& metadata = *object.find("metadata");
  put_time(metadata, "creationTimestamp", pod.created);
  Tree labels = Tree::map();
  labels.set(grouped ? "pingcap.com/cluster" : "app.kubernetes.io/instance", text(cluster));
  labels.set(grouped ? "pingcap.com/component" : "app.kubernetes.io/component",
             text(std::string(name_of(set.component))));
  put(labels, grouped ? "pingcap.com/instance-revision-hash" : "controller-revision-hash",
      Revisions(set).of(pod));
  if (pod.store_label)
    labels.set("tidb.pingcap.com/store-id", text(fmt::format("{}", *pod.store_label)));
  metadata.set("labels", std::move(labels));
  metadata.set("annotations", annotations_of(pod));
  if (!grouped) {
    Tree owner = Tree::map();
    owner.set("kind", text("StatefulSet"));
    owner.set("name", text(set.statefulset));
    metadata.set("ownerReferences", Tree::list({std::move(owner)}));
  }
  Tree spec = Tree::map();
  put(spec, "nodeName", pod.node);
  Tree containers = Tree::list({container_of(set.component, pod.image)});
  if (pod.requests_known) {
    // All requests of the pod together; which container asks for what is not kept.
    Tree all = Tree::map();
    all.set("name", text("requests"));
    all.set("resources", requests_of(pod.cpu_milli, pod.memory_bytes));
    containers.items().push_back(std::move(all));
  }
  spec.set("containers", std::move(containers));
  object.set("spec", std::move(spec));
  Tree status = Tree::map();
  status.set("phase", text(pod.running ? "Running" : "Pending"));
  status.set("conditions",
             Tree::list({condition_of("PodScheduled", pod.scheduled, std::nullopt),
                         condition_of("Ready", pod.ready,
                                      pod.ready ? pod.ready_since : pod.not_ready_since)}));
  if (!pod.waiting_reason.empty()) {
    Tree waiting = Tree::map();
    waiting.set("reason", text(pod.waiting_reason));
    Tree state = Tree::map();
    state.set("waiting", std::move(waiting));
    Tree container = Tree::map();
    container.set("state", std::move(state));
    status.set("containerStatuses", Tree::list({std::move(container)}));
  }
  object.set("status", std::move(status));
  return object;
}

Tree other_pod_of(const OtherPod& pod) {
  Tree object = object_of("v1", "Pod", pod.name, "elsewhere");
  Tree container = Tree::map();
  container.set("name", text("main"));
  container.set("resources", requests_of(pod.cpu_milli, pod.memory_bytes));
  Tree spec = Tree::map();
  put(spec, "nodeName", pod.node);
  spec.set("containers", Tree::list({std::move(container)}));
  object.set("spec", std::move(spec));
  return object;
}

Tree claim_of(const Claim& claim, const std::string& ns) {
  Tree object = object_of("v1", "PersistentVolumeClaim", claim.name, ns);
  Tree notes = Tree::map();
  put(notes, "tidb.pingcap.com/pod-name", claim.pod);
  if (claim.deferred) notes.set("tidb.pingcap.com/pvc-defer-deleting", text("planned"));
  Tree& metadata = *object.find("metadata");
  put(metadata, "uid", claim.uid);
  metadata.set("annotations", std::move(notes));
  Tree spec = Tree::map();
  put(spec, "storageClassName", claim.storage_class);
  put(spec, "volumeName", claim.volume);
  if (claim.request_bytes) {
    Tree requests = Tree::map();
    requests.set("storage", text(fmt::format("{}", *claim.request_bytes)));
    Tree resources = Tree::map();
    resources.set("requests", std::move(requests));
    spec.set("resources", std::move(resources));
  }
  object.set("spec", std::move(spec));
  return object;
}

}  // namespace

Tree kube_list_of(const Live& live, const std::string& cluster, Form form) {
  const bool grouped = form == Form::Groups;
  Tree items = Tree::list();
  for (const Component c : kComponents) {
    for (const LiveSet& set : live.of(c)) {
      if (!grouped) items.items().push_back(statefulset_of(set, live.ns));
      for (const LivePod& pod : set.pods)
        items.items().push_back(pod_of(set, pod, cluster, live.ns, grouped));
    }
  }
  for (const OtherPod& pod : live.other_pods) items.items().push_back(other_pod_of(pod));
  for (const Claim& claim : live.claims) items.items().push_back(claim_of(claim, live.ns));
  Tree list = Tree::map();
  list.set("apiVersion", text("v1"));
  list.set("kind", text("List"));
  list.set("items", std::move(items));
  return list;
}

Tree group_status_of(const LiveSet& group) {
  Tree status = Tree::map();
  status.set("replicas", whole(static_cast<std::int64_t>(group.pods.size())));
  status.set("updatedReplicas", whole(std::ranges::count_if(group.pods, &LivePod::updated)));
  const Revisions revisions(group);
  put(status, "currentRevision", revisions.current(group));
  put(status, "updateRevision", revisions.updated);
  return status;
}

}  // namespace ballast::tidb
