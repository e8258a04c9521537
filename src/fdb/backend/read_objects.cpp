// SPDX-License-Identifier: BSD-2-Clause
// Pods, volume claims, services, config maps and nodes, as kubectl prints them.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ballast/fdb/backend/canonical.hpp"
#include "ballast/fdb/backend/readers.hpp"
#include "ballast/fdb/model/address.hpp"
#include "ballast/fdb/model/identity.hpp"
#include "ballast/kube/object.hpp"
#include "ballast/kube/quantity.hpp"

namespace ballast::fdb {
namespace {

using kube::Metadata;
using kube::Node;

constexpr std::string_view kPrefix = "foundationdb.org/";

std::string text_at(const Node& node, std::initializer_list<std::string_view> path) {
  const Node* found = node.at(path);
  return found != nullptr && found->is_scalar() ? found->text() : std::string();
}

const std::string* value_of(const std::map<std::string, std::string>& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

std::string annotation(const Metadata& metadata, std::string_view key) {
  const auto* value = value_of(metadata.annotations, std::string(kPrefix) + std::string(key));
  return value == nullptr ? std::string() : *value;
}

/// Today's label, or the older one that stood for it.
std::string label(const Metadata& metadata, const std::string& key, const std::string& older) {
  if (const auto* value = value_of(metadata.labels, key)) return *value;
  const auto* value = value_of(metadata.labels, older);
  return value == nullptr ? std::string() : *value;
}

class ObjectReader {
 public:
  ObjectReader(Cluster& cluster, const ReadContext& context, bool has_peers)
      : cluster_(cluster), context_(context), has_peers_(has_peers) {}

  void run(const std::vector<Node>& objects) {
    for (const Node& object : objects) read(object);
    if (has_peers_ && own_ == 0) {
      cluster_.given.pods = false;
      cluster_.given.volumes = false;
      cluster_.given.services = false;
    } else if (foreign_place_ && own_ == 0 && !cluster_.groups.empty()) {
      context_.findings->add(
          "F016", *foreign_place_, "",
          fmt::format("pods, claims or services of another cluster: expected those of {}",
                      cluster_.name));
    }
    for (ProcessGroup& group : cluster_.groups) {
      const auto taints = cluster_.node_taints.find(group.pod ? group.pod->node : std::string());
      if (taints != cluster_.node_taints.end()) group.taints = taints->second;
    }
    mark_missing_hashes();
  }

 private:
  void read(const Node& object) {
    const auto metadata = kube::read_metadata(object);
    if (!metadata) {
      context_.findings->add("F004", metadata.error().place, "", metadata.error().message);
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

  [[nodiscard]] bool belongs(const Metadata& metadata) const {
    const std::string name_space = metadata.name_space.empty() ? "default" : metadata.name_space;
    if (name_space != cluster_.name_space) return false;
    for (const auto& [key, value] : cluster_.spec.match_labels) {
      if (label(metadata, key, "fdb-cluster-name") != value) return false;
    }
    return true;
  }

  ProcessGroup* group_of(const std::string& id, const Metadata& metadata, const Node& object) {
    if (!parse_group_id(id)) {
      if (metadata.kind == "Pod") {
        context_.findings->add(
            "F012", object.place(), metadata.kind + "/" + metadata.name,
            quoted(id) + ": expected a process group label that ends with a number");
      }
      return nullptr;
    }
    if (cluster_.find(id) == nullptr && !metadata.deletion_timestamp.empty()) return nullptr;
    const std::string class_name =
        label(metadata, cluster_.spec.class_labels.front(), "fdb-process-class");
    const auto c =
        parse_process_class(class_name.empty() ? parse_group_id(id)->class_name : class_name);
    if (!c) {
      context_.findings->add("F008", object.place(), metadata.kind + "/" + metadata.name,
                             quoted(class_name) + ": expected a process class");
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
      context_.findings->add("F016", object.place(), metadata.kind + "/" + metadata.name,
                             fmt::format("{}: class {} contradicts the status, which says {}",
                                         quoted(id), name(*c), name(group.process_class)));
    }
    return &group;
  }

  void read_node(const Node& object, const Metadata& metadata) {
    cluster_.given.nodes = true;
    cluster_.node_labels[metadata.name] = metadata.labels;
    auto& taints = cluster_.node_taints[metadata.name];
    const Node* list = object.at({"spec", "taints"});
    if (list == nullptr || !list->is_list()) return;
    for (const Node& taint : list->items()) {
      const auto since = kube::parse_time(text_at(taint, {"timeAdded"}));
      taints.emplace_back(text_at(taint, {"key"}), since.value_or(cluster_.now));
    }
  }

  void read_config_map(const Node& object, const Metadata& metadata) {
    const std::string name_space = metadata.name_space.empty() ? "default" : metadata.name_space;
    cluster_.given.config_maps = true;
    if (metadata.name != config_map_name(cluster_.name) || name_space != cluster_.name_space)
      return;
    std::map<std::string, std::string> data;
    if (const Node* node = object.find("data"); node != nullptr && node->is_map()) {
      for (const auto& [key, value] : node->entries()) data[key] = value.text();
    }
    cluster_.config_map = std::move(data);
  }

  void read_pod(const Node& object, const Metadata& metadata, ProcessGroup& group) {
    Pod pod;
    pod.name = metadata.name;
    if (pod.name != pod_name(cluster_.name, group.process_class, group.number)) {
      cluster_.disagreements.push_back(
          {"status-disagrees",
           "pod " + pod.name + " bears the label of " + group.id + ", which its name contradicts"});
    }
    pod.node = text_at(object, {"spec", "nodeName"});
    pod.created = kube::parse_time(metadata.creation_timestamp);
    if (!metadata.deletion_timestamp.empty())
      pod.terminating_since = kube::parse_time(metadata.deletion_timestamp);
    read_phase(object, pod, metadata);
    const std::string path = "Pod/" + metadata.name;
    pod.containers =
        read_containers(object.at({"spec", "containers"}), path + ".spec.containers", context_);
    pod.init_containers = read_containers(object.at({"spec", "initContainers"}),
                                          path + ".spec.initContainers", context_);
    if (const Node* selector = object.at({"spec", "nodeSelector"});
        selector != nullptr && selector->is_map()) {
      for (const auto& [key, value] : selector->entries())
        pod.node_selector.emplace_back(key, value.text());
      std::sort(pod.node_selector.begin(), pod.node_selector.end());
    }
    read_security(object, pod);
    pod.servers = servers_of(object, group.process_class, path);
    pod.image_type =
        annotation(metadata, "image-type") == "unified" ? ImageType::Unified : ImageType::Split;
    pod.public_ip_source =
        annotation(metadata, "public-ip-source") == "service" ? IpSource::Service : IpSource::Pod;
    pod.ip_family = family_of(object, metadata, pod.image_type, path);
    read_ips(object, metadata, pod);
    pod.distribution_key = label(metadata, std::string(kPrefix) + "distribution-key", "");
    pod.has_config_hash = !annotation(metadata, "last-applied-config-map").empty();
    pod.is_isolated = annotation(metadata, "isolate-process-group") == "true";
    read_claim_name(object, pod);
    read_version(pod);
    if (group.pod) {
      context_.findings->add(
          "F016", object.place(), path,
          fmt::format("a second pod of process group {}: expected one", quoted(group.id)));
    }
    group.pod = std::move(pod);
  }

  static void read_phase(const Node& object, Pod& pod, const Metadata& metadata) {
    const std::string phase = text_at(object, {"status", "phase"});
    if (phase == "Pending") pod.phase = Phase::Pending;
    if (phase == "Failed") pod.phase = Phase::Failed;
    if (phase == "Succeeded") pod.phase = Phase::Succeeded;
    const Node* statuses = object.at({"status", "containerStatuses"});
    if (statuses != nullptr && statuses->is_list()) {
      for (const Node& status : statuses->items()) {
        const Node* ready = status.find("ready");
        if (ready != nullptr && !ready->as_bool().value_or(true)) pod.is_ready = false;
      }
    }
    const Node* conditions = object.at({"status", "conditions"});
    if (pod.phase != Phase::Pending || conditions == nullptr || !conditions->is_list()) return;
    for (const Node& condition : conditions->items()) {
      if (text_at(condition, {"reason"}) != "Unschedulable") continue;
      pod.unschedulable = text_at(condition, {"message"});
      if (pod.unschedulable.empty()) pod.unschedulable = "Unschedulable";
    }
    (void)metadata;
  }

  static void read_security(const Node& object, Pod& pod) {
    const Node* security = object.at({"spec", "securityContext"});
    if (security == nullptr) return;
    const auto number = [&](std::string_view key) {
      const Node* value = security->find(key);
      return value == nullptr ? std::nullopt : value->as_int();
    };
    pod.run_as_user = number("runAsUser");
    pod.run_as_group = number("runAsGroup");
    pod.fs_group = number("fsGroup");
    pod.fs_group_change_policy = text_at(*security, {"fsGroupChangePolicy"});
  }

  /// A number that is written in the object as text; `fallback` where it is none, which is told.
  [[nodiscard]] int number_in(const std::string& text, const Node& at, const std::string& path,
                              int least, int most, int fallback) const {
    const auto value = whole_number(text);
    if (value && *value >= least && *value <= most) return static_cast<int>(*value);
    context_.findings->add(
        "F015", at.place(), path,
        fmt::format("{}: expected a whole number from {} to {}", quoted(text), least, most));
    return fallback;
  }

  [[nodiscard]] int servers_of(const Node& object, ProcessClass c, const std::string& path) const {
    std::string variable(name(c));
    std::transform(variable.begin(), variable.end(), variable.begin(), [](char x) {
      return x >= 'a' && x <= 'z' ? static_cast<char>(x - 'a' + 'A') : x;
    });
    variable += "_SERVERS_PER_POD";
    for (const std::string_view list : {"containers", "initContainers"}) {
      const Node* containers = object.at({"spec", list});
      if (containers == nullptr || !containers->is_list()) continue;
      for (const Node& container : containers->items()) {
        const Node* env = container.find("env");
        if (env == nullptr || !env->is_list()) continue;
        for (const Node& entry : env->items()) {
          if (text_at(entry, {"name"}) != variable) continue;
          return number_in(text_at(entry, {"value"}), entry, path + ".env." + variable, 1, 100, 1);
        }
      }
    }
    return 1;
  }

  [[nodiscard]] int family_of(const Node& object, const Metadata& metadata, ImageType image,
                              const std::string& path) const {
    const std::string written = annotation(metadata, "ip-family");
    if (!written.empty())
      return number_in(written, object, path + ".metadata.annotations.ip-family", 0, 6, 0);
    if (image == ImageType::Unified) {
      const std::string configuration = annotation(metadata, "launcher-current-configuration");
      const auto at = configuration.find("\"ipFamily\":");
      if (at == std::string::npos) return 0;
      const std::string number =
          configuration.substr(at + 11, configuration.find_first_of(",}", at + 11) - (at + 11));
      return number_in(number, object,
                       path + ".metadata.annotations.launcher-current-configuration", 0, 6, 0);
    }
    const Node* containers = object.at({"spec", "containers"});
    if (containers == nullptr || !containers->is_list()) return 0;
    for (const Node& container : containers->items()) {
      const Node* args = container.find("args");
      if (args == nullptr || !args->is_list()) continue;
      for (std::size_t i = 0; i + 1 < args->items().size(); ++i) {
        if (args->items()[i].text() == "--public-ip-family")
          return number_in(args->items()[i + 1].text(), args->items()[i + 1], path + ".args", 0, 6,
                           0);
      }
    }
    return 0;
  }

  static void read_ips(const Node& object, const Metadata& metadata, Pod& pod) {
    pod.own_ip = text_at(object, {"status", "podIP"});
    if (pod.public_ip_source == IpSource::Service) {
      const std::string ip = annotation(metadata, "public-ip");
      if (is_address_text(ip)) pod.public_ips.push_back(ip);
      return;
    }
    if (pod.ip_family == 0) {
      const std::string ip = text_at(object, {"status", "podIP"});
      if (is_address_text(ip)) pod.public_ips.push_back(ip);
      return;
    }
    const Node* list = object.at({"status", "podIPs"});
    if (list == nullptr || !list->is_list()) return;
    for (const Node& item : list->items()) {
      const std::string ip = text_at(item, {"ip"});
      const bool is_v6 = ip.find(':') != std::string::npos;
      if (is_address_text(ip) && is_v6 == (pod.ip_family == 6)) pod.public_ips.push_back(ip);
    }
  }

  static void read_claim_name(const Node& object, Pod& pod) {
    const Node* volumes = object.at({"spec", "volumes"});
    if (volumes == nullptr || !volumes->is_list()) return;
    for (const Node& volume : volumes->items()) {
      const std::string claim = text_at(volume, {"persistentVolumeClaim", "claimName"});
      if (!claim.empty()) pod.claim_name = claim;
    }
  }

  static void read_version(Pod& pod) {
    for (const Container& container : pod.containers) {
      const bool is_main = container.name == "foundationdb";
      if (!is_main && container.name != "foundationdb-kubernetes-sidecar") continue;
      const auto colon = container.image.rfind(':');
      if (colon == std::string::npos) continue;
      const std::string tag = container.image.substr(colon + 1);
      // A suffix like -1 tells builds of one version apart.
      const auto version = parse_version(tag.substr(0, tag.find('-')));
      if (version) (is_main ? pod.version : pod.sidecar_version) = to_string(*version);
    }
  }

  void read_claim(const Node& object, const Metadata& metadata, ProcessGroup& group) {
    Volume volume;
    volume.name = metadata.name;
    volume.spec_hash = annotation(metadata, "last-applied-spec");
    const std::string request = text_at(object, {"spec", "resources", "requests", "storage"});
    const std::string capacity = text_at(object, {"status", "capacity", "storage"});
    const auto bytes = [&](const std::string& text, std::string_view what) -> std::int64_t {
      if (text.empty()) return 0;
      const auto quantity = kube::parse_quantity(text, object.place());
      if (!quantity) {
        context_.findings->add("F015", object.place(),
                               fmt::format("PersistentVolumeClaim/{}.{}", metadata.name, what),
                               quantity.error().message);
        return 0;
      }
      return quantity->value();
    };
    volume.request_bytes = bytes(request, "spec.resources.requests.storage");
    volume.capacity_bytes = bytes(capacity, "status.capacity.storage");
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

void read_objects(const std::vector<kube::Node>& objects, Cluster& cluster,
                  const ReadContext& context, bool has_peers) {
  ObjectReader(cluster, context, has_peers).run(objects);
}

}  // namespace ballast::fdb
