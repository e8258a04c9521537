// SPDX-License-Identifier: BSD-2-Clause
#include "set_reader.hpp"
#include "ballast/doc/merge.hpp"

#include "ballast/operators/input/missing.hpp"
#include "ballast/tidb/backend/canonical.hpp"
#include "ballast/tidb/backend/documents.hpp"
#include "ballast/tidb/backend/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ballast::tidb {

namespace {

using doc::Tree;

constexpr std::int64_t kMostReplicas = 10000;  // what a plan can still be read for
constexpr std::int64_t kMostWhole = 2147483647;

std::string shown(const Tree& node) {
  if (node.is_map()) return "a mapping";
  if (node.is_list()) return "a list";
  if (node.is_null()) return "nothing";
  return node.kind() == Tree::Kind::String ? quoted(node.text()) : node.text();
}

/// A value that means the same as leaving the key out.
bool is_default(std::string_view key, const Tree& value) {
  if (key == "hostNetwork" || key == "privileged") return value.as_bool() == false;
  if (key == "imagePullPolicy") return value.text() == "IfNotPresent";
  if (key == "schedulerName") return value.text() == "default-scheduler";
  return false;
}

class SetReader {
 public:
  SetReader(const Tree& element, std::string name, std::string path, const SetContext& context,
            Diagnostics& errors, std::vector<Remark>& remarks)
      : element_(element), context_(context), errors_(errors), remarks_(remarks) {
    set_.component = context.component;
    set_.name = std::move(name);
    set_.path = std::move(path);
  }

  SetSpec read() {
    names();
    replicas();
    image();
    resources();
    keys();
    inherited();
    storage();
    numbers();
    rollout();
    set_.placement.cpu_milli = cpu_milli_;
    set_.placement.memory_bytes = memory_bytes_;
    return std::move(set_);
  }

 private:
  const Tree* find(std::string_view key) const {
    const Tree* node = element_.find(key);
    return node == nullptr || node->is_null() ? nullptr : node;
  }
  const Tree* root(std::string_view key) const {
    const Tree* node = context_.root == nullptr ? nullptr : context_.root->find(key);
    return node == nullptr || node->is_null() ? nullptr : node;
  }
  std::string path(std::string_view key) const { return fmt::format("{}.{}", set_.path, key); }

  void names() {
    set_.statefulset =
        statefulset_name(context_.cluster, set_.component, set_.name, context_.style.default_name);
    set_.config_map = config_map_name(context_.cluster, set_.component, set_.name, context_.style);
    if (!context_.cluster.empty() && set_.statefulset.size() > kLongestStatefulSet) {
      errors_.add(
          "E005", set_.path,
          fmt::format("StatefulSet name {} would have {} characters, at most {} are possible",
                      set_.statefulset, set_.statefulset.size(), kLongestStatefulSet),
          name_place());
    }
  }

  Place name_place() const {
    const Tree* name = element_.find("name");
    return name == nullptr ? element_.place() : name->place();
  }

  void replicas() {
    const Tree* node = find("replicas");
    if (node == nullptr) {
      missing("replicas");
      return;
    }
    const auto number = node->as_int();
    if (number && *number >= 0 && *number <= kMostReplicas) {
      set_.replicas = *number;
      return;
    }
    errors_.add(
        "E007", path("replicas"),
        fmt::format("replicas must be a whole number, 0 or more, found {}{}", shown(*node),
                    number && *number > kMostReplicas ? " (at most 10000 can be planned)" : ""),
        node->place());
  }

  void missing(std::string_view key) {
    operators::add_missing(errors_,
                           {"E008", set_.path, fmt::format("{} is missing", key),
                            context_.values ? " (give the chart's values file first)" : ""},
                           element_, key, [&](std::string_view written) {
                             return is_component_key(written, context_.values, set_.component);
                           });
  }

  void image() {
    const std::string base = text_of(find("baseImage"));
    std::string version = text_of(find("version"));
    if (version.empty() && !context_.values) version = text_of(root("version"));
    if (!context_.values && !base.empty()) {
      set_.image = version.empty() ? base : base + ":" + version;
      set_.has_base_image = true;
    } else if (!text_of(find("image")).empty()) {
      set_.image = text_of(find("image"));
    } else if (context_.image_required) {
      missing("image");
    } else {
      set_.image = fmt::format("pingcap/{}", name_of(set_.component));
      if (!version.empty()) set_.image += ":" + version;
    }
    const std::size_t colon = set_.image.rfind(':');
    if (colon != std::string::npos && set_.image.find('/', colon) == std::string::npos) {
      set_.version = set_.image.substr(colon + 1);
    }
    set_.pod_template["image"] = set_.image;
    set_.shown["image"] = set_.image;
  }

