// SPDX-License-Identifier: BSD-2-Clause
// One new instance on a cluster that is being filled: all candidates, the reference's ranking, the
// choice. The plain form, candidate by candidate; the fast forms are tested against it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ballast/ganeti/moves/node_ops.hpp"
#include "ballast/ganeti/search/capacity/capacity.hpp"

namespace ballast::ganeti::alloc {

/// The instance that is to be placed again and again, as each group would create it.
class Wanted {
 public:
  Wanted(const Cluster& cluster, const CapacityOptions& options, const InstanceSize& size);

  [[nodiscard]] const Instance& of(GroupId group) const { return by_group_[group.index()]; }
  /// Under its final key in a run; none where it is only asked whether it fits.
  InstanceId id;

 private:
  std::vector<Instance> by_group_;
};

struct Placed {
  Placement placement;
  std::vector<std::pair<NodeId, NodeState>> states;  ///< the primary first
};

struct Attempt {
  std::optional<Placed> placed;
  ReasonCounts failures{};
};

/// Whether a candidate may stay; what it drops counts as FailN1.
using Acceptance = std::function<bool(const Placed&)>;

/// The instance on its primary, policy, strict checks and reserve included.
MaybeRefusal put_primary(const Cluster& cluster, const NodeState& before, const InstanceRef& ref,
                         NodeState& after);
/// The same for its secondary.
MaybeRefusal put_secondary(const Cluster& cluster, NodeId node, const NodeState& before,
                           const InstanceRef& ref, NodeState& after);

/// No acceptance: the first of the ranking is taken. Candidates without secondaries are single
/// nodes.
Attempt place_one_by_one(const Cluster& cluster, const State& state, const Wanted& wanted,
                         std::span<const CapacityCandidate> candidates, const Acceptance& accept);

}  // namespace ballast::ganeti::alloc
