// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/cli/write_state.hpp"

#include "ballast/core/file.hpp"
#include "ballast/tidb/backend/canonical.hpp"
#include "ballast/tidb/backend/list_form.hpp"
#include "ballast/tidb/backend/live_dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace ballast::tidb {

namespace {

using KNode = kube::Node;

/// Whether what runs of a set is what is wished of it, replicas and storage left out.
bool is_as_wished(const LiveSet& set, const SetSpec* wished) {
  return wished != nullptr && restart_fields(set.spec, *wished).empty() &&
         differing(set.spec.config, wished->config).empty();
}

const KNode* element_named(const KNode& object, Component c, const std::string& name) {
  const KNode* list = object.at({"spec", name_of(c)});
  if (list == nullptr || !list->is_list()) return nullptr;
  for (const KNode& item : list->items()) {
    if (text_of(item.find("name")) == name) return &item;
  }
  return nullptr;
}

/// The specification of what runs in the list form: each set as it was, or as it is wished where it
/// has come to that.
KNode running_list(const Input& input, const KNode& was, const KNode& wish) {
  const bool has_was = was.find("spec") != nullptr;
  bool all_wished = true;
  KNode object = wish;
  for (const Component c : kComponents) {
    const bool given = input.current ? input.current->given[index_of(c)] : true;
    KNode list = KNode::list();
    for (const LiveSet& set : input.live.of(c)) {
      const SetSpec* wished = input.desired.find(c, set.name);
      const KNode* old = has_was ? element_named(was, c, set.name) : nullptr;
      const KNode* fresh = element_named(wish, c, set.name);
      const bool as_wished = is_as_wished(set, wished) && fresh != nullptr;
      all_wished = all_wished && as_wished;
      if (const KNode* element = as_wished || old == nullptr ? fresh : old)
        list.items().push_back(*element);
    }
    // A suspended component has no sets that run, and is specified all the same.
    if (input.live.suspended[index_of(c)]) {
      const KNode* whole = (has_was ? was : wish).at({"spec", name_of(c)});
      if (whole != nullptr) list = *whole;
    }
    KNode& spec = *object.find("spec");
    if (given && (!list.items().empty() || wish.at({"spec", name_of(c)}) != nullptr)) {
      spec.set(name_of(c), std::move(list));
    } else {
      spec.erase(name_of(c));
    }
  }
  if (has_was && !all_wished) {
    KNode spec = *was.find("spec");
    for (const Component c : kComponents) {
      spec.erase(name_of(c));
      if (const KNode* list = object.at({"spec", name_of(c)})) spec.set(name_of(c), *list);
    }
    object.set("spec", std::move(spec));
  }
  return object;
}

const KNode* object_named(const Documents& side, const std::string& kind, const std::string& name) {
  for (const KNode& object : side.objects) {
    if (text_of(object.find("kind")) == kind && text_of(object.at({"metadata", "name"})) == name)
      return &object;
  }
  return nullptr;
}

/// Groups: one object each, from the side that it runs by.
std::vector<KNode> running_groups(const Input& input, const Documents& current,
                                  const Documents& desired) {
  std::vector<KNode> objects;
  for (const KNode& object : desired.objects) {
    if (text_of(object.find("kind")) == "Cluster") objects.push_back(object);
  }
  for (const Component c : kComponents) {
    const std::string kind = c == Component::Pd     ? "PDGroup"
                             : c == Component::Tikv ? "TiKVGroup"
                                                    : "TiDBGroup";
    for (const LiveSet& group : input.live.of(c)) {
      const bool as_wished = is_as_wished(group, input.desired.find(c, group.name));
      const KNode* object = as_wished ? object_named(desired, kind, group.name) : nullptr;
      if (object == nullptr) object = object_named(current, kind, group.name);
      if (object == nullptr) object = object_named(desired, kind, group.name);
      if (object == nullptr) continue;
      KNode copy = *object;
      copy.set("status", group_status_of(group));
      objects.push_back(std::move(copy));
    }
  }
  return objects;
}

/// Heterogeneous clusters: of each object the components by which it runs.
std::vector<KNode> running_parts(const Input& input, const Documents& current,
                                 const Documents& desired) {
  std::vector<KNode> objects;
  for (const KNode& wish : desired.objects) {
    const std::string name = text_of(wish.at({"metadata", "name"}));
    const KNode* was = object_named(current, "TidbCluster", name);
    KNode copy = wish;
    const bool is_main = wish.at({"spec", "cluster", "name"}) == nullptr;
    for (const Component c : kComponents) {
      const std::string set = is_main ? std::string(kDefaultSet) : name;
      const LiveSet* live = input.live.find(c, set);
      const KNode* old = was == nullptr ? nullptr : was->at({"spec", name_of(c)});
      if (live == nullptr) {
        copy.find("spec")->erase(name_of(c));
      } else if (old != nullptr && !is_as_wished(*live, input.desired.find(c, set))) {
        copy.find("spec")->set(name_of(c), *old);
      }
    }
    if (is_main) copy.set("status", status_of(input.live));
    objects.push_back(std::move(copy));
  }
  return objects;
}

std::string yaml_of(const std::vector<KNode>& objects) {
  std::string text;
  for (const KNode& object : objects)
    text += (text.empty() ? "" : "---\n") + kube::emit_yaml(object);
  return text;
}

}  // namespace

