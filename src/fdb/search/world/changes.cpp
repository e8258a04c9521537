// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/world/changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "ballast/fdb/model/counts.hpp"

namespace ballast::fdb {
namespace {

using Fields = std::map<std::string, std::string>;

std::string image_name(ImageType type) { return type == ImageType::Split ? "split" : "unified"; }
std::string source_name(IpSource source) { return source == IpSource::Service ? "service" : "pod"; }

Value or_null(const Fields& fields, const std::string& key) {
  const auto found = fields.find(key);
  return found == fields.end() ? Value() : Value(found->second);
}

void compare(Changes& changes, const std::string& prefix, const Fields& before,
             const Fields& after) {
  std::set<std::string> keys;
  for (const Fields* fields : {&before, &after}) {
    for (const auto& entry : *fields) keys.insert(entry.first);
  }
  for (const std::string& key : keys)
    add_change(changes, prefix + key, or_null(before, key), or_null(after, key));
}

Fields fields_of(const Pairs& pairs) { return {pairs.begin(), pairs.end()}; }

/// Where a template of the class is written.
std::string template_path(ProcessClass c, bool is_general, std::string_view what) {
  return fmt::format("spec.processes.{}.{}.", is_general ? "general" : name(c), what);
}

/// Settings of the whole cluster that stand in every pod.
void compare_settings(Changes& changes, const ClusterSpec& before, const ClusterSpec& after) {
  const auto compare_one = [&](const char* path, const Value& from, const Value& to) {
    add_change(changes, path, from, to);
  };
  compare_one("spec.version", to_string(before.version), to_string(after.version));
  compare_one("spec.imageType", image_name(before.image_type), image_name(after.image_type));
  compare_one("image of foundationdb", before.main_image, after.main_image);
  compare_one("image of foundationdb-kubernetes-sidecar", before.sidecar_image,
              after.sidecar_image);
  compare_one("spec.routing.publicIPSource", source_name(before.routing.public_ip_source),
              source_name(after.routing.public_ip_source));
  compare_one("spec.routing.podIPFamily", before.routing.ip_family, after.routing.ip_family);
  compare_one("spec.routing.defineDNSLocalityFields", before.routing.dns_localities,
              after.routing.dns_localities);
  compare_one("spec.routing.useDNSInClusterFile", before.routing.dns_in_cluster_file,
              after.routing.dns_in_cluster_file);
  compare_one("spec.routing.headlessService", before.routing.headless_service,
              after.routing.headless_service);
  compare_one("spec.routing.dnsDomain", before.routing.dns_domain, after.routing.dns_domain);
  compare_one("spec.faultDomain.key", before.fault_domain.key, after.fault_domain.key);
  compare_one("spec.faultDomain.value", before.fault_domain.value, after.fault_domain.value);
  compare_one("spec.faultDomain.valueFrom", before.fault_domain.value_from,
              after.fault_domain.value_from);
  const Distribution& old_packing = before.fault_domain.distribution;
  const Distribution& packing = after.fault_domain.distribution;
  compare_one("spec.faultDomain.distribution.enabled", old_packing.enabled, packing.enabled);
  compare_one("spec.useExplicitListenAddress", before.explicit_listen_address,
              after.explicit_listen_address);
  compare_one("spec.logGroup", before.log_group, after.log_group);
  compare_one("spec.processGroupIDPrefix", before.group_prefix, after.group_prefix);
  compare_one("spec.trustedCAs", before.trusted_cas.size(), after.trusted_cas.size());
  compare(changes, "spec.labels.matchLabels.", fields_of(before.match_labels),
          fields_of(after.match_labels));
}

std::string density_path(ProcessClass c) {
  return c == ProcessClass::Storage ? "spec.storageServersPerPod" : "spec.logServersPerPod";
}

const Container* container_named(const std::vector<Container>& list, std::string_view name) {
  const auto found = std::ranges::find(list, name, &Container::name);
  return found == list.end() ? nullptr : &*found;
}

/// What the pod itself shows to be other than wanted, whatever the specs say.
void compare_pod(Changes& changes, const World& world, const Member& group) {
  const Pod& pod = *group.pod;
  const ClusterSpec& spec = world.spec;
  const ProcessSettings& wanted = spec.processes[index(group.process_class)];
  const std::string path = template_path(group.process_class, wanted.pod_is_general, "podTemplate");
  if (pod.servers != spec.density(group.process_class)) {
    add_change(changes, density_path(group.process_class), pod.servers,
               spec.density(group.process_class));
  }
  if (pod.is_assumed) return;
  compare(changes, path + "spec.nodeSelector.", fields_of(pod.node_selector),
          fields_of(wanted.pod.node_selector));
  add_change(changes, "spec.imageType", image_name(pod.image_type), image_name(spec.image_type));
  if (pod.image_type != spec.image_type) return;
  const std::pair<std::string_view, const std::string*> images[] = {
      {"foundationdb", &spec.main_image}, {"foundationdb-kubernetes-sidecar", &spec.sidecar_image}};
  for (const auto& [name, image] : images) {
    const Container* own = container_named(pod.containers, name);
    const Container* other = container_named(wanted.pod.containers, name);
    if (own == nullptr || own->image.empty()) continue;
    if (other != nullptr && !other->image.empty()) continue;
    add_change(changes, fmt::format("image of {}", name), own->image, *image);
  }
}

template <class Collect>
Changes collect(const World& world, const std::vector<std::string>& groups,
                const Collect& of_group) {
  Changes changes;
  for (const std::string& id : groups) {
    if (const Member* group = world.find(id)) of_group(changes, *group);
  }
  return changes;
}

/// Calls `of_class` for the first group of each class only.
template <class Collect>
Changes collect_classes(const World& world, const std::vector<std::string>& groups,
                        const Collect& of_class) {
  ClassSet seen = 0;
  return collect(world, groups, [&](Changes& changes, const Member& group) {
    if ((seen & class_bit(group.process_class)) != 0) return;
    seen |= class_bit(group.process_class);
    of_class(changes, group.process_class);
  });
}

/// Arguments by name; nothing where a line is no argument.
std::optional<Fields> arguments_of(std::string_view text) {
  Fields fields;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.empty()) continue;
    if (!line.starts_with("--")) return std::nullopt;
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    fields[std::string(line.substr(0, equals))] = line.substr(equals + 1);
  }
  return fields;
}

