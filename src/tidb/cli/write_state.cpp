// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/cli/write_state.hpp"

#include "ballast/tidb/backend/canonical.hpp"
#include "ballast/tidb/backend/keys.hpp"
#include "ballast/tidb/backend/list_form.hpp"
#include "ballast/tidb/backend/live_dump.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

using doc::Tree;

/// Whether what runs of a set is what is wished of it, replicas and storage left out.
bool is_as_wished(const LiveSet& set, const SetSpec* wished) {
  return wished != nullptr && restart_fields(set.spec, *wished).empty() &&
         differing(set.spec.config, wished->config).empty();
}

/// What a set is specified by: as it was, with what has come to be as wished apart from its pods,
/// the content of its ConfigMap and the size of its volumes.
Tree partly_wished(const Tree& old, const Tree* fresh, const LiveSet& set, const SetSpec* wished) {
  Tree mixed = old;
  if (fresh == nullptr || wished == nullptr) return mixed;
  const auto is_config = [&](const std::string& key) {
    return component_key_use(key, false, set.component) == KeyUse::Config;
  };
  if (differing(set.spec.config, wished->config).empty()) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : mixed.entries()) {
      if (is_config(key)) keys.push_back(key);
    }
    for (const std::string& key : keys) mixed.erase(key);
    for (const auto& [key, value] : fresh->entries()) {
      if (is_config(key)) mixed.set(key, value);
    }
  }
  const Tree* storage = fresh->at({"requests", "storage"});
  Tree* requests = mixed.find("requests");
  const bool has_grown = set.spec.storage_bytes == wished->storage_bytes;
  if (has_grown && storage != nullptr && requests != nullptr && requests->is_map())
    requests->set("storage", *storage);
  return mixed;
}

const Tree* element_named(const Tree& object, Component c, const std::string& name) {
  const Tree* list = object.at({"spec", name_of(c)});
  if (list == nullptr || !list->is_list()) return nullptr;
  for (const Tree& item : list->items()) {
    if (text_of(item.find("name")) == name) return &item;
  }
  return nullptr;
}

/// The specification of what runs in the list form: each set as it was, or as it is wished where it
/// has come to that.
Tree running_list(const Input& input, const Tree& was, const Tree& wish) {
  const bool has_was = was.find("spec") != nullptr;
  bool all_wished = true;
  Tree object = wish;
  for (const Component c : kComponents) {
    const bool given = input.current ? input.current->given[index_of(c)] : true;
    Tree list = Tree::list();
    for (const LiveSet& set : input.live.of(c)) {
      const SetSpec* wished = input.desired.find(c, set.name);
      const Tree* old = has_was ? element_named(was, c, set.name) : nullptr;
      const Tree* fresh = element_named(wish, c, set.name);
      const bool as_wished = is_as_wished(set, wished) && fresh != nullptr;
      all_wished = all_wished && as_wished;
      if (!as_wished && old != nullptr) {
        list.items().push_back(partly_wished(*old, fresh, set, wished));
      } else if (fresh != nullptr) {
        list.items().push_back(*fresh);
      }
    }
    // A suspended component has no sets that run, and is specified all the same.
    if (input.live.suspended[index_of(c)]) {
      const Tree* whole = (has_was ? was : wish).at({"spec", name_of(c)});
      if (whole != nullptr) list = *whole;
    }
    Tree& spec = *object.find("spec");
    if (given && (!list.items().empty() || wish.at({"spec", name_of(c)}) != nullptr)) {
      spec.set(name_of(c), std::move(list));
    } else {
      spec.erase(name_of(c));
    }
  }
  if (has_was && !all_wished) {
    Tree spec = *was.find("spec");
    for (const Component c : kComponents) {
      spec.erase(name_of(c));
      if (const Tree* list = object.at({"spec", name_of(c)})) spec.set(name_of(c), *list);
    }
    object.set("spec", std::move(spec));
  }
  return object;
}

const Tree* object_named(const Documents& side, const std::string& kind, const std::string& name) {
  for (const Tree& object : side.objects) {
    if (text_of(object.find("kind")) == kind && text_of(object.at({"metadata", "name"})) == name)
      return &object;
  }
  return nullptr;
}

