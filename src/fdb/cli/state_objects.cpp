// SPDX-License-Identifier: BSD-2-Clause
// Kubernetes objects of a state of the simulation.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "ballast/core/sha256.hpp"
#include "ballast/fdb/cli/state_files.hpp"
#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/model/map_hash.hpp"
#include "ballast/fdb/model/server_config.hpp"
#include "ballast/kube/quantity.hpp"
#include "ballast/kube/write.hpp"

namespace ballast::fdb {
namespace {

using doc::Tree;

constexpr std::string_view kFront = "foundationdb.org/";
constexpr std::string_view kConfigHash = "foundationdb.org/last-applied-config-map";
constexpr std::string_view kMain = "foundationdb";
constexpr std::string_view kSidecar = "foundationdb-kubernetes-sidecar";

using kube::put;
using kube::text;
using kube::texts;

/// The map at `key`, made where it is missing.
Tree& child(Tree& map, std::string_view key) {
  if (map.find(key) == nullptr) map.set(key, Tree::map());
  return *map.find(key);
}

/// Objects as they were given, by kind and name; those of other kinds in their order.
class GivenObjects {
 public:
  explicit GivenObjects(const Loaded& loaded) {
    for (const Tree& object : loaded.objects) {
      const Tree* kind = object.find("kind");
      const Tree* name = object.at({"metadata", "name"});
      if (kind == nullptr || name == nullptr) continue;
      const std::string& k = kind->text();
      const bool is_ours =
          k == "Pod" || k == "PersistentVolumeClaim" || k == "Service" || k == "ConfigMap";
      if (is_ours) {
        named_[{k, name->text()}] = &object;
      } else {
        others_.push_back(&object);
      }
    }
  }

  [[nodiscard]] const Tree* find(const std::string& kind, const std::string& name) const {
    const auto found = named_.find({kind, name});
    return found == named_.end() ? nullptr : found->second;
  }
  [[nodiscard]] const std::vector<const Tree*>& others() const { return others_; }

 private:
  std::map<std::pair<std::string, std::string>, const Tree*> named_;
  std::vector<const Tree*> others_;
};

class Objects {
 public:
  Objects(const Loaded& loaded, const World& world)
      : given_(loaded), world_(world), cluster_(*world.snapshot) {
    read_map();
  }

  Tree list() {
    std::vector<Tree> items;
    for (const Member& group : world_.groups) {
      if (group.pod) items.push_back(pod(group));
      if (group.volume) items.push_back(claim(group));
      if (group.has_service) items.push_back(service(group));
    }
    if (world_.has_headless_service) items.push_back(headless_service());
    if (world_.has_config_map) items.push_back(config_map());
    for (const Tree* other : given_.others()) items.push_back(*other);
    return kube::list_of(std::move(items));
  }

 private:
  [[nodiscard]] const ProcessSettings& settings(const Member& group) const {
    return world_.spec.processes[index(group.process_class)];
  }

  [[nodiscard]] Tree labels(const Member& group) const {
    Tree labels = texts(world_.spec.match_labels);
    labels.set(world_.spec.class_labels.front(), text(name(group.process_class)));
    labels.set(world_.spec.id_labels.front(), text(group.id));
    return labels;
  }

  [[nodiscard]] Tree object(std::string_view kind, const std::string& name) const {
    return kube::object("v1", kind, name, cluster_.name_space);
  }

  void set_deletion(Tree& object, std::optional<Time> since, bool is_deleted) const {
    if (is_deleted && !since) since = world_.now;
    kube::put_time(*object.find("metadata"), "deletionTimestamp", since);
  }

