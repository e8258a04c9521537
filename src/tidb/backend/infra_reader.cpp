// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/kube/documents.hpp"
#include "ballast/operators/input/missing.hpp"
#include "ballast/tidb/backend/canonical.hpp"
#include "ballast/tidb/backend/keys.hpp"
#include "kube_dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace ballast::tidb {

namespace {

using doc::Tree;

class InfraReader {
 public:
  InfraReader(InfraData& data, Diagnostics& errors) : data_(data), errors_(errors) {}

  void nodes(const SourceText& source) {
    constexpr std::string_view kExpected =
        "nodes (kubectl get nodes, or the short form) were expected";
    for (const Tree& document : parse(source, kExpected)) {
      if (const Tree* list = document.find("nodes"); list != nullptr && list->is_list()) {
        data_.has_nodes = true;
        known_keys(document, "-", {"nodes"});
        for (const Tree& item : list->items()) short_node(item);
      } else if (text_of(document.find("kind")) == "Node") {
        data_.has_nodes = true;
        full_node(document);
      } else if (document.is_map() && document.find("kind") == nullptr) {
        operators::add_missing(errors_,
                               {"E015", "-", "unknown content", fmt::format(": {}", kExpected)},
                               document, "nodes");
      } else {
        unknown(document, source.file, kExpected);
      }
    }
    std::ranges::stable_sort(data_.nodes, {}, &Machine::name);
  }

  void volumes(const SourceText& source) {
    constexpr std::string_view kExpected = "PersistentVolumes were expected";
    for (const Tree& document : parse(source, kExpected)) {
      if (text_of(document.find("kind")) == "PersistentVolume") {
        volume(document);
      } else {
        unknown(document, source.file, kExpected);
      }
    }
    data_.has_volumes = true;
    std::ranges::stable_sort(data_.volumes, {}, &Volume::name);
  }

 private:
  std::vector<Tree> parse(const SourceText& source, std::string_view expected) {
    auto documents = parse_source(source, expected, errors_);
    if (!documents) return {};
    return kube::flatten_lists(std::move(*documents));
  }

  void unknown(const Tree& node, const std::string& file, std::string_view expected) {
    errors_.add("E015", "-", fmt::format("unknown content: {}", expected),
                node.place().file.empty() ? Place{file, 1, 1} : node.place());
  }

  void amounts(const Tree* list, const std::string& path, std::int64_t& cpu, std::int64_t& memory) {
    if (list == nullptr) return;
    cpu = quantity_milli(list->find("cpu"), path + ".cpu", errors_).value_or(0);
    memory = quantity_units(list->find("memory"), path + ".memory", errors_).value_or(0);
  }

  /// Keys of the short form; what is misspelled would be a node with less, or more, than it has.
  void known_keys(const Tree& item, const std::string& path,
                  std::initializer_list<std::string_view> known) {
    if (!item.is_map()) {
      errors_.add("E015", path, "must be a mapping", item.place());
      return;
    }
    for (const auto& [key, value] : item.entries()) {
      if (std::ranges::find(known, key) != known.end()) continue;
      const auto near = std::ranges::find_if(
          known, [&key = key](std::string_view one) { return operators::is_slip_for(key, one); });
      errors_.add("E015", fmt::format("{}.{}", path, key),
                  near == known.end()
                      ? fmt::format("unknown key {}: one of {} was expected", quoted(key),
                                    fmt::join(known, ", "))
                      : fmt::format("unknown key {}, did you mean {}?", quoted(key), quoted(*near)),
                  value.place());
    }
  }

  bool flag(const Tree& item, std::string_view key, const std::string& path, bool otherwise) {
    const Tree* node = item.find(key);
    if (node == nullptr || node->is_null()) return otherwise;
    const auto value = node->as_bool();
    if (!value) {
      errors_.add("E015", fmt::format("{}.{}", path, key),
                  fmt::format("must be true or false, found {}", quoted(node->text())),
                  node->place());
    }
    return value.value_or(otherwise);
  }

