// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/rule_prices.hpp"

namespace ballast::ganeti {
namespace {

std::int64_t wrong_nodes(const PlacementRule& rule, const Placement& at) {
  std::int64_t count = 0;
  for (const NodeId node : {at.primary, at.secondary}) {
    if (!node.is_none() && !rule.allowed[node.index()]) ++count;
  }
  return count;
}

/// Breaches more than before.
std::int64_t more_breaches(const Cluster& cluster, RuleId id, const Relocation& change,
                           const NodeView& view) {
  const PlacementRule& rule = cluster.rules.list[static_cast<std::size_t>(id)];
  const NodeId from = change.before.primary;
  const NodeId to = change.after.primary;
  if (rule.kind == RuleKind::Pin)
    return wrong_nodes(rule, change.after) - wrong_nodes(rule, change.before);
  if (from == to) return 0;
  const bool is_same_place = rule.kind == RuleKind::Apart && !from.is_none() &&
                             rule.domain[from.index()] == rule.domain[to.index()];
  if (is_same_place) return 0;
  const std::int64_t now = others_of_rule(cluster, id, to, false, view);
  const std::int64_t then = from.is_none() ? 0 : others_of_rule(cluster, id, from, true, view);
  return rule.kind == RuleKind::Apart ? now - then : then - now;
}

}  // namespace

double price_change(const Cluster& cluster, const Relocation& change, const NodeView& view) {
  double sum = 0;
  for (const RuleId id : change.instance->rules) {
    const PlacementRule& rule = cluster.rules.list[static_cast<std::size_t>(id)];
    if (!rule.price) continue;
    sum += *rule.price * static_cast<double>(more_breaches(cluster, id, change, view));
  }
  return sum;
}

}  // namespace ballast::ganeti
