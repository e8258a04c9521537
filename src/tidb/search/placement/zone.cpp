// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/placement/zone.hpp"

#include <algorithm>
#include <array>

namespace ballast::tidb {

namespace {

constexpr std::array kZoneKeys{std::string_view{"topology.kubernetes.io/zone"},
                               std::string_view{"failure-domain.beta.kubernetes.io/zone"},
                               std::string_view{"zone"}};

bool is_zone_key(std::string_view key) {
  return std::ranges::find(kZoneKeys, key) != kZoneKeys.end();
}

}  // namespace

ZoneFinder::ZoneFinder(const Input& input, const Capacity& capacity)
    : input_(input), capacity_(capacity) {
  labels_ = input.live.location_labels;
  if (labels_.empty() && input.current) labels_ = input.current->location_labels;
  if (labels_.empty()) labels_ = input.desired.location_labels;
  for (const std::string& label : labels_) {
    if (is_zone_key(label) && label_key_.empty()) label_key_ = label;
  }
  if (!label_key_.empty()) keys_.push_back(label_key_);
  for (const std::string_view key : kZoneKeys) keys_.emplace_back(key);
}

std::string ZoneFinder::of_node(const std::string& name) const {
  const Machine* node = capacity_.node(name);
  if (node == nullptr) return "";
  for (const std::string& key : keys_) {
    const auto label = node->labels.find(key);
    if (label != node->labels.end()) return label->second;
  }
  return "";
}

std::string ZoneFinder::of_store(const Store& store) const {
  if (!label_key_.empty()) {
    const auto label = store.labels.find(label_key_);
    if (label != store.labels.end()) return label->second;
  }
  for (const LiveSet& set : input_.live.of(Component::Tikv)) {
    for (const LivePod& pod : set.pods) {
      if (pod.name == store.pod) return of_node(pod.node);
    }
  }
  return "";
}

std::string ZoneFinder::pinned_to(const SetSpec& set) const {
  for (const std::string& key : keys_) {
    const auto selector = set.placement.node_selector.find(key);
    if (selector != set.placement.node_selector.end()) return selector->second;
  }
  std::string zone;
  for (const auto& term : set.placement.node_terms) {
    std::string here;
    for (const Requirement& requirement : term) {
      const bool fixes = requirement.op == Requirement::Op::In && requirement.values.size() == 1;
      if (fixes && std::ranges::find(keys_, requirement.key) != keys_.end())
        here = requirement.values.front();
    }
    if (here.empty() || (!zone.empty() && here != zone)) return "";
    zone = here;
  }
  return zone;
}

std::string ZoneFinder::of_pod(const std::string& pod, const SetSpec& set) const {
  if (std::string zone = pinned_to(set); !zone.empty()) return zone;
  if (set.component == Component::Tikv) {
    if (const Store* store = input_.live.store_of(pod)) {
      if (std::string zone = of_store(*store); !zone.empty()) return zone;
    }
  }
  return of_node(capacity_.node_of(pod));
}

}  // namespace ballast::tidb