  [[nodiscard]] Tree pod(const Member& group) const {
    const Pod& pod = *group.pod;
    const Tree* given = group.was_touched || group.pod_created || pod.is_assumed
                            ? nullptr
                            : given_.find("Pod", pod.name);
    Tree node = given != nullptr ? *given : new_pod(group);
    set_deletion(node, pod.terminating_since, group.pod_deleted || group.resources_deleted);
    if (given == nullptr) return node;
    set_sidecar(node, pod);
    if (has_copied_map(group))
      child(child(node, "metadata"), "annotations").set(kConfigHash, text(map_hash(group)));
    return node;
  }

  /// Upgrades give running pods another image of the sidecar.
  void set_sidecar(Tree& node, const Pod& pod) const {
    if (pod.sidecar_version != to_string(world_.spec.version)) return;
    Tree* containers =
        node.find("spec") == nullptr ? nullptr : node.find("spec")->find("containers");
    if (containers == nullptr || !containers->is_list()) return;
    for (Tree& container : containers->items()) {
      const Tree* name = container.find("name");
      if (name != nullptr && name->text() == kSidecar && container.find("image") != nullptr)
        container.set("image", text(world_.spec.sidecar_image));
    }
  }

  [[nodiscard]] Tree new_pod(const Member& group) const {
    const Pod& pod = *group.pod;
    Tree node = object("Pod", pod.name);
    Tree& metadata = *node.find("metadata");
    kube::put_time(metadata, "creationTimestamp", pod.created);
    Tree own = labels(group);
    if (!pod.distribution_key.empty())
      own.set(std::string(kFront) + "distribution-key", text(pod.distribution_key));
    if (!pod.metadata_differs) {
      for (const auto& [key, value] : settings(group).pod.labels) own.set(key, text(value));
    }
    metadata.set("labels", std::move(own));
    metadata.set("annotations", pod_annotations(group));
    node.set("spec", pod_spec(group));
    node.set("status", pod_status(group));
    return node;
  }

  /// The pod's files are copies of what the map holds.
  [[nodiscard]] bool has_copied_map(const Member& group) const {
    const Pod& pod = *group.pod;
    const std::string wanted =
        pod_config_signature(world_.inputs(), group.process_class, pod.image_type, pod.servers);
    const std::string* own = world_.configs.text(pod.config);
    return own != nullptr && (*own == wanted || !map_is_current_);
  }

  [[nodiscard]] std::string map_hash(const Member& group) const {
    return config_map_hash(map_data_, group.process_class, group.pod->image_type,
                           group.pod->servers);
  }

  /// The hash stands for the operator's, which cannot be computed: equal for equal specs.
  [[nodiscard]] Tree pod_annotations(const Member& group) const {
    const Pod& pod = *group.pod;
    Tree annotations = Tree::map();
    const auto set = [&](std::string_view key, std::string value) {
      annotations.set(std::string(kFront) + std::string(key), Tree::string(std::move(value)));
    };
    const ClusterSpec& spec = pod.spec_differs ? cluster_.spec : world_.spec;
    set("last-applied-spec", sha256_hex(pod_shape(spec, group.process_class) + group.id));
    annotations.set(kConfigHash, text(has_copied_map(group) ? map_hash(group)
                                                            : sha256_hex("outdated " + group.id)));
    if (!pod.node.empty()) set("current-node", pod.node);
    const bool by_service = pod.public_ip_source == IpSource::Service;
    set("public-ip-source", by_service ? "service" : "pod");
    if (by_service && !pod.public_ips.empty()) set("public-ip", pod.public_ips.front());
    set("image-type", pod.image_type == ImageType::Unified ? "unified" : "split");
    if (pod.ip_family != 0) set("ip-family", std::to_string(pod.ip_family));
    if (pod.is_isolated) set("isolate-process-group", "true");
    if (!pod.metadata_differs) {
      for (const auto& [key, value] : settings(group).pod.annotations)
        annotations.set(key, text(value));
    }
    return annotations;
  }

