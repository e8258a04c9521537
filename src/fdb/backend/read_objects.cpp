// SPDX-License-Identifier: BSD-2-Clause
// Pods, volume claims, services, config maps and nodes, as kubectl prints them.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ballast/fdb/backend/canonical.hpp"
#include "ballast/fdb/backend/readers.hpp"
#include "ballast/fdb/model/address.hpp"
#include "ballast/fdb/model/identity.hpp"
#include "ballast/kube/objects.hpp"

#include "object_fields.hpp"

namespace ballast::fdb {
namespace {

using doc::Tree;
using kube::ObjectMeta;

class ObjectReader {
 public:
  ObjectReader(Cluster& cluster, const ReadContext& context, bool has_peers)
      : cluster_(cluster), context_(context), has_peers_(has_peers) {}

  void run(const std::vector<Tree>& objects) {
    for (const Tree& object : objects) read(object);
    if (has_peers_ && own_ == 0) {
      cluster_.given.pods = false;
      cluster_.given.volumes = false;
      cluster_.given.services = false;
    } else if (foreign_place_ && own_ == 0 && !cluster_.groups.empty()) {
      context_.errors->add(
          "F016", "",
          fmt::format("pods, claims or services of another cluster: expected those of {}",
                      cluster_.name),
          *foreign_place_);
    }
    for (ProcessGroup& group : cluster_.groups) {
      const auto taints = cluster_.node_taints.find(group.pod ? group.pod->node : std::string());
      if (taints != cluster_.node_taints.end()) group.taints = taints->second;
    }
    mark_missing_hashes();
  }

 private:
  void read(const Tree& object) {
    const auto metadata = kube::read_metadata(object);
    if (!metadata) {
      context_.errors->add("F004", "", metadata.error().message, metadata.error().place);
      return;
    }
    const std::string& kind = metadata->kind;
    if (kind == "Node") return read_node(object, *metadata);
    if (kind == "ConfigMap") return read_config_map(object, *metadata);
    const bool is_pod = kind == "Pod";
    const bool is_claim = kind == "PersistentVolumeClaim";
    const bool is_service = kind == "Service";
    if (!is_pod && !is_claim && !is_service) return;
    if (is_pod) cluster_.given.pods = true;
    if (is_claim) cluster_.given.volumes = true;
    if (is_service) cluster_.given.services = true;
    if (!belongs(*metadata)) {
      if (!foreign_place_) foreign_place_ = object.place();
      return;
    }
    ++own_;
    const std::string id = label(*metadata, cluster_.spec.id_labels.front(), "fdb-instance-id");
    if (is_service && id.empty()) {
      if (metadata->name == cluster_.name) cluster_.has_headless_service = true;
      return;
    }
    ProcessGroup* group = group_of(id, *metadata, object);
    if (group == nullptr) return;
    if (is_pod) read_pod(object, *metadata, *group);
    if (is_claim) read_claim(object, *metadata, *group);
    if (is_service) {
      // One that is being deleted holds nothing up.
      group->has_service = metadata->deletion_timestamp.empty();
      group->service_ip = text_at(object, {"spec", "clusterIP"});
    }
  }

  [[nodiscard]] bool belongs(const ObjectMeta& metadata) const {
    const std::string name_space = metadata.name_space.empty() ? "default" : metadata.name_space;
    if (name_space != cluster_.name_space) return false;
    for (const auto& [key, value] : cluster_.spec.match_labels) {
      if (label(metadata, key, "fdb-cluster-name") != value) return false;
    }
    return true;
  }