  void short_node(const Tree& item) {
    Machine node;
    node.name = text_of(item.find("name"));
    if (node.name.empty()) {
      operators::add_missing(errors_, {"E015", "nodes", "a node without a name", ""}, item, "name");
      return;
    }
    node.labels = kube::read_texts(item.find("labels"));
    node.labels.try_emplace("kubernetes.io/hostname", node.name);
    node.labels.try_emplace("host", node.name);
    if (const std::string zone = text_of(item.find("zone")); !zone.empty()) {
      node.labels.try_emplace("zone", zone);
      node.labels.try_emplace("topology.kubernetes.io/zone", zone);
    }
    const std::string path = fmt::format("nodes[{}]", node.name);
    known_keys(item, path,
               {"name", "zone", "labels", "allocatable", "used", "localVolumes", "taints",
                "unschedulable", "ready"});
    for (const char* key : {"allocatable", "used"}) {
      if (const Tree* list = item.find(key))
        known_keys(*list, fmt::format("{}.{}", path, key),
                   {"cpu", "memory", "pods", "storage", "ephemeral-storage"});
    }
    node.unschedulable = flag(item, "unschedulable", path, false);
    node.ready = flag(item, "ready", path, true);
    amounts(item.find("allocatable"), path + ".allocatable", node.cpu_milli, node.memory_bytes);
    amounts(item.find("used"), path + ".used", node.used_cpu_milli, node.used_memory_bytes);
    if (const Tree* pods = item.at({"allocatable", "pods"}))
      node.max_pods = quantity_units(pods, path + ".allocatable.pods", errors_);
    node.taints = kube::read_taints(item.find("taints"));
    if (const Tree* list = item.find("taints"); list != nullptr && list->is_list()) {
      for (const Tree& taint : list->items())
        known_keys(taint, path + ".taints", {"key", "value", "effect", "timeAdded"});
    }
    local_volumes(item.find("localVolumes"), node.name, path);
    data_.nodes.push_back(std::move(node));
  }

  void local_volumes(const Tree* list, const std::string& node, const std::string& path) {
    if (list == nullptr || !list->is_list()) return;
    data_.has_volumes = true;
    for (std::size_t i = 0; i < list->items().size(); ++i) {
      const Tree& item = list->items()[i];
      known_keys(item, fmt::format("{}.localVolumes[{}]", path, i), {"class", "size", "used"});
      Volume volume;
      volume.name = fmt::format("{}-{}", node, i);
      volume.node = node;
      volume.storage_class = text_of(item.find("class"));
      volume.bytes = quantity_units(item.find("size"),
                                    fmt::format("{}.localVolumes[{}].size", path, i), errors_)
                         .value_or(0);
      const Tree* used = item.find("used");
      volume.available = used == nullptr || used->as_bool() != true;
      data_.volumes.push_back(std::move(volume));
    }
  }

  void full_node(const Tree& object) {
    Machine node = kube::read_machine(object, amounts_unread(errors_));
    node.labels.try_emplace("kubernetes.io/hostname", node.name);
    data_.nodes.push_back(std::move(node));
  }

  void volume(const Tree& object) {
    Volume volume;
    volume.name = text_of(object.at({"metadata", "name"}));
    volume.storage_class = text_of(object.at({"spec", "storageClassName"}));
    volume.bytes = quantity_units(object.at({"spec", "capacity", "storage"}),
                                  volume.name + ".spec.capacity.storage", errors_)
                       .value_or(0);
    const std::string phase = text_of(object.at({"status", "phase"}));
    volume.available =
        phase.empty() ? object.at({"spec", "claimRef"}) == nullptr : phase == "Available";
    volume.claim = text_of(object.at({"spec", "claimRef", "name"}));
    volume.node = node_of(object);
    data_.volumes.push_back(std::move(volume));
  }

  /// The node that a local volume is pinned to by its required node affinity.
  static std::string node_of(const Tree& object) {
    const Tree* terms = object.at({"spec", "nodeAffinity", "required", "nodeSelectorTerms"});
    if (terms == nullptr || !terms->is_list()) return "";
    for (const Tree& term : terms->items()) {
      const Tree* expressions = term.find("matchExpressions");
      if (expressions == nullptr || !expressions->is_list()) continue;
      for (const Tree& expression : expressions->items()) {
        const Tree* values = expression.find("values");
        if (text_of(expression.find("key")) == "kubernetes.io/hostname" && values != nullptr &&
            values->is_list() && values->items().size() == 1) {
          return values->items().front().text();
        }
      }
    }
    return "";
  }

  InfraData& data_;
  Diagnostics& errors_;
};

}  // namespace

void read_nodes(const SourceText& source, InfraData& data, Diagnostics& errors) {
  InfraReader(data, errors).nodes(source);
}

void read_volumes(const SourceText& source, InfraData& data, Diagnostics& errors) {
  InfraReader(data, errors).volumes(source);
}

}  // namespace ballast::tidb
