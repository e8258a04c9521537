// SPDX-License-Identifier: BSD-2-Clause
// How far a set of nodes is from taking a new instance.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ballast/ganeti/moves/move.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"

namespace ballast::ganeti {

/// By what share of its need the new instance does not fit; 0: it fits. A rule that no figure
/// stands for counts more than any figure.
class RoomLack {
 public:
  RoomLack(const Cluster& cluster, const State& state, std::vector<NodeId> nodes,
           const Instance& wanted, bool force);

  [[nodiscard]] double now() const { return with({}); }
  /// With some nodes in another state.
  [[nodiscard]] double with(std::span<const MoveEffect::Changed> changed) const;
  /// Reads nodes again from the state.
  void update(std::span<const NodeId> changed);
  /// The nodes with the least lack in either role, most promising first.
  [[nodiscard]] std::vector<NodeId> most_promising(std::size_t count) const;

 private:
  struct Lack {
    double primary = 0;
    double secondary = 0;
  };
  [[nodiscard]] Lack lack_of(NodeId node, const NodeState& state) const;
  [[nodiscard]] double least(std::span<const Lack> lacks) const;

  const Cluster& cluster_;
  const State& state_;
  std::vector<NodeId> nodes_;
  std::vector<std::int32_t> position_;  ///< by NodeId; -1: not among them
  const Instance& wanted_;
  bool force_;
  std::vector<Lack> lacks_;
};

}  // namespace ballast::ganeti
