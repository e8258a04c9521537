// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/backend/kube_dump.hpp"

#include "ballast/tidb/backend/canonical.hpp"
#include "ballast/tidb/backend/missing.hpp"
#include "ballast/tidb/backend/pd_config.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

using KNode = kube::Node;

std::optional<std::int64_t> int_at(const KNode& node,
                                   std::initializer_list<std::string_view> path) {
  const KNode* value = node.at(path);
  return value == nullptr ? std::nullopt : value->as_int();
}

class KubeReader {
 public:
  explicit KubeReader(Diagnostics& errors) : errors_(errors) {}

  void read(const SourceText& source) {
    constexpr std::string_view kExpected =
        "StatefulSets, Pods or PersistentVolumeClaims were expected";
    auto documents = parse_source(source, kExpected, errors_);
    if (!documents) return;
    bool known = false;
    const std::vector<KNode> objects = kube::flatten_lists(std::move(*documents));
    for (const KNode& object : objects) known = add(object) || known;
    if (!known) {
      errors_.add("E015", "-", fmt::format("unknown content: {}", kExpected),
                  objects.empty() || objects.front().place().file.empty()
                      ? Place{source.file, 1, 1}
                      : objects.front().place());
    }
  }

  KubeData take() { return std::move(data_); }

 private:
  /// Whether the object has a kind at all.
  bool add(const KNode& object) {
    const std::string kind = text_of(object.find("kind"));
    if (kind == "StatefulSet") stateful_set(object);
    if (kind == "Pod") pod(object);
    if (kind == "PersistentVolumeClaim") claim(object);
    return !kind.empty();
  }

  std::optional<Time> time(const KNode* node) {
    const auto time = time_of(node);
    if (time) data_.newest = std::max(data_.newest, *time);
    return time;
  }

  bool named(const KNode& object, std::string& name, std::string& ns) {
    name = text_of(object.at({"metadata", "name"}));
    ns = text_of(object.at({"metadata", "namespace"}));
    if (!name.empty()) return true;
    add_missing_at(errors_, {"E015", "-", "metadata.name is missing", ""}, object,
                   {"metadata", "name"});
    return false;
  }

  void stateful_set(const KNode& object) {
    KubeStatefulSet set;
    if (!named(object, set.name, set.ns)) return;
    set.replicas = int_at(object, {"spec", "replicas"}).value_or(1);
    if (set.replicas < 0 || set.replicas > 10000) {
      errors_.add("E007", "spec.replicas",
                  fmt::format("replicas must be a whole number, 0 or more, found {}", set.replicas),
                  object.at({"spec", "replicas"})->place());
      return;
    }
    set.generation = int_at(object, {"metadata", "generation"}).value_or(0);
    const std::string type = text_of(object.at({"spec", "updateStrategy", "type"}));
    const KNode* rolling = object.at({"spec", "updateStrategy", "rollingUpdate"});
    // A dump that does not show the strategy at all says nothing about it.
    set.rolling_update = object.at({"spec", "updateStrategy"}) == nullptr ||
                         (type != "OnDelete" && rolling != nullptr);
    set.partition = int_at(object, {"spec", "updateStrategy", "rollingUpdate", "partition"});
    if (const KNode* slots = object.at({"metadata", "annotations", "delete-slots"}))
      set.slots = read_slots(*slots);
    if (const KNode* spec = object.at({"spec", "template", "spec"})) set.pod_spec = *spec;
    if (const KNode* claims = object.at({"spec", "volumeClaimTemplates"})) set.claims = *claims;
    set.status_replicas = int_at(object, {"status", "replicas"});
    set.ready_replicas = int_at(object, {"status", "readyReplicas"});
    set.updated_replicas = int_at(object, {"status", "updatedReplicas"});
    set.observed_generation = int_at(object, {"status", "observedGeneration"});
    set.current_revision = text_of(object.at({"status", "currentRevision"}));
    set.update_revision = text_of(object.at({"status", "updateRevision"}));
    data_.sets.push_back(std::move(set));
  }

