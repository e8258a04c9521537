// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/backend/live_dump.hpp"

#include "ballast/core/strings.hpp"
#include "ballast/kube/write.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

using doc::Tree;

using kube::put;
using kube::put_time;
using kube::text;

Tree whole(std::int64_t value) { return Tree::integer(value); }

Tree container_of(Component component, const std::string& image) {
  Tree container = Tree::map({{"name", text(name_of(component))}});
  put(container, "image", image);
  return container;
}

Tree storage_of(std::int64_t bytes) {
  return kube::requests({{"storage", text(fmt::format("{}", bytes))}});
}

Tree claim_template_of(const LiveSet& set) {
  Tree spec = Tree::map();
  put(spec, "storageClassName", set.spec.storage_class);
  spec.set("resources", storage_of(*set.spec.storage_bytes));
  return Tree::map({{"metadata", Tree::map({{"name", text(name_of(set.component))}})},
                    {"spec", std::move(spec)}});
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
  Tree object = kube::object("apps/v1", "StatefulSet", set.statefulset, ns);
  std::vector<std::string> slots;
  for (const std::int64_t slot : set.spec.slots) slots.push_back(fmt::format("{}", slot));
  Tree& metadata = *object.find("metadata");
  metadata.set("generation", whole(2));
  metadata.set("annotations", Tree::map({{"delete-slots", text("[" + join(slots, ",") + "]")}}));

  Tree strategy = Tree::map({{"type", text(set.rolling_update ? "RollingUpdate" : "OnDelete")}});
  if (set.rolling_update) {
    Tree rolling = Tree::map();
    put(rolling, "partition", set.partition);
    strategy.set("rollingUpdate", std::move(rolling));
  }
  Tree pod_spec =
      Tree::map({{"containers", Tree::list({container_of(set.component, set.spec.image)})}});
  Tree spec = Tree::map({{"replicas", whole(set.replicas)},
                         {"updateStrategy", std::move(strategy)},
                         {"template", Tree::map({{"spec", std::move(pod_spec)}})}});
  if (set.spec.storage_bytes && !set.spec.claim_templates.empty())
    spec.set("volumeClaimTemplates", Tree::list({claim_template_of(set)}));
  object.set("spec", std::move(spec));

  Tree status = Tree::map({{"observedGeneration", whole(set.generation_pending ? 1 : 2)},
                           {"replicas", whole(set.replicas)}});
  const Revisions revisions(set);
  put(status, "currentRevision", revisions.current(set));
  put(status, "updateRevision", revisions.updated);
  object.set("status", std::move(status));
  return object;
}

Tree condition_of(std::string_view type, bool holds, const std::optional<Time>& since) {
  Tree condition = Tree::map({{"type", text(type)}, {"status", text(holds ? "True" : "False")}});
  put_time(condition, "lastTransitionTime", since);
  return condition;
}

Tree requests_of(std::int64_t cpu_milli, std::int64_t memory_bytes) {
  return kube::requests({{"cpu", text(fmt::format("{}m", cpu_milli))},
                         {"memory", text(fmt::format("{}", memory_bytes))}});
}

Tree annotations_of(const LivePod& pod) {
  Tree notes = Tree::map();
  put_time(notes, "tidb.pingcap.com/tikv-no-active-store-since", pod.no_store_since);
  put_time(notes, "evictLeaderBeginTime", pod.evict_begin);
  put_time(notes, "tidb.pingcap.com/tikv-evict-leader-end-at", pod.evict_end);
  put(notes, "tidb.pingcap.com/evict-leader", pod.asked_eviction);
  put_time(notes, "tidb.pingcap.com/scale-in-time", pod.scale_in_time);
  if (pod.priority) notes.set("core.pingcap.com/priority", text(fmt::format("{}", *pod.priority)));
  if (pod.marked) notes.set("core.pingcap.com/defer-delete", text("true"));
  return notes;
}

