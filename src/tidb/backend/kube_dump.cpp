// SPDX-License-Identifier: BSD-2-Clause
#include "kube_dump.hpp"
#include "ballast/kube/documents.hpp"

#include "ballast/operators/input/missing.hpp"
#include "ballast/tidb/backend/canonical.hpp"
#include "ballast/tidb/backend/pd_config.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

using doc::Tree;

std::optional<std::int64_t> int_at(const Tree& node, std::initializer_list<std::string_view> path) {
  const Tree* value = node.at(path);
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
    const std::vector<Tree> objects = kube::flatten_lists(std::move(*documents));
    for (const Tree& object : objects) known = add(object) || known;
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
  bool add(const Tree& object) {
    const std::string kind = text_of(object.find("kind"));
    if (kind == "StatefulSet") stateful_set(object);
    if (kind == "Pod") pod(object);
    if (kind == "PersistentVolumeClaim") claim(object);
    return !kind.empty();
  }

  std::optional<Time> time(const Tree* node) {
    const auto time = time_of(node);
    if (time) data_.newest = std::max(data_.newest, *time);
    return time;
  }

  bool named(const Tree& object, std::string& name, std::string& ns) {
    name = text_of(object.at({"metadata", "name"}));
    ns = text_of(object.at({"metadata", "namespace"}));
    if (!name.empty()) return true;
    operators::add_missing_at(errors_, {"E015", "-", "metadata.name is missing", ""}, object,
                              {"metadata", "name"});
    return false;
  }

  void stateful_set(const Tree& object) {
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
    const Tree* rolling = object.at({"spec", "updateStrategy", "rollingUpdate"});
    // A dump that does not show the strategy at all says nothing about it.
    set.rolling_update = object.at({"spec", "updateStrategy"}) == nullptr ||
                         (type != "OnDelete" && rolling != nullptr);
    set.partition = int_at(object, {"spec", "updateStrategy", "rollingUpdate", "partition"});
    if (const Tree* slots = object.at({"metadata", "annotations", "delete-slots"}))
      set.slots = read_slots(*slots);
    if (const Tree* spec = object.at({"spec", "template", "spec"})) set.pod_spec = *spec;
    if (const Tree* claims = object.at({"spec", "volumeClaimTemplates"})) set.claims = *claims;
    set.status_replicas = int_at(object, {"status", "replicas"});
    set.ready_replicas = int_at(object, {"status", "readyReplicas"});
    set.updated_replicas = int_at(object, {"status", "updatedReplicas"});
    set.observed_generation = int_at(object, {"status", "observedGeneration"});
    set.current_revision = text_of(object.at({"status", "currentRevision"}));
    set.update_revision = text_of(object.at({"status", "updateRevision"}));
    data_.sets.push_back(std::move(set));
  }

  void pod(const Tree& object) {
    KubePod result;
    if (!named(object, result.pod.name, result.ns)) return;
    data_.has_pods = true;
    LivePod& pod = result.pod;
    pod.created = time(object.at({"metadata", "creationTimestamp"}));
    pod.deleting = object.at({"metadata", "deletionTimestamp"}) != nullptr;
    const kube::Pod read = kube::read_pod(object, amounts_unread(errors_));
    const auto label = [&](const std::string& key) {
      const auto found = read.meta.labels.find(key);
      return found == read.meta.labels.end() ? std::string() : found->second;
    };
    // Operator v2 has label keys of its own.
    const auto either = [&](const std::string& key, const std::string& v2_key) {
      return label(key).empty() ? label(v2_key) : label(key);
    };
    pod.revision = either("controller-revision-hash", "pingcap.com/instance-revision-hash");
    result.component = either("app.kubernetes.io/component", "pingcap.com/component");
    result.instance = either("app.kubernetes.io/instance", "pingcap.com/cluster");
    if (const Tree* all = object.at({"metadata", "labels"}))
      pod.store_label = known_id(all->find("tidb.pingcap.com/store-id"),
                                 pod.name + ".metadata.labels[tidb.pingcap.com/store-id]", errors_);
    if (const Tree* notes = object.at({"metadata", "annotations"})) {
      pod.no_store_since = time(notes->find("tidb.pingcap.com/tikv-no-active-store-since"));
      pod.evict_begin = time(notes->find("evictLeaderBeginTime"));
      pod.evict_end = time(notes->find("tidb.pingcap.com/tikv-evict-leader-end-at"));
      pod.asked_eviction = asked_eviction(*notes);
      pod.scale_in_time = time(notes->find("tidb.pingcap.com/scale-in-time"));
      pod.priority = id_of(notes->find("core.pingcap.com/priority"));
      pod.marked = notes->find("core.pingcap.com/defer-delete") != nullptr;
    }
    result.owner = read.owner;
    pod.node = read.machine;
    pod.image = image_of(object);
    pod.requests_known = read.requests_known;
    pod.cpu_milli = read.cpu_milli;
    pod.memory_bytes = read.memory_bytes;
    if (const Tree* spec = object.find("spec")) result.spec = *spec;
    status(read, result);
    data_.pods.push_back(std::move(result));
  }

  /// Of the two keys the first counts; the operator ignores values that it does not know.
  static std::string asked_eviction(const Tree& notes) {
    const Tree* asked = notes.find("tidb.pingcap.com/evict-leader");
    if (asked == nullptr) asked = notes.find("tidb.pingcap.com/evict-leader-for-resize");
    const std::string value = text_of(asked);
    return value == "none" || value == "delete-pod" ? value : "";
  }

  /// The image of the component's container.
  static std::string image_of(const Tree& object) {
    std::string image;
    const Tree* containers = object.at({"spec", "containers"});
    if (containers == nullptr || !containers->is_list()) return image;
    for (const Tree& container : containers->items()) {
      if (component_named(text_of(container.find("name"))))
        image = text_of(container.find("image"));
    }
    return image;
  }

  void status(const kube::Pod& read, KubePod& result) {
    LivePod& pod = result.pod;
    result.phase = read.phase;
    pod.running = result.phase.empty() || result.phase == "Running";
    for (const kube::Condition& condition : read.conditions) {
      if (condition.since) data_.newest = std::max(data_.newest, *condition.since);
      if (condition.type == "PodScheduled") pod.scheduled = condition.holds;
      if (condition.type != "Ready") continue;
      pod.ready_known = true;
      pod.ready = condition.holds;
      (condition.holds ? pod.ready_since : pod.not_ready_since) = condition.since;
    }
    pod.waiting_reason = read.waiting_reason;
  }

  void claim(const Tree& object) {
    KubeClaim result;
    if (!named(object, result.claim.name, result.ns)) return;
    Claim& claim = result.claim;
    const kube::Claim read = kube::read_claim(object, amounts_unread(errors_));
    claim.uid = read.meta.uid;
    if (const Tree* notes = object.at({"metadata", "annotations"})) {
      claim.deferred = notes->find("tidb.pingcap.com/pvc-defer-deleting") != nullptr;
      claim.pod = text_of(notes->find("tidb.pingcap.com/pod-name"));
    }
    claim.storage_class = read.storage_class;
    claim.volume = read.volume;
    claim.request_bytes = read.request_bytes;
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
