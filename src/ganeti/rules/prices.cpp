// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/rules/prices.hpp"

#include <algorithm>
#include <vector>

#include "ballast/ganeti/model/ids_of.hpp"

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
  const PlacementRule& rule = cluster.rules[id];
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
    const PlacementRule& rule = cluster.rules[id];
    if (!rule.price || !concerns(cluster, rule, change)) continue;
    sum += *rule.price * static_cast<double>(more_breaches(cluster, id, change, view));
  }
  return sum;
}

Cluster without_prices(const Cluster& cluster) {
  Cluster hard = cluster;
  for (PlacementRule& rule : hard.rules.list) rule.price.reset();
  return hard;
}

double price_of_breaches(const Cluster& cluster, const State& state) {
  if (!cluster.rules.has_prices()) return 0;
  std::vector<std::int64_t> members(cluster.rules.list.size());
  std::vector<std::int64_t> broken(
      members.size());  // pins: wrong nodes; apart, together: pairs, twice
  for (const Instance& instance : cluster.instances) {
    for (const RuleId id : instance.rules) ++members[static_cast<std::size_t>(id)];
  }
  const NodeView view = view_of(state);
  for (const InstanceId instance : instance_ids(cluster)) {
    const Placement& at = state[instance];
    for (const RuleId id : cluster[instance].rules) {
      const auto r = static_cast<std::size_t>(id);
      const PlacementRule& rule = cluster.rules.list[r];
      if (!rule.price) continue;
      if (rule.kind == RuleKind::Pin) {
        broken[r] += wrong_nodes(rule, at);
        continue;
      }
      const std::int64_t others = others_of_rule(cluster, id, at.primary, true, view);
      broken[r] += rule.kind == RuleKind::Apart ? std::max<std::int64_t>(0, others)
                                                : members[r] - 1 - others;
    }
  }
  double sum = 0;
  for (std::size_t r = 0; r < broken.size(); ++r) {
    const PlacementRule& rule = cluster.rules.list[r];
    if (rule.price)
      sum += *rule.price * static_cast<double>(broken[r]) / (rule.kind == RuleKind::Pin ? 1 : 2);
  }
  return sum;
}

}  // namespace ballast::ganeti
