// SPDX-License-Identifier: BSD-2-Clause
// Pod and volume templates of the classes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "ballast/fdb/backend/canonical.hpp"
#include "ballast/fdb/backend/readers.hpp"
#include "ballast/kube/quantity.hpp"

namespace ballast::fdb {
namespace {

using doc::Tree;

constexpr std::array<std::string_view, 10> kReserved = {"cluster-file",
                                                        "delete-envvars",
                                                        "kill-on-configuration-change",
                                                        "disable-lifecycle-logging",
                                                        "restart-delay",
                                                        "initial-restart-delay",
                                                        "restart-backoff",
                                                        "restart-delay-reset-interval",
                                                        "user",
                                                        "group"};

/// Variables of a container that have a value of their own, by name.
Pairs plain_environment(const Tree& container) {
  Pairs env;
  const Tree* list = container.find("env");
  if (list == nullptr || !list->is_list()) return env;
  for (const Tree& entry : list->items()) {
    const Tree* name = entry.find("name");
    const Tree* value = entry.find("value");
    if (name != nullptr && value != nullptr && value->is_scalar())
      env.emplace_back(name->text(), value->text());
  }
  std::ranges::sort(env);
  return env;
}

std::int64_t quantity(const Tree* node, const std::string& path, const ReadContext& context,
                      bool in_milli) {
  if (node == nullptr || node->is_null()) return 0;
  const auto value = kube::parse_quantity(node->is_scalar() ? node->text() : "", node->place());
  if (!value) {
    context.errors->add("F015", path, value.error().message, node->place());
    return 0;
  }
  return in_milli ? value->milli : value->value();
}

std::optional<std::int64_t> number_at(const Tree* node, std::string_view key) {
  const Tree* value = node == nullptr ? nullptr : node->find(key);
  return value == nullptr ? std::nullopt : value->as_int();
}

Tree& child_map(Tree& parent, std::string_view key) {
  Tree* found = parent.find(key);
  if (found == nullptr || !found->is_map()) {
    parent.set(key, Tree::map());
    found = parent.find(key);
  }
  return *found;
}

void fill_resources(Tree& container, std::string_view cpu, std::string_view memory) {
  Tree& resources = child_map(container, "resources");
  const Tree* requests = resources.find("requests");
  if (requests == nullptr || !requests->is_map() || requests->entries().empty()) {
    resources.set("requests", Tree::map({{"cpu", Tree::string(std::string(cpu))},
                                         {"memory", Tree::string(std::string(memory))}}));
  }
  const Tree* limits = resources.find("limits");
  if (limits == nullptr || !limits->is_map() || limits->entries().empty()) {
    resources.set("limits", *resources.find("requests"));
  }
}

void fill_container(Tree& spec, std::string_view list, std::string_view name, std::string_view cpu,
                    std::string_view memory) {
  Tree* containers = spec.find(list);
  if (containers == nullptr || !containers->is_list()) {
    spec.set(list, Tree::list());
    containers = spec.find(list);
  }
  for (Tree& container : containers->items()) {
    const Tree* own = container.find("name");
    if (own == nullptr || own->text() != name) continue;
    fill_resources(container, cpu, memory);
    return;
  }
  Tree container = Tree::map({{"name", Tree::string(std::string(name))}});
  fill_resources(container, cpu, memory);
  containers->items().push_back(std::move(container));
}

Tree with_defaults(const Tree* pod_spec, ImageType image) {
  Tree spec = pod_spec != nullptr && pod_spec->is_map() ? *pod_spec : Tree::map();
  fill_container(spec, "containers", "foundationdb", "1", "8Gi");
  fill_container(spec, "containers", "foundationdb-kubernetes-sidecar", "100m", "256Mi");
  if (image == ImageType::Split) {
    fill_container(spec, "initContainers", "foundationdb-kubernetes-init", "100m", "256Mi");
  }
  return spec;
}

void check_images(const Tree* pod_spec, const std::string& path, const ReadContext& context) {
  for (const std::string_view list : {"containers", "initContainers"}) {
    const Tree* containers = pod_spec == nullptr ? nullptr : pod_spec->find(list);
    if (containers == nullptr) continue;
    for (const Tree& container : containers->items()) {
      const Tree* name = container.find("name");
      const Tree* image = container.find("image");
      if (image == nullptr || name == nullptr || name->text().rfind("foundationdb", 0) != 0)
        continue;
      const std::string& text = image->text();
      const auto slash = text.rfind('/');
      if (text.find(':', slash == std::string::npos ? 0 : slash) != std::string::npos) {
        context.errors->add("F011", path + "." + std::string(list) + ".image",
                            quoted(text) + ": expected an image without a tag", image->place());
      }
    }
  }
}

PodTemplate read_template(const Tree* node, const std::string& path, ImageType image,
                          const ReadContext& context) {
  PodTemplate result;
  MapReader reader(node, path, context);
  MapReader metadata = reader.map("metadata");
  metadata.pairs("labels", result.labels);
  metadata.pairs("annotations", result.annotations);
  const Tree* given = reader.raw("spec");
  MapReader checked(given, path + ".spec", context);
  checked.pairs("nodeSelector", result.node_selector);
  check_images(given, path + ".spec", context);
  Tree known = Tree::map();
  if (given != nullptr && given->is_map()) known = known_pod_spec(*given, path + ".spec", context);
  metadata.ignore({"name", "namespace", "creationTimestamp"});
  metadata.finish();
  reader.finish();
  const Tree spec = without_empty_fields(with_defaults(&known, image));
  result.canonical = canonical_json(spec);
  result.fields = leaves_of(spec);
  result.containers = read_containers(spec.find("containers"), path + ".spec.containers", context);
  result.init_containers =
      read_containers(spec.find("initContainers"), path + ".spec.initContainers", context);
  const Tree* security = spec.find("securityContext");
  result.run_as_user = number_at(security, "runAsUser");
  result.run_as_group = number_at(security, "runAsGroup");
  result.fs_group = number_at(security, "fsGroup");
  if (const Tree* policy = security == nullptr ? nullptr : security->find("fsGroupChangePolicy")) {
    result.fs_group_change_policy = policy->text();
  }
  return result;
}

VolumeTemplate read_volume(const Tree* node, const std::string& path, const ReadContext& context) {
  VolumeTemplate result;
  MapReader reader(node, path, context);
  MapReader metadata = reader.map("metadata");
  metadata.pairs("labels", result.labels);
  metadata.pairs("annotations", result.annotations);
  const Tree* spec = reader.raw("spec");
  MapReader checked(spec, path + ".spec", context);
  if (const Tree* size = checked.map("resources").map("requests").raw("storage")) {
    quantity(size, path + ".spec.resources.requests.storage", context, false);
  }
  metadata.ignore({"name", "namespace", "creationTimestamp"});
  metadata.finish();
  reader.ignore({"apiVersion", "kind", "status"});
  reader.finish();
  Tree known = Tree::map();
  if (spec != nullptr && spec->is_map()) known = known_claim_spec(*spec, path + ".spec", context);
  result.hash = volume_hash(&known);
  result.bytes = volume_bytes(&known);
  result.fields = leaves_of(known);
  // The size that is not named is one, too.
  result.fields.try_emplace("resources.requests.storage",
                            kube::canonical_quantity(std::to_string(result.bytes)));
  return result;
}

void check_parameters(const Tree* node, const std::vector<std::string>& parameters,
                      const std::string& path, const ReadContext& context) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Place& place = i < node->items().size() ? node->items()[i].place() : node->place();
    const std::string parameter = parameters[i].substr(0, parameters[i].find('='));
    const bool is_twice = std::find(names.begin(), names.end(), parameter) != names.end();
    const bool is_reserved = parameter == "datadir" || std::find(kReserved.begin(), kReserved.end(),
                                                                 parameter) != kReserved.end();
    if (is_twice)
      context.errors->add("F010", path, quoted(parameters[i]) + ": expected each parameter once",
                          place);
    if (is_reserved)
      context.errors->add("F010", path,
                          quoted(parameters[i]) + ": expected a parameter that may be set", place);
    names.push_back(parameter);
  }
}

