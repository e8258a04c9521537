// SPDX-License-Identifier: BSD-2-Clause
// Nodes that could not be emptied before anything was placed: they stop no new instance, as long as
// no more instances are without a place when they fail.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti::alloc {

class NoWorse {
 public:
  NoWorse(const Cluster& cluster, const State& state, std::span<const NodeId> nodes);

  [[nodiscard]] bool is_empty() const { return nodes_.empty(); }
  /// Whether each of them leaves at most as many instances without a place as at the beginning.
  [[nodiscard]] bool holds(const Cluster& cluster, const State& state) const {
    return first_worse(cluster, state).is_none();
  }
  /// The first that leaves more; none: there is no such node.
  [[nodiscard]] NodeId first_worse(const Cluster& cluster, const State& state) const;

 private:
  std::vector<std::pair<NodeId, std::size_t>> nodes_;  ///< with instances without a place
};

}  // namespace ballast::ganeti::alloc
