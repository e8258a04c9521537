// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <tuple>

#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/search/redundancy/nplus1.hpp"
#include "ballast/ganeti/search/redundancy/spare_nodes.hpp"

namespace ballast::ganeti {
namespace {

class LeavingSearch {
 public:
  LeavingSearch(const Cluster& cluster, const State& state, const BalanceOptions& options)
      : cluster_(cluster), state_(state), options_(options) {
    options_.evacuation = true;
    for (const NodeId node : node_ids(cluster)) {
      if (cluster[node].is_offline) is_gone_.push_back(node);
    }
    stuck_ = nodes_that_cannot_be_emptied(cluster, state);
  }

  Leaving run(std::size_t count) {
    Leaving result;
    while (result.nodes.size() < count) {
      std::vector<KeptNode> kept;
      auto next = best_next(kept);
      if (!next) {
        result.kept = std::move(kept);
        break;
      }
      cluster_.nodes[next->node.index()].is_offline = true;
      is_gone_.push_back(next->node);
      state_ = std::move(after_);
      result.nodes.push_back(std::move(*next));
    }
    return result;
  }

 private:
  std::optional<LeavingNode> best_next(std::vector<KeptNode>& kept) {
    std::optional<LeavingNode> best;
    const auto key = [](const LeavingNode& one) {
      return std::tuple(one.copied_mib, one.steps.size(), one.node);
    };
    for (const NodeId node : node_ids(cluster_)) {
      if (cluster_[node].is_offline) continue;
      State after;
      auto leaving = without(node, after, kept);
      if (!leaving || (best && !(key(*leaving) < key(*best)))) continue;
      best = std::move(leaving);
      after_ = std::move(after);
    }
    return best;
  }

  /// Empties the node; the state afterwards, or why it stays.
  std::optional<LeavingNode> without(NodeId node, State& after, std::vector<KeptNode>& kept) {
    cluster_.nodes[node.index()].is_offline = true;
    const Part part = part_of(cluster_, state_, cluster_[node].group);
    BalanceResult moved = balance(cluster_, state_, part, options_);
    const auto why = why_not(node, moved.state);
    cluster_.nodes[node.index()].is_offline = false;
    if (why) {
      kept.push_back(*why);
      return std::nullopt;
    }
    LeavingNode leaving{node, {}, 0};
    for (const BalanceStep& step : moved.steps)
      leaving.copied_mib += copied_mib(cluster_, step.instance, step.move);
    leaving.steps = std::move(moved.steps);
    after = std::move(moved.state);
    return leaving;
  }

  [[nodiscard]] std::optional<KeptNode> why_not(NodeId node, const State& after) const {
    for (const InstanceId id : instance_ids(cluster_)) {
      const Placement& at = after[id];
      if (at.primary == node || at.secondary == node)
        return KeptNode{node, KeptNode::Why::InstanceStays, id, NodeId()};
    }
    const auto is_out = [&](NodeId other) {
      return other == node || std::find(is_gone_.begin(), is_gone_.end(), other) != is_gone_.end();
    };
    for (const NodeId other : node_ids(cluster_)) {
      if (!is_out(other) && after[other].fails_n1 && !state_[other].fails_n1)
        return KeptNode{node, KeptNode::Why::LosesN1, InstanceId(), other};
    }
    for (const NodeId other : nodes_that_cannot_be_emptied(remaining(node), after)) {
      if (!is_out(other) && std::find(stuck_.begin(), stuck_.end(), other) == stuck_.end())
        return KeptNode{node, KeptNode::Why::CannotBeEmptied, InstanceId(), other};
    }
    return std::nullopt;
  }

  /// The N+1 test also looks at offline nodes as places; those that are gone are none.
  [[nodiscard]] Cluster remaining(NodeId node) const {
    Cluster rest = cluster_;
    const GroupId nowhere(rest.groups.size());
    rest.groups.emplace_back();
    for (const NodeId gone : is_gone_) rest.nodes[gone.index()].group = nowhere;
    rest.nodes[node.index()].group = nowhere;
    return rest;
  }

  Cluster cluster_;
  State state_;
  BalanceOptions options_;
  std::vector<NodeId> is_gone_;
  std::vector<NodeId> stuck_;  ///< could not be emptied from the first
  State after_;
};

}  // namespace

Leaving nodes_to_leave(const Cluster& cluster, const State& state, std::size_t count,
                       const BalanceOptions& options) {
  return LeavingSearch(cluster, state, options).run(count);
}

}  // namespace ballast::ganeti
