// SPDX-License-Identifier: BSD-2-Clause
#include "failure_steps.hpp"

#include <algorithm>
#include <optional>

#include "ballast/ganeti/moves/ends.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"
#include "ballast/ganeti/search/kernel/reference_sort.hpp"

namespace ballast::ganeti {

NewHome FailureSteps::fail_over(InstanceId id) {
  auto effect = evaluate_emergency(cluster_, state(), id, {MoveKind::Failover, NodeId()});
  if (!effect) return tl::unexpected(std::vector<Refusal>{effect.error()});
  if (auto no = check_pins_of(id, effect->placement.primary))
    return tl::unexpected(std::vector<Refusal>{*no});
  trial_.make(id, std::move(*effect));
  return state()[id].primary;
}

NewHome FailureSteps::restart(InstanceId id, std::span<const NodeId> targets, ScoreSheet& sheet) {
  std::optional<MoveEffect> best;
  double best_score = 0;
  std::vector<Refusal> refusals;
  for (const NodeId target : targets) {
    auto effect = evaluate_emergency(cluster_, state(), id, {MoveKind::FailoverToAny, target});
    if (!effect) {
      refusals.push_back(effect.error());
      continue;
    }
    if (auto no = check_pins_of(id, target)) {
      refusals.push_back(*no);
      continue;
    }
    const double score = sheet.total_with(changed_nodes(*effect));
    if (best && best_score < score) continue;
    best = std::move(*effect);
    best_score = score;
  }
  if (!best) return tl::unexpected(std::move(refusals));
  const NodeId from = state()[id].primary;
  const NodeId to = best->placement.primary;
  trial_.make(id, std::move(*best));
  sheet.update(from);
  sheet.update(to);
  return to;
}

NewHome FailureSteps::recreate(InstanceId id, std::span<const NodeId> targets, ScoreSheet& sheet) {
  std::vector<std::pair<double, NodeId>> found;
  std::vector<Refusal> refusals;
  for (auto target = targets.rbegin(); target != targets.rend(); ++target) {
    auto no = check_policy(cluster_, *target, cluster_[id]);
    MoveEffect::Changed changed{*target, state()[*target]};
    if (!no) no = check_pins_of(id, *target);
    if (!no) no = add_primary(cluster_, *target, changed.state, ref_of(id), true);
    if (no) {
      refusals.push_back(*no);
      continue;
    }
    found.emplace_back(sheet.total_with(std::span(&changed, 1)), *target);
  }
  if (found.empty()) return tl::unexpected(std::move(refusals));
  reference_sort(found, [](const auto& a, const auto& b) { return is_greater(a.first, b.first); });
  const NodeId target = found.front().second;
  NodeState after = state()[target];
  if (auto no = add_primary(cluster_, target, after, ref_of(id), true))
    return tl::unexpected(std::vector<Refusal>{*no});
  trial_.replace(target, std::move(after));
  sheet.update(target);
  return target;
}

MaybeRefusal FailureSteps::check_pins_of(InstanceId id, NodeId primary) const {
  if (!keeps_pins_) return std::nullopt;
  return check_pins(cluster_, {id, &cluster_[id], state()[id], {primary, NodeId(), 0}, false});
}

}  // namespace ballast::ganeti