  ProcessGroup* group_of(const std::string& id, const ObjectMeta& metadata, const Tree& object) {
    if (!parse_group_id(id)) {
      if (metadata.kind == "Pod") {
        context_.errors->add(
            "F012", metadata.kind + "/" + metadata.name,
            quoted(id) + ": expected a process group label that ends with a number",
            object.place());
      }
      return nullptr;
    }
    if (cluster_.find(id) == nullptr && !metadata.deletion_timestamp.empty()) return nullptr;
    const std::string class_name =
        label(metadata, cluster_.spec.class_labels.front(), "fdb-process-class");
    const auto c =
        parse_process_class(class_name.empty() ? parse_group_id(id)->class_name : class_name);
    if (!c) {
      context_.errors->add("F008", metadata.kind + "/" + metadata.name,
                           quoted(class_name) + ": expected a process class", object.place());
      return nullptr;
    }
    const bool is_new = cluster_.find(id) == nullptr;
    ProcessGroup& group = group_for(cluster_, id, *c);
    if (is_new && cluster_.given.status) {
      cluster_.disagreements.push_back(
          {"status-disagrees",
           id + " is not in the status, but " + metadata.kind + " " + metadata.name + " is there"});
    }
    if (!is_new && group.process_class != *c) {
      context_.errors->add("F016", metadata.kind + "/" + metadata.name,
                           fmt::format("{}: class {} contradicts the status, which says {}",
                                       quoted(id), name(*c), name(group.process_class)),
                           object.place());
    }
    return &group;
  }

  void read_node(const Tree& object, const ObjectMeta& metadata) {
    cluster_.given.nodes = true;
    kube::Machine machine = kube::read_machine(object, {});
    auto& taints = cluster_.node_taints[metadata.name];
    for (const kube::Taint& taint : machine.taints)
      taints.emplace_back(taint.key, taint.since.value_or(cluster_.now));
    cluster_.node_labels[metadata.name] = std::move(machine.labels);
  }

  void read_config_map(const Tree& object, const ObjectMeta& metadata) {
    const std::string name_space = metadata.name_space.empty() ? "default" : metadata.name_space;
    cluster_.given.config_maps = true;
    if (metadata.name != config_map_name(cluster_.name) || name_space != cluster_.name_space)
      return;
    std::map<std::string, std::string> data;
    if (const Tree* node = object.find("data"); node != nullptr && node->is_map()) {
      for (const auto& [key, value] : node->entries()) data[key] = value.text();
    }
    cluster_.config_map = std::move(data);
  }

  void read_pod(const Tree& object, const ObjectMeta& metadata, ProcessGroup& group) {
    Pod pod = pod_of(object, metadata, group.process_class, context_);
    if (pod.name != pod_name(cluster_.name, group.process_class, group.number)) {
      cluster_.disagreements.push_back(
          {"status-disagrees",
           "pod " + pod.name + " bears the label of " + group.id + ", which its name contradicts"});
    }
    if (group.pod) {
      context_.errors->add(
          "F016", "Pod/" + metadata.name,
          fmt::format("a second pod of process group {}: expected one", quoted(group.id)),
          object.place());
    }
    group.pod = std::move(pod);
  }

  void read_claim(const Tree& object, const ObjectMeta& metadata, ProcessGroup& group) {
    Volume volume;
    volume.name = metadata.name;
    volume.spec_hash = annotation(metadata, "last-applied-spec");
    volume.labels.assign(metadata.labels.begin(), metadata.labels.end());
    volume.annotations.assign(metadata.annotations.begin(), metadata.annotations.end());
    const kube::Claim claim = kube::read_claim(object, [this](const kube::Unreadable& part) {
      context_.errors->add("F015", fmt::format("{}/{}.{}", part.kind, part.name, part.path),
                           part.message, part.value.place());
    });
    volume.request_bytes = claim.request_bytes.value_or(0);
    volume.capacity_bytes = claim.capacity_bytes.value_or(0);
    volume.is_terminating = !metadata.deletion_timestamp.empty();
    group.volume = std::move(volume);
  }

  /// A missing hash says something only where other pods have one.
  void mark_missing_hashes() {
    const bool any =
        std::any_of(cluster_.groups.begin(), cluster_.groups.end(),
                    [](const ProcessGroup& g) { return g.pod && g.pod->has_config_hash; });
    if (any) return;
    for (ProcessGroup& group : cluster_.groups) {
      if (group.pod) group.pod->has_config_hash = true;
    }
  }

  Cluster& cluster_;
  const ReadContext& context_;
  bool has_peers_;
  std::optional<Place> foreign_place_;
  int own_ = 0;
};

}  // namespace

void read_objects(const std::vector<doc::Tree>& objects, Cluster& cluster,
                  const ReadContext& context, bool has_peers) {
  ObjectReader(cluster, context, has_peers).run(objects);
}

}  // namespace ballast::fdb
