// SPDX-License-Identifier: BSD-2-Clause
// Why something does not fit: a value, never an exception. `reason` is what the reference would
// answer; `rule` and the figures are what explanations need on top.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ballast/ganeti/model/ids.hpp"

namespace ballast::ganeti {

/// In the reference's order where counts are listed.
enum class FailReason : std::uint8_t {
  Mem,
  Disk,
  Cpu,
  N1,
  Tags,
  Mig,
  DiskCount,
  Spindles,
  Internal
};
std::string_view text_of(FailReason reason);  ///< "FailMem"

/// The one rule that said no. Rules marked F look at the shadow figures with forthcoming instances.
enum class Rule : std::uint8_t {
  None,
  MemoryUnallocated,        ///< no unallocated memory would be left on the primary
  DiskFree,                 ///< node's free disk
  DiskLowWater,             ///< below the node's low-water mark of free disk
  Spindles,                 ///< exclusive storage: free spindles
  SpindleRatio,             ///< spindle load above the policy's ratio
  NPlusOne,                 ///< the node would lose N+1 memory
  CpuRatio,                 ///< virtual to physical CPUs above the policy's ratio
  ExclusionTag,             ///< a primary with the same exclusion tag is there already
  ForthcomingMemory,        ///< F
  ForthcomingDisk,          ///< F
  ForthcomingDiskLowWater,  ///< F
  ForthcomingSpindles,      ///< F
  ForthcomingSpindleRatio,  ///< F
  ForthcomingCpuRatio,      ///< F
  SecondaryMemory,          ///< the memory to reserve is more than the node has unallocated
  NotMirrored,              ///< a secondary for a template that has none
  Migration,                ///< migration tags
  UnitMissing,              ///< the node has no storage unit of that type and key
  UnitFull,                 ///< the unit's free capacity is less than the disk
  UnitLowWater,  ///< below the unit's low-water mark (wanted: the mark; available: what would be
                 ///< left)
  UnitReserve,   ///< below the requested reserve of a unit (wanted: the reserve; available: what
                 ///< would be left)
  NodeReserve,   ///< the same for the node's disk, where there is no storage
  ForthcomingUnitFull,      ///< F
  ForthcomingUnitLowWater,  ///< F
  UnitUnknown,              ///< the disk's storage unit is not known: it stays where it is
  PolicyMemory,
  PolicyDiskSize,
  PolicyCpu,
  PolicySpindleUse,
  PolicyDiskCount,
  PolicyTemplate,  ///< instance policy
  TargetOffline,   ///< balancing moves nothing to an offline node
  GlobalNPlusOne,  ///< some node could no longer be evacuated
  Network,
  MemoryReserve,  ///< --reserve memory: what must stay unallocated
  Pinned,         ///< a rule lets the instance run on other nodes only
  KeptApart,      ///< a rule keeps it apart from others that are there
  KeptTogether,   ///< a rule keeps it together with others that are not there
  NodeExcluded,   ///< a rule lets nothing move to the node
  InstanceKept,   ///< a rule keeps the instance where it is
  UnitForbidden,  ///< a rule keeps disks off the unit
  Internal,
};

/// "unit_full", "n_plus_one", ...: the rule's name in JSON.
std::string_view name_of(Rule rule);

/// Which part of an instance or node a figure of a Refusal counts: MiB for memory and disk,
/// spindles, CPUs x 1000 for ratios.
struct Refusal {
  FailReason reason = FailReason::Internal;
  Rule rule = Rule::None;
  NodeId node;             ///< where the rule looked
  std::int32_t disk = -1;  ///< index of the disk, for unit rules
  StorageKeyId unit;       ///< for unit rules
  double wanted = 0;       ///< what the instance needs (ratio rules: the ratio it would give)
  double available = 0;    ///< what there is (ratio rules: the limit)
  std::int32_t placement_rule = -1;  ///< RuleId, for pins, apart and together
  std::int32_t rule_spec = -1;  ///< index into Rules::specs, for the other rules of administrators
};

/// None: it fits.
using MaybeRefusal = std::optional<Refusal>;

template <class Wanted, class Available>
Refusal refusal(FailReason reason, Rule rule, NodeId node, Wanted wanted, Available available) {
  return Refusal{
      reason, rule, node, -1, {}, static_cast<double>(wanted), static_cast<double>(available)};
}

}  // namespace ballast::ganeti
