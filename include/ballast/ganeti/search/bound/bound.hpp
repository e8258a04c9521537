// SPDX-License-Identifier: BSD-2-Clause
// How far down the score can go at all. docs/bound.md has the mathematics.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "ballast/ganeti/search/balance/balance.hpp"

namespace ballast::ganeti {

struct BoundOptions {
  double known = std::numeric_limits<double>::infinity();  ///< a score that is reached: the bound
                                                           ///< is not above it, and better for it
  std::int64_t work = 50'000'000;  ///< to be spent, a second has some 25 million; 0: reserve and
                                   ///< even numbers alone
  int threads = 1;                 ///< two are used; the bound is the same
};

/// What keeps the score up.
enum class BoundPart : std::uint8_t {
  OnOfflineNodes,  ///< what cannot leave them
  Memory,          ///< and the next four: unevenness
  Disk,
  Cpus,
  Primaries,      ///< their number
  Attached,       ///< number of primaries and secondaries
  ReserveSpread,  ///< unevenness of the reserve
  Reserve,        ///< its sum
};
inline constexpr std::size_t kBoundParts = 8;

/// A node that holds more than its part of memory (disk, virtual CPUs) by what cannot move alone.
struct OverfullNode {
  NodeId node;
  BoundPart part = BoundPart::Memory;
  double held = 0;  ///< share of the node's own total
  double mean = 0;  ///< share of all nodes' that is held in the mean
};

struct Bound {
  double score = 0;  ///< no placement that moves can reach scores below
  /// What adds up to it, about: the lowest end that is not ruled out, no proof of each.
  std::array<double, kBoundParts> parts{};
  std::int64_t attached_offline = 0;  ///< primaries and secondaries that cannot leave offline nodes
  std::int64_t instances = 0;
  std::int64_t immovable = 0;           ///< of these
  std::int64_t largest_need_mib = 0;    ///< of an instance with a secondary that reserves memory
  std::optional<OverfullNode> fullest;  ///< the one furthest above the mean
};

/// Whole instances do not divide evenly, instances that cannot move stay where they are, each
/// node's failure must be covered by the others, and what one metric wants, another pays.
Bound least_possible_score(const Cluster& cluster, const State& state, const Part& part,
                           const BoundOptions& options = {});

}  // namespace ballast::ganeti
