// SPDX-License-Identifier: BSD-2-Clause
// Global N+1: what if a node failed? Its mirrored instances fail over, shared ones start elsewhere,
// the rest is created anew.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/model/refusal.hpp"

namespace ballast::ganeti {

enum class Evacuation {
  Possible,
  Impossible,
  ReferenceWouldDie,  ///< a DRBD instance without secondary, or with one outside of the nodes that
                      ///< are looked at
};

/// Who found no other place, and why: one refusal per node that was tried.
struct StuckInstance {
  InstanceId instance;
  std::vector<Refusal> refusals;
};

/// Keeps one copy of the state, which is put back after each question.
class EvacuationCheck {
 public:
  /// `nodes` in index order: escapes go to nodes of the failed node's group among these. `cluster`
  /// must outlive this.
  EvacuationCheck(const Cluster& cluster, const State& state, std::span<const NodeId> nodes);
  ~EvacuationCheck();
  EvacuationCheck(const EvacuationCheck&) = delete;
  EvacuationCheck& operator=(const EvacuationCheck&) = delete;

  /// Offline nodes can be asked about too. The instances are those of the node's list, their
  /// records those of the state.
  Evacuation can_evacuate(NodeId node);
  /// After an answer Impossible: the first instance that was stuck.
  [[nodiscard]] const std::optional<StuckInstance>& stuck() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

struct RedundancyOptions {
  bool online_only = false;               ///< offline nodes need not be evacuable
  std::vector<GroupId> exempt;            ///< nor nodes of these groups
  std::vector<NodeId> exempt_nodes = {};  ///< nor these
};

/// Nodes that cannot be emptied, in index order, offline ones included.
std::vector<NodeId> nodes_that_cannot_be_emptied(const Cluster& cluster, const State& state);

/// Whether that node has to be evacuable.
bool must_be_evacuable(const Cluster& cluster, NodeId node, const RedundancyOptions& options);

/// Whether every node can be evacuated; the answer of the first that cannot.
Evacuation global_redundancy(const Cluster& cluster, const State& state,
                             std::span<const NodeId> nodes, const RedundancyOptions& options = {});

}  // namespace ballast::ganeti
