// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/report/explain/explain.hpp"
#include "ballast/ganeti/moves/ends.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/ganeti/score/sheet.hpp"
#include "ballast/ganeti/search/balance/candidates.hpp"
#include "ballast/ganeti/search/planning/refusal_text.hpp"
#include "change.hpp"

namespace ballast::ganeti {
namespace {

using Obstacles = std::vector<std::string>;

void add_standing_obstacles(const Cluster& cluster, const Placement& placement,
                            const Instance& instance, Obstacles& list) {
  const std::string_view disk_template = text_of(instance.disk_template);
  const bool is_split = !placement.secondary.is_none() &&
                        cluster[placement.primary].group != cluster[placement.secondary].group;
  if (!is_movable_by_default(instance.disk_template)) {
    const bool is_on_one_node = mirroring_of(instance.disk_template) == Mirroring::None;
    list.push_back(fmt::format(
        fmt::runtime(
            is_on_one_node
                ? "disk template {}: its disks are on one node only, balancing cannot move it"
                : "disk template {} is not moved"),
        disk_template));
  } else if (is_split) {
    list.push_back("its nodes belong to different groups");
  } else if (!instance.is_movable) {
    list.push_back("it is excluded, or not among the selected instances");
  }
  if (!instance.auto_balance) list.push_back("its auto-balance flag is off");
}

Obstacles obstacles_of(const Cluster& cluster, const State& state, const BalanceOptions& options,
                       InstanceId id) {
  Obstacles list;
  const Instance& instance = cluster[id];
  const Placement& placement = state[id];
  add_standing_obstacles(cluster, placement, instance, list);
  const bool is_mirrored = has_secondary(instance.disk_template);
  if (options.evacuation && list.empty() && !is_considered(cluster, state, options, id)) {
    list.push_back("--evac-mode: none of its nodes is offline");
  }
  if (is_mirrored && !options.disk_moves) list.push_back("--no-disk-moves: only failover is tried");
  if (!options.instance_moves) list.push_back("--no-instance-moves: its primary stays");
  if (is_mirrored && options.restricted_migration)
    list.push_back("--restricted-migration: fewer kinds of moves are tried");
  if (is_mirrored && (placement.secondary.is_none() || cluster[placement.secondary].is_offline)) {
    list.push_back("its secondary is offline or missing: no failover to it");
  }
  return list;
}

class Explainer {
 public:
  Explainer(const Cluster& cluster, const State& state, const Part& part,
            const BalanceOptions& options, InstanceId id)
      : cluster_(cluster),
        state_(state),
        part_(part),
        options_(options),
        id_(id),
        sheet_(cluster, state, part.nodes) {}

  Explanation run() {
    Explanation result;
    result.instance = id_;
    result.placement = state_[id_];
    result.score = sheet_.total();
    result.obstacles = obstacles_of(cluster_, state_, options_, id_);
    result.moves = all_moves();
    choose_best(result);
    if (result.best_forbidden) {
      const Wish wish{id_, result.moves[*result.best_forbidden].move,
                      *result.moves[*result.best_forbidden].refusal};
      find_blockers(result);
      result.change = smallest_change(cluster_, state_, part_, options_, wish);
    }
    return result;
  }

  [[nodiscard]] std::vector<ExplainedMove> all_moves() const {
    std::vector<ExplainedMove> result;
    for (const Move move : moves()) result.push_back(explained(move));
    return result;
  }

 private:
  [[nodiscard]] std::vector<Move> moves() const {
    std::vector<Move> list;
    const MoveKinds kinds = move_kinds(cluster_, state_, options_, id_);
    for_each_move(kinds, state_[id_], part_.nodes, [&](Move move) {
      // One line tells of an offline target enough.
      const bool is_offline = !move.target.is_none() && cluster_[move.target].is_offline;
      if (!is_offline || move.kind == kinds.per_target().front()) list.push_back(move);
    });
    return list;
  }

  [[nodiscard]] ExplainedMove explained(Move move) const {
    ExplainedMove result;
    result.move = move;
    result.after = ganeti::after(state_[id_], move);
    result.copied_mib = copied_mib(cluster_, id_, move);
    if (!move.target.is_none() && cluster_[move.target].is_offline) {
      result.refusal =
          Refusal{FailReason::Internal, Rule::TargetOffline, move.target, -1, {}, 0, 0};
    } else if (const auto effect =
                   evaluate(cluster_, state_, id_, move, options_.ignore_soft_errors)) {
      result.score = sheet_.total_with(changed_nodes(*effect));
    } else {
      result.refusal = effect.error();
      const auto unchecked = evaluate_unchecked(cluster_, state_, id_, move);
      if (unchecked) result.score = sheet_.total_with(changed_nodes(*unchecked));
    }
    if (result.refusal) result.why = refusal_text(cluster_, state_, cluster_[id_], *result.refusal);
    return result;
  }

  void find_blockers(Explanation& result) const {
    constexpr std::size_t kMost = 8;
    std::vector<std::size_t> forbidden;
    for (std::size_t i = 0; i < result.moves.size(); ++i) {
      const ExplainedMove& move = result.moves[i];
      if (move.refusal && move.score && move.refusal->rule != Rule::TargetOffline)
        forbidden.push_back(i);
    }
    std::stable_sort(forbidden.begin(), forbidden.end(), [&](std::size_t a, std::size_t b) {
      return *result.moves[a].score < *result.moves[b].score;
    });
    forbidden.resize(std::min(forbidden.size(), kMost));
    for (const std::size_t i : forbidden)
      result.moves[i].blockers =
          blockers_of(cluster_, state_, id_, result.moves[i].move, options_.ignore_soft_errors);
  }

  /// Of equal scores the earlier, as in the search.
  static void choose_best(Explanation& result) {
    for (std::size_t i = 0; i < result.moves.size(); ++i) {
      const ExplainedMove& move = result.moves[i];
      if (!move.score) continue;
      std::optional<std::size_t>& best = move.refusal ? result.best_forbidden : result.best_legal;
      if (!best || *move.score < *result.moves[*best].score) best = i;
    }
  }

  const Cluster& cluster_;
  const State& state_;
  const Part& part_;
  const BalanceOptions& options_;
  InstanceId id_;
  ScoreSheet sheet_;
};

}  // namespace

std::vector<ExplainedMove> explained_moves(const Cluster& cluster, const State& state,
                                           const Part& part, const BalanceOptions& options,
                                           InstanceId instance) {
  return Explainer(cluster, state, part, options, instance).all_moves();
}

Explanation explain(const Cluster& cluster, const State& state, const Part& part,
                    const BalanceOptions& options, InstanceId instance) {
  return Explainer(cluster, state, part, options, instance).run();
}

}  // namespace ballast::ganeti
