// SPDX-License-Identifier: BSD-2-Clause
#include "hand_moves.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "ballast/ganeti/model/move.hpp"
#include "ballast/ganeti/score/sheet.hpp"
#include "ballast/ganeti/search/candidates.hpp"

namespace ballast::ganeti {
namespace {

struct Best {
  InstanceId instance;
  MoveEffect effect;
  double score = 0;
};

/// Instances that are alike on one node need to be tried once only.
bool is_first_of_its_kind(
    const Cluster& cluster, const State& state, InstanceId id,
    std::set<std::tuple<NodeId, std::int64_t, std::int64_t, std::int64_t>>& seen) {
  const Instance& instance = cluster[id];
  const bool is_ordinary = instance.tags.empty() && instance.disks.size() <= 1 &&
                           instance.load == Load{1, 1, 1, 1} && instance.is_running();
  return !is_ordinary ||
         seen.emplace(state[id].primary, instance.memory_mib, instance.disk_mib, instance.vcpus)
             .second;
}

std::optional<Best> best_move(const Cluster& cluster, const State& state, const ScoreSheet& sheet,
                              std::span<const NodeId> targets,
                              std::span<const InstanceId> instances) {
  std::optional<Best> best;
  std::set<std::tuple<NodeId, std::int64_t, std::int64_t, std::int64_t>> seen;
  for (const InstanceId id : instances) {
    if (!is_first_of_its_kind(cluster, state, id, seen)) continue;
    for (const NodeId target : targets) {
      if (target == state[id].primary) continue;
      auto effect = evaluate(cluster, state, id, {MoveKind::FailoverToAny, target}, false);
      if (!effect) continue;
      const double score =
          sheet.total_with(std::span(effect->nodes).first(static_cast<std::size_t>(effect->count)));
      if (!best || score < best->score) best = Best{id, std::move(*effect), score};
    }
  }
  return best;
}

}  // namespace

HandMoves move_by_hand(const Cluster& cluster, const State& state, const Part& part,
                       std::span<const InstanceId> instances, std::size_t most, double min_gain) {
  State now = state;
  ScoreSheet sheet(cluster, now, part.nodes);
  const std::vector<NodeId> targets = target_nodes(cluster, part);
  HandMoves result;
  result.score_before = sheet.total();
  result.score_after = result.score_before;
  while (result.moves.size() < most) {
    auto best = best_move(cluster, now, sheet, targets, instances);
    if (!best || !(result.score_after - best->score >= min_gain)) return result;
    const NodeId from = now[best->instance].primary;
    const NodeId to = best->effect.placement.primary;
    apply(now, best->instance, std::move(best->effect));
    sheet.update(from);
    sheet.update(to);
    result.moves.push_back({best->instance, from, to, cluster[best->instance].disk_mib});
    result.score_after = best->score;
  }
  return result;
}

}  // namespace ballast::ganeti
