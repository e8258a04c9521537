// SPDX-License-Identifier: BSD-2-Clause
#include "running_template.hpp"

#include "ballast/tidb/backend/canonical.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace ballast::tidb {

namespace {

using doc::Tree;

void put(Fields& fields, const std::string& key, std::string value) {
  if (value.empty()) {
    fields.erase(key);
  } else {
    fields[key] = std::move(value);
  }
}

/// The values of a field as they are written.
void show(SetSpec& spec, const std::string& field, const Tree* value) {
  std::erase_if(spec.shown, [&](const auto& leaf) {
    return leaf.first == field || leaf.first.starts_with(field + ".") ||
           leaf.first.starts_with(field + "[");
  });
  if (value != nullptr) flatten(*value, field, spec.shown);
}

const Tree* container_of(const Tree& pod_spec, Component component) {
  const Tree* containers = pod_spec.find("containers");
  if (containers == nullptr || !containers->is_list()) return nullptr;
  for (const Tree& container : containers->items()) {
    if (text_of(container.find("name")) == name_of(component)) return &container;
  }
  return nullptr;
}

void overlay_container(const Tree& container, SetSpec& spec) {
  Diagnostics ignored;  // kubectl prints no quantity that Kubernetes would not read
  if (const std::string image = text_of(container.find("image")); !image.empty()) {
    spec.image = image;
    spec.pod_template["image"] = image;
    spec.shown["image"] = image;
    const std::size_t colon = image.rfind(':');
    if (colon != std::string::npos) spec.version = image.substr(colon + 1);
  }
  const Tree* resources = container.find("resources");
  if (resources == nullptr) return;
  const Tree none;
  for (const char* key : {"requests", "limits"}) {
    const Tree* amounts = resources->find(key);
    put(spec.pod_template, key,
        amounts == nullptr ? "" : canonical_quantities(*amounts, "", "storage", ignored));
    show(spec, key, amounts);
  }
  if (const Tree* requests = resources->find("requests")) {
    spec.placement.cpu_milli = quantity_milli(requests->find("cpu"), "", ignored).value_or(0);
    spec.placement.memory_bytes = quantity_units(requests->find("memory"), "", ignored).value_or(0);
  }
}

}  // namespace

void overlay_running_template(const KubeStatefulSet& statefulset, SetSpec& spec) {
  const Tree& pod_spec = statefulset.pod_spec;
  if (const Tree* container = container_of(pod_spec, spec.component))
    overlay_container(*container, spec);
  // A complete dump always shows the scheduler; only then does a missing key mean "none".
  const bool complete = pod_spec.find("schedulerName") != nullptr;
  for (const char* key : {"nodeSelector", "affinity", "tolerations", "schedulerName"}) {
    const Tree* value = pod_spec.find(key);
    if (value == nullptr && !complete) continue;
    const bool is_default = value != nullptr && value->text() == "default-scheduler";
    put(spec.pod_template, key, value == nullptr || is_default ? "" : canonical(*value));
    show(spec, key, value);
  }
  if (!statefulset.claims.is_list()) return;
  Diagnostics ignored;
  for (const Tree& claim : statefulset.claims.items()) {
    if (text_of(claim.at({"metadata", "name"})) != name_of(spec.component)) continue;
    spec.storage_class = text_of(claim.at({"spec", "storageClassName"}));
    spec.storage_bytes =
        quantity_units(claim.at({"spec", "resources", "requests", "storage"}), "", ignored);
  }
}

bool shows_template_of(const KubePod& pod, const SetSpec& running, const SetSpec& wished) {
  const Tree* container = container_of(pod.spec, running.component);
  if (container == nullptr || container->find("image") == nullptr) return false;
  SetSpec own = running;
  overlay_container(*container, own);
  std::vector<std::string> shown{"image"};
  if (container->find("resources") != nullptr) {
    shown.emplace_back("requests");
    shown.emplace_back("limits");
  }
  // A group names its version, and an image only where it has a tag of its own.
  if (running.pod_template.contains("version")) {
    own.pod_template["version"] = own.version;
    shown.emplace_back("version");
    if (!running.pod_template.contains("image")) own.pod_template.erase("image");
  }
  const auto is_shown = [&](const std::string& field) {
    return std::ranges::find(shown, field) != shown.end();
  };
  return std::ranges::all_of(restart_fields(running, wished), is_shown) &&
         std::ranges::none_of(restart_fields(own, wished), is_shown) &&
         !restart_fields(own, running).empty();
}

}  // namespace ballast::tidb