Tree pod_of(const LiveSet& set, const LivePod& pod, const std::string& cluster,
            const std::string& ns, bool grouped) {
  Tree object = kube::object("v1", "Pod", pod.name, ns);
  Tree& metadata = *object.find("metadata");
  put_time(metadata, "creationTimestamp", pod.created);
  Tree labels = Tree::map();
  labels.set(grouped ? "pingcap.com/cluster" : "app.kubernetes.io/instance", text(cluster));
  labels.set(grouped ? "pingcap.com/component" : "app.kubernetes.io/component",
             text(name_of(set.component)));
  put(labels, grouped ? "pingcap.com/instance-revision-hash" : "controller-revision-hash",
      Revisions(set).of(pod));
  if (pod.store_label)
    labels.set("tidb.pingcap.com/store-id", text(fmt::format("{}", *pod.store_label)));
  metadata.set("labels", std::move(labels));
  metadata.set("annotations", annotations_of(pod));
  if (!grouped) {
    metadata.set(
        "ownerReferences",
        Tree::list({Tree::map({{"kind", text("StatefulSet")}, {"name", text(set.statefulset)}})}));
  }
  Tree spec = Tree::map();
  put(spec, "nodeName", pod.node);
  Tree containers = Tree::list({container_of(set.component, pod.image)});
  if (pod.requests_known) {
    // All requests of the pod together; which container asks for what is not kept.
    containers.items().push_back(Tree::map(
        {{"name", text("requests")}, {"resources", requests_of(pod.cpu_milli, pod.memory_bytes)}}));
  }
  spec.set("containers", std::move(containers));
  object.set("spec", std::move(spec));
  const auto& since = pod.ready ? pod.ready_since : pod.not_ready_since;
  Tree status = Tree::map(
      {{"phase", text(pod.running ? "Running" : "Pending")},
       {"conditions", Tree::list({condition_of("PodScheduled", pod.scheduled, std::nullopt),
                                  condition_of("Ready", pod.ready, since)})}});
  if (!pod.waiting_reason.empty()) {
    Tree waiting = Tree::map({{"waiting", Tree::map({{"reason", text(pod.waiting_reason)}})}});
    status.set("containerStatuses", Tree::list({Tree::map({{"state", std::move(waiting)}})}));
  }
  object.set("status", std::move(status));
  return object;
}

Tree other_pod_of(const OtherPod& pod) {
  Tree object = kube::object("v1", "Pod", pod.name, "elsewhere");
  Tree container = Tree::map(
      {{"name", text("main")}, {"resources", requests_of(pod.cpu_milli, pod.memory_bytes)}});
  Tree spec = Tree::map();
  put(spec, "nodeName", pod.node);
  spec.set("containers", Tree::list({std::move(container)}));
  object.set("spec", std::move(spec));
  return object;
}

Tree claim_of(const Claim& claim, const std::string& ns) {
  Tree object = kube::object("v1", "PersistentVolumeClaim", claim.name, ns);
  Tree notes = Tree::map();
  put(notes, "tidb.pingcap.com/pod-name", claim.pod);
  if (claim.deferred) notes.set("tidb.pingcap.com/pvc-defer-deleting", text("planned"));
  Tree& metadata = *object.find("metadata");
  put(metadata, "uid", claim.uid);
  metadata.set("annotations", std::move(notes));
  Tree spec = Tree::map();
  put(spec, "storageClassName", claim.storage_class);
  put(spec, "volumeName", claim.volume);
  if (claim.request_bytes) spec.set("resources", storage_of(*claim.request_bytes));
  object.set("spec", std::move(spec));
  return object;
}

}  // namespace

Tree kube_list_of(const Live& live, const std::string& cluster, Form form) {
  const bool grouped = form == Form::Groups;
  std::vector<Tree> items;
  for (const Component c : kComponents) {
    for (const LiveSet& set : live.of(c)) {
      if (!grouped) items.push_back(statefulset_of(set, live.ns));
      for (const LivePod& pod : set.pods)
        items.push_back(pod_of(set, pod, cluster, live.ns, grouped));
    }
  }
  for (const OtherPod& pod : live.other_pods) items.push_back(other_pod_of(pod));
  for (const Claim& claim : live.claims) items.push_back(claim_of(claim, live.ns));
  return kube::list_of(std::move(items));
}

Tree group_status_of(const LiveSet& group) {
  Tree status =
      Tree::map({{"replicas", whole(static_cast<std::int64_t>(group.pods.size()))},
                 {"updatedReplicas", whole(std::ranges::count_if(group.pods, &LivePod::updated))}});
  const Revisions revisions(group);
  put(status, "currentRevision", revisions.current(group));
  put(status, "updateRevision", revisions.updated);
  return status;
}

}  // namespace ballast::tidb
