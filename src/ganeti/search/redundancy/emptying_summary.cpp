// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/redundancy/emptying_summary.hpp"

#include <algorithm>

namespace ballast::ganeti::alloc {

void CapacitySummary::Homeless::add(const Instance& instance) {
  const std::int64_t used = instance.uses_memory() ? instance.memory_mib : 0;
  const std::int64_t local = uses_local_disk(instance.disk_template) ? instance.disk_mib : 0;
  ++count;
  memory += used;
  largest_memory = std::max(largest_memory, used);
  disk += local;
  largest_disk = std::max(largest_disk, local);
  has_local = has_local || uses_local_disk(instance.disk_template);
  has_shared = has_shared || is_shared_for_evacuation(instance.disk_template);
}

CapacitySummary::CapacitySummary(const ScopedCluster& scope) : scope_(&scope) {
  const Cluster& cluster = *scope.cluster;
  const std::int32_t next_key = scope.instances.count();
  const bool has_free_key = static_cast<std::size_t>(next_key) >= scope.instances.slots().size();
  if (cluster.has_storage || !has_free_key) return;
  nodes_.resize(cluster.nodes.size());
  by_memory_.resize(cluster.groups.size());
  for (const NodeId node : scope.nodes) {
    if (cluster[node].has_exclusive_storage) return;
    has_migration_tags_ = has_migration_tags_ || !cluster[node].migration_tags.empty();
    nodes_[node.index()].unallocated = unallocated_mem(cluster[node], scope[node]);
    nodes_[node.index()].free_disk = scope[node].free_disk;
    by_memory_[cluster[node].group.index()].push_back(node);
  }
  for (const NodeId node : scope.nodes) {
    if (!add_instances(node)) return;
  }
  for (auto& group : by_memory_) {
    std::stable_sort(group.begin(), group.end(), [&](NodeId a, NodeId b) {
      return nodes_[a.index()].unallocated > nodes_[b.index()].unallocated;
    });
  }
  for (const NodeId node : scope.nodes) {
    if (!has_room(node)) crowded_.push_back(node);
    if (!finds_room(node, nodes_[node.index()].homeless)) unsure_.push_back(node);
  }
  is_usable_ = true;
}

/// False where the reference would die, or where the records are not what this summary understands.
bool CapacitySummary::add_instances(NodeId node) {
  const Cluster& cluster = *scope_->cluster;
  PerNode& per_node = nodes_[node.index()];
  for (const InstanceId id : (*scope_)[node].primaries) {
    const Record& record = scope_->instances.at(id.value());
    const Instance& instance = *record.instance;
    if (record.placement.primary != node || instance.memory_mib < 0 || instance.disk_mib < 0)
      return false;
    if (instance.disk_template != DiskTemplate::Drbd) {
      per_node.homeless.add(instance);
      if (!is_shared_for_evacuation(instance.disk_template) &&
          check_policy(cluster, node, instance))
        return false;
      continue;
    }
    const NodeId secondary = record.placement.secondary;
    if (!scope_->has(secondary) || secondary == node) return false;
    note_load(node, record);
    const bool keeps_disk = nodes_[secondary.index()].free_disk > 0 &&
                            (cluster[node].is_offline || per_node.free_disk > 0);
    never_holds_ = never_holds_ || !keeps_disk || check_migration(cluster, node, secondary);
  }
  return true;
}

void CapacitySummary::note_load(NodeId node, const Record& record) {
  const std::int64_t used = record.instance->uses_memory() ? record.instance->memory_mib : 0;
  auto& loads = nodes_[node.index()].loads;
  auto load = std::find_if(loads.begin(), loads.end(), [&](const Load& one) {
    return one.secondary == record.placement.secondary;
  });
  if (load == loads.end()) load = loads.insert(loads.end(), Load{record.placement.secondary, 0});
  load->memory += used;
  std::int64_t& needed = nodes_[load->secondary.index()].needed;
  needed = std::max(needed, load->memory);
}

std::int64_t CapacitySummary::load_on(NodeId node, NodeId secondary) const {
  for (const Load& load : nodes_[node.index()].loads) {
    if (load.secondary == secondary) return load.memory;
  }
  return 0;
}

bool CapacitySummary::has_room(NodeId node) const {
  const PerNode& per_node = nodes_[node.index()];
  return per_node.needed < 0 || per_node.unallocated - per_node.needed > 0;
}

std::int64_t CapacitySummary::effective(NodeId from, NodeId escape) const {
  return nodes_[escape.index()].unallocated - load_on(from, escape);
}

bool CapacitySummary::finds_room(NodeId node, const Homeless& homeless) const {
  if (homeless.count == 0) return true;
  if (homeless.has_shared && has_migration_tags_) return false;
  constexpr std::int64_t kNotCounted = 2;
  const auto& group = by_memory_[(*scope_->cluster)[node].group.index()];
  // A node with room for everything is there for each instance, wherever the others went. Else:
  // where a node refuses, at least `memory` or `disk` went there already, so only so many nodes can
  // refuse.
  for (const std::int64_t parts : {1, 2, 4, 8, 16, 32}) {
    const std::int64_t memory = homeless.memory / parts + 1;
    const std::int64_t disk = homeless.disk / parts + 1;
    const std::int64_t least_memory =
        parts == 1 ? homeless.memory + 1 : memory + homeless.largest_memory;
    const std::int64_t least_disk = !homeless.has_local ? 0
                                    : parts == 1        ? homeless.disk + 1
                                                        : disk + homeless.largest_disk;
    const std::int64_t refusing = parts == 1 ? 0 : parts + (homeless.has_local ? parts : 0);
    std::int64_t good = 0;
    for (const NodeId escape : group) {
      if (nodes_[escape.index()].unallocated < least_memory || good > refusing + kNotCounted) break;
      const bool has_disk = !homeless.has_local || nodes_[escape.index()].free_disk >= least_disk;
      if (escape != node && has_disk && effective(node, escape) >= least_memory) ++good;
    }
    if (good > refusing + kNotCounted) return true;
  }
  return false;
}

bool CapacitySummary::is_primary_unsure(const Record& record) const {
  const Instance& instance = *record.instance;
  if (instance.is_forthcoming || instance.disk_template == DiskTemplate::Drbd) return false;
  Homeless homeless = nodes_[record.placement.primary.index()].homeless;
  homeless.add(instance);
  return !finds_room(record.placement.primary, homeless);
}

Verdict CapacitySummary::judge(const Record& record) const {
  const Instance& instance = *record.instance;
  const NodeId primary = record.placement.primary;
  const NodeId secondary = record.placement.secondary;
  const bool is_mirrored = instance.disk_template == DiskTemplate::Drbd;
  if (!record.own_id.is_none() || instance.memory_mib < 0 || instance.disk_mib < 0)
    return Verdict::Unknown;
  if (is_mirrored && secondary.is_none() && !instance.is_forthcoming) return Verdict::Unknown;
  if (never_holds_) return Verdict::Fails;
  for (const NodeId node : crowded_) {
    if (node != primary && node != secondary) return Verdict::Fails;
  }
  const std::int64_t used = instance.uses_memory() ? instance.memory_mib : 0;
  const PerNode& first = nodes_[primary.index()];
  if (first.needed >= 0 && first.unallocated - used - first.needed <= 0) return Verdict::Fails;
  if (is_mirrored && !instance.is_forthcoming) {
    const PerNode& second = nodes_[secondary.index()];
    const std::int64_t needed = std::max(second.needed, load_on(primary, secondary) + used);
    if (second.unallocated - needed <= 0 || check_migration(*scope_->cluster, primary, secondary))
      return Verdict::Fails;
  } else if (!secondary.is_none() && !has_room(secondary)) {
    return Verdict::Fails;
  }
  return unsure_.empty() && !is_primary_unsure(record) ? Verdict::Holds : Verdict::Unknown;
}

}  // namespace ballast::ganeti::alloc