  void resources() {
    const Tree* requests = find("requests");
    const Tree* limits = find("limits");
    std::string prefix = set_.path;
    if (context_.values) {
      const Tree* all = find("resources");
      if (all == nullptr) return;
      requests = all->find("requests");
      limits = all->find("limits");
      prefix = path("resources");
    }
    if (requests != nullptr) {
      const std::string where = prefix + ".requests";
      put("requests", canonical_quantities(*requests, where, "storage", errors_));
      show("requests", *requests);
      cpu_milli_ = quantity_milli(requests->find("cpu"), where + ".cpu", errors_).value_or(0);
      memory_bytes_ =
          quantity_units(requests->find("memory"), where + ".memory", errors_).value_or(0);
      set_.storage_bytes = quantity_units(requests->find("storage"), where + ".storage", errors_);
    }
    if (limits != nullptr) {
      put("limits", canonical_quantities(*limits, prefix + ".limits", "storage", errors_));
      show("limits", *limits);
      const auto capacity =
          quantity_units(limits->find("storage"), prefix + ".limits.storage", errors_);
      if (capacity && set_.component == Component::Tikv) {
        put("limits.storage", fmt::format("{}", *capacity));
      }
    }
  }

  void show(const std::string& field, const Tree& value) {
    std::erase_if(set_.shown, [&](const auto& leaf) {
      return leaf.first == field || leaf.first.starts_with(field + ".") ||
             leaf.first.starts_with(field + "[");
    });
    flatten(value, field, set_.shown);
  }

  void put(const std::string& field, std::string value) {
    if (!value.empty()) set_.pod_template[field] = std::move(value);
  }

  void keys() {
    for (const auto& [key, value] : element_.entries()) {
      const auto use = component_key_use(key, context_.values, set_.component);
      if (!use) {
        unknown(key, value);
        continue;
      }
      switch (*use) {
        case KeyUse::Template:
          if (!is_default(key, value)) put(key, canonical(value));
          show(key, value);
          break;
        case KeyUse::Config:
          show(key, value);
          if (std::string text = canonical(value); !text.empty())
            set_.config[key] = std::move(text);
          break;
        case KeyUse::Service:
          service(value);
          break;
        default:
          break;
      }
    }
  }

  void unknown(const std::string& key, const Tree& value) {
    put(key, canonical(value));
    show(key, value);
    const auto near = nearest_component_key(key, context_.values, set_.component);
    remarks_.push_back(
        {"W-UNKNOWN-KEY", path(key),
         fmt::format("{}: unknown key {}{}; a change of it counts as a change of the pods",
                     to_string(value.place()), quoted(key),
                     near ? fmt::format(", did you mean \"{}\"?", *near) : "")});
  }

  void service(const Tree& value) {
    if (!value.is_map()) return;
    for (const auto& [key, field] : value.entries()) {
      if (std::string text = canonical(field); !text.empty()) set_.service[key] = std::move(text);
    }
  }

  /// From the cluster level: some mappings merge and the component wins, the rest is replaced.
  void inherited() {
    Tree pod = element_;
    if (!context_.values) {
      for (const std::string_view key : {"nodeSelector", "annotations", "labels"}) {
        const Tree* above = root(key);
        if (above == nullptr) continue;
        const Tree* own = find(key);
        pod.set(key, own == nullptr ? *above : doc::merged(*above, *own));
        put(std::string(key), canonical(*pod.find(key)));
        show(std::string(key), *pod.find(key));
      }
    }
    static constexpr std::array kReplaced{"affinity",          "tolerations",
                                          "priorityClassName", "hostNetwork",
                                          "imagePullPolicy",   "topologySpreadConstraints"};
    for (const std::string_view key : kReplaced) {
      if (!context_.values) replace_from_root(key, pod);
    }
    replace_from_root("schedulerName", pod);
    if (const Tree* zone = root("timezone"); zone != nullptr && zone->text() != "UTC") {
      put("timezone", canonical(*zone));
      show("timezone", *zone);
    }
    if (const Tree* labels = root("extraLabels"); labels != nullptr && context_.values) {
      put("labels", canonical(*labels));
      show("labels", *labels);
    }
    binlog();
    set_.placement = read_placement(pod);
  }

