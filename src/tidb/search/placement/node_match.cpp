// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/placement/node_match.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace ballast::tidb {

namespace {

std::optional<std::int64_t> whole(const std::string& text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

bool compares(const Requirement& requirement, const std::string& label) {
  if (requirement.values.size() != 1) return false;
  const auto left = whole(label);
  const auto right = whole(requirement.values.front());
  if (!left || !right) return false;
  return requirement.op == Requirement::Op::Gt ? *left > *right : *left < *right;
}

bool matches(const Requirement& requirement, const std::map<std::string, std::string>& labels) {
  const auto label = labels.find(requirement.key);
  const bool exists = label != labels.end();
  const bool listed =
      exists && std::ranges::find(requirement.values, label->second) != requirement.values.end();
  switch (requirement.op) {
    case Requirement::Op::In:
      return listed;
    case Requirement::Op::NotIn:
      return !listed;
    case Requirement::Op::Exists:
      return exists;
    case Requirement::Op::DoesNotExist:
      return !exists;
    case Requirement::Op::Gt:
    case Requirement::Op::Lt:
      return exists && compares(requirement, label->second);
  }
  return false;
}

bool tolerates(const std::vector<Toleration>& tolerations, const Taint& taint) {
  return std::ranges::any_of(tolerations, [&](const Toleration& t) {
    if (!t.effect.empty() && t.effect != taint.effect) return false;
    if (t.key.empty()) return t.exists;
    return t.key == taint.key && (t.exists || t.value == taint.value);
  });
}

}  // namespace

bool matches_all(const std::vector<Requirement>& requirements,
                 const std::map<std::string, std::string>& labels) {
  return std::ranges::all_of(requirements,
                             [&](const Requirement& r) { return matches(r, labels); });
}

std::string node_refusal(const Machine& node, const Placement& asked) {
  if (!node.ready) return "not ready";
  if (node.unschedulable) return "unschedulable";
  for (const Taint& taint : node.taints) {
    if (taint.effect != "PreferNoSchedule" && !tolerates(asked.tolerations, taint))
      return "taint " + taint.key;
  }
  for (const auto& [key, value] : asked.node_selector) {
    const auto label = node.labels.find(key);
    if (label == node.labels.end() || label->second != value) return "node selector";
  }
  if (!asked.node_terms.empty() && std::ranges::none_of(asked.node_terms, [&](const auto& term) {
        return matches_all(term, node.labels);
      })) {
    return "node affinity";
  }
  return "";
}

}  // namespace ballast::tidb