  [[nodiscard]] Tree pod_spec(const Member& group) const {
    const Pod& pod = *group.pod;
    Tree spec = Tree::map();
    put(spec, "nodeName", pod.node);
    if (!pod.node_selector.empty()) spec.set("nodeSelector", texts(pod.node_selector));
    Tree list = Tree::list();
    for (const Container& own : pod.containers)
      list.items().push_back(container(group, own, own.name == kMain));
    spec.set("containers", std::move(list));
    if (!pod.init_containers.empty()) {
      Tree init = Tree::list();
      for (const Container& own : pod.init_containers)
        init.items().push_back(container(group, own, false));
      spec.set("initContainers", std::move(init));
    }
    Tree security = Tree::map();
    put(security, "runAsUser", pod.run_as_user);
    put(security, "runAsGroup", pod.run_as_group);
    put(security, "fsGroup", pod.fs_group);
    put(security, "fsGroupChangePolicy", pod.fs_group_change_policy);
    if (!security.entries().empty()) spec.set("securityContext", std::move(security));
    if (group.volume) {
      Tree source = Tree::map({{"claimName", text(group.volume->name)}});
      Tree volume =
          Tree::map({{"name", text("data")}, {"persistentVolumeClaim", std::move(source)}});
      spec.set("volumes", Tree::list({std::move(volume)}));
    }
    return spec;
  }

  [[nodiscard]] std::string image_of(const Pod& pod, const Container& own) const {
    if (!own.image.empty()) return own.image;
    const auto of_version = [&](const std::string& version) -> const ClusterSpec& {
      return version == to_string(world_.spec.version) || version.empty() ? world_.spec
                                                                          : cluster_.spec;
    };
    if (own.name == kMain) return of_version(pod.version).main_image;
    return own.name == kSidecar ? of_version(pod.sidecar_version).sidecar_image : std::string();
  }

  [[nodiscard]] Tree container(const Member& group, const Container& own, bool is_main) const {
    const Pod& pod = *group.pod;
    Tree node = Tree::map({{"name", text(own.name)}});
    put(node, "image", image_of(pod, own));
    Tree env = Tree::list();
    for (const auto& [key, value] : own.env)
      env.items().push_back(Tree::map({{"name", text(key)}, {"value", text(value)}}));
    if (is_main && pod.servers > 1) {
      std::string variable(name(group.process_class));
      std::ranges::transform(variable, variable.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      });
      env.items().push_back(Tree::map({{"name", text(variable + "_SERVERS_PER_POD")},
                                       {"value", text(std::to_string(pod.servers))}}));
    }
    if (!env.items().empty()) node.set("env", std::move(env));
    if (own.has_resources) {
      node.set("resources",
               kube::requests({{"cpu", text(kube::format_cpu(own.cpu_milli))},
                               {"memory", text(kube::format_bytes(own.memory_bytes))}}));
    }
    Tree security = Tree::map();
    put(security, "runAsUser", own.run_as_user);
    put(security, "runAsGroup", own.run_as_group);
    if (!security.entries().empty()) node.set("securityContext", std::move(security));
    return node;
  }

  [[nodiscard]] Tree pod_status(const Member& group) const {
    const Pod& pod = *group.pod;
    if (group.pod_created) return Tree::map({{"phase", text("Pending")}});
    constexpr std::string_view kPhases[] = {"Pending", "Running", "Succeeded", "Failed"};
    Tree status = Tree::map({{"phase", text(kPhases[static_cast<std::size_t>(pod.phase)])}});
    if (pod.public_ip_source == IpSource::Pod && !pod.public_ips.empty()) {
      status.set("podIP", text(pod.public_ips.front()));
      Tree ips = Tree::list();
      for (const std::string& ip : pod.public_ips)
        ips.items().push_back(Tree::map({{"ip", text(ip)}}));
      status.set("podIPs", std::move(ips));
    }
    Tree containers = Tree::list();
    for (const Container& own : pod.containers) {
      containers.items().push_back(
          Tree::map({{"name", text(own.name)}, {"ready", Tree::boolean(pod.is_ready)}}));
    }
    status.set("containerStatuses", std::move(containers));
    return status;
  }

