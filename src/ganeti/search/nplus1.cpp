// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/nplus1.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "ballast/ganeti/model/move.hpp"
#include "ballast/ganeti/score/sheet.hpp"
#include "reference_sort.hpp"

namespace ballast::ganeti {

class EvacuationCheck::Impl {
 public:
  Impl(const Cluster& cluster, const State& state, std::span<const NodeId> nodes)
      : cluster_(cluster),
        state_(state),
        nodes_(nodes.begin(), nodes.end()),
        is_inside_(cluster.nodes.size()) {
    for (const NodeId node : nodes_) is_inside_[node.index()] = true;
  }

  Evacuation can_evacuate(NodeId node) {
    const Evacuation answer = evacuate(node);
    undo();
    return answer;
  }

 private:
  using Changed = MoveEffect::Changed;

  Evacuation evacuate(NodeId node) {
    const std::vector<InstanceId> all = state_[node].primaries;
    std::vector<InstanceId> shared;
    std::vector<InstanceId> fixed;
    for (const InstanceId id : all) {
      const DiskTemplate disk_template = cluster_[id].disk_template;
      if (has_secondary(disk_template)) {
        if (const Evacuation answer = fail_over(id); answer != Evacuation::Possible) return answer;
      } else {
        (is_shared_for_evacuation(disk_template) ? shared : fixed).push_back(id);
      }
    }
    if (shared.empty() && fixed.empty()) return Evacuation::Possible;
    std::stable_sort(fixed.begin(), fixed.end(), [&](InstanceId a, InstanceId b) {
      return cluster_[a].memory_mib > cluster_[b].memory_mib;
    });
    const std::vector<NodeId> escapes = escapes_of(node);
    if (!may_return(shared) && one_takes_all(node, escapes, shared, fixed))
      return Evacuation::Possible;
    return place_shared(node, escapes, shared) && place_fixed(escapes, fixed)
               ? Evacuation::Possible
               : Evacuation::Impossible;
  }

  Evacuation fail_over(InstanceId id) {
    const NodeId secondary = state_[id].secondary;
    if (secondary.is_none() || !is_inside_[secondary.index()]) return Evacuation::ReferenceWouldDie;
    auto effect = evaluate_emergency(cluster_, state_, id, {MoveKind::Failover, NodeId()});
    if (!effect) return Evacuation::Impossible;
    commit(id, std::move(*effect));
    return Evacuation::Possible;
  }

  /// Offline ones too: the reference does not leave them out.
  [[nodiscard]] std::vector<NodeId> escapes_of(NodeId node) const {
    std::vector<NodeId> escapes;
    for (const NodeId other : nodes_) {
      if (other != node && cluster_[other].group == cluster_[node].group) escapes.push_back(other);
    }
    return escapes;
  }

  /// An instance that is attached twice is moved twice, the second time from where the first took
  /// it.
  static bool may_return(std::vector<InstanceId> shared) {
    std::sort(shared.begin(), shared.end());
    return std::adjacent_find(shared.begin(), shared.end()) != shared.end();
  }

  /// A shortcut that cannot change the answer: where a node has room for everything at once, each
  /// instance always finds a place, whatever the scores choose for the others.
  [[nodiscard]] bool one_takes_all(NodeId node, const std::vector<NodeId>& escapes,
                                   const std::vector<InstanceId>& shared,
                                   const std::vector<InstanceId>& fixed) const {
    return std::any_of(escapes.begin(), escapes.end(), [&](NodeId target) {
      if (!shared.empty() && check_migration(cluster_, node, target)) return false;
      NodeState room = state_[target];
      const auto fits = [&](InstanceId id) {
        return !add_primary(cluster_, target, room, ref_of(id), true);
      };
      const auto is_allowed = [&](InstanceId id) {
        return !check_policy(cluster_, target, cluster_[id]);
      };
      return std::all_of(fixed.begin(), fixed.end(), is_allowed) &&
             std::all_of(shared.begin(), shared.end(), fits) &&
             std::all_of(fixed.begin(), fixed.end(), fits);
    });
  }

  bool place_shared(NodeId node, const std::vector<NodeId>& escapes,
                    const std::vector<InstanceId>& shared) {
    if (shared.empty()) return true;
    std::vector<NodeId> group = escapes;
    group.insert(std::lower_bound(group.begin(), group.end(), node), node);
    ScoreSheet sheet(cluster_, state_, group);
    return std::all_of(shared.begin(), shared.end(),
                       [&](InstanceId id) { return place_shared_one(escapes, id, sheet); });
  }

