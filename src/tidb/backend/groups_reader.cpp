// SPDX-License-Identifier: BSD-2-Clause
#include "groups_reader.hpp"

#include "ballast/core/words.hpp"
#include "ballast/operators/input/missing.hpp"
#include "ballast/tidb/backend/canonical.hpp"
#include "ballast/tidb/backend/keys.hpp"
#include "ballast/tidb/backend/pd_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace ballast::tidb {

namespace {

using doc::Tree;

constexpr std::size_t kLongestGroup = 40;
constexpr std::int64_t kMostWeight = 1'000'000;

std::optional<Component> component_of(std::string_view kind) {
  if (kind == "PDGroup") return Component::Pd;
  if (kind == "TiKVGroup") return Component::Tikv;
  if (kind == "TiDBGroup") return Component::Tidb;
  return std::nullopt;
}

class GroupsReader {
 public:
  GroupsReader(const Documents& side, const SpecOptions& options, Diagnostics& errors)
      : side_(side), options_(options), errors_(errors) {}

  ClusterSpec read() {
    spec_.form = Form::Groups;
    choose_cluster();
    for (std::size_t i = 0; i < side_.objects.size(); ++i) {
      const Tree& object = side_.objects[i];
      const std::string kind = text_of(object.find("kind"));
      if (kind == "Cluster") continue;
      if (!spec_.name.empty() && text_of(object.at({"spec", "cluster", "name"})) != spec_.name)
        continue;
      if (const auto component = component_of(kind)) {
        group(*component, kind, object);
      } else {
        spec_.other_components[fmt::format("{} {}", kind,
                                           text_of(object.at({"metadata", "name"})))] =
            canonical(*object.find("spec"));
      }
    }
    return std::move(spec_);
  }

 private:
  void choose_cluster() {
    std::set<std::string> names;
    std::set<std::string_view> others;
    for (const Tree& object : side_.objects) {
      const bool is_cluster = text_of(object.find("kind")) == "Cluster";
      const std::string name = is_cluster ? text_of(object.at({"metadata", "name"}))
                                          : text_of(object.at({"spec", "cluster", "name"}));
      if (!name.empty() && (options_.object_name.empty() || name == options_.object_name))
        names.insert(name);
      else if (const Tree* other = object.at({"metadata", "name"}); is_cluster && other != nullptr)
        others.insert(other->text());
      if (is_cluster && !name.empty() && names.contains(name)) {
        spec_.ns = text_of(object.at({"metadata", "namespace"}));
        spec_.no_constraints = text_of(object.at({"spec", "upgradePolicy"})) == "NoConstraints";
        spec_.paused = object.at({"spec", "paused"}) != nullptr &&
                       object.at({"spec", "paused"})->as_bool() == true;
      }
    }
    if (spec_.ns.empty()) spec_.ns = options_.ns;
    if (names.size() == 1) {
      spec_.name = *names.begin();
    } else if (names.empty() && options_.object_name.empty()) {
      operators::add_missing_at(
          errors_,
          {"E010", "-", "cluster name is not known", ": no Cluster and no spec.cluster.name"},
          side_.objects.front(), {"spec", "cluster", "name"});
    } else {
      errors_.add("E010", "-",
                  !names.empty()
                      ? "several objects and no --name"
                      : fmt::format("no Cluster is called {}, and no group belongs to such a one{}",
                                    quoted(options_.object_name),
                                    did_you_mean(options_.object_name,
                                                 std::vector(others.begin(), others.end()))),
                  side_.objects.front().place());
    }
  }