  [[nodiscard]] Tree claim(const Member& group) const {
    const Volume& volume = *group.volume;
    const Tree* given =
        volume.is_assumed ? nullptr : given_.find("PersistentVolumeClaim", volume.name);
    Tree node = given != nullptr ? *given : object("PersistentVolumeClaim", volume.name);
    if (given == nullptr) {
      const std::string size = kube::format_bytes(volume.request_bytes);
      node.set("spec", Tree::map({{"resources", kube::requests({{"storage", text(size)}})}}));
      if (volume.capacity_bytes > 0) {
        Tree capacity = Tree::map({{"storage", text(kube::format_bytes(volume.capacity_bytes))}});
        node.set("status", Tree::map({{"capacity", std::move(capacity)}}));
      }
    }
    Tree& metadata = *node.find("metadata");
    if (given == nullptr) {
      metadata.set("labels", labels(group));
      if (!volume.spec_hash.empty())
        child(metadata, "annotations")
            .set(std::string(kFront) + "last-applied-spec", text(volume.spec_hash));
    }
    if (!volume.metadata_differs) {
      for (const auto& [key, value] : settings(group).volume.labels)
        child(metadata, "labels").set(key, text(value));
    }
    std::optional<Time> since;
    if (volume.is_terminating && given == nullptr) since = world_.now;
    if (given == nullptr || group.resources_deleted)
      set_deletion(node, since, group.resources_deleted);
    return node;
  }

  [[nodiscard]] Tree service(const Member& group) const {
    const std::string name = pod_name(cluster_.name, group.process_class, group.number);
    const Tree* given = given_.find("Service", name);
    Tree node = given != nullptr ? *given : object("Service", name);
    if (given == nullptr) {
      node.find("metadata")->set("labels", labels(group));
      const std::string ip =
          group.service_ip.empty() ? "<ip of service " + name + ">" : group.service_ip;
      node.set("spec", Tree::map({{"clusterIP", text(ip)}}));
    }
    set_deletion(node, std::nullopt, group.resources_deleted);
    return node;
  }

  [[nodiscard]] Tree headless_service() const {
    const Tree* given = given_.find("Service", cluster_.name);
    if (given != nullptr) return *given;
    Tree node = object("Service", cluster_.name);
    node.find("metadata")->set("labels", texts(world_.spec.match_labels));
    node.set("spec", Tree::map({{"clusterIP", text("None")}}));
    return node;
  }

  [[nodiscard]] Tree config_map() const {
    const std::string name = config_map_name(cluster_.name);
    const Tree* given = given_.find("ConfigMap", name);
    Tree node = given != nullptr ? *given : object("ConfigMap", name);
    node.set("data", texts(map_data_));
    return node;
  }

  /// What the map holds: entries that are compared through the specs are as they were given.
  void read_map() {
    const Tree* given = given_.find("ConfigMap", config_map_name(cluster_.name));
    map_data_ = world_.config_map;
    for (auto& [key, value] : map_data_) {
      const Tree* old = given == nullptr ? nullptr : given->at({"data", key});
      if (value.empty() && old != nullptr) value = old->text();
    }
    const auto wanted = config_map_data(world_.inputs());
    map_is_current_ = std::ranges::all_of(wanted, [&](const auto& entry) {
      const auto found = world_.config_map.find(entry.first);
      return found != world_.config_map.end() &&
             (found->second.empty() || found->second == entry.second);
    });
  }

  std::map<std::string, std::string> map_data_;
  bool map_is_current_ = false;
  GivenObjects given_;
  const World& world_;
  const Cluster& cluster_;
};

}  // namespace

doc::Tree objects_node(const Loaded& loaded, const World& world) {
  return Objects(loaded, world).list();
}

}  // namespace ballast::fdb
