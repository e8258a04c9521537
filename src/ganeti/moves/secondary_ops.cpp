// SPDX-License-Identifier: BSD-2-Clause
// What secondaries do to a node, and the memory that it reserves for them.
#include "ballast/ganeti/moves/node_ops.hpp"
#include "ballast/ganeti/moves/unit_ops.hpp"
#include "ops_support.hpp"

namespace ballast::ganeti {
namespace {

std::int64_t reserved_need(const Instance& instance) {
  return instance.uses_secondary_memory() ? instance.memory_mib : 0;
}

void set_reserved(const Node& node, NodeState& state, std::int64_t reserved) {
  state.reserved_mem = reserved;
  state.reserved_fraction = static_cast<double>(reserved) / node.total_mem;
  state.fails_n1 = unallocated_mem(node, state) <= reserved;
}

void remove_peer(const Node& node, NodeState& state, const InstanceRef& ref) {
  const NodeId primary = ref.placement.primary;
  const std::int64_t old = peer_memory(state, primary);
  const std::int64_t left = old - reserved_need(*ref.instance);
  if (left > 0) {
    set_peer(state, primary, left);
  } else {
    erase_peer(state, primary);
  }
  const std::int64_t largest = state.peers.empty() ? 0 : state.peers.front().second;
  set_reserved(node, state, old < state.reserved_mem ? state.reserved_mem : largest);
}

/// Shadow disk figures; a secondary takes its disk whatever the template (adding), gives it back
/// where it is local.
void shift_shadow_disk(const Node& node, NodeState& state, const Instance& instance,
                       std::int64_t disk_mib, int sign) {
  state.forth_free_disk += sign * disk_mib;
  state.forth_free_spindles = spindles_left(node, state.forth_free_spindles, instance, sign);
  state.forth_disk_fraction = disk_fraction(node, state.forth_free_disk, state.forth_free_spindles);
}

std::int64_t local_disk(const Instance& instance) {
  return uses_local_disk(instance.disk_template) ? instance.disk_mib : 0;
}

MaybeRefusal check_shadow_secondary(const Cluster& cluster, NodeId id, const Before& before,
                                    NodeState& after, const InstanceRef& ref) {
  const Node& node = cluster[id];
  const Instance& instance = *ref.instance;
  if (!has_secondary(instance.disk_template))
    return refusal(FailReason::Disk, Rule::NotMirrored, id, 0, 0);
  if (cluster.has_storage) {
    if (auto no = fit_units(node, id, after, ref, kShadowFigure)) return no;
    if (auto no = check_taken_units(node, id, after, ref, kShadowFigure)) return no;
  } else {
    if (after.forth_free_disk <= 0) {
      return refusal(FailReason::Disk, Rule::ForthcomingDisk, id, instance.disk_mib,
                     after.forth_free_disk + instance.disk_mib);
    }
    if (after.forth_free_disk < node.low_disk) {
      return refusal(FailReason::Disk, Rule::ForthcomingDiskLowWater, id, node.low_disk,
                     after.forth_free_disk);
    }
  }
  if (node.has_exclusive_storage && after.forth_free_spindles < 0) {
    return spindle_refusal(Rule::ForthcomingSpindles, id, instance, before.forth_free_spindles);
  }
  if (after.forth_inst_spindles > node.high_spindles) {
    return refusal(FailReason::Disk, Rule::ForthcomingSpindleRatio, id, after.forth_inst_spindles,
                   node.high_spindles);
  }
  const std::int64_t need = reserved_need(instance);
  if (need >= after.forth_free_mem) {
    return refusal(FailReason::Mem, Rule::ForthcomingMemory, id, need, after.forth_free_mem);
  }
  return std::nullopt;
}

/// The disk checks of a real secondary, up to the low-water mark; takes the space from the units.
MaybeRefusal check_secondary_disk(const Cluster& cluster, NodeId id, NodeState& state,
                                  const InstanceRef& ref, bool force, bool ignore_disks) {
  const Node& node = cluster[id];
  const Instance& instance = *ref.instance;
  if (!has_secondary(instance.disk_template))
    return refusal(FailReason::Disk, Rule::NotMirrored, id, 0, 0);
  if (cluster.has_storage) {
    if (ignore_disks) {
      take_units(node, state, ref, kRealFigure);
    } else if (auto no = fit_units(node, id, state, ref, kRealFigure)) {
      return no;
    }
    return force ? std::nullopt : check_taken_units(node, id, state, ref, kRealFigure);
  }
  if (!ignore_disks && state.free_disk <= 0) {
    return refusal(FailReason::Disk, Rule::DiskFree, id, instance.disk_mib,
                   state.free_disk + instance.disk_mib);
  }
  if (!force && state.free_disk < node.low_disk) {
    return refusal(FailReason::Disk, Rule::DiskLowWater, id, node.low_disk, state.free_disk);
  }
  return std::nullopt;
}

/// `state` has its new figures already, `before` those without the instance.
MaybeRefusal check_real_secondary(const Cluster& cluster, NodeId id, NodeState& state,
                                  const InstanceRef& ref, const Before& before, bool force,
                                  bool ignore_disks) {
  const Node& node = cluster[id];
  const Instance& instance = *ref.instance;
  if (auto no = check_secondary_disk(cluster, id, state, ref, force, ignore_disks)) return no;
  if (node.has_exclusive_storage && state.free_spindles < 0) {
    return spindle_refusal(Rule::Spindles, id, instance, before.free_spindles);
  }
  if (force) return std::nullopt;
  if (state.inst_spindles > node.high_spindles) {
    return refusal(FailReason::Disk, Rule::SpindleRatio, id, state.inst_spindles,
                   node.high_spindles);
  }
  const std::int64_t unallocated = unallocated_mem(node, state);
  const std::int64_t need = reserved_need(instance);
  if (need >= unallocated)
    return refusal(FailReason::Mem, Rule::SecondaryMemory, id, need, unallocated);
  if (state.fails_n1 && !before.fails_n1) {
    return refusal(FailReason::Mem, Rule::NPlusOne, id, state.reserved_mem, unallocated);
  }
  return std::nullopt;
}

void add_real_figures(const Node& node, NodeState& state, const InstanceRef& ref, NodeId primary) {
  const Instance& instance = *ref.instance;
  state.free_disk -= instance.disk_mib;
  state.free_spindles = spindles_left(node, state.free_spindles, instance, -1);
  state.inst_spindles = spindle_load(node, state.inst_spindles, instance, 1);
  state.disk_fraction = disk_fraction(node, state.free_disk, state.free_spindles);
  const std::int64_t peer = peer_memory(state, primary) + reserved_need(instance);
  set_peer(state, primary, peer);
  set_reserved(node, state, std::max(state.reserved_mem, peer));
}

}  // namespace

void set_peer(NodeState& state, NodeId primary, std::int64_t memory) {
  erase_peer(state, primary);
  const auto place = std::find_if(state.peers.begin(), state.peers.end(),
                                  [&](const auto& entry) { return entry.second <= memory; });
  state.peers.insert(place, {primary, memory});
}

void erase_peer(NodeState& state, NodeId primary) {
  const auto place = std::find_if(state.peers.begin(), state.peers.end(),
                                  [&](const auto& entry) { return entry.first == primary; });
  if (place != state.peers.end()) state.peers.erase(place);
}

void remove_secondary(const Cluster& cluster, NodeId id, NodeState& state, const InstanceRef& ref) {
  const Node& node = cluster[id];
  const Instance& instance = *ref.instance;
  if (!instance.is_forthcoming) {
    erase_first(state.secondaries, ref.id);
    state.free_disk += local_disk(instance);
    state.free_spindles = spindles_left(node, state.free_spindles, instance, 1);
    state.inst_spindles = spindle_load(node, state.inst_spindles, instance, -1);
    state.disk_fraction = disk_fraction(node, state.free_disk, state.free_spindles);
    remove_peer(node, state, ref);
    state.load.disk -= instance.load.disk;
    if (cluster.has_storage) give_units(node, state, instance, kRealFigure);
  }
  erase_first(state.forth_secondaries, ref.id);
  shift_shadow_disk(node, state, instance, local_disk(instance), 1);
  state.forth_inst_spindles = spindle_load(node, state.forth_inst_spindles, instance, -1);
  state.forth_load.disk -= instance.load.disk;
  if (cluster.has_storage) give_units(node, state, instance, kShadowFigure);
}

MaybeRefusal check_secondary_disk_first(const Cluster& cluster, NodeId id, const NodeState& state,
                                        const InstanceRef& ref) {
  NodeState copy = state;
  copy.free_disk -= ref.instance->disk_mib;
  return check_secondary_disk(cluster, id, copy, ref, true, false);
}

MaybeRefusal add_secondary(const Cluster& cluster, NodeId id, NodeState& state,
                           const InstanceRef& ref, NodeId primary, Checks checks,
                           bool ignore_disks) {
  const Node& node = cluster[id];
  const Instance& instance = *ref.instance;
  const bool force = checks != Checks::All;
  const Before before(state);
  if (!instance.is_forthcoming) {
    add_real_figures(node, state, ref, primary);
    if (checks == Checks::None) {
      if (cluster.has_storage) take_units(node, state, ref, kRealFigure);
    } else if (auto no =
                   check_real_secondary(cluster, id, state, ref, before, force, ignore_disks)) {
      return no;
    }
    push_front(state.secondaries, ref.id);
    state.load.disk += instance.load.disk;
  }
  shift_shadow_disk(node, state, instance, instance.disk_mib, -1);
  state.forth_inst_spindles = spindle_load(node, state.forth_inst_spindles, instance, 1);
  if (!force) {
    if (auto no = check_shadow_secondary(cluster, id, before, state, ref)) return no;
  } else if (cluster.has_storage) {
    take_units(node, state, ref, kShadowFigure);
  }
  push_front(state.forth_secondaries, ref.id);
  state.forth_load.disk += instance.load.disk;
  return std::nullopt;
}

void load_secondary(const Cluster& cluster, NodeId id, NodeState& state, const InstanceRef& ref) {
  const Node& node = cluster[id];
  const Instance& instance = *ref.instance;
  if (!instance.is_forthcoming) {
    state.secondaries.push_back(ref.id);
    state.load.disk += instance.load.disk;
    state.inst_spindles = spindle_load(node, state.inst_spindles, instance, 1);
  } else {
    shift_shadow_disk(node, state, instance, local_disk(instance), -1);
    if (cluster.has_storage) take_units(node, state, ref, kShadowFigure);
  }
  state.forth_secondaries.push_back(ref.id);
  state.forth_load.disk += instance.load.disk;
  state.forth_inst_spindles = spindle_load(node, state.forth_inst_spindles, instance, 1);
}

MaybeRefusal check_migration(const Cluster& cluster, NodeId from, NodeId to) {
  const std::vector<TagId>& needed = cluster[from].migration_tags;
  const std::vector<TagId>& received = cluster[to].receivable_tags;
  if (std::includes(received.begin(), received.end(), needed.begin(), needed.end()))
    return std::nullopt;
  return refusal(FailReason::Mig, Rule::Migration, to, 0, 0);
}

namespace {

std::int64_t common_tags(const std::vector<TagId>& a, const std::vector<TagId>& b) {
  std::int64_t common = 0;
  for (const TagId tag : a) common += std::binary_search(b.begin(), b.end(), tag) ? 1 : 0;
  return common;
}

}  // namespace

std::int64_t common_location_tags(const Node& a, const Node& b) {
  return common_tags(a.location_tags, b.location_tags);
}

std::int64_t location_deficit(const Instance& instance, const Node& node) {
  return static_cast<std::int64_t>(instance.desired_locations.size()) -
         common_tags(instance.desired_locations, node.location_tags);
}

}  // namespace ballast::ganeti