  void pod(const KNode& object) {
    KubePod result;
    if (!named(object, result.pod.name, result.ns)) return;
    data_.has_pods = true;
    LivePod& pod = result.pod;
    pod.created = time(object.at({"metadata", "creationTimestamp"}));
    pod.deleting = object.at({"metadata", "deletionTimestamp"}) != nullptr;
    const auto labels = string_map(object.at({"metadata", "labels"}));
    const auto label = [&](const std::string& key) {
      const auto found = labels.find(key);
      return found == labels.end() ? std::string() : found->second;
    };
    // Operator v2 has label keys of its own.
    const auto either = [&](const std::string& key, const std::string& v2_key) {
      return label(key).empty() ? label(v2_key) : label(key);
    };
    pod.revision = either("controller-revision-hash", "pingcap.com/instance-revision-hash");
    result.component = either("app.kubernetes.io/component", "pingcap.com/component");
    result.instance = either("app.kubernetes.io/instance", "pingcap.com/cluster");
    if (const KNode* all = object.at({"metadata", "labels"}))
      pod.store_label = known_id(all->find("tidb.pingcap.com/store-id"),
                                 pod.name + ".metadata.labels[tidb.pingcap.com/store-id]", errors_);
    if (const KNode* notes = object.at({"metadata", "annotations"})) {
      pod.no_store_since = time(notes->find("tidb.pingcap.com/tikv-no-active-store-since"));
      pod.evict_begin = time(notes->find("evictLeaderBeginTime"));
      pod.evict_end = time(notes->find("tidb.pingcap.com/tikv-evict-leader-end-at"));
      pod.scale_in_time = time(notes->find("tidb.pingcap.com/scale-in-time"));
      pod.priority = id_of(notes->find("core.pingcap.com/priority"));
      pod.marked = notes->find("core.pingcap.com/defer-delete") != nullptr;
    }
    owner(object, result);
    pod.node = text_of(object.at({"spec", "nodeName"}));
    requests(object, pod);
    if (const KNode* spec = object.find("spec")) result.spec = *spec;
    status(object, result);
    data_.pods.push_back(std::move(result));
  }

  static void owner(const KNode& object, KubePod& result) {
    const KNode* owners = object.at({"metadata", "ownerReferences"});
    if (owners == nullptr || !owners->is_list()) return;
    for (const KNode& item : owners->items()) {
      if (text_of(item.find("kind")) == "StatefulSet") result.owner = text_of(item.find("name"));
    }
  }

  void requests(const KNode& object, LivePod& pod) {
    const KNode* containers = object.at({"spec", "containers"});
    if (containers == nullptr || !containers->is_list()) return;
    for (const KNode& container : containers->items()) {
      if (component_named(text_of(container.find("name"))))
        pod.image = text_of(container.find("image"));
      const KNode* requests = container.at({"resources", "requests"});
      if (requests == nullptr) continue;
      const std::string path = fmt::format("{}.resources.requests", pod.name);
      pod.requests_known = true;
      pod.cpu_milli += quantity_milli(requests->find("cpu"), path + ".cpu", errors_).value_or(0);
      pod.memory_bytes +=
          quantity_units(requests->find("memory"), path + ".memory", errors_).value_or(0);
    }
  }

  void status(const KNode& object, KubePod& result) {
    LivePod& pod = result.pod;
    result.phase = text_of(object.at({"status", "phase"}));
    pod.running = result.phase.empty() || result.phase == "Running";
    const KNode* conditions = object.at({"status", "conditions"});
    if (conditions != nullptr && conditions->is_list()) {
      for (const KNode& condition : conditions->items()) {
        const std::string type = text_of(condition.find("type"));
        const bool holds = text_of(condition.find("status")) == "True";
        const auto since = time(condition.find("lastTransitionTime"));
        if (type == "PodScheduled") pod.scheduled = holds;
        if (type != "Ready") continue;
        pod.ready_known = true;
        pod.ready = holds;
        (holds ? pod.ready_since : pod.not_ready_since) = since;
      }
    }
    const KNode* containers = object.at({"status", "containerStatuses"});
    if (containers == nullptr || !containers->is_list()) return;
    for (const KNode& container : containers->items()) {
      const std::string reason = text_of(container.at({"state", "waiting", "reason"}));
      if (!reason.empty()) pod.waiting_reason = reason;
    }
  }

  void claim(const KNode& object) {
    KubeClaim result;
    if (!named(object, result.claim.name, result.ns)) return;
    Claim& claim = result.claim;
    claim.uid = text_of(object.at({"metadata", "uid"}));
    if (const KNode* notes = object.at({"metadata", "annotations"})) {
      claim.deferred = notes->find("tidb.pingcap.com/pvc-defer-deleting") != nullptr;
      claim.pod = text_of(notes->find("tidb.pingcap.com/pod-name"));
    }
    claim.storage_class = text_of(object.at({"spec", "storageClassName"}));
    claim.volume = text_of(object.at({"spec", "volumeName"}));
    claim.request_bytes = quantity_units(object.at({"spec", "resources", "requests", "storage"}),
                                         claim.name + ".spec.resources.requests.storage", errors_);
    data_.claims.push_back(std::move(result));
  }

  Diagnostics& errors_;
  KubeData data_;
};

}  // namespace

KubeData read_kube(const std::vector<SourceText>& sources, Diagnostics& errors) {
  KubeReader reader(errors);
  for (const SourceText& source : sources) reader.read(source);
  return reader.take();
}

}  // namespace ballast::tidb
