// SPDX-License-Identifier: BSD-2-Clause
#include "fast_sources.hpp"

#include <algorithm>

#include "ballast/ganeti/model/tag_conflicts.hpp"
#include "ballast/ganeti/model/units_of.hpp"
#include "ballast/ganeti/moves/ends.hpp"
#include "ballast/ganeti/moves/node_ops.hpp"

namespace ballast::ganeti::fast {

namespace {

using enum MoveKind;

constexpr double kFailing = weight_of(MetricId::FailingN1);
constexpr double kOfflineAll = weight_of(MetricId::OfflineAll);
constexpr double kOfflinePrimary = weight_of(MetricId::OfflinePrimary);
constexpr double kTags = weight_of(MetricId::ExclusionTags);
constexpr double kPairs = weight_of(MetricId::LocationExclusion);
constexpr double kLocation = weight_of(MetricId::Location);

double number(std::int64_t value) { return static_cast<double>(value); }

double residents(const NodeState& state) {
  return static_cast<double>(state.primaries.size() + state.secondaries.size());
}

}  // namespace

/// The instance's two nodes and its demands.
struct SourceReader::Ends {
  const Instance& instance;
  const Amounts& amounts;
  Placement placement;
  const NodeState& primary;
  const NodeState* secondary;  ///< null where the moves do not look at it
  double primary_room;         ///< unallocated memory
  double secondary_room;
};

SourceReader::SourceReader(const Cluster& cluster, const State& state,
                           const BalanceOptions& options, const Layout& layout)
    : cluster_(cluster), state_(state), options_(options), layout_(layout) {
  count_pairs();
}

void SourceReader::count_pairs() {
  if (!layout_.has_location_tags) return;
  pairs_ = {};
  for (const NodeId node : layout_.targets) pairs_.change({}, state_[node].location_exclusions);
}

bool SourceReader::takes_unknown_path(InstanceId id) const {
  const Instance& instance = cluster_[id];
  const bool is_mirrored = has_secondary(instance.disk_template);
  return std::any_of(instance.disks.begin(), instance.disks.end(), [&](const Disk& disk) {
    if (disk.unit.is_none()) return true;
    if (!is_mirrored) return !is_shared_storage_type(cluster_[disk.unit].type);
    return !std::binary_search(layout_.units.begin(), layout_.units.end(), disk.unit);
  });
}

// Space that is given back beyond the total is kept apart, and the fraction stops at 1.
bool SourceReader::overflows(const Amounts& amounts, NodeId id) const {
  const Node& node = cluster_[id];
  for (std::size_t u = 0; u < layout_.units.size(); ++u) {
    const StorageUnit* held = find_unit(node, layout_.units[u]);
    if (held == nullptr) {
      if (amounts.units[u] >= 0) return true;
      continue;
    }
    double taken = 0;
    for (std::size_t c = 0; c < layout_.channels.size(); ++c) {
      if (layout_.channels[c].unit == layout_.units[u]) taken = std::max(taken, amounts.primary[c]);
    }
    const Capacity& capacity = state_[id].capacities[static_cast<std::size_t>(held->capacity)];
    const auto free = number(std::max(capacity.free_mib, capacity.forth_free_mib));
    if (taken > 0 && free + taken > number(capacity.total_mib)) return true;
  }
  return false;
}

bool SourceReader::is_irregular(InstanceId id) const {
  const Instance& instance = cluster_[id];
  if (instance.is_forthcoming || instance.is_unit_unknown) return true;
  const Mirroring mirroring = mirroring_of(instance.disk_template);
  if (std::ranges::any_of(kMoveKinds, [&](const MoveKindRow& row) {
        return row.mirroring == mirroring && index_of(row.kind) >= kKinds;
      }))
    return true;
  if (!cluster_.has_storage) return false;
  if (takes_unknown_path(id)) return true;
  if (!has_secondary(instance.disk_template)) return false;
  const Amounts& amounts = layout_.classes[static_cast<std::size_t>(layout_.class_of[id.index()])];
  return overflows(amounts, state_[id].primary) || overflows(amounts, state_[id].secondary);
}

Source SourceReader::read(InstanceId id) const {
  Source source;
  const Instance& instance = cluster_[id];
  source.is_considered = is_considered(cluster_, state_, options_, id);
  if (!source.is_considered) return source;
  const Placement& placement = state_[id];
  source.is_irregular = is_irregular(id);
  if (source.is_irregular) return source;
  const bool is_mirrored = has_secondary(instance.disk_template);
  const NodeState* secondary = is_mirrored ? &state_[placement.secondary] : nullptr;
  const Ends ends{
      instance,
      layout_.classes[static_cast<std::size_t>(layout_.class_of[id.index()])],
      placement,
      state_[placement.primary],
      secondary,
      number(unallocated_mem(cluster_[placement.primary], state_[placement.primary])),
      is_mirrored ? number(unallocated_mem(cluster_[placement.secondary], *secondary)) : 0};
  if (is_mirrored) {
    const double old = number(peer_memory(*secondary, placement.primary));
    double largest = std::max(0.0, old - ends.amounts.reserved);
    for (const auto& [node, memory] : secondary->peers) {
      if (node == placement.primary) continue;
      largest = std::max(largest, number(memory));
      break;
    }
    source.reserved_left =
        old < number(secondary->reserved_mem) ? number(secondary->reserved_mem) : largest;
    source.peer_entry = number(peer_memory(ends.primary, placement.secondary));
  }
  const MoveKinds kinds = move_kinds(cluster_, state_, options_, id);
  source.possible[index_of(Failover)] = kinds.failover;
  for (const MoveKind kind : kinds.per_target()) source.possible[index_of(kind)] = true;
  const bool force = options_.ignore_soft_errors;
  const bool primary_relaxed = force || !is_online(placement.primary);
  source.relaxed.fill(primary_relaxed);
  source.relaxed[index_of(ReplaceSecondary)] =
      force || (is_mirrored && !is_online(placement.secondary));
  source.relaxed[index_of(ReplaceAndFailover)] = force;
  if (is_mirrored) read_possible(ends, source);
  read_offsets(ends, source);
  return source;
}

// The instance runs on its secondary, if only for a while.
bool SourceReader::fits_on_secondary(const Ends& ends, bool relaxed, double reserved_left) const {
  const NodeState& state = *ends.secondary;
  const Amounts& demand = ends.amounts;
  const double left = ends.secondary_room - demand.memory;
  if (left <= 0) return false;
  if (!cluster_.has_storage && state.free_disk <= 0) return false;
  if (relaxed) return true;
  if (left <= reserved_left && ends.secondary_room > reserved_left) return false;
  const Limits limits = limits_of(cluster_, ends.placement.secondary, state, false);
  if (demand.cpus > limits.cpus || demand.forth_memory > limits.forth_memory || limits.spindles < 0)
    return false;
  if (!cluster_.has_storage && limits.disk < 0 &&
      cluster_[ends.placement.secondary].disk_reserve == 0)
    return false;
  return std::none_of(ends.instance.exclusion_tags.begin(), ends.instance.exclusion_tags.end(),
                      [&](TagId tag) { return primaries_with(state, tag) > 0; });
}

// The instance's secondary comes to its old primary.
bool SourceReader::fits_on_primary(const Ends& ends, bool relaxed, bool ignore_disks,
                                   double peer_entry) const {
  const NodeState& state = ends.primary;
  if (!cluster_.has_storage && !ignore_disks && state.free_disk <= 0) return false;
  if (relaxed) return true;
  const double room = ends.primary_room + ends.amounts.memory;
  const double need = ends.amounts.reserved;
  const double reserved = number(state.reserved_mem);
  if (need >= room || need >= number(state.forth_free_mem) + ends.amounts.forth_memory)
    return false;
  if (room <= std::max(reserved, peer_entry + need) && room > reserved) return false;
  const Limits limits = limits_of(cluster_, ends.placement.primary, state, false);
  if (limits.spindles < 0) return false;
  return cluster_.has_storage || limits.disk >= 0 ||
         cluster_[ends.placement.primary].disk_reserve != 0;
}

void SourceReader::read_possible(const Ends& ends, Source& source) const {
  const auto rule_out = [&](MoveKind kind, bool is_possible) {
    if (!is_possible) source.possible[index_of(kind)] = false;
  };
  const bool relaxed = source.relaxed[index_of(Failover)];
  if (source.possible[index_of(Failover)]) {
    rule_out(Failover,
             fits_on_primary(ends, relaxed, !is_online(ends.placement.primary), source.peer_entry));
  }
  if (source.possible[index_of(ReplaceAndFailover)]) {
    rule_out(
        ReplaceAndFailover,
        fits_on_primary(ends, options_.ignore_soft_errors || !is_online(ends.placement.secondary),
                        false, 0));
  }
  bool takes_over = !check_migration(cluster_, ends.placement.primary, ends.placement.secondary);
  takes_over = takes_over && fits_on_secondary(ends, relaxed, source.reserved_left);
  for (const MoveKind kind : {Failover, FailoverAndReplace, ReplacePrimary})
    rule_out(kind, takes_over);
  if (source.possible[index_of(ReplacePrimary)] && !relaxed) {
    const double need = ends.amounts.reserved;
    const double room = ends.secondary_room;
    rule_out(ReplacePrimary, need < room && !(room <= std::max(source.reserved_left, need) &&
                                              room > source.reserved_left));
  }
  const bool stays = ends.primary_room > 0 && (cluster_.has_storage || ends.primary.free_disk > 0);
  rule_out(ReplaceSecondary, stays);
}

double SourceReader::tag_change(const Instance& instance, NodeId from, NodeId to) const {
  if (instance.exclusion_tags.empty()) return 0;
  std::map<TagId, std::int64_t> times;
  for (const TagId tag : instance.exclusion_tags) ++times[tag];
  std::int64_t change = 0;
  for (const auto& [tag, count] : times) {
    if (is_online(from)) {
      change += conflict_change(primaries_with(state_[from], tag), -count);
    }
    if (!to.is_none() && is_online(to)) {
      change += conflict_change(primaries_with(state_[to], tag), count);
    }
  }
  return number(change);
}

double SourceReader::pair_change(const Instance& instance, NodeId from, NodeId to) const {
  if (!layout_.has_location_tags || instance.exclusion_tags.empty()) return 0;
  TagPairs shifts;
  const auto shift = [&](NodeId node, std::int64_t by) {
    if (node.is_none() || !is_online(node)) return;
    for (const TagId location : cluster_[node].location_tags) {
      for (const TagId tag : instance.exclusion_tags) shifts.add({location, tag}, by);
    }
  };
  shift(from, -1);
  shift(to, 1);
  return number(pairs_.change_by(shifts));
}

// Location score that goes with the instance from its primary.
double SourceReader::leaving(const Instance& instance, const Placement& placement) const {
  if (!is_online(placement.primary)) return 0;
  return number(-placement.location_score -
                location_deficit(instance, cluster_[placement.primary]));
}

void SourceReader::read_offsets(const Ends& ends, Source& source) const {
  const Placement& placement = ends.placement;
  const double mine = residents(ends.primary);
  const double room = ends.primary_room + ends.amounts.memory;
  const double reserved = number(ends.primary.reserved_mem);
  const double need = ends.amounts.reserved;
  auto& offset = source.offset;
  const auto add = [&](MoveKind kind, double value) { offset[index_of(kind)] += value; };
  const auto failing = [](bool fails, double count) { return fails ? kFailing * count : 0; };
  if (is_online(placement.primary)) {
    const double before = failing(ends.primary.fails_n1, mine);
    for (const MoveKind kind : {ReplacePrimary, FailoverAndReplace, FailoverToAny}) {
      add(kind, failing(room <= reserved, mine - 1) - before);
    }
    add(ReplaceSecondary, failing(ends.primary_room <= reserved, mine) - before);
    add(ReplaceAndFailover, failing(room <= std::max(reserved, need), mine) - before);
    add(Failover, failing(room <= std::max(reserved, source.peer_entry + need), mine) - before);
  } else {
    for (const MoveKind kind : {ReplacePrimary, FailoverAndReplace, FailoverToAny})
      add(kind, -kOfflineAll - kOfflinePrimary);
    for (const MoveKind kind : {ReplaceAndFailover, Failover}) add(kind, -kOfflinePrimary);
  }
  if (ends.secondary != nullptr && is_online(placement.secondary)) {
    const double theirs = residents(*ends.secondary);
    const double before = failing(ends.secondary->fails_n1, theirs);
    const double left = source.reserved_left;
    for (const MoveKind kind : {ReplaceSecondary, ReplaceAndFailover}) {
      add(kind, failing(ends.secondary_room <= left, theirs - 1) - before);
    }
    add(ReplacePrimary, failing(ends.secondary_room <= std::max(left, need), theirs) - before);
    for (const MoveKind kind : {FailoverAndReplace, Failover}) {
      add(kind, failing(ends.secondary_room - ends.amounts.memory <= left, theirs) - before);
    }
  } else if (ends.secondary != nullptr) {
    for (const MoveKind kind : {ReplaceSecondary, ReplaceAndFailover}) add(kind, -kOfflineAll);
  }
  const bool has_tags = !ends.instance.exclusion_tags.empty();
  if (has_tags) {
    const double tags = kTags * tag_change(ends.instance, placement.primary, {}) +
                        kPairs * pair_change(ends.instance, placement.primary, {});
    for (const MoveKind kind :
         {ReplaceAndFailover, ReplacePrimary, FailoverToAny, FailoverAndReplace, Failover})
      add(kind, tags);
  }
  if (layout_.has_location_tags || !ends.instance.desired_locations.empty()) {
    const double gone = kLocation * leaving(ends.instance, placement);
    for (const MoveKind kind :
         {ReplaceAndFailover, ReplacePrimary, FailoverToAny, FailoverAndReplace, Failover})
      add(kind, gone);
    if (is_online(placement.primary))
      add(ReplaceSecondary, -kLocation * number(placement.location_score));
  }
}

double SourceReader::target_offset(InstanceId id, MoveKind kind, NodeId target) const {
  const Instance& instance = cluster_[id];
  const Placement& placement = state_[id];
  const bool has_locations = layout_.has_location_tags || !instance.desired_locations.empty();
  if (instance.exclusion_tags.empty() && !has_locations) return 0;
  if (kind == ReplaceSecondary) {
    if (!has_locations || !is_online(placement.primary)) return 0;
    return kLocation * number(common_location_tags(cluster_[placement.primary], cluster_[target]));
  }
  const auto [primary, secondary] =
      ends_after(kind, placement.primary, placement.secondary, target);
  double offset = 0;
  if (!instance.exclusion_tags.empty()) {
    offset += kTags * (tag_change(instance, placement.primary, primary) -
                       tag_change(instance, placement.primary, {}));
    offset += kPairs * (pair_change(instance, placement.primary, primary) -
                        pair_change(instance, placement.primary, {}));
  }
  if (has_locations && is_online(primary)) {
    const bool keeps = kind == FailoverToAny || kind == Failover;
    offset += kLocation * number(location_deficit(instance, cluster_[primary]));
    offset +=
        kLocation * number(keeps ? placement.location_score
                                 : common_location_tags(cluster_[primary], cluster_[secondary]));
  }
  return offset;
}

bool SourceReader::is_refused(InstanceId id, MoveKind kind, NodeId target, bool relaxed) const {
  const Instance& instance = cluster_[id];
  const Placement& placement = state_[id];
  const bool becomes_primary =
      kind == ReplaceAndFailover || kind == ReplacePrimary || kind == FailoverToAny;
  if (!becomes_primary) return false;
  if (layout_.has_migration_tags) {
    const NodeId from = kind == ReplacePrimary ? placement.secondary : placement.primary;
    if (check_migration(cluster_, from, target)) return true;
  }
  if (relaxed) return false;
  return std::any_of(instance.exclusion_tags.begin(), instance.exclusion_tags.end(),
                     [&](TagId tag) { return primaries_with(state_[target], tag) > 0; });
}

}  // namespace ballast::ganeti::fast
