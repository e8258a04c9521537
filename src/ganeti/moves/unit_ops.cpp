// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/moves/unit_ops.hpp"

#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/model/units_of.hpp"
#include <algorithm>

namespace ballast::ganeti {
namespace {

/// One disk takes from one unit, or from two where its DRBD metadata has a volume group of its own.
/// A negative size, which the reference loads, takes nothing.
template <class Visit>
void for_each_take(const Instance& instance, Visit visit) {
  for (std::size_t i = 0; i < instance.disks.size(); ++i) {
    const Disk& disk = instance.disks[i];
    const auto index = static_cast<std::int32_t>(i);
    if (!disk.unit.is_none() && !visit(index, disk.unit, std::max<std::int64_t>(0, disk.taken_mib)))
      return;
    if (!disk.meta_unit.is_none() &&
        !visit(index, disk.meta_unit, std::max<std::int64_t>(0, disk.meta_mib)))
      return;
  }
}

void take(Capacity& capacity, std::int64_t size, const FreeFigure& figure) {
  const std::int64_t from_excess = std::min(capacity.*figure.excess, size);
  capacity.*figure.excess -= from_excess;
  capacity.*figure.free -= size - from_excess;
}

void give(Capacity& capacity, std::int64_t size, const FreeFigure& figure) {
  capacity.*figure.free += size;
  const std::int64_t over = std::max<std::int64_t>(0, capacity.*figure.free - capacity.total_mib);
  capacity.*figure.free -= over;
  capacity.*figure.excess += over;
}

Capacity& capacity_at(NodeState& state, std::int32_t index) {
  return state.capacities[static_cast<std::size_t>(index)];
}

}  // namespace

const FreeFigure kRealFigure{&Capacity::free_mib, &Capacity::excess_mib, &UnitRule::rule};
const FreeFigure kShadowFigure{&Capacity::forth_free_mib, &Capacity::forth_excess_mib,
                               &UnitRule::forthcoming};

std::int32_t capacity_index(const Node& node, StorageKeyId unit) {
  const StorageUnit* held = find_unit(node, unit);
  return held == nullptr ? -1 : held->capacity;
}

void give_units(const Node& node, NodeState& state, const Instance& instance,
                const FreeFigure& figure) {
  for_each_take(instance, [&](std::int32_t, StorageKeyId unit, std::int64_t size) {
    const std::int32_t index = capacity_index(node, unit);
    if (index >= 0 && !capacity_at(state, index).is_shared)
      give(capacity_at(state, index), size, figure);
    return true;
  });
}

void take_units(const Node& node, NodeState& state, const InstanceRef& instance,
                const FreeFigure& figure) {
  for_each_take(*instance.instance, [&](std::int32_t, StorageKeyId unit, std::int64_t size) {
    const std::int32_t index = capacity_index(node, unit);
    if (index < 0) return true;
    Capacity& capacity = capacity_at(state, index);
    if (!capacity.is_shared || instance.is_new) take(capacity, size, figure);
    return true;
  });
}

MaybeRefusal fit_units(const Node& node, NodeId id, NodeState& state, const InstanceRef& instance,
                       const FreeFigure& figure) {
  MaybeRefusal refusal;
  const auto refuse = [&](Rule rule, std::int32_t disk, StorageKeyId unit, std::int64_t size,
                          std::int64_t free) {
    refusal = Refusal{FailReason::Disk,         rule, id, disk, unit, static_cast<double>(size),
                      static_cast<double>(free)};
    return false;
  };
  for_each_take(*instance.instance, [&](std::int32_t disk, StorageKeyId unit, std::int64_t size) {
    const std::int32_t index = capacity_index(node, unit);
    if (index < 0) return refuse(Rule::UnitMissing, disk, unit, size, 0);
    Capacity& capacity = capacity_at(state, index);
    if (capacity.is_shared && !instance.is_new) return true;
    for (const UnitRule& rule : kUnitRules) {
      const std::int64_t left = capacity.*figure.free - kept_by(rule, capacity);
      if (rule.asked == Asked::Taking && left < size)
        return refuse(rule.*figure.rule, disk, unit, size, left);
    }
    take(capacity, size, figure);
    return true;
  });
  return refusal;
}

namespace {

MaybeRefusal check_taken(const Node& node, NodeId id, const NodeState& state,
                         const InstanceRef& instance, const FreeFigure& figure,
                         const UnitRule& rule) {
  MaybeRefusal refusal;
  for_each_take(*instance.instance, [&](std::int32_t disk, StorageKeyId unit, std::int64_t) {
    const std::int32_t index = capacity_index(node, unit);
    if (index < 0) return true;
    const Capacity& capacity = state.capacities[static_cast<std::size_t>(index)];
    const std::int64_t kept = kept_by(rule, capacity);
    if (capacity.*figure.free >= kept || (capacity.is_shared && !instance.is_new)) return true;
    refusal = Refusal{FailReason::Disk,
                      rule.*figure.rule,
                      id,
                      disk,
                      unit,
                      static_cast<double>(kept),
                      static_cast<double>(capacity.*figure.free)};
    return false;
  });
  return refusal;
}

}  // namespace

MaybeRefusal check_taken_units(const Node& node, NodeId id, const NodeState& state,
                               const InstanceRef& instance, const FreeFigure& figure) {
  for (const UnitRule& rule : kUnitRules) {
    if (rule.asked != Asked::Taken) continue;
    if (auto no = check_taken(node, id, state, instance, figure, rule)) return no;
  }
  return std::nullopt;
}

void take_shared_storage(const Cluster& cluster, State& state, const InstanceRef& instance,
                         NodeId except, const FreeFigure& figure) {
  for (const NodeId node : node_ids(cluster)) {
    if (node == except) continue;
    for_each_take(*instance.instance, [&](std::int32_t, StorageKeyId unit, std::int64_t size) {
      const std::int32_t index = capacity_index(cluster[node], unit);
      if (index < 0) return true;
      Capacity& capacity = capacity_at(state[node], index);
      if (capacity.is_shared) take(capacity, size, figure);
      return true;
    });
  }
}

void take_shared_storage(const Cluster& cluster, State& state, const InstanceRef& instance,
                         NodeId except) {
  if (!cluster.has_storage) return;
  if (!instance.instance->is_forthcoming)
    take_shared_storage(cluster, state, instance, except, kRealFigure);
  take_shared_storage(cluster, state, instance, except, kShadowFigure);
}

}  // namespace ballast::ganeti
