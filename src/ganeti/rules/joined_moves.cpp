// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/rules/placement_rules.hpp"

namespace ballast::ganeti {
namespace {

/// Pairs of instances of the rule that run on one node.
std::int64_t pairs_of(const State& state, RuleId rule) {
  std::int64_t pairs = 0;
  for (const NodeState& node : state.nodes) {
    for (const auto& [id, count] : node.rule_members) {
      if (id == rule) pairs += count * (count - 1) / 2;
    }
  }
  return pairs;
}

bool keeps_together(const Cluster& cluster, RuleId rule) {
  const PlacementRule& one = cluster.rules[rule];
  return one.kind == RuleKind::Together && !one.price;
}

}  // namespace

void JoinedMoves::before(const Cluster& cluster, const State& state, InstanceId instance,
                         std::int32_t joined) {
  if (left_ == 0 && joined > 0) {
    pairs_.clear();
    first_ = instance;
    for (std::size_t r = 0; r < cluster.rules.list.size(); ++r) {
      const auto rule = static_cast<RuleId>(r);
      if (keeps_together(cluster, rule)) pairs_.emplace_back(rule, pairs_of(state, rule));
    }
  }
  joined_ = joined;
}

MaybeRefusal JoinedMoves::after(const Cluster& cluster, const State& state) {
  if (left_ == 0 && joined_ == 0) return std::nullopt;
  const bool is_next = left_ == 0 || joined_ == left_ - 1;
  left_ = joined_ > 1 ? joined_ : 0;
  if (is_next && joined_ != 1) return std::nullopt;
  (void)cluster;
  for (const auto& [rule, pairs] : pairs_) {
    const std::int64_t now = pairs_of(state, rule);
    if (now >= pairs) continue;
    Refusal why = refusal(FailReason::Tags, Rule::KeptTogether, state[first_].primary, pairs, now);
    why.placement_rule = rule;
    return why;
  }
  return std::nullopt;
}

}  // namespace ballast::ganeti
