// SPDX-License-Identifier: BSD-2-Clause
// The reference's checks of a cluster, group by group, and the rebalancing that may mend it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"

namespace ballast::ganeti {

/// In the reference's order.
enum class HealthCheck : std::uint8_t {
  FailsN1,             ///< online nodes that are not N+1 happy
  TagConflicts,        ///< nodes with conflicting primaries, offline ones too
  OfflinePrimaries,    ///< primaries on offline nodes
  OfflineSecondaries,  ///< number of offline nodes, whatever lives there: a quirk that is kept
  NotEvacuable,        ///< nodes that cannot be evacuated, offline ones too
};
inline constexpr std::size_t kHealthChecks = 5;

/// What the checks count in one group.
struct GroupHealth {
  GroupId group;
  std::vector<std::int64_t> counts;  ///< by HealthCheck; the last is absent without capacity checks
  double score = 0;
  /// The last count cannot be made: the secondary of a drbd instance is outside the group. The
  /// reference dies there.
  bool is_incomplete = false;
};

GroupHealth check_group(const Cluster& cluster, const State& state, const Part& part,
                        bool capacity_checks);
std::vector<GroupHealth> check_groups(const Cluster& cluster, const State& state,
                                      std::span<const Part> parts, bool capacity_checks);

/// Sums over the groups; empty where there are none.
std::vector<std::int64_t> total_counts(std::span<const GroupHealth> groups);
/// The score plays no part.
bool needs_rebalancing(std::span<const GroupHealth> groups);

/// Every group balanced on its own.
struct Rebalancing {
  State state;                                  ///< after all steps
  std::vector<std::vector<BalanceStep>> steps;  ///< by part
  /// Parts that were done when the reference died on a drbd instance without secondary; all of them
  /// where it did not.
  std::size_t parts_done = 0;
};

/// A group whose score is already within `options.min_score` of its lower bound stays as it is.
Rebalancing rebalance(const Cluster& cluster, const State& state, std::span<const Part> parts,
                      const BalanceOptions& options);

}  // namespace ballast::ganeti