  void replace_from_root(std::string_view key, Tree& pod) {
    const Tree* above = root(key);
    if (above == nullptr || find(key) != nullptr) return;
    pod.set(key, *above);
    if (!is_default(key, *above)) put(std::string(key), canonical(*above));
    show(std::string(key), *above);
  }

  void binlog() {
    if (set_.component != Component::Tidb || context_.root == nullptr) return;
    const Tree* create = context_.root->at({"binlog", "pump", "create"});
    if (create != nullptr && create->as_bool() == true) put("binlog", "on");
  }

  void storage() {
    set_.storage_class = text_of(find("storageClassName"));
    set_.data_sub_dir = text_of(find("dataSubDir"));
    if (set_.component != Component::Tidb)
      set_.claim_templates.emplace_back(name_of(set_.component));
    const Tree* volumes = find("storageVolumes");
    if (volumes == nullptr || !volumes->is_list()) return;
    for (const Tree& volume : volumes->items()) {
      const std::string name = text_of(volume.find("name"));
      set_.volumes[name] = canonical(volume);
      set_.claim_templates.push_back(fmt::format("{}-{}", name_of(set_.component), name));
    }
  }

  void whole(const Tree* node, std::string_view key, std::int64_t& into, std::int64_t least) {
    if (node == nullptr) return;
    const auto number = node->as_int();
    if (number && *number >= least && *number <= kMostWhole) {
      into = *number;
    } else {
      errors_.add("E015", path(key),
                  fmt::format("must be a whole number, {} or more, found {}", least, shown(*node)),
                  node->place());
    }
  }

  void seconds(std::string_view key, std::int64_t& into) {
    const Tree* node = find(key);
    if (node == nullptr) return;
    const auto duration = duration_seconds(node->text());
    if (duration) {
      into = *duration;
    } else {
      errors_.add("E015", path(key),
                  fmt::format("must be a duration such as 90s or 1h30m, found {}", shown(*node)),
                  node->place());
    }
  }

  void numbers() {
    whole(find("maxFailoverCount"), "maxFailoverCount", set_.max_failover, 0);
    if (context_.values && set_.component == Component::Tidb && set_.max_failover == 0) {
      set_.max_failover = 3;
      remarks_.push_back({"W-MAXFAILOVER-ZERO", path("maxFailoverCount"),
                          "the chart takes 0 as \"not set\": failover stays on with a limit of 3"});
    }
    if (context_.values) return;
    seconds("evictLeaderTimeout", set_.evict_leader_s);
    seconds("waitLeaderTransferBackTimeout", set_.transfer_back_s);
    if (const Tree* policy = find("scalePolicy")) {
      whole(policy->find("scaleInParallelism"), "scalePolicy.scaleInParallelism",
            set_.scale_in_parallelism, 1);
      whole(policy->find("scaleOutParallelism"), "scalePolicy.scaleOutParallelism",
            set_.scale_out_parallelism, 1);
    }
    const Tree* recover = find("recoverFailover");
    set_.recover_failover = recover != nullptr && recover->as_bool() == true;
    set_.recover_by_uid = text_of(element_.at({"failover", "recoverByUID"}));
    const Tree* suspend = element_.at({"suspendAction", "suspendStatefulSet"});
    if (suspend == nullptr && context_.root != nullptr) {
      suspend = context_.root->at({"suspendAction", "suspendStatefulSet"});
    }
    set_.suspended = suspend != nullptr && suspend->as_bool() == true;
  }

  void rollout() {
    if (context_.values) {
      const Tree* rollout = root("enableConfigMapRollout");
      set_.config_rollout = rollout != nullptr && rollout->as_bool() == true;
      return;
    }
    const Tree* strategy = find("configUpdateStrategy");
    if (strategy == nullptr) strategy = root("configUpdateStrategy");
    set_.config_rollout = text_of(strategy) == "RollingUpdate";
    const Tree* update = find("statefulSetUpdateStrategy");
    if (update == nullptr) update = root("statefulSetUpdateStrategy");
    set_.on_delete = text_of(update) == "OnDelete";
  }

  const Tree& element_;
  const SetContext& context_;
  Diagnostics& errors_;
  std::vector<Remark>& remarks_;
  SetSpec set_;
  std::int64_t cpu_milli_ = 0;
  std::int64_t memory_bytes_ = 0;
};

}  // namespace

SetSpec read_set(const Tree& element, std::string name, std::string path, const SetContext& context,
                 Diagnostics& errors, std::vector<Remark>& remarks) {
  return SetReader(element, std::move(name), std::move(path), context, errors, remarks).read();
}

}  // namespace ballast::tidb
