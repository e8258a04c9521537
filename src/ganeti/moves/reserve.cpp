// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/unit_rules.hpp"
#include "ops_support.hpp"

namespace ballast::ganeti {
namespace {

bool breaks(std::int64_t reserve, std::int64_t before, std::int64_t after) {
  return reserve > 0 && after < reserve && after < before;
}

}  // namespace

MaybeRefusal check_reserve(const Cluster& cluster, NodeId id, const NodeState& before,
                           const NodeState& after) {
  const Node& node = cluster[id];
  if (node.memory_reserve > 0) {
    const std::int64_t left = unallocated_mem(node, after);
    if (breaks(node.memory_reserve, unallocated_mem(node, before), left)) {
      Refusal why = refusal(FailReason::Mem, Rule::MemoryReserve, id, node.memory_reserve, left);
      why.rule_spec = node.reserve_by;
      return why;
    }
  }
  if (!cluster.has_storage) {
    const bool broken = breaks(node.disk_reserve, before.free_disk, after.free_disk) ||
                        breaks(node.disk_reserve, before.forth_free_disk, after.forth_free_disk);
    if (!broken) return std::nullopt;
    return refusal(FailReason::Disk, Rule::NodeReserve, id, node.disk_reserve, after.free_disk);
  }
  for (const StorageUnit& unit : node.units) {
    const auto index = static_cast<std::size_t>(unit.capacity);
    const Capacity& old = before.capacities[index];
    const Capacity& now = after.capacities[index];
    for (const UnitRule& rule : kUnitRules) {
      const std::int64_t kept = kept_by(rule, now);
      const bool broken =
          rule.asked == Asked::Step && (breaks(kept, old.free_mib, now.free_mib) ||
                                        breaks(kept, old.forth_free_mib, now.forth_free_mib));
      if (!broken) continue;
      Refusal why = refusal(FailReason::Disk, rule.rule, id, kept, now.free_mib);
      why.unit = unit.key;
      return why;
    }
  }
  return std::nullopt;
}

}  // namespace ballast::ganeti