/// The configuration of a group that is updated in place comes before its pods.
void config_as_wished(Tree& object, const Tree* wish, const LiveSet& group, const Input& input) {
  const SetSpec* wished = input.desired.find(group.component, group.name);
  if (wish == nullptr || wished == nullptr) return;
  if (!differing(group.spec.config, wished->config).empty()) return;
  Tree* pod = &object;
  for (const char* key : {"spec", "template", "spec"}) {
    pod = pod->find(key);
    if (pod == nullptr || !pod->is_map()) return;
  }
  pod->erase("config");
  const Tree* config = wish->at({"spec", "template", "spec", "config"});
  if (config != nullptr) pod->set("config", *config);
}

/// Groups: one object each, from the side that it runs by.
std::vector<Tree> running_groups(const Input& input, const Documents& current,
                                 const Documents& desired) {
  std::vector<Tree> objects;
  for (const Tree& object : desired.objects) {
    if (text_of(object.find("kind")) == "Cluster") objects.push_back(object);
  }
  for (const Component c : kComponents) {
    const std::string kind = c == Component::Pd     ? "PDGroup"
                             : c == Component::Tikv ? "TiKVGroup"
                                                    : "TiDBGroup";
    for (const LiveSet& group : input.live.of(c)) {
      const bool as_wished = is_as_wished(group, input.desired.find(c, group.name));
      const Tree* object = as_wished ? object_named(desired, kind, group.name) : nullptr;
      if (object == nullptr) object = object_named(current, kind, group.name);
      if (object == nullptr) object = object_named(desired, kind, group.name);
      if (object == nullptr) continue;
      Tree copy = *object;
      if (!as_wished) config_as_wished(copy, object_named(desired, kind, group.name), group, input);
      copy.set("status", group_status_of(group));
      objects.push_back(std::move(copy));
    }
  }
  return objects;
}

/// Heterogeneous clusters: of each object the components by which it runs.
std::vector<Tree> running_parts(const Input& input, const Documents& current,
                                const Documents& desired) {
  std::vector<Tree> objects;
  for (const Tree& wish : desired.objects) {
    const std::string name = text_of(wish.at({"metadata", "name"}));
    const Tree* was = object_named(current, "TidbCluster", name);
    Tree copy = wish;
    const bool is_main = wish.at({"spec", "cluster", "name"}) == nullptr;
    for (const Component c : kComponents) {
      const std::string set = is_main ? std::string(kDefaultSet) : name;
      const LiveSet* live = input.live.find(c, set);
      const Tree* old = was == nullptr ? nullptr : was->at({"spec", name_of(c)});
      if (live == nullptr) {
        copy.find("spec")->erase(name_of(c));
      } else if (old != nullptr && !is_as_wished(*live, input.desired.find(c, set))) {
        const Tree* fresh = wish.at({"spec", name_of(c)});
        copy.find("spec")->set(name_of(c),
                               partly_wished(*old, fresh, *live, input.desired.find(c, set)));
      }
    }
    if (is_main) copy.set("status", status_of(input.live));
    objects.push_back(std::move(copy));
  }
  return objects;
}

std::string yaml_of(const std::vector<Tree>& objects) {
  std::string text;
  for (const Tree& object : objects) text += (text.empty() ? "" : "---\n") + doc::emit_yaml(object);
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
    const Tree wish = list_form(desired, options, errors);
    const Tree was =
        current.kind == Documents::Kind::None ? Tree() : list_form(current, options, errors);
    if (!errors.empty()) return tl::unexpected(errors.sorted());
    if (input.live.exists) {
      Tree object = running_list(input, was, wish);
      object.set("status", status_of(input.live));
      files.emplace_back("current.yaml", doc::emit_yaml(object));
    }
    files.emplace_back("desired.yaml", doc::emit_yaml(wish));
  }
  if (!input.live.exists) return files;
  files.emplace_back("kube.json", doc::emit_json(kube_list_of(input.live, name, form)) + "\n");
  for (const auto& [file, document] : {std::pair{"pd-store.json", pd_stores_of(input.live)},
                                       std::pair{"pd-member.json", pd_members_of(input.live)},
                                       std::pair{"pd-health.json", pd_health_of(input.live)},
                                       std::pair{"pd-config.json", pd_config_of(input.live)}}) {
    if (document) files.emplace_back(file, doc::emit_json(*document) + "\n");
  }
  return files;
}

tl::expected<void, std::vector<Diagnostic>> write_files(std::string_view option,
                                                        const std::string& folder,
                                                        const operators::Files& files) {
  const Status written = operators::write_folder(folder, files);
  if (written) return {};
  return operators::refusal(
      {"E020", std::string(option), written.error().message, written.error().place});
}

}  // namespace ballast::tidb
