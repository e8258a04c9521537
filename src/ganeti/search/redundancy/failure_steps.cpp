// SPDX-License-Identifier: BSD-2-Clause
#include "failure_steps.hpp"

#include <algorithm>
#include <optional>

#include "ballast/ganeti/model/rule_ops.hpp"
#include "ballast/ganeti/search/kernel/reference_sort.hpp"

namespace ballast::ganeti {

NewHome FailureSteps::fail_over(InstanceId id) {
  auto effect = evaluate_emergency(cluster_, state_, id, {MoveKind::Failover, NodeId()});
  if (!effect) return tl::unexpected(std::vector<Refusal>{effect.error()});
  if (auto no = check_pins_of(id, effect->placement.primary))
    return tl::unexpected(std::vector<Refusal>{*no});
  commit(id, std::move(*effect));
  return state_[id].primary;
}

NewHome FailureSteps::restart(InstanceId id, std::span<const NodeId> targets, ScoreSheet& sheet) {
  std::optional<MoveEffect> best;
  double best_score = 0;
  std::vector<Refusal> refusals;
  for (const NodeId target : targets) {
    auto effect = evaluate_emergency(cluster_, state_, id, {MoveKind::FailoverToAny, target});
    if (!effect) {
      refusals.push_back(effect.error());
      continue;
    }
    if (auto no = check_pins_of(id, target)) {
      refusals.push_back(*no);
      continue;
    }
    const double score =
        sheet.total_with(std::span(effect->nodes).first(static_cast<std::size_t>(effect->count)));
    if (best && best_score < score) continue;
    best = std::move(*effect);
    best_score = score;
  }
  if (!best) return tl::unexpected(std::move(refusals));
  const NodeId from = state_[id].primary;
  const NodeId to = best->placement.primary;
  commit(id, std::move(*best));
  sheet.update(from);
  sheet.update(to);
  return to;
}

NewHome FailureSteps::recreate(InstanceId id, std::span<const NodeId> targets, ScoreSheet& sheet) {
  std::vector<std::pair<double, NodeId>> found;
  std::vector<Refusal> refusals;
  for (auto target = targets.rbegin(); target != targets.rend(); ++target) {
    auto no = check_policy(cluster_, *target, cluster_[id]);
    Changed changed{*target, state_[*target]};
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
  NodeState after = state_[target];
  if (auto no = add_primary(cluster_, target, after, ref_of(id), true))
    return tl::unexpected(std::vector<Refusal>{*no});
  replace(target, std::move(after));
  sheet.update(target);
  return target;
}

MaybeRefusal FailureSteps::check_pins_of(InstanceId id, NodeId primary) const {
  if (!keeps_pins_) return std::nullopt;
  return check_pins(cluster_, {id, &cluster_[id], state_[id], {primary, NodeId(), 0}, false});
}

void FailureSteps::commit(InstanceId id, MoveEffect&& effect) {
  for (int i = 0; i < effect.count; ++i) {
    Changed& changed = effect.nodes[static_cast<std::size_t>(i)];
    replace(changed.node, std::move(changed.state));
  }
  old_placements_.emplace_back(id, state_[id]);
  state_[id] = effect.placement;
}

void FailureSteps::replace(NodeId node, NodeState&& after) {
  std::swap(state_[node], after);
  old_nodes_.push_back({node, std::move(after)});
}

void FailureSteps::undo() {
  for (; !old_nodes_.empty(); old_nodes_.pop_back())
    state_[old_nodes_.back().node] = std::move(old_nodes_.back().state);
  for (; !old_placements_.empty(); old_placements_.pop_back())
    state_[old_placements_.back().first] = old_placements_.back().second;
}

void sort_for_recreation(const Cluster& cluster, std::vector<InstanceId>& instances) {
  std::stable_sort(instances.begin(), instances.end(), [&](InstanceId a, InstanceId b) {
    return cluster[a].memory_mib > cluster[b].memory_mib;
  });
}

}  // namespace ballast::ganeti
