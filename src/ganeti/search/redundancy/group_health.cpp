// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/redundancy/group_health.hpp"

#include <algorithm>
#include <utility>

#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/redundancy/nplus1.hpp"

namespace ballast::ganeti {

namespace {

void count_stuck_nodes(const Cluster& cluster, const State& state, const Part& part,
                       GroupHealth& health) {
  EvacuationCheck check(cluster, state, part.nodes);
  std::int64_t stuck = 0;
  for (const NodeId node : part.nodes) {
    const Evacuation answer = check.can_evacuate(node);
    if (answer == Evacuation::ReferenceWouldDie) {
      health.is_incomplete = true;
      return;
    }
    if (answer == Evacuation::Impossible) ++stuck;
  }
  health.counts.push_back(stuck);
}

}  // namespace

GroupHealth check_group(const Cluster& cluster, const State& state, const Part& part,
                        bool capacity_checks) {
  GroupHealth health;
  health.group = part.group;
  health.counts.assign(kHealthChecks - 1, 0);
  const auto count = [&health](HealthCheck check, std::size_t more) {
    health.counts[static_cast<std::size_t>(check)] += static_cast<std::int64_t>(more);
  };
  for (const NodeId node : part.nodes) {
    const NodeState& figures = state[node];
    if (conflicting_primaries(figures) > 0) count(HealthCheck::TagConflicts, 1);
    if (cluster[node].is_offline) {
      count(HealthCheck::OfflinePrimaries, figures.primaries.size());
      count(HealthCheck::OfflineSecondaries, 1);
    } else if (figures.fails_n1) {
      count(HealthCheck::FailsN1, 1);
    }
  }
  health.score = full_score(cluster, state, part.nodes);
  if (capacity_checks) count_stuck_nodes(cluster, state, part, health);
  return health;
}

std::vector<GroupHealth> check_groups(const Cluster& cluster, const State& state,
                                      std::span<const Part> parts, bool capacity_checks) {
  std::vector<GroupHealth> groups;
  groups.reserve(parts.size());
  for (const Part& part : parts)
    groups.push_back(check_group(cluster, state, part, capacity_checks));
  return groups;
}

std::vector<std::int64_t> total_counts(std::span<const GroupHealth> groups) {
  std::vector<std::int64_t> totals;
  for (const GroupHealth& group : groups) {
    totals.resize(std::max(totals.size(), group.counts.size()));
    for (std::size_t i = 0; i < group.counts.size(); ++i) totals[i] += group.counts[i];
  }
  return totals;
}

bool needs_rebalancing(std::span<const GroupHealth> groups) {
  const std::vector<std::int64_t> totals = total_counts(groups);
  return std::any_of(totals.begin(), totals.end(), [](std::int64_t count) { return count > 0; });
}

Rebalancing rebalance(const Cluster& cluster, const State& state, std::span<const Part> parts,
                      const BalanceOptions& options) {
  Rebalancing done{state, std::vector<std::vector<BalanceStep>>(parts.size()), 0};
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Part& part = parts[p];
    const double bound = score_lower_bound(cluster, done.state, part.nodes);
    if (!(full_score(cluster, done.state, part.nodes) < options.min_score + bound)) {
      BalanceResult result = balance(cluster, done.state, part, options);
      if (result.stop == BalanceStop::ReferenceWouldDie) return done;
      done.state = std::move(result.state);
      done.steps[p] = std::move(result.steps);
    }
    ++done.parts_done;
  }
  return done;
}

}  // namespace ballast::ganeti
