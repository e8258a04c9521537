// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>

#include "ballast/ganeti/search/improve.hpp"
#include "improve_reserve.hpp"

namespace ballast::ganeti {

namespace {

constexpr double kSafety = 1 - 1e-9;  // the sums here and in the score round differently

// Deviation of `total` equal things spread over `count` nodes as evenly as whole things can be.
double even_deviation(std::int64_t total, std::int64_t count) {
  const std::int64_t rest = total % count;
  return std::sqrt(static_cast<double>(rest * (count - rest))) / static_cast<double>(count);
}

bool is_one(const Load& load) {
  return load.cpu == 1 && load.mem == 1 && load.disk == 1 && load.net == 1;
}

bool may_move(const Instance& instance) {
  return instance.is_movable && instance.auto_balance &&
         mirroring_of(instance.disk_template) != Mirroring::None;
}

}  // namespace

double least_possible_score(const Cluster& cluster, const State& state, const Part& part) {
  std::int64_t online = 0;
  for (const NodeId node : part.nodes) {
    if (cluster[node].is_offline) continue;
    ++online;
  }
  if (online == 0) return 0;
  double least = 0;
  std::int64_t primaries = 0;
  std::int64_t attached = 0;
  bool is_countable = true;
  for (const NodeId node : part.nodes) {
    const NodeState& on = state[node];
    const bool is_offline = cluster[node].is_offline;
    for (const InstanceId id : on.primaries) {
      if (is_offline && !may_move(cluster[id])) least += 16 + 4;
      // An instance that can leave an offline node, or stay there, leaves the number on the online
      // nodes open.
      is_countable = is_countable && is_one(cluster[id].load) && !is_offline;
    }
    for (const InstanceId id : on.secondaries) {
      const Instance& instance = cluster[id];
      if (is_offline && !may_move(instance)) least += 4;
      is_countable = is_countable && !is_offline;
    }
    primaries += static_cast<std::int64_t>(on.primaries.size());
    attached += static_cast<std::int64_t>(on.primaries.size() + on.secondaries.size());
    const Load expected{static_cast<double>(on.primaries.size()),
                        static_cast<double>(on.primaries.size()),
                        static_cast<double>(on.primaries.size() + on.secondaries.size()),
                        static_cast<double>(on.primaries.size())};
    is_countable = is_countable && (is_offline || on.load == expected);
  }
  if (is_countable)
    least += 3 * even_deviation(primaries, online) + even_deviation(attached, online);
  least += least_reserve_score(cluster, state, part);
  return std::max(0.0, least * kSafety);
}

}  // namespace ballast::ganeti