  void group(Component c, const std::string& kind, const Tree& object) {
    const Tree* name_node = object.at({"metadata", "name"});
    const std::string name = text_of(name_node);
    SetSpec set;
    set.component = c;
    set.name = name;
    set.path = fmt::format("{}/{}", kind, name);
    set.statefulset = fmt::format("{}-{}", name, name_of(c));
    if (!valid_name(c, name, name_node, set.path, object)) return;
    const Tree& spec = *object.find("spec");
    replicas(spec, set);
    image(spec, set);
    resources(spec, set);
    volumes(spec, set);
    pods(spec, set);
    if (c == Component::Pd)
      set.bootstrapped =
          spec.find("bootstrapped") != nullptr && spec.find("bootstrapped")->as_bool() == true;
    if (c == Component::Tidb) set.max_surge = surge(spec);
    if (const Tree* ready = spec.find("minReadySeconds")) {
      spec_.min_ready_s[index_of(c)] = ready->as_int().value_or(0);
    } else {
      spec_.min_ready_s[index_of(c)] = c == Component::Tidb ? 10 : 5;
    }
    spec_.given[index_of(c)] = true;
    spec_.of(c).push_back(std::move(set));
  }

  bool valid_name(Component c, const std::string& name, const Tree* node, const std::string& path,
                  const Tree& object) {
    if (name.empty()) {
      operators::add_missing_at(errors_, {"E002", path, "name is missing", ""}, object,
                                {"metadata", "name"});
      return false;
    }
    if (!is_dns_label(name) || name.size() > kLongestGroup) {
      errors_.add(
          "E004", path,
          fmt::format("{} is not a valid name (lower case letters, digits and \"-\", at most {})",
                      quoted(name), kLongestGroup),
          node->place());
      return false;
    }
    if (spec_.find(c, name) != nullptr) {
      errors_.add("E001", path, fmt::format("name {} is already used by {}", quoted(name), path),
                  node->place());
      return false;
    }
    return true;
  }

  void replicas(const Tree& spec, SetSpec& set) {
    const Tree* node = spec.find("replicas");
    if (node == nullptr) {
      operators::add_missing(errors_, {"E008", set.path + ".spec", "replicas is missing", ""}, spec,
                             "replicas");
      return;
    }
    const auto number = node->as_int();
    if (number && *number >= 0 && *number <= 10000) {
      set.replicas = *number;
    } else {
      errors_.add(
          "E007", set.path + ".spec.replicas",
          fmt::format("replicas must be a whole number, 0 or more, found {}",
                      node->kind() == Tree::Kind::String ? quoted(node->text()) : node->text()),
          node->place());
    }
  }

  static std::int64_t surge(const Tree& spec) {
    const Tree* node = spec.find("maxSurge");
    return node == nullptr ? 1 : std::clamp<std::int64_t>(node->as_int().value_or(1), 1, 1000000);
  }

  void image(const Tree& spec, SetSpec& set) {
    const Tree* pod = spec.at({"template", "spec"});
    set.version = pod == nullptr ? "" : text_of(pod->find("version"));
    if (const Tree* old = spec.find("version"); old != nullptr && set.version.empty()) {
      set.version = text_of(old);
      spec_.remarks.push_back(
          {"W-UNKNOWN-KEY", set.path + ".spec.version",
           "version stands in spec.template.spec today; read from its old place"});
    }
    if (set.version.empty()) {
      operators::add_missing_at(
          errors_, {"E008", set.path + ".spec", "template.spec.version is missing", ""}, spec,
          {"template", "spec", "version"});
    }
    set.image = pod == nullptr ? "" : text_of(pod->find("image"));
    if (set.image.empty()) set.image = fmt::format("pingcap/{}", name_of(set.component));
    const std::size_t colon = set.image.rfind(':');
    const bool has_tag =
        colon != std::string::npos && set.image.find('/', colon) == std::string::npos;
    if (!has_tag) set.image += ":" + set.version;
    set.pod_template["version"] = set.version;
    if (has_tag) set.pod_template["image"] = set.image;
    set.shown["version"] = set.version;
    set.shown["image"] = set.image;
  }

  void resources(const Tree& spec, SetSpec& set) {
    const Tree* resources = spec.at({"template", "spec", "resources"});
    if (resources == nullptr) return;
    const std::string path = set.path + ".spec.template.spec.resources";
    std::string text = canonical_quantities(*resources, path, "", errors_);
    if (!text.empty()) set.pod_template["requests"] = std::move(text);
    flatten(*resources, "requests", set.shown);
    set.placement.cpu_milli =
        quantity_milli(resources->find("cpu"), path + ".cpu", errors_).value_or(0);
    set.placement.memory_bytes =
        quantity_units(resources->find("memory"), path + ".memory", errors_).value_or(0);
  }

