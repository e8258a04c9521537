// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/redundancy/nplus1.hpp"

#include <algorithm>
#include <utility>

#include "ballast/ganeti/search/redundancy/emptying.hpp"
#include "failure_steps.hpp"

namespace ballast::ganeti {

class EvacuationCheck::Impl {
 public:
  Impl(const Cluster& cluster, const State& state, std::span<const NodeId> nodes)
      : cluster_(cluster),
        steps_(cluster, state),
        nodes_(nodes.begin(), nodes.end()),
        is_inside_(cluster.nodes.size()) {
    for (const NodeId node : nodes_) is_inside_[node.index()] = true;
  }

  Evacuation can_evacuate(NodeId node) {
    stuck_.reset();
    const Evacuation answer = evacuate(node);
    steps_.undo();
    return answer;
  }

  [[nodiscard]] const std::optional<StuckInstance>& stuck() const { return stuck_; }

 private:
  [[nodiscard]] const State& state() const { return steps_.state(); }

  Evacuation evacuate(NodeId node) {
    node_ = node;
    escapes_ = escapes_of(node);
    group_sheet_.reset();
    sheet_.reset();
    const auto all = residents_of(state()[node].primaries,
                                  [&](InstanceId id) -> const Instance& { return cluster_[id]; });
    return empty_by(*this, all).value_or(Evacuation::Possible);
  }

 public:
  // The steps of empty_by().
  std::optional<Evacuation> fail_over(InstanceId id) {
    const NodeId secondary = state()[id].secondary;
    if (secondary.is_none() || !is_inside_[secondary.index()]) return Evacuation::ReferenceWouldDie;
    return unless_home(id, steps_.fail_over(id));
  }

  std::optional<Evacuation> restart(InstanceId id) {
    if (!group_sheet_) {
      std::vector<NodeId> group = escapes_;
      group.insert(std::lower_bound(group.begin(), group.end(), node_), node_);
      group_sheet_.emplace(cluster_, state(), group);
    }
    return unless_home(id, steps_.restart(id, escapes_, *group_sheet_));
  }

  std::optional<Evacuation> recreate(InstanceId id) {
    if (!sheet_) sheet_.emplace(cluster_, state(), nodes_);
    return unless_home(id, steps_.recreate(id, escapes_, *sheet_));
  }

  [[nodiscard]] bool surely_take(const std::vector<InstanceId>& shared,
                                 const std::vector<InstanceId>& fixed) const {
    return !may_return(shared) && one_takes_all(shared, fixed);
  }

 private:
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
  [[nodiscard]] bool one_takes_all(const std::vector<InstanceId>& shared,
                                   const std::vector<InstanceId>& fixed) const {
    return std::any_of(escapes_.begin(), escapes_.end(), [&](NodeId target) {
      if (!shared.empty() && check_migration(cluster_, node_, target)) return false;
      NodeState room = state()[target];
      const auto fits = [&](InstanceId id) {
        return !add_primary(cluster_, target, room, steps_.ref_of(id), true);
      };
      const auto is_allowed = [&](InstanceId id) {
        return !check_policy(cluster_, target, cluster_[id]);
      };
      return std::all_of(fixed.begin(), fixed.end(), is_allowed) &&
             std::all_of(shared.begin(), shared.end(), fits) &&
             std::all_of(fixed.begin(), fixed.end(), fits);
    });
  }

  std::optional<Evacuation> unless_home(InstanceId id, NewHome home) {
    if (home) return std::nullopt;
    stuck_ = StuckInstance{id, std::move(home.error())};
    return Evacuation::Impossible;
  }

  const Cluster& cluster_;
  FailureSteps steps_;
  std::vector<NodeId> nodes_;
  std::vector<bool> is_inside_;
  // Of the node that is asked about.
  NodeId node_;
  std::vector<NodeId> escapes_;
  std::optional<ScoreSheet> group_sheet_;
  std::optional<ScoreSheet> sheet_;
  std::optional<StuckInstance> stuck_;
};

EvacuationCheck::EvacuationCheck(const Cluster& cluster, const State& state,
                                 std::span<const NodeId> nodes)
    : impl_(std::make_unique<Impl>(cluster, state, nodes)) {}

EvacuationCheck::~EvacuationCheck() = default;

Evacuation EvacuationCheck::can_evacuate(NodeId node) { return impl_->can_evacuate(node); }

const std::optional<StuckInstance>& EvacuationCheck::stuck() const { return impl_->stuck(); }

bool must_be_evacuable(const Cluster& cluster, NodeId node, const RedundancyOptions& options) {
  if (options.online_only && cluster[node].is_offline) return false;
  const auto is_in = [](const auto& list, auto wanted) {
    return std::find(list.begin(), list.end(), wanted) != list.end();
  };
  return !is_in(options.exempt, cluster[node].group) && !is_in(options.exempt_nodes, node);
}

Evacuation global_redundancy(const Cluster& cluster, const State& state,
                             std::span<const NodeId> nodes, const RedundancyOptions& options) {
  EvacuationCheck check(cluster, state, nodes);
  for (const NodeId node : nodes) {
    if (!must_be_evacuable(cluster, node, options)) continue;
    const Evacuation answer = check.can_evacuate(node);
    if (answer != Evacuation::Possible) return answer;
  }
  return Evacuation::Possible;
}

std::vector<NodeId> nodes_that_cannot_be_emptied(const Cluster& cluster, const State& state) {
  const std::vector<NodeId> nodes = whole_part(cluster).nodes;
  EvacuationCheck check(cluster, state, nodes);
  std::vector<NodeId> stuck;
  for (const NodeId node : nodes) {
    if (check.can_evacuate(node) == Evacuation::Impossible) stuck.push_back(node);
  }
  return stuck;
}

}  // namespace ballast::ganeti
