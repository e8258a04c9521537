// SPDX-License-Identifier: BSD-2-Clause
// Pods, as kubectl prints them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ballast/fdb/model/address.hpp"
#include "ballast/kube/objects.hpp"

#include "object_fields.hpp"

namespace ballast::fdb {
namespace {

using doc::Tree;
using kube::ObjectMeta;

void read_phase(const Tree& object, Pod& pod) {
  const std::string phase = text_at(object, {"status", "phase"});
  if (phase == "Pending") pod.phase = Phase::Pending;
  if (phase == "Failed") pod.phase = Phase::Failed;
  if (phase == "Succeeded") pod.phase = Phase::Succeeded;
  const Tree* statuses = object.at({"status", "containerStatuses"});
  if (statuses != nullptr && statuses->is_list()) {
    for (const Tree& status : statuses->items()) {
      const Tree* ready = status.find("ready");
      if (ready != nullptr && !ready->as_bool().value_or(true)) pod.is_ready = false;
    }
  }
  if (pod.phase != Phase::Pending) return;
  for (const kube::Condition& condition :
       kube::read_conditions(object.at({"status", "conditions"}))) {
    if (condition.reason == "Unschedulable")
      pod.unschedulable = condition.message.empty() ? "Unschedulable" : condition.message;
  }
}

void read_security(const Tree& object, Pod& pod) {
  const Tree* security = object.at({"spec", "securityContext"});
  if (security == nullptr) return;
  const auto number = [&](std::string_view key) {
    const Tree* value = security->find(key);
    return value == nullptr ? std::nullopt : value->as_int();
  };
  pod.run_as_user = number("runAsUser");
  pod.run_as_group = number("runAsGroup");
  pod.fs_group = number("fsGroup");
  pod.fs_group_change_policy = text_at(*security, {"fsGroupChangePolicy"});
}

/// A number that is written in the object as text; `fallback` where it is none, which is told.
int number_in(const ReadContext& context, const std::string& text, const Tree& at,
              const std::string& path, int least, int most, int fallback) {
  const auto value = whole_number(text);
  if (value && *value >= least && *value <= most) return static_cast<int>(*value);
  context.errors->add(
      "F015", path,
      fmt::format("{}: expected a whole number from {} to {}", quoted(text), least, most),
      at.place());
  return fallback;
}

int servers_of(const ReadContext& context, const Tree& object, ProcessClass c,
               const std::string& path) {
  std::string variable(name(c));
  std::transform(variable.begin(), variable.end(), variable.begin(), [](char x) {
    return x >= 'a' && x <= 'z' ? static_cast<char>(x - 'a' + 'A') : x;
  });
  variable += "_SERVERS_PER_POD";
  for (const std::string_view list : {"containers", "initContainers"}) {
    const Tree* containers = object.at({"spec", list});
    if (containers == nullptr || !containers->is_list()) continue;
    for (const Tree& container : containers->items()) {
      const Tree* env = container.find("env");
      if (env == nullptr || !env->is_list()) continue;
      for (const Tree& entry : env->items()) {
        if (text_at(entry, {"name"}) != variable) continue;
        return number_in(context, text_at(entry, {"value"}), entry, path + ".env." + variable, 1,
                         100, 1);
      }
    }
  }
  return 1;
}

int family_of(const ReadContext& context, const Tree& object, const ObjectMeta& metadata,
              ImageType image, const std::string& path) {
  const std::string written = annotation(metadata, "ip-family");
  if (!written.empty())
    return number_in(context, written, object, path + ".metadata.annotations.ip-family", 0, 6, 0);
  if (image == ImageType::Unified) {
    const std::string configuration = annotation(metadata, "launcher-current-configuration");
    const auto at = configuration.find("\"ipFamily\":");
    if (at == std::string::npos) return 0;
    const std::string number =
        configuration.substr(at + 11, configuration.find_first_of(",}", at + 11) - (at + 11));
    return number_in(context, number, object,
                     path + ".metadata.annotations.launcher-current-configuration", 0, 6, 0);
  }
  const Tree* containers = object.at({"spec", "containers"});
  if (containers == nullptr || !containers->is_list()) return 0;
  for (const Tree& container : containers->items()) {
    const Tree* args = container.find("args");
    if (args == nullptr || !args->is_list()) continue;
    for (std::size_t i = 0; i + 1 < args->items().size(); ++i) {
      if (args->items()[i].text() == "--public-ip-family")
        return number_in(context, args->items()[i + 1].text(), args->items()[i + 1], path + ".args",
                         0, 6, 0);
    }
  }
  return 0;
}

void read_ips(const Tree& object, const ObjectMeta& metadata, Pod& pod) {
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
  const Tree* list = object.at({"status", "podIPs"});
  if (list == nullptr || !list->is_list()) return;
  for (const Tree& item : list->items()) {
    const std::string ip = text_at(item, {"ip"});
    const bool is_v6 = ip.find(':') != std::string::npos;
    if (is_address_text(ip) && is_v6 == (pod.ip_family == 6)) pod.public_ips.push_back(ip);
  }
}

void read_claim_name(const Tree& object, Pod& pod) {
  const Tree* volumes = object.at({"spec", "volumes"});
  if (volumes == nullptr || !volumes->is_list()) return;
  for (const Tree& volume : volumes->items()) {
    const std::string claim = text_at(volume, {"persistentVolumeClaim", "claimName"});
    if (!claim.empty()) pod.claim_name = claim;
  }
}

void read_version(Pod& pod) {
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

}  // namespace

Pod pod_of(const Tree& object, const ObjectMeta& metadata, ProcessClass c,
           const ReadContext& context) {
  Pod pod;
  pod.name = metadata.name;
  pod.node = text_at(object, {"spec", "nodeName"});
  pod.created = kube::parse_time(metadata.creation_timestamp);
  if (!metadata.deletion_timestamp.empty())
    pod.terminating_since = kube::parse_time(metadata.deletion_timestamp);
  const Tree* finalizers = object.at({"metadata", "finalizers"});
  pod.is_held = finalizers != nullptr && finalizers->is_list() && !finalizers->items().empty();
  read_phase(object, pod);
  const std::string path = "Pod/" + metadata.name;
  pod.containers =
      read_containers(object.at({"spec", "containers"}), path + ".spec.containers", context);
  pod.init_containers = read_containers(object.at({"spec", "initContainers"}),
                                        path + ".spec.initContainers", context);
  if (const Tree* selector = object.at({"spec", "nodeSelector"});
      selector != nullptr && selector->is_map()) {
    for (const auto& [key, value] : selector->entries())
      pod.node_selector.emplace_back(key, value.text());
    std::sort(pod.node_selector.begin(), pod.node_selector.end());
  }
  read_security(object, pod);
  pod.labels.assign(metadata.labels.begin(), metadata.labels.end());
  pod.annotations.assign(metadata.annotations.begin(), metadata.annotations.end());
  pod.servers = servers_of(context, object, c, path);
  pod.image_type =
      annotation(metadata, "image-type") == "unified" ? ImageType::Unified : ImageType::Split;
  pod.public_ip_source =
      annotation(metadata, "public-ip-source") == "service" ? IpSource::Service : IpSource::Pod;
  pod.ip_family = family_of(context, object, metadata, pod.image_type, path);
  read_ips(object, metadata, pod);
  pod.distribution_key = label(metadata, std::string(kPrefix) + "distribution-key", "");
  pod.config_hash = annotation(metadata, "last-applied-config-map");
  pod.has_config_hash = !pod.config_hash.empty();
  pod.outdated_seen = whole_number(annotation(metadata, "outdated-config-map-seen"));
  pod.has_node_note = !annotation(metadata, "current-node").empty();
  pod.is_isolated = annotation(metadata, "isolate-process-group") == "true";
  read_claim_name(object, pod);
  read_version(pod);
  return pod;
}

}  // namespace ballast::fdb
