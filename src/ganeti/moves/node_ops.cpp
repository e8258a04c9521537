// SPDX-License-Identifier: BSD-2-Clause
// What primaries do to a node. The order of the checks and of each floating-point operation is the
// reference's.
#include "ballast/ganeti/moves/node_ops.hpp"

#include "ballast/ganeti/moves/unit_ops.hpp"
#include "ops_support.hpp"

namespace ballast::ganeti {
namespace {

using Pairs = Counters<std::pair<TagId, TagId>>;

/// Each location with each exclusion tag, sorted, with how often the instance has the tag.
Pairs location_pairs(const Node& node, const Instance& instance) {
  Counters<TagId> tags;
  count_up(tags, instance.exclusion_tags);
  Pairs pairs;
  pairs.reserve(node.location_tags.size() * tags.size());
  for (const TagId location : node.location_tags) {
    for (const auto& [tag, count] : tags) pairs.emplace_back(std::pair(location, tag), count);
  }
  return pairs;
}

/// All at once, in time linear in both: with hundreds of tags on both sides there are very many.
void count_locations(const Node& node, NodeState& state, const Instance& instance, bool add) {
  if (node.location_tags.empty() || instance.exclusion_tags.empty()) return;
  const Pairs changes = location_pairs(node, instance);
  Pairs counts;
  counts.reserve(state.location_exclusions.size() + (add ? changes.size() : 0));
  auto old = state.location_exclusions.begin();
  const auto end = state.location_exclusions.end();
  for (const auto& [key, count] : changes) {
    for (; old != end && old->first < key; ++old) counts.push_back(*old);
    const bool is_there = old != end && old->first == key;
    const std::int64_t before = is_there ? (old++)->second : 0;
    if (add) {
      counts.emplace_back(key, before + count);
    } else if (before > count) {
      counts.emplace_back(key, before - count);
    }
  }
  counts.insert(counts.end(), old, end);
  state.location_exclusions = std::move(counts);
}

/// Shadow disk figures after taking (`sign` -1) or giving back (+1).
void shift_shadow_disk(const Node& node, NodeState& state, const InstanceRef& ref, int sign) {
  const Instance& instance = *ref.instance;
  if (uses_local_disk(instance.disk_template)) state.forth_free_disk += sign * instance.disk_mib;
  state.forth_free_spindles = spindles_left(node, state.forth_free_spindles, instance, sign);
  state.forth_disk_fraction = disk_fraction(node, state.forth_free_disk, state.forth_free_spindles);
}

void shift_shadow_cpu(const Node& node, NodeState& state, const Instance& instance, int sign) {
  if (!instance.counts_cpu()) return;
  state.forth_used_cpu += sign * instance.vcpus;
  state.forth_cpu_ratio = static_cast<double>(state.forth_used_cpu) / node.total_cpu;
}

void set_memory(const Node& node, NodeState& state) {
  const std::int64_t unallocated = unallocated_mem(node, state);
  state.mem_fraction = static_cast<double>(unallocated) / node.total_mem;
  state.fails_n1 = unallocated <= state.reserved_mem;
}

/// The real instance's disk, spindles, CPU, load and locations; `sign` is +1 for adding it.
void shift_real(const Node& node, NodeState& state, const InstanceRef& ref, int sign) {
  const Instance& instance = *ref.instance;
  if (uses_local_disk(instance.disk_template)) state.free_disk -= sign * instance.disk_mib;
  state.free_spindles = spindles_left(node, state.free_spindles, instance, -sign);
  state.inst_spindles = spindle_load(node, state.inst_spindles, instance, sign);
  state.disk_fraction = disk_fraction(node, state.free_disk, state.free_spindles);
  if (instance.counts_cpu()) state.used_cpu += sign * instance.vcpus;
  state.cpu_ratio = static_cast<double>(state.used_cpu) / node.total_cpu;
}

}  // namespace

void remove_primary(const Cluster& cluster, NodeId id, NodeState& state, const InstanceRef& ref) {
  const Node& node = cluster[id];
  const Instance& instance = *ref.instance;
  if (!instance.is_forthcoming) {
    erase_first(state.primaries, ref.id);
    if (instance.uses_memory()) state.inst_mem -= instance.memory_mib;
    set_memory(node, state);
    shift_real(node, state, ref, -1);
    state.load -= instance.load;
    state.location_score -= ref.placement.location_score;
    state.location_score -= location_deficit(instance, node);
    count_locations(node, state, instance, false);
    if (cluster.has_storage) give_units(node, state, instance, kRealFigure);
  }
  count_down(state.primary_tags, instance.exclusion_tags);
  count_down(state.rule_members, instance.rules);
  erase_first(state.forth_primaries, ref.id);
  state.forth_free_mem += instance.memory_mib;
  state.forth_mem_fraction = static_cast<double>(state.forth_free_mem) / node.total_mem;
  shift_shadow_disk(node, state, ref, 1);
  shift_shadow_cpu(node, state, instance, -1);
  state.forth_load -= instance.load;
  state.forth_inst_spindles = spindle_load(node, state.forth_inst_spindles, instance, -1);
  if (cluster.has_storage) give_units(node, state, instance, kShadowFigure);
}

namespace {

/// The strict checks that count forthcoming instances; `after` is the node with the instance.
MaybeRefusal check_shadow_primary(const Cluster& cluster, NodeId id, const Before& before,
                                  NodeState& after, const InstanceRef& ref) {
  const Node& node = cluster[id];
  const Instance& instance = *ref.instance;
  const bool is_local = uses_local_disk(instance.disk_template);
  if (after.forth_free_mem <= 0) {
    return refusal(FailReason::Mem, Rule::ForthcomingMemory, id, instance.memory_mib,
                   after.forth_free_mem + instance.memory_mib);
  }
  if (cluster.has_storage) {
    if (auto no = fit_units(node, id, after, ref, kShadowFigure)) return no;
    if (auto no = check_taken_units(node, id, after, ref, kShadowFigure)) return no;
  } else if (is_local) {
    if (after.forth_free_disk <= 0) {
      return refusal(FailReason::Disk, Rule::ForthcomingDisk, id, instance.disk_mib,
                     after.forth_free_disk + instance.disk_mib);
    }
    if (after.forth_free_disk < node.low_disk) {
      return refusal(FailReason::Disk, Rule::ForthcomingDiskLowWater, id, node.low_disk,
                     after.forth_free_disk);
    }
  }
  if (is_local && node.has_exclusive_storage && after.forth_free_spindles < 0) {
    return spindle_refusal(Rule::ForthcomingSpindles, id, instance, before.forth_free_spindles);
  }
  if (is_local && after.forth_inst_spindles > node.high_spindles) {
    return refusal(FailReason::Disk, Rule::ForthcomingSpindleRatio, id, after.forth_inst_spindles,
                   node.high_spindles);
  }
  if (node.vcpu_ratio >= 0 && node.vcpu_ratio < after.forth_cpu_ratio) {
    return refusal(FailReason::Cpu, Rule::ForthcomingCpuRatio, id, after.forth_cpu_ratio,
                   node.vcpu_ratio);
  }
  return std::nullopt;
}

/// The disk checks of a real primary, up to the low-water mark; takes the space from the units.
MaybeRefusal check_primary_disk(const Cluster& cluster, NodeId id, NodeState& state,
                                const InstanceRef& ref, bool force) {
  const Node& node = cluster[id];
  const Instance& instance = *ref.instance;
  if (cluster.has_storage) {
    if (auto no = fit_units(node, id, state, ref, kRealFigure)) return no;
    return force ? std::nullopt : check_taken_units(node, id, state, ref, kRealFigure);
  }
  if (!uses_local_disk(instance.disk_template)) return std::nullopt;
  if (state.free_disk <= 0) {
    return refusal(FailReason::Disk, Rule::DiskFree, id, instance.disk_mib,
                   state.free_disk + instance.disk_mib);
  }
  if (!force && state.free_disk < node.low_disk) {
    return refusal(FailReason::Disk, Rule::DiskLowWater, id, node.low_disk, state.free_disk);
  }
  return std::nullopt;
}

MaybeRefusal check_real_primary(const Cluster& cluster, NodeId id, NodeState& state,
                                const InstanceRef& ref, bool force, const Before& before) {
  const Node& node = cluster[id];
  const Instance& instance = *ref.instance;
  const bool is_local = uses_local_disk(instance.disk_template);
  const std::int64_t unallocated = unallocated_mem(node, state);
  const std::int64_t need = instance.uses_memory() ? instance.memory_mib : 0;
  if (unallocated <= 0)
    return refusal(FailReason::Mem, Rule::MemoryUnallocated, id, need, unallocated + need);
  if (auto no = check_primary_disk(cluster, id, state, ref, force)) return no;
  if (is_local && node.has_exclusive_storage && state.free_spindles < 0) {
    return spindle_refusal(Rule::Spindles, id, instance, before.free_spindles);
  }
  if (force) return std::nullopt;
  if (is_local && state.inst_spindles > node.high_spindles) {
    return refusal(FailReason::Disk, Rule::SpindleRatio, id, state.inst_spindles,
                   node.high_spindles);
  }
  if (state.fails_n1 && !before.fails_n1) {
    return refusal(FailReason::Mem, Rule::NPlusOne, id, state.reserved_mem, unallocated);
  }
  if (node.vcpu_ratio >= 0 && node.vcpu_ratio < state.cpu_ratio) {
    return refusal(FailReason::Cpu, Rule::CpuRatio, id, state.cpu_ratio, node.vcpu_ratio);
  }
  for (const TagId tag : instance.exclusion_tags) {
    const auto place = counter_place(state.primary_tags, tag);
    if (place != state.primary_tags.end() && place->first == tag) {
      return refusal(FailReason::Tags, Rule::ExclusionTag, id, 1, 0);
    }
  }
  return std::nullopt;
}

void add_shadow_primary(const Node& node, NodeState& state, const InstanceRef& ref) {
  const Instance& instance = *ref.instance;
  push_front(state.forth_primaries, ref.id);
  state.forth_free_mem -= instance.memory_mib;
  state.forth_mem_fraction = static_cast<double>(state.forth_free_mem) / node.total_mem;
  shift_shadow_disk(node, state, ref, -1);
  shift_shadow_cpu(node, state, instance, 1);
  state.forth_load += instance.load;
  state.forth_inst_spindles = spindle_load(node, state.forth_inst_spindles, instance, 1);
}

}  // namespace

MaybeRefusal add_primary(const Cluster& cluster, NodeId id, NodeState& state,
                         const InstanceRef& ref, Checks checks) {
  const Node& node = cluster[id];
  const Instance& instance = *ref.instance;
  const Before before(state);
  add_shadow_primary(node, state, ref);
  if (!instance.is_forthcoming) {
    if (instance.uses_memory()) state.inst_mem += instance.memory_mib;
    set_memory(node, state);
    shift_real(node, state, ref, 1);
    if (checks == Checks::None) {
      if (cluster.has_storage) take_units(node, state, ref, kRealFigure);
    } else if (auto no =
                   check_real_primary(cluster, id, state, ref, checks == Checks::Hard, before)) {
      return no;
    }
  }
  if (checks == Checks::All) {
    if (auto no = check_shadow_primary(cluster, id, before, state, ref)) return no;
  } else if (cluster.has_storage) {
    take_units(node, state, ref, kShadowFigure);
  }
  if (!instance.is_forthcoming) {
    push_front(state.primaries, ref.id);
    state.load += instance.load;
    state.location_score += ref.placement.location_score;
    state.location_score += location_deficit(instance, node);
    count_locations(node, state, instance, true);
  }
  count_up(state.primary_tags, instance.exclusion_tags);
  count_up(state.rule_members, instance.rules);
  return std::nullopt;
}

void load_primary(const Cluster& cluster, NodeId id, NodeState& state, const InstanceRef& ref) {
  const Node& node = cluster[id];
  const Instance& instance = *ref.instance;
  if (!instance.is_forthcoming) {
    state.primaries.push_back(ref.id);
    if (instance.counts_cpu()) state.used_cpu += instance.vcpus;
    state.cpu_ratio = static_cast<double>(state.used_cpu) / node.total_cpu;
    state.load += instance.load;
    state.inst_spindles = spindle_load(node, state.inst_spindles, instance, 1);
    state.location_score += ref.placement.location_score + location_deficit(instance, node);
    count_locations(node, state, instance, true);
  } else {
    shift_shadow_disk(node, state, ref, -1);
    if (cluster.has_storage) take_units(node, state, ref, kShadowFigure);
  }
  count_up(state.primary_tags, instance.exclusion_tags);
  count_up(state.rule_members, instance.rules);
  state.forth_primaries.push_back(ref.id);
  shift_shadow_cpu(node, state, instance, 1);
  state.forth_load += instance.load;
  if (!instance.uses_memory()) state.forth_free_mem -= instance.memory_mib;
  state.forth_mem_fraction = static_cast<double>(state.forth_free_mem) / node.total_mem;
  state.forth_inst_spindles = spindle_load(node, state.forth_inst_spindles, instance, 1);
}

}  // namespace ballast::ganeti
