// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <map>

#include "ballast/ganeti/model/unit_resolver.hpp"
#include "ballast/ganeti/model/unit_rules.hpp"
#include "ballast/ganeti/search/capacity/capacity.hpp"
#include "place.hpp"

namespace ballast::ganeti {
namespace {

using alloc::Wanted;

/// What the node says to the new instance as primary, or, where that fits, as secondary.
MaybeRefusal refusal_of(const Cluster& cluster, const State& state, const Wanted& wanted,
                        const CapacityCandidate& candidate) {
  const NodeId node = candidate.primary;
  InstanceRef ref{InstanceId(), &wanted.of(cluster[node].group), {node, NodeId(), 0}, true};
  NodeState after;
  if (auto no = alloc::put_primary(cluster, state[node], ref, after)) return no;
  if (candidate.secondaries.empty()) return std::nullopt;
  ref.placement.primary = candidate.secondaries.front();
  return alloc::put_secondary(cluster, node, state[node], ref, after);
}

std::vector<GroupId> groups_for_new_instances(const Cluster& cluster) {
  std::vector<GroupId> groups;
  for (const Node& node : cluster.nodes) {
    if (cluster[node.group].alloc_policy != AllocPolicy::Unallocable) groups.push_back(node.group);
  }
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

}  // namespace

Result<std::vector<StorageKeyId>> units_of_new_disks(Cluster& cluster,
                                                     const std::vector<StorageKey>& defaults,
                                                     DiskTemplate disk_template) {
  if (!cluster.has_storage || !storage_type_of(disk_template)) return std::vector<StorageKeyId>();
  UnitResolver resolver(cluster, defaults);
  std::vector<StorageKeyId> units(cluster.groups.size());
  std::optional<Error> error;
  StorageKeyId any;
  for (const GroupId group : groups_for_new_instances(cluster)) {
    Instance wanted;
    wanted.name = "new-0";
    wanted.disk_template = disk_template;
    wanted.disks.emplace_back();
    if (const Status found = resolver.resolve_request(wanted, group); !found) {
      error = found.error();
      continue;
    }
    any = units[group.index()] = wanted.disks.front().unit;
  }
  if (any.is_none() && error) return fail(std::move(*error));
  // A group that does not tell refuses the unit that another one has.
  for (StorageKeyId& unit : units) {
    if (unit.is_none()) unit = any;
  }
  return units;
}

std::vector<UnitRefusals> refusing_units(const CapacityRun& run, const CapacityOptions& options,
                                         std::span<const CapacityCandidate> candidates) {
  if (options.units.empty()) return {};
  const Wanted wanted(run.filled.cluster, options, run.last_size);
  std::map<StorageKeyId, UnitRefusals> by_unit;
  for (const CapacityCandidate& candidate : candidates) {
    const auto no = refusal_of(run.filled.cluster, run.filled.state, wanted, candidate);
    if (!no) continue;
    const bool is_missing = no->rule == Rule::UnitMissing;
    if (!is_missing && unit_rule(no->rule) == nullptr) continue;
    UnitRefusals& refusals = by_unit[no->unit];
    refusals.unit = no->unit;
    ++(is_missing ? refusals.missing : refusals.full);
  }
  std::vector<UnitRefusals> all;
  for (const auto& [unit, refusals] : by_unit) all.push_back(refusals);
  return all;
}

}  // namespace ballast::ganeti
