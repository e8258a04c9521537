// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/backend/live_dump.hpp"

#include "ballast/core/strings.hpp"
#include "ballast/kube/object.hpp"
#include "ballast/kube/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

using KNode = kube::Node;

KNode text(std::string value) { return KNode::string(std::move(value)); }
KNode whole(std::int64_t value) { return KNode::integer(value); }
KNode time(Time at) { return text(kube::format_time(at)); }

void put(KNode& map, std::string_view key, const std::string& value) {
  if (!value.empty()) map.set(key, text(value));
}
void put_time(KNode& map, std::string_view key, const std::optional<Time>& at) {
  if (at) map.set(key, time(*at));
}
void put_whole(KNode& map, std::string_view key, const std::optional<std::int64_t>& number) {
  if (number) map.set(key, whole(*number));
}

KNode object_of(std::string_view version, std::string_view kind, const std::string& name,
                const std::string& ns) {
  KNode object = KNode::map();
  object.set("apiVersion", text(std::string(version)));
  object.set("kind", text(std::string(kind)));
  KNode metadata = KNode::map();
  metadata.set("name", text(name));
  if (!ns.empty()) metadata.set("namespace", text(ns));
  object.set("metadata", std::move(metadata));
  return object;
}

KNode container_of(Component component, const std::string& image) {
  KNode container = KNode::map();
  container.set("name", text(std::string(name_of(component))));
  put(container, "image", image);
  return container;
}

KNode claim_template_of(const LiveSet& set) {
  KNode requests = KNode::map();
  requests.set("storage", text(fmt::format("{}", *set.spec.storage_bytes)));
  KNode resources = KNode::map();
  resources.set("requests", std::move(requests));
  KNode spec = KNode::map();
  put(spec, "storageClassName", set.spec.storage_class);
  spec.set("resources", std::move(resources));
  KNode metadata = KNode::map();
  metadata.set("name", text(std::string(name_of(set.component))));
  KNode claim = KNode::map();
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

KNode statefulset_of(const LiveSet& set, const std::string& ns) {
  KNode object = object_of("apps/v1", "StatefulSet", set.statefulset, ns);
  KNode& metadata = *object.find("metadata");
  metadata.set("generation", whole(2));
  std::vector<std::string> slots;
  for (const std::int64_t slot : set.spec.slots) slots.push_back(fmt::format("{}", slot));
  KNode annotations = KNode::map();
  annotations.set("delete-slots", text("[" + join(slots, ",") + "]"));
  metadata.set("annotations", std::move(annotations));

  KNode strategy = KNode::map();
  strategy.set("type", text(set.rolling_update ? "RollingUpdate" : "OnDelete"));
  if (set.rolling_update) {
    KNode rolling = KNode::map();
    put_whole(rolling, "partition", set.partition);
    strategy.set("rollingUpdate", std::move(rolling));
  }
  KNode pod_spec = KNode::map();
  pod_spec.set("containers", KNode::list({container_of(set.component, set.spec.image)}));
  KNode pod_template = KNode::map();
  pod_template.set("spec", std::move(pod_spec));
  KNode spec = KNode::map();
  spec.set("replicas", whole(set.replicas));
  spec.set("updateStrategy", std::move(strategy));
  spec.set("template", std::move(pod_template));
  if (set.spec.storage_bytes && !set.spec.claim_templates.empty())
    spec.set("volumeClaimTemplates", KNode::list({claim_template_of(set)}));
  object.set("spec", std::move(spec));

  KNode status = KNode::map();
  status.set("observedGeneration", whole(set.generation_pending ? 1 : 2));
  status.set("replicas", whole(set.replicas));
  const Revisions revisions(set);
  put(status, "currentRevision", revisions.current(set));
  put(status, "updateRevision", revisions.updated);
  object.set("status", std::move(status));
  return object;
}

KNode condition_of(std::string_view type, bool holds, const std::optional<Time>& since) {
  KNode condition = KNode::map();
  condition.set("type", text(std::string(type)));
  condition.set("status", text(holds ? "True" : "False"));
  put_time(condition, "lastTransitionTime", since);
  return condition;
}

KNode requests_of(std::int64_t cpu_milli, std::int64_t memory_bytes) {
  KNode requests = KNode::map();
  requests.set("cpu", text(fmt::format("{}m", cpu_milli)));
  requests.set("memory", text(fmt::format("{}", memory_bytes)));
  KNode resources = KNode::map();
  resources.set("requests", std::move(requests));
  return resources;
}

KNode annotations_of(const LivePod& pod) {
  KNode notes = KNode::map();
  put_time(notes, "tidb.pingcap.com/tikv-no-active-store-since", pod.no_store_since);
  put_time(notes, "evictLeaderBeginTime", pod.evict_begin);
  put_time(notes, "tidb.pingcap.com/tikv-evict-leader-end-at", pod.evict_end);
  put_time(notes, "tidb.pingcap.com/scale-in-time", pod.scale_in_time);
  if (pod.priority) notes.set("core.pingcap.com/priority", text(fmt::format("{}", *pod.priority)));
  if (pod.marked) notes.set("core.pingcap.com/defer-delete", text("true"));
  return notes;
}

KNode pod_of(const LiveSet& set, const LivePod& pod, const std::string& cluster,
             const std::string& ns, bool grouped) {
  KNode object = object_of("v1", "Pod", pod.name, ns);
  KNode& metadata = *object.find("metadata");
  put_time(metadata, "creationTimestamp", pod.created);
  KNode labels = KNode::map();
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
    KNode owner = KNode::map();
    owner.set("kind", text("StatefulSet"));
    owner.set("name", text(set.statefulset));
    metadata.set("ownerReferences", KNode::list({std::move(owner)}));
  }
  KNode spec = KNode::map();
  put(spec, "nodeName", pod.node);
  KNode containers = KNode::list({container_of(set.component, pod.image)});
  if (pod.requests_known) {
    // All requests of the pod together; which container asks for what is not kept.
    KNode all = KNode::map();
    all.set("name", text("requests"));
    all.set("resources", requests_of(pod.cpu_milli, pod.memory_bytes));
    containers.items().push_back(std::move(all));
  }
  spec.set("containers", std::move(containers));
  object.set("spec", std::move(spec));
  KNode status = KNode::map();
  status.set("phase", text(pod.running ? "Running" : "Pending"));
  status.set("conditions",
             KNode::list({condition_of("PodScheduled", pod.scheduled, std::nullopt),
                          condition_of("Ready", pod.ready,
                                       pod.ready ? pod.ready_since : pod.not_ready_since)}));
  if (!pod.waiting_reason.empty()) {
    KNode waiting = KNode::map();
    waiting.set("reason", text(pod.waiting_reason));
    KNode state = KNode::map();
    state.set("waiting", std::move(waiting));
    KNode container = KNode::map();
    container.set("state", std::move(state));
    status.set("containerStatuses", KNode::list({std::move(container)}));
  }
  object.set("status", std::move(status));
  return object;
}

