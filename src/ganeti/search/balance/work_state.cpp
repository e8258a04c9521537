// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/balance/work_state.hpp"

#include <algorithm>
#include <utility>

namespace ballast::ganeti {

WorkState::WorkState(const Cluster& cluster, const State& start, const Part& part,
                     const BalanceOptions& options)
    : cluster_(cluster),
      options_(options),
      state_(start),
      targets_(target_nodes(cluster, part)),
      sheet_(cluster, state_, part.nodes),
      score_(sheet_.total()) {}

std::optional<MoveEffect> WorkState::effect(InstanceId instance, Move move) const {
  auto effect = evaluate(cluster_, state_, instance, move, options_.ignore_soft_errors);
  if (!effect) return std::nullopt;
  return std::move(*effect);
}

bool WorkState::allows(InstanceId instance, Move move) const {
  const MoveKinds allowed = kinds(instance);
  if (move.kind == MoveKind::Failover) return allowed.failover;
  if (move.target.is_none() || cluster_[move.target].is_offline) return false;
  if (move.target == state_[instance].primary || move.target == state_[instance].secondary)
    return false;
  return std::find(allowed.kinds.begin(), allowed.kinds.begin() + allowed.count, move.kind) !=
         allowed.kinds.begin() + allowed.count;
}

std::optional<double> WorkState::score_after(InstanceId instance, Move move) const {
  const auto effect = evaluate(cluster_, state_, instance, move, options_.ignore_soft_errors);
  if (!effect) return std::nullopt;
  return sheet_.total_with(std::span(effect->nodes).first(static_cast<std::size_t>(effect->count)));
}

bool WorkState::make(InstanceId instance, Move move) {
  auto effect = evaluate(cluster_, state_, instance, move, options_.ignore_soft_errors);
  if (!effect) return false;
  made_.push_back({instance, std::move(*effect), score_});
  MoveEffect& made = made_.back().before;
  for (int i = 0; i < made.count; ++i) {
    auto& changed = made.nodes[static_cast<std::size_t>(i)];
    std::swap(state_[changed.node], changed.state);
    sheet_.update(changed.node);
  }
  std::swap(state_[instance], made.placement);
  score_ = sheet_.total();
  return true;
}

void WorkState::take_back() {
  while (!made_.empty()) {
    Made& made = made_.back();
    for (int i = 0; i < made.before.count; ++i) {
      auto& changed = made.before.nodes[static_cast<std::size_t>(i)];
      std::swap(state_[changed.node], changed.state);
      sheet_.update(changed.node);
    }
    std::swap(state_[made.instance], made.before.placement);
    score_ = made.score;
    made_.pop_back();
  }
}

}  // namespace ballast::ganeti
