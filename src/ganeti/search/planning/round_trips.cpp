// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/planning/round_trips.hpp"

#include "ballast/ganeti/search/planning/replay.hpp"

#include <utility>

namespace ballast::ganeti {
namespace {

/// Nothing begins to run, or gets a new copy, on an offline node.
std::optional<Refusal> offline_target(const Cluster& cluster, const Placement& before,
                                      const Placement& to, NodeId target) {
  for (const NodeId node : {to.primary == before.primary ? NodeId() : to.primary, target}) {
    if (node.is_none() || !cluster[node].is_offline) continue;
    Refusal why;
    why.rule = Rule::TargetOffline;
    why.node = node;
    return why;
  }
  return std::nullopt;
}

}  // namespace

tl::expected<MoveEffect, Refusal> RoundTrips::evaluate_to(InstanceId instance, const Placement& to,
                                                          Move& move) const {
  const Placement& before = state_[instance];
  const auto single = move_between(cluster_[instance], before, to);
  if (!single) return tl::unexpected(Refusal{});
  const std::int32_t joined = move.joined;
  move = *single;
  move.joined = joined;
  if (const auto why = offline_target(cluster_, before, to, move.target))
    return tl::unexpected(*why);
  return evaluate(cluster_, state_, instance, move, true);
}

tl::expected<MadeMove, Refusal> RoundTrips::make(InstanceId instance, const Placement& to,
                                                 std::int32_t joined) {
  MadeMove made{instance, {}, state_[instance], {}};
  made.move.joined = joined;
  auto effect = evaluate_to(instance, to, made.move);
  if (!effect) return tl::unexpected(effect.error());
  made.after = effect->placement;
  apply(state_, instance, std::move(*effect));
  return made;
}

tl::expected<MadeMove, Refusal> RoundTrips::leave(InstanceId instance, const Placement& to) {
  const Placement before = state_[instance];
  std::vector<std::pair<NodeId, NodeState>> old;
  for (const NodeId node : {before.primary, before.secondary, to.primary, to.secondary}) {
    if (!node.is_none()) old.emplace_back(node, state_[node]);
  }
  auto made = make(instance, to, 0);
  if (!made) return made;
  // All moves are taken back in reverse order, so the state will be this one again, but for what a
  // move does not give back exactly (spindles of forthcoming instances): see return_all.
  Move move_back;
  const auto back = evaluate_to(instance, before, move_back);
  if (back) {
    away_.push_back({*made, 0});
    return made;
  }
  for (auto& [node, state] : old) state_[node] = std::move(state);
  state_[instance] = before;
  return tl::unexpected(back.error());
}

tl::expected<std::vector<MadeMove>, NotMoved> RoundTrips::leave_together(
    const std::vector<std::pair<InstanceId, Placement>>& set) {
  const auto count = static_cast<std::int32_t>(set.size());
  const State before = state_;
  std::vector<MadeMove> moves;
  const auto give_up = [&](InstanceId instance, const Refusal& why) {
    state_ = before;
    return tl::unexpected(NotMoved{instance, why});
  };
  for (const auto& [instance, to] : set) {
    auto made = make(instance, to, count - static_cast<std::int32_t>(moves.size()));
    if (!made) return give_up(instance, made.error());
    moves.push_back(*made);
  }
  const State away = state_;
  for (auto last = moves.rbegin(); last != moves.rend(); ++last) {
    const auto back = make(last->instance, last->before, count - last->move.joined + 1);
    if (!back) return give_up(last->instance, back.error());
  }
  state_ = away;
  for (const MadeMove& made : moves) away_.push_back({made, count - made.move.joined + 1});
  return moves;
}

tl::expected<std::vector<MadeMove>, NotMoved> RoundTrips::return_all() {
  std::vector<MadeMove> moves;
  for (; !away_.empty(); away_.pop_back()) {
    const auto& [left, joined] = away_.back();
    const InstanceId instance = left.instance;
    const auto made = make(instance, left.before, joined);
    if (!made) return tl::unexpected(NotMoved{instance, made.error()});
    moves.push_back(*made);
  }
  return moves;
}

}  // namespace ballast::ganeti
