// SPDX-License-Identifier: BSD-2-Clause
#include "reserve.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "ballast/ganeti/score/metrics.hpp"

namespace ballast::ganeti::bound {

namespace {

constexpr double kRounding = 1e-9;
constexpr double kGrid = 400;  // deviations that are looked at

/// What an instance asks of the node of its secondary.
struct Need {
  std::int64_t memory;
  std::int64_t disk;
};

/// Has, and keeps, its secondary on an online node of the part. From an offline primary an instance
/// may turn around, and then nothing is reserved on an online node.
bool always_reserves(const Cluster& cluster, const Part& part, const Instance& instance,
                     const Placement& placement) {
  const Node& primary = cluster[placement.primary];
  return has_secondary(instance.disk_template) && instance.uses_secondary_memory() &&
         placement.primary != placement.secondary && !primary.is_offline &&
         primary.group == part.group;
}

/// No placement has more on the node: each addition must leave disk free, even by force. What
/// cannot move is not counted on either side.
std::int64_t capacity_of(const Cluster& cluster, const NodeState& on) {
  std::int64_t held = 0;
  for (const auto* list : {&on.primaries, &on.secondaries}) {
    for (const InstanceId id : *list) {
      const Instance& instance = cluster[id];
      if (mirroring_of(instance.disk_template) != Mirroring::None) held += instance.disk_mib;
    }
  }
  return held + std::max<std::int64_t>(0, on.free_disk);
}

/// Lower bounds of the reserves, the largest first: in every placement the j-th largest reserve is
/// not below the j-th of these. The instances with at least m MiB of memory need disk on k(m) nodes
/// or more: as many as it takes of the largest nodes to hold all their disks. Each of these nodes
/// reserves m or more, so at least k(m) reserves are m or more, for each m. `needs`: the largest
/// memory first.
std::vector<double> least_reserves(const std::vector<Need>& needs,
                                   std::vector<std::int64_t> capacities) {
  std::sort(capacities.begin(), capacities.end(), std::greater<>());
  std::vector<double> reserves;
  std::int64_t disk = 0;
  std::int64_t capacity = 0;
  for (const Need& need : needs) {
    disk += need.disk;
    while (reserves.size() < capacities.size() && (reserves.empty() || capacity < disk)) {
      capacity += capacities[reserves.size()];
      reserves.push_back(static_cast<double>(need.memory));
    }
  }
  reserves.resize(capacities.size(), 0);
  return reserves;
}

double deviation_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  double squares = 0;
  for (const double value : values) squares += (value - sum / count) * (value - sum / count);
  return std::sqrt(squares / count);
}

/// Of a x sum(v) + b x deviation(v), over all v that are nowhere below `least`. A deviation is a
/// seminorm: with v = least + d, d >= 0, deviation(v) >= deviation(least) - deviation(d), and
/// deviation(d) <= sum(d) x sqrt(n - 1) / n, which holds for one entry and so for their sum. Where
/// b is at most a x n / sqrt(n - 1), the sum gives back what the deviation loses; a larger b counts
/// as that one.
double least_sum_and_deviation(const std::vector<double>& least) {
  const auto count = static_cast<double>(least.size());
  const double of_sum = weight_of(MetricId::ReservedTotal);
  double of_deviation = weight_of(MetricId::ReservedMem);
  if (count > 1) of_deviation = std::min(of_deviation, of_sum * count / std::sqrt(count - 1));
  double sum = 0;
  for (const double value : least) sum += value;
  return of_sum * sum + of_deviation * deviation_of(least);
}

struct Needs {
  double largest_mem = 0;  ///< of a node
  double memory = 0;       ///< of all
  std::vector<Need> needs;
  std::vector<std::int64_t> capacities;  ///< by online node
  std::size_t secondaries = 0;           ///< that may be on online nodes, whatever they reserve
};

Needs needs_of(const Cluster& cluster, const State& state, const Part& part) {
  Needs all;
  for (const NodeId node : part.nodes) {
    all.secondaries += state[node].secondaries.size();
    if (cluster[node].is_offline) continue;
    all.largest_mem = std::max(all.largest_mem, cluster[node].total_mem);
    all.capacities.push_back(capacity_of(cluster, state[node]));
    for (const InstanceId id : state[node].secondaries) {
      const Instance& instance = cluster[id];
      if (!always_reserves(cluster, part, instance, state[id])) continue;
      all.memory += static_cast<double>(instance.memory_mib);
      all.needs.push_back({instance.memory_mib, instance.disk_mib});
    }
  }
  std::sort(all.needs.begin(), all.needs.end(),
            [](const Need& a, const Need& b) { return a.memory > b.memory; });
  return all;
}

/// Lower bounds of the reserves, the largest first, where the numbers of secondaries on the nodes
/// have at most this deviation. By Cauchy-Schwarz the j fullest of n nodes then hold at most j x
/// mean + deviation x sqrt(j (n - j)) secondaries. The next smaller one is on another node, so that
/// j + 1 nodes reserve what it needs or more.
std::vector<double> least_reserves_within(const Needs& all, double deviation) {
  const auto count = static_cast<double>(all.capacities.size());
  const double mean = static_cast<double>(all.secondaries) / count;
  std::vector<double> reserves;
  for (double j = 0; j < count; ++j) {
    const double most = j * mean + deviation * std::sqrt(j * (count - j));
    const auto next = static_cast<std::size_t>(most * (1 + kRounding) + kRounding);
    const bool is_any = next < all.needs.size();
    reserves.push_back(is_any ? static_cast<double>(all.needs[next].memory) : 0);
  }
  return reserves;
}

}  // namespace

double least_reserve_score(const Cluster& cluster, const State& state, const Part& part) {
  const Needs all = needs_of(cluster, state, part);
  if (all.capacities.size() < 2 || all.largest_mem <= 0) return 0;
  // Each node reserves for the worst of the other nodes, which is not below their mean.
  const double by_mean = weight_of(MetricId::ReservedTotal) * all.memory /
                         static_cast<double>(static_cast<std::int64_t>(part.nodes.size()) - 1);
  // Storage units count disk otherwise.
  if (cluster.has_storage) return by_mean / all.largest_mem;
  const double by_size = least_sum_and_deviation(least_reserves(all.needs, all.capacities));
  return std::max(by_mean, by_size) / all.largest_mem;
}

double least_reserve_and_spread(const Cluster& cluster, const State& state, const Part& part,
                                const Spread& spread) {
  const Needs all = needs_of(cluster, state, part);
  if (all.capacities.size() < 2 || all.largest_mem <= 0 || spread.of_secondaries <= 0)
    return spread.at_least;
  const auto reserve_score = [&](double deviation) {
    return least_sum_and_deviation(least_reserves_within(all, deviation)) / all.largest_mem;
  };
  // Between two neighbouring deviations of the grid the spread is not below the lower one, nor the
  // reserves below those of the upper one.
  const double step =
      std::max(1e-6, (spread.at_least + reserve_score(0)) / kGrid) / spread.of_secondaries;
  double least = std::numeric_limits<double>::infinity();
  for (double deviation = 0;; deviation += step) {
    const double spent = spread.besides + spread.of_secondaries * deviation;
    if (!(spent < least)) break;
    least = std::min(least, std::max(spread.at_least, spent) + reserve_score(deviation + step));
  }
  return least;
}

}  // namespace ballast::ganeti::bound
