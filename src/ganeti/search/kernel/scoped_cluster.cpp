// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/kernel/scoped_cluster.hpp"

#include <numeric>
#include <utility>

#include "ballast/ganeti/moves/ends.hpp"
#include "ballast/ganeti/moves/on_nodes.hpp"
#include "ballast/ganeti/rules/prices.hpp"
#include "ballast/ganeti/search/kernel/emergency.hpp"
#include "ballast/ganeti/search/kernel/reference_sort.hpp"

namespace ballast::ganeti::alloc {
namespace {

const NodeState kNobody;

class StatesOf final : public NodeStates {
 public:
  explicit StatesOf(const Overlay& overlay) : overlay_(overlay) {}
  [[nodiscard]] const NodeState& at(NodeId node) const override { return overlay_[node]; }

 private:
  const Overlay& overlay_;
};

enum class Asking : std::uint8_t { All, NoRules };

/// Reserves of the nodes that a step changes, and the rules of administrators.
MaybeRefusal check_step(const Overlay& overlay, const Record& record, const MoveEffect& effect) {
  const Cluster& cluster = overlay.cluster();
  for (const MoveEffect::Changed& changed : changed_nodes(effect)) {
    if (auto no = check_reserve(cluster, changed.node, overlay[changed.node], changed.state))
      return no;
  }
  if (cluster.rules.empty()) return std::nullopt;
  return check_rules(
      cluster,
      {record.own_id, record.instance, record.placement, effect.placement, record.is_joined},
      view_of(overlay));
}

MaybeRefusal make(Overlay& overlay, Record& record, Move move, bool force, Asking asking) {
  auto effect = evaluate_on(overlay.cluster(), StatesOf(overlay), record.ref(), move,
                            force ? Checks::Hard : Checks::All);
  if (!effect) return effect.error();
  if (asking == Asking::All) {
    if (auto no = check_step(overlay, record, *effect)) return no;
  }
  for (MoveEffect::Changed& changed : changed_nodes(*effect))
    overlay.put(changed.node, std::move(changed.state));
  record.placement = effect->placement;
  return std::nullopt;
}

MaybeRefusal fail_over_asking(Overlay& overlay, Record& record, bool force, Asking asking) {
  (void)overlay[record.placement.primary];  // dies before anything is checked
  (void)overlay[record.placement.secondary];
  return make(overlay, record, {MoveKind::Failover, NodeId()}, force, asking);
}

}  // namespace

MaybeRefusal fail_over(Overlay& overlay, Record& record, bool force) {
  return fail_over_asking(overlay, record, force, Asking::All);
}

MaybeRefusal fail_over_in_emergency(Overlay& overlay, Record& record) {
  return fail_over_asking(overlay, record, true, Asking::NoRules);
}

MaybeRefusal fail_over_to(Overlay& overlay, Record& record, NodeId target, bool force) {
  return make(overlay, record, {MoveKind::FailoverToAny, target}, force, Asking::All);
}

MaybeRefusal fail_over_to_in_emergency(Overlay& overlay, Record& record, NodeId target) {
  return make(overlay, record, {MoveKind::FailoverToAny, target}, true, Asking::NoRules);
}

MaybeRefusal replace_secondary(Overlay& overlay, Record& record, NodeId target, bool force) {
  const Cluster& cluster = overlay.cluster();
  const auto [primary, secondary, location_score] = record.placement;
  // Only template and free disk are checked before the first look at the old secondary, which may
  // be missing.
  if (!overlay.scope().has(secondary)) {
    NodeState on_target = overlay[target];
    Record moved = record;
    moved.placement = {primary, target, common_location_tags(cluster[primary], cluster[target])};
    const MaybeRefusal no = add_secondary(cluster, target, on_target, moved.ref(), primary, true);
    if (no && no->rule != Rule::Spindles) return no;
    throw ReferenceDies{secondary.value()};
  }
  (void)overlay[target];
  (void)overlay[primary];
  return make(overlay, record, {MoveKind::ReplaceSecondary, target}, force, Asking::All);
}

NodeView view_of(const ScopedCluster& scope) {
  return
      [&scope](NodeId node) -> const NodeState& { return scope.has(node) ? scope[node] : kNobody; };
}

NodeView view_of(const Overlay& overlay) {
  return [&overlay](NodeId node) -> const NodeState& {
    return overlay.scope().has(node) ? overlay[node] : kNobody;
  };
}

double price_of_change(const ScopedCluster& scope, const Record& record, const Placement& before,
                       const Placement& after) {
  if (!scope.cluster->rules.has_prices()) return 0;
  return price_change(*scope.cluster, {record.own_id, record.instance, before, after, false},
                      view_of(scope));
}

void rename_new(NodeState& state, std::int32_t key) {
  for (auto* list : {&state.primaries, &state.secondaries}) {
    for (InstanceId& id : *list) {
      if (id.is_none()) id = InstanceId(key);
    }
  }
}

std::vector<std::size_t> reference_order(
    std::size_t count, const std::function<bool(std::size_t, std::size_t)>& greater) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  reference_sort(order, greater);
  return order;
}

}  // namespace ballast::ganeti::alloc
