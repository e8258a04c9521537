// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ballast/ganeti/model/instance.hpp"
#include "ballast/ganeti/model/policy.hpp"
#include "ballast/ganeti/model/storage.hpp"

namespace ballast::ganeti {

/// What moves do not change. Memory and disk in MiB; totals are doubles because the snapshot may
/// hold fractions.
struct Node {
  std::string name;
  std::string alias;
  GroupId group;
  double total_mem = 0;
  std::int64_t node_mem = 0;  ///< used by the node itself
  std::int64_t free_mem =
      0;  ///< as reported; never changes (the change is kept in NodeState::inst_mem)
  double total_disk = 0;
  std::int64_t reported_free_disk = 0;
  double total_cpu = 0;
  double cpu_speed = 1;
  std::int64_t os_cpus = 1;
  std::int64_t total_spindles = 1;
  std::int64_t reported_free_spindles = 0;
  std::string hypervisor;  ///< "kvm", ...; empty where the source does not tell
  std::vector<std::string> tags;
  std::vector<TagId> location_tags;    ///< sorted, unique
  std::vector<TagId> migration_tags;   ///< sorted, unique
  std::vector<TagId> receivable_tags;  ///< sorted, unique
  bool is_offline = false;
  bool is_master = false;
  bool has_exclusive_storage = false;
  bool storage_told = false;  ///< the snapshot has the storage field for this node, maybe empty
  std::vector<StorageUnit> units;   ///< sorted by key; at most one per key
  std::int64_t low_disk = 0;        ///< floor(--min-disk x total disk)
  std::int64_t disk_reserve = 0;    ///< --reserve where there is no storage; 0: none
  std::int64_t memory_reserve = 0;  ///< --reserve memory=...; 0: none
  bool takes_nothing = false;       ///< a rule excludes it as a target
  std::int32_t reserve_by = -1;     ///< the rules that say so: indices into Rules::specs
  std::int32_t excluded_by = -1;
  double high_spindles = 0;  ///< policy's spindle ratio x total spindles
  double vcpu_ratio = 0;     ///< policy's or --max-cpu
};

/// What moves change. Figures with the prefix forth_ are the shadow values that count forthcoming
/// instances too. Every field is updated exactly as the reference does it, rounding included:
/// scores depend on it.
struct NodeState {
  std::int64_t inst_mem = 0;  ///< memory of primaries that use it
  std::int64_t lost_mem = 0;  ///< x_mem: what the figures do not explain; constant after loading
  std::int64_t free_disk = 0;
  std::int64_t free_spindles = 0;
  std::int64_t used_cpu = 0;      ///< virtual CPUs, the node's own included
  std::int64_t reserved_mem = 0;  ///< largest entry of peers
  double inst_spindles = 0;       ///< spindle load of local-disk instances
  double mem_fraction = 0;        ///< p_mem: unallocated / total
  double disk_fraction =
      0;                 ///< p_dsk: free fraction of disk, or of spindles with exclusive storage
  double cpu_ratio = 0;  ///< used_cpu / total_cpu
  double reserved_fraction = 0;  ///< p_rem
  Load load;
  bool fails_n1 = false;
  std::int64_t location_score = 0;

  std::int64_t forth_free_mem = 0;
  std::int64_t forth_free_disk = 0;
  std::int64_t forth_used_cpu = 0;
  std::int64_t forth_free_spindles = 0;
  double forth_inst_spindles = 0;
  double forth_mem_fraction = 0;
  double forth_disk_fraction = 0;
  double forth_cpu_ratio = 0;
  Load forth_load;

  std::vector<InstanceId> primaries;    ///< newest first
  std::vector<InstanceId> secondaries;  ///< newest first
  std::vector<InstanceId> forth_primaries;
  std::vector<InstanceId> forth_secondaries;
  /// (primary node, memory needed here if that node failed), descending by memory; a new or changed
  /// entry goes before the first that is not larger.
  std::vector<std::pair<NodeId, std::int64_t>> peers;
  std::vector<std::pair<TagId, std::int64_t>>
      primary_tags;  ///< exclusion tags of primaries (forthcoming included) with counts, sorted by
                     ///< id
  /// (location tag, exclusion tag) of primaries with counts, sorted.
  std::vector<std::pair<std::pair<TagId, TagId>, std::int64_t>> location_exclusions;
  /// (RuleId, primaries under that rule), sorted; forthcoming ones included.
  std::vector<std::pair<std::int32_t, std::int64_t>> rule_members;
  std::vector<Capacity> capacities;  ///< empty where storage does not count
};

/// Toward zero; the smallest int for what has no int (as the reference's machine conversion does).
std::int64_t truncated(double value);
/// Toward minus infinity, with the same limits.
std::int64_t floored(double value);

/// trunc(total) - node - instances: what the records say is free.
std::int64_t recorded_free_mem(const Node& node, const NodeState& state);
/// recorded free - max(0, lost)
std::int64_t unallocated_mem(const Node& node, const NodeState& state);
std::int64_t available_mem(const Node& node, const NodeState& state);
/// free / total; 1 where total is 0.
double free_fraction(double free, double total);
/// The free-disk metric's value: of spindles with exclusive storage, of disk otherwise.
double disk_fraction(const Node& node, std::int64_t free_disk, std::int64_t free_spindles);
/// Memory reserved here for instances whose primary is `primary`; 0 where there are none.
std::int64_t peer_memory(const NodeState& state, NodeId primary);
/// Sum of counts minus number of keys.
std::int64_t conflicting_primaries(const NodeState& state);
/// As verbose output shows it: "Ok ()", "Bad FailDisk" (spindle load) or "Bad FailCPU".
std::string_view policy_health(const Node& node, const NodeState& state);
/// Whether some floating-point field is NaN: such a node equals nothing, itself included, where the
/// reference compares nodes.
bool has_nan(const Node& node, const NodeState& state);

/// A node's state before any instance is attached (reference manual: figures straight from the
/// file).
NodeState initial_state(const Node& node);

}  // namespace ballast::ganeti
