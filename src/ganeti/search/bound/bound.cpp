// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>

#include "ballast/ganeti/metrics/table.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/bound/bound.hpp"
#include "cells.hpp"
#include "relaxation.hpp"
#include "reserve.hpp"

namespace ballast::ganeti {

namespace {

using enum MetricId;
using bound::is_one;
using bound::may_move;

// With loads of 1, these deviations are that of the number of primaries, and this one that of all.
constexpr double kOfPrimaries = weight_of(CpuLoad) + weight_of(MemLoad) + weight_of(NetLoad);
constexpr double kOfAttached = weight_of(DiskLoad);
constexpr double kOfSecondaries = std::min(kOfPrimaries, kOfAttached);
// The deviation of whole things that are spread evenly is at most 1/2: an instance left on an
// offline node costs more than evenness can gain by it.
static_assert(kOfPrimaries + kOfAttached <= weight_of(OfflinePrimary) + weight_of(OfflineAll) &&
              kOfAttached <= weight_of(OfflineAll));
constexpr double kSafety = 1 - 1e-9;  // the sums here and in the score round differently

// Deviation of `total` equal things spread over `count` nodes as evenly as whole things can be.
double even_deviation(std::int64_t total, std::int64_t count) {
  const std::int64_t rest = total % count;
  return std::sqrt(static_cast<double>(rest * (count - rest))) / static_cast<double>(count);
}

double at_least_zero(double value) { return std::max(0.0, value); }

struct Counts {
  std::int64_t online = 0;               ///< nodes
  std::int64_t primaries = 0;            ///< on all nodes
  std::int64_t attached = 0;             ///< primaries and secondaries on all nodes
  std::int64_t primaries_that_stay = 0;  ///< on offline nodes
  std::int64_t attached_that_stay = 0;   ///< on offline nodes
  bool is_all_online = true;             ///< no offline node has an instance
  bool are_loads = true;                 ///< all four loads of each instance are 1
};

void count_node(const Cluster& cluster, const State& state, NodeId node, Counts& counts) {
  const NodeState& on = state[node];
  const bool is_offline = cluster[node].is_offline;
  const auto primaries = static_cast<std::int64_t>(on.primaries.size());
  const auto attached = primaries + static_cast<std::int64_t>(on.secondaries.size());
  counts.primaries += primaries;
  counts.attached += attached;
  for (const InstanceId id : on.primaries) counts.are_loads &= is_one(cluster[id].load);
  if (!is_offline) {
    ++counts.online;
    const auto of_primaries = static_cast<double>(primaries);
    const Load expected{of_primaries, of_primaries, static_cast<double>(attached), of_primaries};
    counts.are_loads &= on.load == expected;
    return;
  }
  counts.is_all_online = counts.is_all_online && attached == 0;
  for (const InstanceId id : on.primaries) {
    if (may_move(cluster[id])) continue;
    ++counts.primaries_that_stay;
    ++counts.attached_that_stay;
  }
  for (const InstanceId id : on.secondaries)
    counts.attached_that_stay += may_move(cluster[id]) ? 0 : 1;
}

/// What instances cost that cannot leave an offline node.
double stays_score(const Counts& counts) {
  return weight_of(OfflinePrimary) * static_cast<double>(counts.primaries_that_stay) +
         weight_of(OfflineAll) * static_cast<double>(counts.attached_that_stay);
}

double& part_of(Bound& bound, BoundPart part) {
  return bound.parts[static_cast<std::size_t>(part)];
}

/// Even numbers of instances and the reserve that they make necessary, above what stays.
Bound least_spread(const Cluster& cluster, const State& state, const Part& part,
                   const Counts& counts) {
  const double reserved = bound::least_reserve_score(cluster, state, part);
  Bound least;
  least.score = part_of(least, BoundPart::Reserve) = reserved;
  if (!counts.are_loads) return least;
  const double primaries =
      even_deviation(counts.primaries - counts.primaries_that_stay, counts.online);
  const double attached =
      even_deviation(counts.attached - counts.attached_that_stay, counts.online);
  const double even = kOfPrimaries * primaries + kOfAttached * attached;
  // A number of secondaries is one of all less one of primaries, and so are deviations at most:
  // as many of primaries and of all as there are of the fewer are not below as many of secondaries.
  const double besides = counts.is_all_online ? (kOfPrimaries - kOfSecondaries) * primaries : 0;
  const double spread =
      bound::least_reserve_and_spread(cluster, state, part, {even, besides, kOfSecondaries});
  least.score = std::max(even + reserved, spread);
  part_of(least, BoundPart::Primaries) = kOfPrimaries * primaries;
  part_of(least, BoundPart::Attached) = kOfAttached * attached;
  part_of(least, BoundPart::Reserve) = least.score - even;
  return least;
}

/// The same by the relaxation, which joins all deviations. A placement that leaves one more on an
/// offline node is not in it, and costs that much.
Bound least_joined(const bound::Relaxation& relaxation, const Counts& counts,
                   const BoundOptions& within) {
  const bound::LeastRelaxed relaxed = bound::least_relaxed(relaxation, within);
  Bound least;
  least.score = relaxed.score;
  if (!counts.is_all_online) least.score = std::min(least.score, weight_of(OfflineAll));
  constexpr auto kFirst = static_cast<std::size_t>(BoundPart::Memory);
  double rest = least.score;
  for (std::size_t side = 0; side <= bound::kReserve; ++side) {
    least.parts[kFirst + side] = bound::weight_of_side(relaxation, side) * relaxed.at[side];
    rest -= least.parts[kFirst + side];
  }
  part_of(least, BoundPart::Reserve) = at_least_zero(rest);
  return least;
}

void count_instances(const Cluster& cluster, const Part& part, Bound& bound) {
  for (const InstanceId id : part.instances) {
    const Instance& instance = cluster[id];
    ++bound.instances;
    bound.immovable += may_move(instance) ? 0 : 1;
    if (has_secondary(instance.disk_template) && instance.uses_secondary_memory())
      bound.largest_need_mib = std::max(bound.largest_need_mib, instance.memory_mib);
  }
}

}  // namespace

Bound least_possible_score(const Cluster& cluster, const State& state, const Part& part,
                           const BoundOptions& options) {
  Counts counts;
  for (const NodeId node : part.nodes) count_node(cluster, state, node, counts);
  if (counts.online == 0) return {};
  const double stays = stays_score(counts);
  const double known = std::min(options.known, full_score(cluster, state, part.nodes)) - stays;
  Bound least = least_spread(cluster, state, part, counts);
  const auto relaxation = bound::relaxation_of(cluster, state, part);
  if (relaxation && least.score < known) {
    const Bound joined = least_joined(*relaxation, counts, {known, options.work, options.threads});
    if (joined.score > least.score) least = joined;
  }
  if (relaxation) least.fullest = bound::fullest_of(cluster, state, part, *relaxation);
  least.score = at_least_zero((stays + least.score) * kSafety);
  part_of(least, BoundPart::OnOfflineNodes) = stays;
  least.attached_offline = counts.attached_that_stay;
  count_instances(cluster, part, least);
  return least;
}

}  // namespace ballast::ganeti
