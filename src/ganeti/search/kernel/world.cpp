// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/kernel/world.hpp"

#include "ballast/ganeti/search/kernel/emergency.hpp"

#include "ballast/ganeti/model/rule_ops.hpp"

#include <algorithm>
#include <cmath>

namespace ballast::ganeti::alloc {
namespace {

bool is_offline(const Overlay& overlay, NodeId node) { return overlay.cluster()[node].is_offline; }

/// Reserves of the nodes that a step changes, and the rules of administrators.
MaybeRefusal check_step(const Overlay& overlay, const Record& record, const Placement& after,
                        std::initializer_list<std::pair<NodeId, const NodeState*>> changed) {
  const Cluster& cluster = overlay.cluster();
  for (const auto& [node, state] : changed) {
    if (auto no = check_reserve(cluster, node, overlay[node], *state)) return no;
  }
  if (cluster.rules.empty()) return std::nullopt;
  return check_rules(cluster, {record.own_id, record.instance, record.placement, after, false},
                     [&](NodeId node) -> const NodeState& {
                       static const NodeState kNowhere;
                       return overlay.world().has(node) ? overlay[node] : kNowhere;
                     });
}

enum class Asking : std::uint8_t { All, NoRules };

MaybeRefusal do_fail_over(Overlay& overlay, Record& record, bool force, Asking asking) {
  const Cluster& cluster = overlay.cluster();
  const auto [primary, secondary, location_score] = record.placement;
  const InstanceRef ref = record.ref();
  const bool lifted = force || (overlay.world().has(primary) && is_offline(overlay, primary));
  NodeState from = overlay[primary];
  NodeState to = overlay[secondary];
  remove_primary(cluster, primary, from, ref);
  remove_secondary(cluster, secondary, to, ref);
  if (auto no = check_migration(cluster, primary, secondary)) return no;
  if (auto no = add_primary(cluster, secondary, to, ref, lifted)) return no;
  if (auto no = add_secondary(cluster, primary, from, ref, secondary, lifted,
                              is_offline(overlay, primary)))
    return no;
  const Placement after{secondary, primary, location_score};
  if (asking == Asking::All) {
    if (auto no = check_step(overlay, record, after, {{secondary, &to}, {primary, &from}}))
      return no;
  }
  overlay.put(secondary, std::move(to));
  overlay.put(primary, std::move(from));
  record.placement = after;
  return std::nullopt;
}

MaybeRefusal do_fail_over_to(Overlay& overlay, Record& record, NodeId target, bool force,
                             Asking asking) {
  const Cluster& cluster = overlay.cluster();
  const NodeId primary = record.placement.primary;
  const InstanceRef ref = record.ref();
  const bool lifted = force || is_offline(overlay, primary);
  if (auto no = check_migration(cluster, primary, target)) return no;
  NodeState to = overlay[target];
  if (auto no = add_primary(cluster, target, to, ref, lifted)) return no;
  NodeState from = overlay[primary];
  remove_primary(cluster, primary, from, ref);
  Placement after = record.placement;
  after.primary = target;
  if (asking == Asking::All) {
    if (auto no = check_step(overlay, record, after, {{target, &to}})) return no;
  }
  overlay.put(target, std::move(to));
  overlay.put(primary, std::move(from));
  record.placement.primary = target;
  return std::nullopt;
}

}  // namespace

MaybeRefusal fail_over(Overlay& overlay, Record& record, bool force) {
  return do_fail_over(overlay, record, force, Asking::All);
}

MaybeRefusal fail_over_to(Overlay& overlay, Record& record, NodeId target, bool force) {
  return do_fail_over_to(overlay, record, target, force, Asking::All);
}

MaybeRefusal fail_over_in_emergency(Overlay& overlay, Record& record) {
  return do_fail_over(overlay, record, true, Asking::NoRules);
}

MaybeRefusal fail_over_to_in_emergency(Overlay& overlay, Record& record, NodeId target) {
  return do_fail_over_to(overlay, record, target, true, Asking::NoRules);
}

MaybeRefusal replace_secondary(Overlay& overlay, Record& record, NodeId target, bool force) {
  const Cluster& cluster = overlay.cluster();
  const auto [primary, secondary, location_score] = record.placement;
  const InstanceRef old = record.ref();
  Record moved = record;
  moved.placement = {primary, target, common_location_tags(cluster[primary], cluster[target])};
  NodeState on_target = overlay[target];
  // Only template and free disk are checked before the first look at the old secondary, which may
  // be missing.
  if (!overlay.world().has(secondary)) {
    const MaybeRefusal no = add_secondary(cluster, target, on_target, moved.ref(), primary, true);
    if (no && no->rule != Rule::Spindles) return no;
    throw ReferenceDies{secondary.value()};
  }
  NodeState on_secondary = overlay[secondary];
  NodeState on_primary = overlay[primary];
  remove_primary(cluster, primary, on_primary, old);
  remove_secondary(cluster, secondary, on_secondary, old);
  const bool lifted = force || is_offline(overlay, secondary);
  if (auto no = add_secondary(cluster, target, on_target, moved.ref(), primary, lifted)) return no;
  if (auto no = add_primary(cluster, primary, on_primary, moved.ref(), true)) return no;
  if (auto no = check_step(overlay, record, moved.placement,
                           {{target, &on_target}, {primary, &on_primary}}))
    return no;
  overlay.put(secondary, std::move(on_secondary));
  overlay.put(target, std::move(on_target));
  overlay.put(primary, std::move(on_primary));
  record = moved;
  return std::nullopt;
}

void rename_new(NodeState& state, std::int32_t key) {
  for (auto* list : {&state.primaries, &state.secondaries}) {
    for (InstanceId& id : *list) {
      if (id.is_none()) id = InstanceId(key);
    }
  }
}

namespace {

using Order = std::vector<std::size_t>;
using Greater = std::function<bool(std::size_t, std::size_t)>;

std::vector<Order> cut_into_runs(std::size_t count, const Greater& greater) {
  std::vector<Order> runs;
  std::size_t at = 0;
  while (at < count) {
    Order run{at};
    const bool falls = at + 1 < count && greater(at, at + 1);
    while (at + 1 < count && greater(at, at + 1) == falls) run.push_back(++at);
    ++at;
    if (falls) std::reverse(run.begin(), run.end());
    runs.push_back(std::move(run));
  }
  return runs;
}

Order merged(const Order& left, const Order& right, const Greater& greater) {
  Order result;
  result.reserve(left.size() + right.size());
  std::size_t l = 0;
  std::size_t r = 0;
  while (l < left.size() && r < right.size())
    result.push_back(greater(left[l], right[r]) ? right[r++] : left[l++]);
  result.insert(result.end(), left.begin() + static_cast<std::ptrdiff_t>(l), left.end());
  result.insert(result.end(), right.begin() + static_cast<std::ptrdiff_t>(r), right.end());
  return result;
}

}  // namespace

std::vector<std::size_t> reference_order(std::size_t count, const Greater& greater) {
  std::vector<Order> runs = cut_into_runs(count, greater);
  while (runs.size() > 1) {
    std::vector<Order> next;
    for (std::size_t i = 0; i + 1 < runs.size(); i += 2)
      next.push_back(merged(runs[i], runs[i + 1], greater));
    if (runs.size() % 2 == 1) next.push_back(std::move(runs.back()));
    runs = std::move(next);
  }
  return runs.empty() ? Order{} : std::move(runs.front());
}

}  // namespace ballast::ganeti::alloc
