// SPDX-License-Identifier: BSD-2-Clause
// How many more instances fit: imaginary ones are placed until nothing fits any more. Same choices,
// counts and ends as the reference.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/model/refusal.hpp"

namespace ballast::ganeti {

/// What each new instance asks for. Memory and disk in MiB; `spindles` are those of its one disk,
/// which count on nodes with exclusive storage.
struct InstanceSize {
  std::int64_t memory_mib = 0;
  std::int64_t disk_mib = 0;
  std::int64_t vcpus = 0;
  std::int64_t spindles = 1;
  friend auto operator<=>(const InstanceSize&, const InstanceSize&) = default;
};
InstanceSize size_of(const InstanceSpec& spec);

struct CapacityOptions {
  DiskTemplate disk_template = DiskTemplate::Diskless;
  std::int64_t spindle_use = 1;  ///< load of each new instance on nodes without exclusive storage
  bool capacity_checks = true;   ///< global N+1
  bool independent_groups = false;      ///< a group that is not N+1 redundant only bars itself
  bool accept_existing_errors = false;  ///< of N+1; offline nodes need not be evacuable
  /// Nodes that lack N+1 memory or cannot be emptied as things are stop nothing; but no more
  /// instances may be without a place when such a node fails.
  bool no_worse = false;
  std::int64_t max_length = -1;  ///< -1: no limit; other negative values: capacity.cpp
  /// Storage unit of the new disks by group; empty where storage does not count.
  std::vector<StorageKeyId> units;
};

inline constexpr std::size_t kReasonCount = 9;
using ReasonCounts = std::array<std::int64_t, kReasonCount>;  ///< by FailReason

/// The cluster with what was placed: instances from `existing` on are new, named new-0, new-1, ...
struct FilledCluster {
  Cluster cluster;
  State state;
  std::size_t existing = 0;
  [[nodiscard]] std::size_t placed() const { return cluster.instances.size() - existing; }
};

struct CapacityRun {
  FilledCluster filled;
  /// Why the last attempt failed, candidate by candidate; none where no size was tried at all.
  std::optional<ReasonCounts> failures;
  bool is_suppressed = false;  ///< bad nodes: nothing was tried, `failures` is one FailN1
  InstanceSize last_size;      ///< of that last attempt
};

enum class CapacityFailure {
  NoOnlineNodes,      ///< no candidate for a template on one node
  NotEnoughNodes,     ///< nor a pair for drbd
  NoMemory,           ///< the reference divides by an instance memory of 0
  ReferenceWouldDie,  ///< a drbd instance without secondary in a redundancy test
  TooMany,            ///< more than kMostPlaced fit
};

/// As many are placed in a run: each takes memory, whatever the input's size.
inline constexpr std::size_t kMostPlaced = 1'000'000;

template <class T>
using OrCapacityFailure = tl::expected<T, CapacityFailure>;

/// A node that can hold new instances as primary, and its possible partners (drbd only).
struct CapacityCandidate {
  NodeId primary;
  std::vector<NodeId> secondaries;
};

struct ThoroughRun;
struct FullNode;

/// The initial cluster with what follows from it. It must outlive the planner.
class CapacityPlanner {
 public:
  CapacityPlanner(const Cluster& cluster, const State& state, CapacityOptions options);
  ~CapacityPlanner();
  CapacityPlanner(const CapacityPlanner&) = delete;
  CapacityPlanner& operator=(const CapacityPlanner&) = delete;

  /// Online nodes that lack N+1 memory as loaded.
  [[nodiscard]] const std::vector<NodeId>& bad_nodes() const;
  /// Groups that are not globally N+1 redundant. Computed when first asked for, or when a run needs
  /// them.
  OrCapacityFailure<std::vector<GroupId>> bad_groups();
  /// In index order; nodes without a partner are left out for drbd.
  OrCapacityFailure<std::vector<CapacityCandidate>> candidates();

  /// As many as fit of one size.
  OrCapacityFailure<CapacityRun> fixed(const InstanceSize& size);
  /// Each size of the list in turn, shrinking where it no longer fits.
  OrCapacityFailure<CapacityRun> tiered(std::span<const InstanceSize> sizes);
  /// Tiers whose sizes are searched; thorough.hpp. Here max_length counts what is placed.
  OrCapacityFailure<ThoroughRun> thorough(std::span<const InstanceSize> sizes,
                                          const InstanceSize& standard);
  /// Who refuses one more of the run's last size; why_full.hpp.
  OrCapacityFailure<std::vector<FullNode>> why_full(const CapacityRun& run);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The unit that new disks of the template ask for, by group: --default-storage, or the only one of
/// its type. Empty where storage does not count. The error names the units to choose from.
Result<std::vector<StorageKeyId>> units_of_new_disks(Cluster& cluster,
                                                     const std::vector<StorageKey>& defaults,
                                                     DiskTemplate disk_template);

/// Why a candidate of the run's end refuses one more of that size, unit by unit.
struct UnitRefusals {
  StorageKeyId unit;
  std::size_t full = 0;     ///< nodes that hold the unit, without room for the disk
  std::size_t missing = 0;  ///< nodes that lack it
};
/// Empty where no unit refuses.
std::vector<UnitRefusals> refusing_units(const CapacityRun& run, const CapacityOptions& options,
                                         std::span<const CapacityCandidate> candidates);

}  // namespace ballast::ganeti
