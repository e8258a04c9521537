// SPDX-License-Identifier: BSD-2-Clause
#include "hand_moves.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "ballast/ganeti/moves/ends.hpp"
#include "ballast/ganeti/moves/move.hpp"
#include "ballast/ganeti/moves/node_ops.hpp"
#include "ballast/ganeti/score/sheet.hpp"
#include "ballast/ganeti/search/balance/candidates.hpp"

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

/// Up to so many moves a step all are tried.
constexpr std::size_t kTryAll = 20000;
/// Beyond that only those of the most promising instances to the most promising targets: the two
/// ends of a move add to the score almost independently.
constexpr std::size_t kMostInstances = 12;
constexpr std::size_t kMostTargets = 24;

/// The `most` with the least score, in their old order.
template <class Id, class ScoreOf>
std::vector<Id> promising(std::span<const Id> all, std::size_t most, ScoreOf score_of) {
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (const std::optional<double> score = score_of(all[i])) ranked.emplace_back(*score, i);
  }
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > most) ranked.resize(most);
  std::sort(ranked.begin(), ranked.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<Id> chosen;
  for (const auto& [score, place] : ranked) chosen.push_back(all[place]);
  return chosen;
}

class Promise {
 public:
  Promise(const Cluster& cluster, const State& state, const ScoreSheet& sheet)
      : cluster_(cluster), state_(state), sheet_(sheet) {}

  /// By the score without them.
  [[nodiscard]] std::vector<InstanceId> instances(std::span<const InstanceId> all) const {
    return promising(all, kMostInstances, [&](InstanceId id) -> std::optional<double> {
      const NodeId node = state_[id].primary;
      MoveEffect::Changed left{node, state_[node]};
      remove_primary(cluster_, node, left.state, ref(id, node));
      return sheet_.total_with(std::span(&left, 1));
    });
  }

  /// By the score with one more of the instance.
  [[nodiscard]] std::vector<NodeId> targets(std::span<const NodeId> all, InstanceId id) const {
    return promising(all, kMostTargets, [&](NodeId node) -> std::optional<double> {
      MoveEffect::Changed entered{node, state_[node]};
      if (node == state_[id].primary ||
          add_primary(cluster_, node, entered.state, ref(id, node), false))
        return std::nullopt;
      return sheet_.total_with(std::span(&entered, 1));
    });
  }

 private:
  [[nodiscard]] InstanceRef ref(InstanceId id, NodeId node) const {
    Placement placement = state_[id];
    placement.primary = node;
    return {id, &cluster_[id], placement, false};
  }

  const Cluster& cluster_;
  const State& state_;
  const ScoreSheet& sheet_;
};

std::optional<Best> best_move(const Cluster& cluster, const State& state, const ScoreSheet& sheet,
                              std::span<const NodeId> all_targets,
                              std::span<const InstanceId> all_instances) {
  std::optional<Best> best;
  std::set<std::tuple<NodeId, std::int64_t, std::int64_t, std::int64_t>> seen;
  std::vector<InstanceId> instances;
  for (const InstanceId id : all_instances) {
    if (is_first_of_its_kind(cluster, state, id, seen)) instances.push_back(id);
  }
  const Promise promise(cluster, state, sheet);
  const bool tries_all = instances.size() * all_targets.size() <= kTryAll;
  if (!tries_all) instances = promise.instances(instances);
  std::vector<NodeId> targets(all_targets.begin(), all_targets.end());
  for (const InstanceId id : instances) {
    if (!tries_all) targets = promise.targets(all_targets, id);
    for (const NodeId target : targets) {
      if (target == state[id].primary) continue;
      auto effect = evaluate(cluster, state, id, {MoveKind::FailoverToAny, target}, false);
      if (!effect) continue;
      const double score = sheet.total_with(changed_nodes(*effect));
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