  /// On equal scores the later node wins; the earlier stays only where it is strictly better.
  bool place_shared_one(const std::vector<NodeId>& escapes, InstanceId id, ScoreSheet& sheet) {
    std::optional<MoveEffect> best;
    double best_score = 0;
    for (const NodeId target : escapes) {
      auto effect = evaluate_emergency(cluster_, state_, id, {MoveKind::FailoverToAny, target});
      if (!effect) continue;
      const double score =
          sheet.total_with(std::span(effect->nodes).first(static_cast<std::size_t>(effect->count)));
      if (best && best_score < score) continue;
      best = std::move(*effect);
      best_score = score;
    }
    if (!best) return false;
    const NodeId from = state_[id].primary;
    const NodeId to = best->placement.primary;
    commit(id, std::move(*best));
    sheet.update(from);
    sheet.update(to);
    return true;
  }

  bool place_fixed(const std::vector<NodeId>& escapes, const std::vector<InstanceId>& fixed) {
    if (fixed.empty()) return true;
    ScoreSheet sheet(cluster_, state_, nodes_);
    return std::all_of(fixed.begin(), fixed.end(),
                       [&](InstanceId id) { return place_fixed_one(escapes, id, sheet); });
  }

  /// The instance is made anew: it also stays in the list of the node that it was on.
  bool place_fixed_one(const std::vector<NodeId>& escapes, InstanceId id, ScoreSheet& sheet) {
    std::vector<std::pair<double, NodeId>> found;
    for (auto target = escapes.rbegin(); target != escapes.rend(); ++target) {
      if (check_policy(cluster_, *target, cluster_[id])) continue;
      Changed changed{*target, state_[*target]};
      if (add_primary(cluster_, *target, changed.state, ref_of(id), true)) continue;
      found.emplace_back(sheet.total_with(std::span(&changed, 1)), *target);
    }
    if (found.empty()) return false;
    reference_sort(found,
                   [](const auto& a, const auto& b) { return is_greater(a.first, b.first); });
    const NodeId target = found.front().second;
    NodeState after = state_[target];
    if (add_primary(cluster_, target, after, ref_of(id), true)) return false;
    replace(target, std::move(after));
    sheet.update(target);
    return true;
  }

  [[nodiscard]] InstanceRef ref_of(InstanceId id) const {
    return {id, &cluster_[id], state_[id], false};
  }

  void commit(InstanceId id, MoveEffect&& effect) {
    for (int i = 0; i < effect.count; ++i) {
      Changed& changed = effect.nodes[static_cast<std::size_t>(i)];
      replace(changed.node, std::move(changed.state));
    }
    old_placements_.emplace_back(id, state_[id]);
    state_[id] = effect.placement;
  }

  void replace(NodeId node, NodeState&& after) {
    std::swap(state_[node], after);
    old_nodes_.push_back({node, std::move(after)});
  }

  void undo() {
    for (; !old_nodes_.empty(); old_nodes_.pop_back())
      state_[old_nodes_.back().node] = std::move(old_nodes_.back().state);
    for (; !old_placements_.empty(); old_placements_.pop_back()) {
      state_[old_placements_.back().first] = old_placements_.back().second;
    }
  }

  const Cluster& cluster_;
  State state_;
  std::vector<NodeId> nodes_;
  std::vector<bool> is_inside_;
  std::vector<Changed> old_nodes_;
  std::vector<std::pair<InstanceId, Placement>> old_placements_;
};

EvacuationCheck::EvacuationCheck(const Cluster& cluster, const State& state,
                                 std::span<const NodeId> nodes)
    : impl_(std::make_unique<Impl>(cluster, state, nodes)) {}

EvacuationCheck::~EvacuationCheck() = default;

Evacuation EvacuationCheck::can_evacuate(NodeId node) { return impl_->can_evacuate(node); }

Evacuation global_redundancy(const Cluster& cluster, const State& state,
                             std::span<const NodeId> nodes, const RedundancyOptions& options) {
  EvacuationCheck check(cluster, state, nodes);
  for (const NodeId node : nodes) {
    if (options.online_only && cluster[node].is_offline) continue;
    const auto& exempt = options.exempt;
    if (std::find(exempt.begin(), exempt.end(), cluster[node].group) != exempt.end()) continue;
    const Evacuation answer = check.can_evacuate(node);
    if (answer != Evacuation::Possible) return answer;
  }
  return Evacuation::Possible;
}

}  // namespace ballast::ganeti