struct Entry {
  const Tree* pod = nullptr;
  const Tree* volume = nullptr;
  const Tree* parameters = nullptr;
  std::string path;
};

Entry read_entry(const Tree* node, const std::string& path, const ReadContext& context) {
  MapReader reader(node, path, context);
  Entry entry{reader.raw("podTemplate"), reader.raw("volumeClaimTemplate"),
              reader.raw("customParameters"), path};
  std::vector<std::string> parameters;
  reader.texts("customParameters", parameters);
  if (entry.parameters != nullptr && entry.parameters->is_list()) {
    check_parameters(entry.parameters, parameters, path + ".customParameters", context);
  }
  reader.finish();
  return entry;
}

std::vector<std::string> parameter_list(const Tree* node) {
  std::vector<std::string> list;
  if (node == nullptr) return list;
  for (const Tree& item : node->items()) list.push_back(item.text());
  return list;
}

void settle_class(ProcessSettings& settings, const Entry& own, const Entry& general,
                  ImageType image, const ReadContext& context) {
  // Problems were recorded once where the text stands; here they would repeat for each class.
  operators::Diagnostics dropped;
  ReadContext quiet = context;
  quiet.errors = &dropped;
  quiet.notes = nullptr;
  quiet.unknown_keys = nullptr;
  settings.pod_is_general = own.pod == nullptr;
  settings.volume_is_general = own.volume == nullptr;
  settings.pod = read_template(own.pod != nullptr ? own.pod : general.pod, own.path, image, quiet);
  settings.volume =
      read_volume(own.volume != nullptr ? own.volume : general.volume, own.path, quiet);
  settings.custom_parameters =
      parameter_list(own.parameters != nullptr ? own.parameters : general.parameters);
}

}  // namespace