Value text_or_null(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text.empty() ? Value() : Value(std::string(text));
}

}  // namespace

void add_change(Changes& changes, std::string path, Value from, Value to) {
  if (from == to) return;
  plan::Change change{std::move(path), std::move(from), std::move(to)};
  if (std::ranges::find(changes, change) == changes.end()) changes.push_back(std::move(change));
}

Changes pod_changes(const World& world, const std::vector<std::string>& groups) {
  const ClusterSpec& before = world.snapshot->spec;
  Changes changes = collect_classes(world, groups, [&](Changes& list, ProcessClass c) {
    const ProcessSettings& a = before.processes[index(c)];
    const ProcessSettings& b = world.spec.processes[index(c)];
    compare(list, template_path(c, b.pod_is_general, "podTemplate") + "spec.", a.pod.fields,
            b.pod.fields);
  });
  compare_settings(changes, before, world.spec);
  for (const std::string& id : groups) {
    const Member* group = world.find(id);
    if (group != nullptr && group->pod && !group->is_new) compare_pod(changes, world, *group);
  }
  return changes;
}

Changes volume_changes(const World& world, const std::vector<std::string>& groups) {
  Changes changes = collect_classes(world, groups, [&](Changes& list, ProcessClass c) {
    const ProcessSettings& a = world.snapshot->spec.processes[index(c)];
    const ProcessSettings& b = world.spec.processes[index(c)];
    compare(list, template_path(c, b.volume_is_general, "volumeClaimTemplate") + "spec.",
            a.volume.fields, b.volume.fields);
  });
  if (!changes.empty()) return changes;
  // The specs agree: the claims were made from an older one.
  return collect(world, groups, [&](Changes& list, const Member& group) {
    if (!group.volume || group.volume->is_assumed) return;
    const ProcessSettings& wanted = world.spec.processes[index(group.process_class)];
    add_change(list,
               template_path(group.process_class, wanted.volume_is_general, "volumeClaimTemplate") +
                   "spec.resources.requests.storage",
               group.volume->request_bytes, wanted.volume.bytes);
  });
}

Changes metadata_changes(const World& world, const std::vector<std::string>& groups,
                         bool of_volumes) {
  return collect_classes(world, groups, [&](Changes& list, ProcessClass c) {
    const ProcessSettings& a = world.snapshot->spec.processes[index(c)];
    const ProcessSettings& b = world.spec.processes[index(c)];
    const std::string path = of_volumes
                                 ? template_path(c, b.volume_is_general, "volumeClaimTemplate")
                                 : template_path(c, b.pod_is_general, "podTemplate");
    const auto add = [&](const char* key, const Pairs& before, const Pairs& after) {
      compare(list, path + "metadata." + key + ".", fields_of(before), fields_of(after));
    };
    add("labels", of_volumes ? a.volume.labels : a.pod.labels,
        of_volumes ? b.volume.labels : b.pod.labels);
    add("annotations", of_volumes ? a.volume.annotations : a.pod.annotations,
        of_volumes ? b.volume.annotations : b.pod.annotations);
  });
}

Changes command_changes(World& world, const std::vector<std::string>& groups) {
  std::set<std::tuple<ProcessClass, int, int>> seen;
  return collect(world, groups, [&](Changes& list, const Member& group) {
    if (!group.pod || group.processes.empty()) return;
    const int wanted =
        world.command_id(group.process_class, group.pod->image_type, group.pod->servers);
    for (const Process& process : group.processes) {
      if (!seen.emplace(group.process_class, process.command, wanted).second) continue;
      const std::string path = fmt::format("fdbserver of {} ", name(group.process_class));
      if (const std::string* text = world.commands.text(process.command))
        add_text_changes(list, path, *text, *world.commands.text(wanted));
    }
  });
}

void add_text_changes(Changes& changes, const std::string& path, std::string_view before,
                      std::string_view after) {
  const auto old_arguments = arguments_of(before);
  const auto arguments = arguments_of(after);
  if (old_arguments && arguments && !before.empty() && !after.empty()) {
    compare(changes, path, *old_arguments, *arguments);
  } else {
    std::string own = path;
    while (own.ends_with('.') || own.ends_with(' ')) own.pop_back();
    add_change(changes, std::move(own), text_or_null(before), text_or_null(after));
  }
}

Changes configuration_changes(const DatabaseConfiguration& before,
                              const DatabaseConfiguration& after) {
  Changes changes;
  compare(changes, "databaseConfiguration.", configuration_fields(before),
          configuration_fields(after));
  return changes;
}

}  // namespace ballast::fdb
