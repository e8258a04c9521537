// SPDX-License-Identifier: BSD-2-Clause
// One candidate move on the arrays: whether there is room for it, and a bound of its score.
#include <algorithm>
#include <cmath>

#include "fast_finder.hpp"

namespace ballast::ganeti::fast {

using enum MoveKind;

namespace {

bool makes_secondary(MoveKind kind) {
  return kind == ReplaceSecondary || kind == FailoverAndReplace;
}

}  // namespace

// Exact checks for what the boxes only know between limits.
bool FastFinder::has_room(const Movable& movable, MoveKind kind, std::size_t position) const {
  if (kind == Failover) return true;
  const bool relaxed = movable.source.relaxed[index_of(kind)];
  const Arrays& a = builder_.arrays();
  const Arrays::Room& room = relaxed ? a.hard : a.strict;
  const Amounts& demand =
      layout_.classes[static_cast<std::size_t>(layout_.class_of[movable.id.index()])];
  if (demand.disk > room.disk[position] || demand.spindles > room.spindles[position]) return false;
  for (std::size_t u = 0; u < demand.units.size(); ++u) {
    if (demand.units[u] > room.units[u * a.stride + position]) return false;
  }
  if (makes_secondary(kind)) {
    return demand.reserved <= room.reserve[position] &&
           demand.reserved <= room.own_reserve[position];
  }
  return demand.cpus <= room.cpus[position] && demand.memory <= room.memory[position] &&
         demand.forth_memory <= room.forth_memory[position] &&
         !reader_.is_refused(movable.id, kind, layout_.targets[position], relaxed);
}

// Targets where the reserved memory is not what the rows assume: it adds up with what is there for
// the same primary.
void FastFinder::mark_shared(const Movable& movable, MoveKind kind, Scratch& scratch) const {
  for (const std::size_t position : scratch.shared) scratch.is_shared[position] = 0;
  scratch.shared.clear();
  const Placement& placement = state_[movable.id];
  const auto mark = [&](NodeId node) {
    if (node.is_none() || node == placement.primary || node == placement.secondary) return;
    const auto position = static_cast<std::size_t>(layout_.position[node.index()]);
    if (position == layout_.targets.size() || scratch.is_shared[position] != 0) return;
    scratch.is_shared[position] = 1;
    scratch.shared.push_back(position);
  };
  const auto mark_secondaries_of = [&](NodeId primary) {
    for (const InstanceId id : state_[primary].primaries) mark(state_[id].secondary);
  };
  const auto mark_primaries_for = [&](NodeId secondary) {
    for (const auto& [primary, memory] : state_[secondary].peers) mark(primary);
  };
  switch (kind) {
    case ReplaceSecondary:
      mark_secondaries_of(placement.primary);
      break;
    case FailoverAndReplace:
      mark_secondaries_of(placement.secondary);
      break;
    case ReplaceAndFailover:
      mark_primaries_for(placement.primary);
      break;
    case ReplacePrimary:
      mark_primaries_for(placement.secondary);
      break;
    default:
      break;
  }
}

void FastFinder::set_source_changes(std::size_t index, MoveKind kind, Scratch& scratch) const {
  const Arrays& a = builder_.arrays();
  const SourcePlace& place = places_[index];
  const Amounts& demand = layout_.classes[static_cast<std::size_t>(place.amounts)];
  const auto p = static_cast<std::size_t>(place.primary) * layout_.width;
  const auto s = static_cast<std::size_t>(place.secondary) * layout_.width;
  for (std::size_t c = 0; c < layout_.width; ++c) {
    double on_primary = -demand.primary[c];
    double on_secondary = 0;
    if (kind == ReplaceSecondary) on_primary = 0;
    if (kind == ReplaceAndFailover || kind == Failover) on_primary += demand.secondary[c];
    if (kind == ReplaceSecondary || kind == ReplaceAndFailover) on_secondary = -demand.secondary[c];
    if (kind == FailoverAndReplace || kind == Failover)
      on_secondary = demand.primary[c] - demand.secondary[c];
    const double squeeze = a.deviations[c].squeeze;
    const double d = on_primary * a.node_scale[p + c];
    const double e = on_secondary * a.node_scale[s + c];
    scratch.source[c] = d * (a.node_lean[p + c] - shift_[c] + squeeze * d) +
                        e * (a.node_lean[s + c] - shift_[c] + squeeze * e) - 2 * d * e;
    // What the target adds is shifted, too.
    scratch.source_delta[c] = d + e + shift_[c] / 2;
  }
}

double FastFinder::reserved_part(std::size_t index, MoveKind kind, std::size_t position,
                                 const Scratch& scratch, double& failing) const {
  const Arrays& a = builder_.arrays();
  const SourcePlace& place = places_[index];
  const Movable& movable = movable_[index];
  const Amounts& demand = layout_.classes[static_cast<std::size_t>(place.amounts)];
  const Placement& placement = state_[movable.id];
  const auto p = static_cast<std::size_t>(place.primary);
  const auto s = static_cast<std::size_t>(place.secondary);
  const double need = demand.reserved;
  const double left = movable.source.reserved_left;
  const bool relaxed = movable.source.relaxed[index_of(kind)];
  // The lists of peers are long, and most pairs of nodes have nothing in common.
  const auto peer = [&](NodeId node, NodeId primary) {
    return scratch.is_shared[position] == 0
               ? 0.0
               : static_cast<double>(peer_memory(state_[node], primary));
  };
  double on_primary = 0;
  double on_secondary = 0;
  double on_target = 0;
  double after_target = 0;
  const auto grown = [&](double reserved, double entry) {
    return std::max(reserved, entry + need) - reserved;
  };
  switch (kind) {
    case ReplaceSecondary:
    case FailoverAndReplace: {
      const NodeId primary = kind == ReplaceSecondary ? placement.primary : placement.secondary;
      on_target = grown(a.reserved[position], peer(layout_.targets[position], primary));
      on_secondary = left - a.reserved[s];
      after_target = a.reserved[position] + on_target;
      break;
    }
    case ReplaceAndFailover:
      on_primary = grown(a.reserved[p], peer(placement.primary, layout_.targets[position]));
      on_secondary = left - a.reserved[s];
      break;
    case ReplacePrimary:
      on_secondary =
          left + grown(left, peer(placement.secondary, layout_.targets[position])) - a.reserved[s];
      break;
    case Failover:
      on_primary = grown(a.reserved[p], movable.source.peer_entry);
      on_secondary = left - a.reserved[s];
      break;
    default:
      break;
  }
  failing = 0;
  if (kind != Failover) {
    const double room =
        makes_secondary(kind) ? a.unallocated[position] : a.unallocated[position] - demand.memory;
    const double reserved = makes_secondary(kind) ? after_target : a.reserved[position];
    if (a.failing[position] > 0)
      failing = 1;
    else if (relaxed && room <= reserved)
      failing = a.residents[position] + 1;
  }
  const Deviation& deviation = a.reserved_deviation;
  const double d = on_primary * a.reserved_scale[p];
  const double e = on_secondary * a.reserved_scale[s];
  const double f = kind == Failover ? 0 : on_target * a.reserved_scale[position];
  const auto change = [&](double x, double lean) {
    return x * (lean - deviation.shift + deviation.squeeze * x);
  };
  double x =
      deviation.spread + change(d, a.reserved_lean[p]) + change(e, a.reserved_lean[s]) - 2 * d * e;
  if (kind != Failover) x += change(f, a.reserved_lean[position]) - 2 * f * (d + e);
  return deviation.factor * std::sqrt(std::max(0.0, x)) + kReservedPrice * (d + e + f);
}

double FastFinder::candidate_bound(std::size_t index, MoveKind kind, std::size_t position,
                                   const Scratch& scratch) const {
  const Arrays& a = builder_.arrays();
  const Movable& movable = movable_[index];
  const Amounts& demand = layout_.classes[static_cast<std::size_t>(places_[index].amounts)];
  // A plain failover has no target: the row after the last target is all zeros.
  const std::size_t row = (kind == Failover ? a.count : position) * layout_.width;
  CandidateJob job = candidate_job_;
  job.source = scratch.source.data();
  job.source_delta = scratch.source_delta.data();
  job.amounts = makes_secondary(kind) ? demand.secondary.data() : demand.primary.data();
  double failing = 0;
  const double reserved = reserved_part(index, kind, position, scratch, failing);
  const double channels = candidate_sum(job, &a.node_lean[row], &a.node_scale[row]);
  const NodeId target = kind == Failover ? NodeId() : layout_.targets[position];
  return plain_part_ + movable.source.offset[index_of(kind)] +
         reader_.target_offset(movable.id, kind, target) + failing + (channels + reserved) -
         tolerance_;
}

}  // namespace ballast::ganeti::fast