std::vector<Container> read_containers(const doc::Tree* list, const std::string& path,
                                       const ReadContext& context) {
  std::vector<Container> result;
  if (list == nullptr || list->is_null()) return result;
  if (!list->is_list()) {
    context.errors->add("F004", path, "expected a list of containers", list->place());
    return result;
  }
  for (const Tree& node : list->items()) {
    Container container;
    if (const Tree* name = node.find("name")) container.name = name->text();
    if (const Tree* image = node.find("image")) container.image = image->text();
    const Tree* requests = node.at({"resources", "requests"});
    container.has_resources = requests != nullptr && requests->is_map();
    if (container.has_resources) {
      container.cpu_milli =
          quantity(requests->find("cpu"), path + ".resources.requests.cpu", context, true);
      container.memory_bytes =
          quantity(requests->find("memory"), path + ".resources.requests.memory", context, false);
    }
    container.run_as_user = number_at(node.find("securityContext"), "runAsUser");
    container.run_as_group = number_at(node.find("securityContext"), "runAsGroup");
    container.env = plain_environment(node);
    result.push_back(std::move(container));
  }
  return result;
}

void read_processes(const doc::Tree* processes, ClusterSpec& spec, const ReadContext& context) {
  MapReader reader(processes, "spec.processes", context);
  const Entry general = read_entry(reader.raw("general"), "spec.processes.general", context);
  PerClass<Entry> own;
  if (reader.node() != nullptr) {
    for (const auto& [key, value] : reader.node()->entries()) {
      if (key == "general") continue;
      const auto c = parse_process_class(key);
      if (!c) {
        context.errors->add("F008", "spec.processes." + key,
                            quoted(key) + ": expected a process class", value.place());
        continue;
      }
      own[index(*c)] = read_entry(&value, "spec.processes." + key, context);
    }
  }
  const auto check = [&](const Entry& entry) {
    if (entry.pod != nullptr)
      read_template(entry.pod, entry.path + ".podTemplate", spec.image_type, context);
    if (entry.volume != nullptr)
      read_volume(entry.volume, entry.path + ".volumeClaimTemplate", context);
  };
  check(general);
  for (const Entry& entry : own) check(entry);
  ProcessSettings shared;
  settle_class(shared, Entry{}, general, spec.image_type, context);
  for (std::size_t i = 0; i < kClassCount; ++i) {
    if (own[i].path.empty()) {
      spec.processes[i] = shared;
    } else {
      settle_class(spec.processes[i], own[i], general, spec.image_type, context);
    }
  }
}

}  // namespace ballast::fdb
