// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <set>
#include <tuple>

#include "ballast/ganeti/rules/placement_rules.hpp"

#include "ballast/ganeti/model/ids_of.hpp"

namespace ballast::ganeti {
namespace {

Refusal rule_refusal(Rule rule, RuleId which, NodeId node, std::int64_t wanted,
                     std::int64_t available) {
  Refusal why = refusal(FailReason::Tags, rule, node, wanted, available);
  why.placement_rule = which;
  return why;
}

/// Of the rules that are not in Rules::list.
Refusal spec_refusal(Rule rule, std::int32_t spec, NodeId node) {
  Refusal why = refusal(FailReason::Tags, rule, node, 0, 0);
  why.rule_spec = spec;
  return why;
}

bool is_new_node(const Placement& before, NodeId node) {
  return !node.is_none() && node != before.primary && node != before.secondary;
}

std::int64_t members_on(const NodeState& node, RuleId rule) {
  const auto place = std::ranges::lower_bound(node.rule_members, rule, {},
                                              [](const auto& entry) { return entry.first; });
  return place != node.rule_members.end() && place->first == rule ? place->second : 0;
}

MaybeRefusal check_pin(const PlacementRule& rule, RuleId id, const Relocation& change) {
  const auto is_wrong = [&](NodeId node) { return !node.is_none() && !rule.allowed[node.index()]; };
  const auto& [before, after] = std::tie(change.before, change.after);
  const std::pair was(is_wrong(before.primary), is_wrong(before.secondary));
  const std::pair is(is_wrong(after.primary), is_wrong(after.secondary));
  if (is <= was) return std::nullopt;
  const NodeId node = is.first > was.first ? after.primary : after.secondary;
  const auto count = std::ranges::count(rule.allowed, true);
  return rule_refusal(Rule::Pinned, id, node, 1, count);
}

MaybeRefusal check_apart(const Cluster& cluster, RuleId id, const Relocation& change,
                         const NodeView& view) {
  const NodeId from = change.before.primary;
  const NodeId to = change.after.primary;
  if (from == to) return std::nullopt;
  const auto& domain = cluster.rules[id].domain;
  const bool is_same_place = !from.is_none() && domain[from.index()] == domain[to.index()];
  if (is_same_place) return std::nullopt;
  const std::int64_t now = others_of_rule(cluster, id, to, false, view);
  const std::int64_t then = from.is_none() ? 0 : others_of_rule(cluster, id, from, true, view);
  if (now <= then) return std::nullopt;
  return rule_refusal(Rule::KeptApart, id, to, now, then);
}

MaybeRefusal check_together(const Cluster& cluster, RuleId id, const Relocation& change,
                            const NodeView& view) {
  const NodeId from = change.before.primary;
  const NodeId to = change.after.primary;
  if (from == to || change.is_joined) return std::nullopt;
  const std::int64_t now = others_of_rule(cluster, id, to, false, view);
  std::int64_t best = 0;
  NodeId where = from;
  if (!from.is_none()) {
    best = others_of_rule(cluster, id, from, true, view);
  } else {
    for (const NodeId node_id : node_ids(cluster)) {
      const std::int64_t there = others_of_rule(cluster, id, node_id, false, view);
      if (there > best) std::tie(best, where) = std::pair(there, node_id);
    }
  }
  if (now >= best) return std::nullopt;
  Refusal why = rule_refusal(Rule::KeptTogether, id, where, best, now);
  return why;
}

MaybeRefusal check_entry(const Cluster& cluster, const Relocation& change) {
  for (const NodeId node : {change.after.primary, change.after.secondary}) {
    if (!is_new_node(change.before, node)) continue;
    if (cluster[node].takes_nothing)
      return spec_refusal(Rule::NodeExcluded, cluster[node].excluded_by, node);
    if (auto no = check_units(cluster, *change.instance, node)) return no;
  }
  return std::nullopt;
}

}  // namespace

MaybeRefusal check_units(const Cluster& cluster, const Instance& instance, NodeId node) {
  for (std::size_t d = 0; d < instance.disks.size(); ++d) {
    const Disk& disk = instance.disks[d];
    for (const StorageUnit& unit : cluster[node].units) {
      if (!unit.is_forbidden || (unit.key != disk.unit && unit.key != disk.meta_unit)) continue;
      Refusal why = refusal(FailReason::Disk, Rule::UnitForbidden, node, disk.taken_mib, 0);
      why.unit = unit.key;
      why.rule_spec = unit.forbidden_by;
      why.disk = static_cast<std::int32_t>(d);
      return why;
    }
  }
  return std::nullopt;
}

bool concerns(const Cluster& cluster, const PlacementRule& rule, const Relocation& change) {
  const bool is_new = change.before.primary.is_none();
  const NodeId node = is_new ? change.after.primary : change.before.primary;
  return rule.group.is_none() || cluster[node].group == rule.group;
}

std::int64_t others_of_rule(const Cluster& cluster, RuleId id, NodeId node, bool is_there,
                            const NodeView& view) {
  const PlacementRule& rule = cluster.rules[id];
  const std::int64_t own = is_there ? 1 : 0;
  if (rule.kind != RuleKind::Apart) return members_on(view(node), id) - own;
  const std::int32_t place = rule.domain[node.index()];
  if (place < 0) return 0;
  std::int64_t count = -own;
  for (std::size_t n = 0; n < rule.domain.size(); ++n) {
    if (rule.domain[n] == place) count += members_on(view(NodeId(n)), id);
  }
  return count;
}

MaybeRefusal check_pins(const Cluster& cluster, const Relocation& change) {
  for (const RuleId id : change.instance->rules) {
    const PlacementRule& rule = cluster.rules[id];
    if (rule.kind != RuleKind::Pin || rule.price || !concerns(cluster, rule, change)) continue;
    if (auto no = check_pin(rule, id, change)) return no;
  }
  return std::nullopt;
}

MaybeRefusal check_rules(const Cluster& cluster, const Relocation& change, const NodeView& view) {
  if (cluster.rules.empty()) return std::nullopt;
  const bool is_moved = change.before.primary != change.after.primary ||
                        change.before.secondary != change.after.secondary;
  if (!is_moved) return std::nullopt;
  if (change.instance->is_kept)
    return spec_refusal(Rule::InstanceKept, change.instance->kept_by, change.before.primary);
  if (auto no = check_entry(cluster, change)) return no;
  if (auto no = check_pins(cluster, change)) return no;
  for (const RuleId id : change.instance->rules) {
    const PlacementRule& rule = cluster.rules[id];
    if (rule.price || !concerns(cluster, rule, change)) continue;
    MaybeRefusal no;
    if (rule.kind == RuleKind::Apart) no = check_apart(cluster, id, change, view);
    if (rule.kind == RuleKind::Together) no = check_together(cluster, id, change, view);
    if (no) return no;
  }
  return std::nullopt;
}

std::vector<InstanceId> companions_of(const Cluster& cluster, const State& state, InstanceId id) {
  return companions_on(cluster, state[state[id].primary], id);
}

std::vector<InstanceId> companions_on(const Cluster& cluster, const NodeState& node,
                                      InstanceId id) {
  std::set<InstanceId> found{id};
  std::vector<InstanceId> to_follow{id};
  std::set<RuleId> followed;  // each rule once: those that it holds are the same for all of them
  while (!to_follow.empty()) {
    const InstanceId next = to_follow.back();
    to_follow.pop_back();
    for (const RuleId rule : cluster[next].rules) {
      const PlacementRule& one = cluster.rules[rule];
      if (one.kind != RuleKind::Together || one.price || !followed.insert(rule).second) continue;
      for (const InstanceId other : node.forth_primaries) {
        if (std::ranges::binary_search(cluster[other].rules, rule) && found.insert(other).second)
          to_follow.push_back(other);
      }
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace ballast::ganeti