KNode other_pod_of(const OtherPod& pod) {
  KNode object = object_of("v1", "Pod", pod.name, "elsewhere");
  KNode container = KNode::map();
  container.set("name", text("main"));
  container.set("resources", requests_of(pod.cpu_milli, pod.memory_bytes));
  KNode spec = KNode::map();
  put(spec, "nodeName", pod.node);
  spec.set("containers", KNode::list({std::move(container)}));
  object.set("spec", std::move(spec));
  return object;
}

KNode claim_of(const Claim& claim, const std::string& ns) {
  KNode object = object_of("v1", "PersistentVolumeClaim", claim.name, ns);
  KNode notes = KNode::map();
  put(notes, "tidb.pingcap.com/pod-name", claim.pod);
  if (claim.deferred) notes.set("tidb.pingcap.com/pvc-defer-deleting", text("planned"));
  KNode& metadata = *object.find("metadata");
  put(metadata, "uid", claim.uid);
  metadata.set("annotations", std::move(notes));
  KNode spec = KNode::map();
  put(spec, "storageClassName", claim.storage_class);
  put(spec, "volumeName", claim.volume);
  if (claim.request_bytes) {
    KNode requests = KNode::map();
    requests.set("storage", text(fmt::format("{}", *claim.request_bytes)));
    KNode resources = KNode::map();
    resources.set("requests", std::move(requests));
    spec.set("resources", std::move(resources));
  }
  object.set("spec", std::move(spec));
  return object;
}

}  // namespace

KNode kube_list_of(const Live& live, const std::string& cluster, Form form) {
  const bool grouped = form == Form::Groups;
  KNode items = KNode::list();
  for (const Component c : kComponents) {
    for (const LiveSet& set : live.of(c)) {
      if (!grouped) items.items().push_back(statefulset_of(set, live.ns));
      for (const LivePod& pod : set.pods)
        items.items().push_back(pod_of(set, pod, cluster, live.ns, grouped));
    }
  }
  for (const OtherPod& pod : live.other_pods) items.items().push_back(other_pod_of(pod));
  for (const Claim& claim : live.claims) items.items().push_back(claim_of(claim, live.ns));
  KNode list = KNode::map();
  list.set("apiVersion", text("v1"));
  list.set("kind", text("List"));
  list.set("items", std::move(items));
  return list;
}

KNode group_status_of(const LiveSet& group) {
  KNode status = KNode::map();
  status.set("replicas", whole(static_cast<std::int64_t>(group.pods.size())));
  status.set("updatedReplicas", whole(std::ranges::count_if(group.pods, &LivePod::updated)));
  const Revisions revisions(group);
  put(status, "currentRevision", revisions.current(group));
  put(status, "updateRevision", revisions.updated);
  return status;
}

}  // namespace ballast::tidb
