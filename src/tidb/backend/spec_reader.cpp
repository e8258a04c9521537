// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/backend/spec_reader.hpp"

#include "ballast/tidb/backend/canonical.hpp"
#include "ballast/tidb/backend/keys.hpp"
#include "ballast/tidb/backend/pd_config.hpp"
#include "groups_reader.hpp"
#include "set_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ballast::tidb {

namespace {

using doc::Tree;

bool is_true(const Tree* node) { return node != nullptr && node->as_bool() == true; }

class SpecReader {
 public:
  SpecReader(const Documents& side, const SpecOptions& options, Diagnostics& errors)
      : side_(side), options_(options), errors_(errors) {}

  ClusterSpec read() {
    const RawCluster raw = resolve_sets(side_, options_, errors_, spec_.remarks);
    spec_.form = raw.form;
    spec_.name = raw.name;
    spec_.ns = raw.ns;
    spec_.given = raw.given;
    if (raw.root == nullptr) return std::move(spec_);
    for (const RawSet& set : raw.sets) read_one(raw, set);
    cluster_keys(*raw.root);
    if (raw.object != nullptr) annotations(*raw.object);
    replication(*raw.root);
    same_names();
    return std::move(spec_);
  }

 private:
  bool values() const { return side_.kind == Documents::Kind::Values; }

  void read_one(const RawCluster& raw, const RawSet& set) {
    SetContext context{set.component, values(),       set.root == nullptr ? raw.root : set.root,
                       raw.name,      options_.style, set.image_required};
    SetSpec read = read_set(set.element, set.name, set.path, context, errors_, spec_.remarks);
    if (!set.statefulset.empty()) {
      read.statefulset = set.statefulset;
      read.config_map = set.statefulset;
    }
    if (set.inherits_replicas) {
      spec_.remarks.push_back(
          {"A-INHERITED-REPLICAS", fmt::format("{}/{}", name_of(set.component), set.name),
           fmt::format("{} has no replicas of its own and inherits {}", set.path, read.replicas)});
    }
    spec_.of(set.component).push_back(std::move(read));
  }

  void cluster_keys(const Tree& root) {
    for (const auto& [key, value] : root.entries()) {
      if (is_other_component(key)) {
        std::string text = canonical(value);
        if (!text.empty()) spec_.other_components[key] = std::move(text);
      } else if (!is_cluster_key(key, values())) {
        unknown(key, value);
      }
    }
    if (const Tree* services = root.find("services")) {
      if (std::string text = canonical(*services); !text.empty()) spec_.services["services"] = text;
    }
    spec_.reclaim_policy = text_of(root.find("pvReclaimPolicy"));
    if (spec_.reclaim_policy.empty()) spec_.reclaim_policy = "Retain";
    spec_.paused = is_true(root.find("paused"));
    spec_.reclaim_claims = is_true(root.find("enablePVReclaim"));
    spec_.replace_volumes = is_true(root.find("enablePVCReplace"));
    const auto has_replicas = [&](std::string_view name) {
      const Tree* replicas = root.at({name, "replicas"});
      return replicas != nullptr && replicas->as_int().value_or(0) > 0;
    };
    spec_.others_running = {has_replicas("tiflash"), has_replicas("ticdc"),
                            has_replicas("pump") || is_true(root.at({"binlog", "pump", "create"}))};
    for (const std::string_view name : {"tiflash", "ticdc", "pump"}) {
      const Tree* own = root.find(name);
      if (values() || own == nullptr || !own->is_map()) continue;
      const Tree* action = own->find("suspendAction");
      if (action == nullptr) action = root.find("suspendAction");
      if (action != nullptr && is_true(action->find("suspendStatefulSet")))
        spec_.suspended_others.emplace_back(name);
    }
  }

  void unknown(const std::string& key, const Tree& value) {
    const auto near = nearest_cluster_key(key, values());
    spec_.remarks.push_back(
        {"W-UNKNOWN-KEY", values() ? key : "spec." + key,
         fmt::format("{}: unknown key {}{}", to_string(value.place()), quoted(key),
                     near ? fmt::format(", did you mean \"{}\"?", *near) : "")});
  }

