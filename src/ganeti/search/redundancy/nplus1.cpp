// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/redundancy/nplus1.hpp"

#include <algorithm>
#include <utility>

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
    const std::vector<InstanceId> all = state()[node].primaries;
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
    sort_for_recreation(cluster_, fixed);
    const std::vector<NodeId> escapes = escapes_of(node);
    if (!may_return(shared) && one_takes_all(node, escapes, shared, fixed))
      return Evacuation::Possible;
    return place_shared(node, escapes, shared) && place_fixed(escapes, fixed)
               ? Evacuation::Possible
               : Evacuation::Impossible;
  }

  Evacuation fail_over(InstanceId id) {
    const NodeId secondary = state()[id].secondary;
    if (secondary.is_none() || !is_inside_[secondary.index()]) return Evacuation::ReferenceWouldDie;
    return found_home(id, steps_.fail_over(id)) ? Evacuation::Possible : Evacuation::Impossible;
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

  bool place_shared(NodeId node, const std::vector<NodeId>& escapes,
                    const std::vector<InstanceId>& shared) {
    if (shared.empty()) return true;
    std::vector<NodeId> group = escapes;
    group.insert(std::lower_bound(group.begin(), group.end(), node), node);
    ScoreSheet sheet(cluster_, state(), group);
    return std::all_of(shared.begin(), shared.end(), [&](InstanceId id) {
      return found_home(id, steps_.restart(id, escapes, sheet));
    });
  }

  bool place_fixed(const std::vector<NodeId>& escapes, const std::vector<InstanceId>& fixed) {
    if (fixed.empty()) return true;
    ScoreSheet sheet(cluster_, state(), nodes_);
    return std::all_of(fixed.begin(), fixed.end(), [&](InstanceId id) {
      return found_home(id, steps_.recreate(id, escapes, sheet));
    });
  }

  bool found_home(InstanceId id, NewHome home) {
    if (!home) stuck_ = StuckInstance{id, std::move(home.error())};
    return home.has_value();
  }

  const Cluster& cluster_;
  FailureSteps steps_;
  std::vector<NodeId> nodes_;
  std::vector<bool> is_inside_;
  std::optional<StuckInstance> stuck_;
};

EvacuationCheck::EvacuationCheck(const Cluster& cluster, const State& state,
                                 std::span<const NodeId> nodes)
    : impl_(std::make_unique<Impl>(cluster, state, nodes)) {}

EvacuationCheck::~EvacuationCheck() = default;

Evacuation EvacuationCheck::can_evacuate(NodeId node) { return impl_->can_evacuate(node); }

const std::optional<StuckInstance>& EvacuationCheck::stuck() const { return impl_->stuck(); }

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
