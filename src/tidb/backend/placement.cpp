// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/backend/canonical.hpp"

#include <array>
#include <utility>

namespace ballast::tidb {

namespace {

using doc::Tree;
using Op = Requirement::Op;

Op op_named(const std::string& name) {
  static const std::array<std::pair<std::string_view, Op>, 6> kNames{
      {{"In", Op::In},
       {"NotIn", Op::NotIn},
       {"Exists", Op::Exists},
       {"DoesNotExist", Op::DoesNotExist},
       {"Gt", Op::Gt},
       {"Lt", Op::Lt}}};
  for (const auto& [text, op] : kNames) {
    if (text == name) return op;
  }
  return Op::In;
}

std::vector<Requirement> requirements(const Tree* list) {
  std::vector<Requirement> result;
  if (list == nullptr || !list->is_list()) return result;
  for (const Tree& item : list->items()) {
    Requirement requirement;
    requirement.key = text_of(item.find("key"));
    requirement.op = op_named(text_of(item.find("operator")));
    if (const Tree* values = item.find("values"); values != nullptr && values->is_list()) {
      for (const Tree& value : values->items()) requirement.values.push_back(value.text());
    }
    result.push_back(std::move(requirement));
  }
  return result;
}

void read_node_affinity(const Tree& affinity, Placement& placement) {
  const Tree* terms = affinity.at(
      {"nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"});
  if (terms == nullptr || !terms->is_list()) return;
  for (const Tree& term : terms->items()) {
    placement.node_terms.push_back(requirements(term.find("matchExpressions")));
  }
}

void read_anti_affinity(const Tree& affinity, Placement& placement) {
  const Tree* terms =
      affinity.at({"podAntiAffinity", "requiredDuringSchedulingIgnoredDuringExecution"});
  if (terms == nullptr || !terms->is_list()) return;
  for (const Tree& term : terms->items()) {
    AntiAffinity anti;
    anti.topology_key = text_of(term.find("topologyKey"));
    for (auto& [key, value] : kube::read_texts(term.at({"labelSelector", "matchLabels"}))) {
      anti.selector.push_back({key, Op::In, {value}});
    }
    for (Requirement& r : requirements(term.at({"labelSelector", "matchExpressions"}))) {
      anti.selector.push_back(std::move(r));
    }
    placement.anti_affinity.push_back(std::move(anti));
  }
}

}  // namespace

Placement read_placement(const Tree& pod_spec) {
  Placement placement;
  placement.node_selector = kube::read_texts(pod_spec.find("nodeSelector"));
  placement.scheduler = text_of(pod_spec.find("schedulerName"));
  if (const Tree* affinity = pod_spec.find("affinity")) {
    read_node_affinity(*affinity, placement);
    read_anti_affinity(*affinity, placement);
  }
  const Tree* tolerations = pod_spec.find("tolerations");
  if (tolerations == nullptr || !tolerations->is_list()) return placement;
  for (const Tree& item : tolerations->items()) {
    placement.tolerations.push_back({text_of(item.find("key")),
                                     text_of(item.find("operator")) == "Exists",
                                     text_of(item.find("value")), text_of(item.find("effect"))});
  }
  return placement;
}

}  // namespace ballast::tidb
