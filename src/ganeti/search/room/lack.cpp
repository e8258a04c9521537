// SPDX-License-Identifier: BSD-2-Clause
#include "lack.hpp"

#include "ballast/ganeti/model/unit_rules.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace ballast::ganeti {

namespace {

constexpr double kNoFigure = 10;

// Rules are checked one after the other, in either role memory or disk, then what is left: each
// that is passed counts as a whole.
double lack_in(const MaybeRefusal& refusal) {
  if (!refusal) return 0;
  const double missing = refusal->wanted - refusal->available;
  const bool has_figure = refusal->wanted > 0 && missing >= 0;
  // Every rule of a unit's figures now weighs as the node's free disk does.
  const UnitRule* unit = unit_rule(refusal->rule);
  const Rule rule = unit != nullptr && unit->rule == refusal->rule ? Rule::DiskFree : refusal->rule;
  switch (rule) {
    case Rule::MemoryUnallocated:
    case Rule::MemoryReserve:
      return has_figure ? 3 + missing / refusal->wanted : kNoFigure;
    case Rule::DiskFree:
    case Rule::DiskLowWater:
    case Rule::NodeReserve:
      return has_figure ? 2 + missing / refusal->wanted : kNoFigure;
    case Rule::SecondaryMemory:
    case Rule::NPlusOne:
    case Rule::CpuRatio:
    case Rule::SpindleRatio:
      return has_figure ? 1 + missing / refusal->wanted : kNoFigure;
    default:
      return kNoFigure;
  }
}

}  // namespace

RoomLack::RoomLack(const Cluster& cluster, const State& state, std::vector<NodeId> nodes,
                   const Instance& wanted, bool force)
    : cluster_(cluster),
      state_(state),
      nodes_(std::move(nodes)),
      position_(cluster.nodes.size(), -1),
      wanted_(wanted),
      force_(force) {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    position_[nodes_[n].index()] = static_cast<std::int32_t>(n);
    lacks_.push_back(lack_of(nodes_[n], state[nodes_[n]]));
  }
}

RoomLack::Lack RoomLack::lack_of(NodeId node, const NodeState& state) const {
  const InstanceRef ref{InstanceId(), &wanted_, {node, NodeId(), 0}, true};
  Lack lack;
  NodeState as_primary = state;
  lack.primary = check_policy(cluster_, node, wanted_)
                     ? kNoFigure
                     : lack_in(add_primary(cluster_, node, as_primary, ref, force_));
  if (!has_secondary(wanted_.disk_template)) return lack;
  // The primary is not known here: what is reserved for it already is the allocator's concern.
  NodeState as_secondary = state;
  lack.secondary = lack_in(add_secondary(cluster_, node, as_secondary, ref, NodeId(), force_));
  return lack;
}

double RoomLack::least(std::span<const Lack> lacks) const {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  double primary = kNone;
  double next_primary = kNone;
  double secondary = kNone;
  double next_secondary = kNone;
  std::size_t at_primary = lacks.size();
  std::size_t at_secondary = lacks.size();
  for (std::size_t n = 0; n < lacks.size(); ++n) {
    if (lacks[n].primary < primary) {
      next_primary = std::exchange(primary, lacks[n].primary);
      at_primary = n;
    } else {
      next_primary = std::min(next_primary, lacks[n].primary);
    }
    if (lacks[n].secondary < secondary) {
      next_secondary = std::exchange(secondary, lacks[n].secondary);
      at_secondary = n;
    } else {
      next_secondary = std::min(next_secondary, lacks[n].secondary);
    }
  }
  if (!has_secondary(wanted_.disk_template)) return primary;
  if (at_primary != at_secondary) return primary + secondary;
  return std::min(primary + next_secondary, next_primary + secondary);
}

double RoomLack::with(std::span<const MoveEffect::Changed> changed) const {
  std::vector<Lack> lacks = lacks_;
  for (const MoveEffect::Changed& one : changed) {
    const std::int32_t place = position_[one.node.index()];
    if (place >= 0) lacks[static_cast<std::size_t>(place)] = lack_of(one.node, one.state);
  }
  return least(lacks);
}

void RoomLack::update(std::span<const NodeId> changed) {
  for (const NodeId node : changed) {
    const std::int32_t place = position_[node.index()];
    if (place >= 0) lacks_[static_cast<std::size_t>(place)] = lack_of(node, state_[node]);
  }
}

std::vector<NodeId> RoomLack::most_promising(std::size_t count) const {
  std::vector<std::size_t> order(nodes_.size());
  for (std::size_t n = 0; n < order.size(); ++n) order[n] = n;
  const auto key = [&](std::size_t n) {
    if (!has_secondary(wanted_.disk_template)) return lacks_[n].primary;
    // A node that fits already has nothing to give; the other role may.
    const double least = std::min(lacks_[n].primary, lacks_[n].secondary);
    return least > 0 ? least : std::max(lacks_[n].primary, lacks_[n].secondary);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<NodeId> result;
  for (const std::size_t n : order) {
    if (result.size() < count && key(n) > 0) result.push_back(nodes_[n]);
  }
  return result;
}

}  // namespace ballast::ganeti