  void volumes(const Tree& spec, SetSpec& set) {
    const Tree* volumes = spec.at({"template", "spec", "volumes"});
    if (volumes != nullptr && volumes->is_list()) {
      for (const Tree& volume : volumes->items()) {
        const std::string name = text_of(volume.find("name"));
        const std::string path =
            fmt::format("{}.spec.template.spec.volumes[{}].storage", set.path, name);
        const auto bytes = quantity_units(volume.find("storage"), path, errors_);
        set.claim_templates.push_back(name);
        if (name == "data") {
          set.storage_bytes = bytes;
          set.storage_class = text_of(volume.find("storageClassName"));
        } else {
          set.volumes[name] = canonical(volume);
        }
      }
    }
    if (set.component != Component::Tidb && !set.storage_bytes) {
      operators::Missing missing{"E008", set.path + ".spec",
                                 "template.spec.volumes[data] is missing", ""};
      if (volumes == nullptr) {
        operators::add_missing_at(errors_, std::move(missing), spec,
                                  {"template", "spec", "volumes"});
      } else {
        operators::add_missing(errors_, std::move(missing), *volumes, "data");
      }
    }
  }

  void pods(const Tree& spec, SetSpec& set) {
    if (const Tree* pod = spec.at({"template", "spec"})) {
      const Tree* config = pod->find("config");
      if (config != nullptr && !canonical(*config).empty() && !config->text().empty()) {
        set.config["config"] = canonical(*config);
        flatten(*config, "config", set.shown);
      }
      set.config_rollout = text_of(pod->at({"updateStrategy", "config"})) != "HotReload";
      for (const auto& [key, value] : pod->entries()) {
        static const std::set<std::string_view> kApart{"version", "image",  "resources",
                                                       "volumes", "config", "updateStrategy"};
        if (std::string text = canonical(value); !kApart.contains(key) && !text.empty()) {
          set.pod_template[key] = std::move(text);
          flatten(value, key, set.shown);
        }
      }
      if (const Tree* overlay = pod->at({"overlay", "pod", "spec"})) {
        Placement placement = read_placement(*overlay);
        placement.cpu_milli = set.placement.cpu_milli;
        placement.memory_bytes = set.placement.memory_bytes;
        set.placement = std::move(placement);
      }
      if (set.component == Component::Pd && config != nullptr) {
        const Replication replication = read_replication(*config);
        if (replication.max_replicas) spec_.max_replicas = replication.max_replicas;
        if (!replication.location_labels.empty())
          spec_.location_labels = replication.location_labels;
      }
    }
    const Tree* policies = spec.find("schedulePolicies");
    if (policies == nullptr || !policies->is_list()) return;
    for (const Tree& policy : policies->items()) {
      const Tree* topologies = policy.at({"evenlySpread", "topologies"});
      if (topologies == nullptr || !topologies->is_list()) continue;
      for (const Tree& topology : topologies->items()) {
        const Tree* weight = topology.find("weight");
        const auto number = weight == nullptr ? std::optional<std::int64_t>(1) : weight->as_int();
        if (!number || *number < 1 || *number > kMostWeight) {
          errors_.add("E007", set.path + ".spec.schedulePolicies",
                      fmt::format("weight must be a whole number from 1 to {}, found {}",
                                  kMostWeight, weight->text()),
                      weight->place());
          continue;
        }
        if (auto labels = kube::read_texts(topology.find("topology")); !labels.empty())
          set.spread.push_back({std::move(labels), *number});
      }
    }
  }

  const Documents& side_;
  const SpecOptions& options_;
  Diagnostics& errors_;
  ClusterSpec spec_;
};

}  // namespace

ClusterSpec read_groups(const Documents& side, const SpecOptions& options, Diagnostics& errors) {
  return GroupsReader(side, options, errors).read();
}

}  // namespace ballast::tidb