tl::expected<StateFiles, std::vector<Diagnostic>> state_files(const Input& input,
                                                              const Documents& current,
                                                              const Documents& desired,
                                                              const LoadRequest& request) {
  Diagnostics errors;
  StateFiles files;
  const Form form = input.desired.form;
  const std::string name = input.desired.name;
  if (form == Form::Groups || form == Form::Hetero) {
    if (input.live.exists) {
      files.emplace_back("current.yaml",
                         yaml_of(form == Form::Groups ? running_groups(input, current, desired)
                                                      : running_parts(input, current, desired)));
    }
    files.emplace_back("desired.yaml", yaml_of(desired.objects));
  } else {
    SpecOptions options;
    options.cluster = request.cluster;
    options.object_name = request.object_name;
    options.ns = request.ns;
    const KNode wish = list_form(desired, options, errors);
    const KNode was =
        current.kind == Documents::Kind::None ? KNode() : list_form(current, options, errors);
    if (!errors.empty()) return tl::unexpected(errors.sorted());
    if (input.live.exists) {
      KNode object = running_list(input, was, wish);
      object.set("status", status_of(input.live));
      files.emplace_back("current.yaml", kube::emit_yaml(object));
    }
    files.emplace_back("desired.yaml", kube::emit_yaml(wish));
  }
  if (!input.live.exists) return files;
  files.emplace_back("kube.json", kube::emit_json(kube_list_of(input.live, name, form)) + "\n");
  for (const auto& [file, document] : {std::pair{"pd-store.json", pd_stores_of(input.live)},
                                       std::pair{"pd-member.json", pd_members_of(input.live)},
                                       std::pair{"pd-health.json", pd_health_of(input.live)},
                                       std::pair{"pd-config.json", pd_config_of(input.live)}}) {
    if (document) files.emplace_back(file, kube::emit_json(*document) + "\n");
  }
  return files;
}

tl::expected<void, std::vector<Diagnostic>> write_state(const std::string& directory,
                                                        const StateFiles& files) {
  Diagnostics errors;
  std::error_code error;
  // Only the folder itself: a path that was mistyped must not grow a tree.
  std::filesystem::create_directory(directory, error);
  if (error) {
    errors.add(
        "E020", "-",
        fmt::format("--write-state {}: folder cannot be made: {}", directory, error.message()));
    return tl::unexpected(errors.sorted());
  }
  for (const auto& [name, text] : files) {
    const std::string file = (std::filesystem::path(directory) / name).string();
    const auto written = write_file(file, text);
    if (written) continue;
    errors.add("E020", "-", fmt::format("--write-state: {}: {}", file, written.error().message));
    return tl::unexpected(errors.sorted());
  }
  return {};
}

}  // namespace ballast::tidb