  void annotations(const Tree& object) {
    const Tree* node = object.at({"metadata", "annotations"});
    const auto all = kube::read_texts(node);
    const auto on = [&](const std::string& key) {
      const auto found = all.find(key);
      return found != all.end() && found->second == "true";
    };
    spec_.force_upgrade = on("tidb.pingcap.com/force-upgrade");
    spec_.check_pd_quorum = on("tidb.pingcap.com/pd-check-quorum-before-upgrade");
    spec_.check_stores_up = on("tidb.pingcap.com/tikv-check-all-stores-up-before-upgrade");
    spec_.auto_recovery = on("app.kubernetes.io/auto-failure-recovery");
    if (const auto key = all.find("pingcap.com/ha-topology-key"); key != all.end()) {
      spec_.topology_key = key->second;
    }
    for (const Component c : kComponents) {
      const std::string seconds = fmt::format("tidb.pingcap.com/{}-min-ready-seconds", name_of(c));
      if (const Tree* value = node == nullptr ? nullptr : node->find(seconds)) {
        spec_.min_ready_s[index_of(c)] =
            static_cast<std::int64_t>(id_of(value).value_or(0) & 0xffffffff);
      }
      const std::string slots = fmt::format("{}.tidb.pingcap.com/delete-slots", name_of(c));
      if (const Tree* value = node == nullptr ? nullptr : node->find(slots))
        delete_slots(c, slots, *value);
    }
  }

  void delete_slots(Component c, const std::string& key, const Tree& value) {
    const std::string path = fmt::format("metadata.annotations[{}]", key);
    const auto slots = read_slots(value);
    if (!slots) {
      errors_.add("E018", path, "delete-slots is not a list of whole numbers", value.place());
      return;
    }
    spec_.slots_given = spec_.slots_given || !slots->empty();
    if (!options_.advanced_statefulset) return;
    for (SetSpec& set : spec_.of(c)) {
      if (set.name == kDefaultSet) set.slots = *slots;
    }
  }

  void replication(const Tree& root) {
    const Tree* config = root.at({"pd", "config"});
    if (const Tree* pd = root.find("pd"); pd != nullptr && pd->is_list()) {
      for (const Tree& item : pd->items()) {
        if (const Tree* own = item.find("config"); own != nullptr && config == nullptr)
          config = own;
      }
    }
    if (config == nullptr) return;
    const Replication read = read_replication(*config);
    spec_.max_replicas = read.max_replicas;
    spec_.location_labels = read.location_labels;
  }

  /// Two objects of one kind with one name cannot exist; every set makes a StatefulSet, and TiDB
  /// sets a Service.
  void same_names() {
    std::map<std::string, std::string> statefulsets;
    std::map<std::string, std::string> config_maps;
    for (const Component c : kComponents) {
      for (const SetSpec& set : spec_.of(c)) {
        claim(statefulsets, set, set.statefulset, "StatefulSets");
        if (set.config_map != set.statefulset)
          claim(config_maps, set, set.config_map, "ConfigMaps");
      }
    }
  }

  void claim(std::map<std::string, std::string>& taken, const SetSpec& set, const std::string& name,
             std::string_view kind) {
    const auto [other, is_new] = taken.emplace(name, set.path);
    if (!is_new) {
      errors_.add("E016", set.path,
                  fmt::format("two objects would be called {} ({} of this and of {})", name, kind,
                              other->second));
    }
  }

  const Documents& side_;
  const SpecOptions& options_;
  Diagnostics& errors_;
  ClusterSpec spec_;
};

}  // namespace

ClusterSpec read_spec(const Documents& side, const SpecOptions& options, Diagnostics& errors) {
  if (side.kind == Documents::Kind::Groups) return read_groups(side, options, errors);
  return SpecReader(side, options, errors).read();
}

}  // namespace ballast::tidb
