// SPDX-License-Identifier: BSD-2-Clause
// The cluster without the rules that make planning hard: what moves may lie on any online node, in
// pieces, and a node counts by how much it holds. docs/bound.md has the mathematics.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ballast/ganeti/search/bound/bound.hpp"

namespace ballast::ganeti::bound {

/// What a node holds of, as the score sees it. Amounts are shares of the node's total, but for the
/// two counts.
enum class Amount : std::uint8_t { Memory, Disk, Cpus, Primaries, Attached };
inline constexpr std::size_t kAmounts = 5;
/// By Amount.
using Amounts = std::array<double, kAmounts>;
constexpr std::size_t index_of(Amount amount) { return static_cast<std::size_t>(amount); }
/// Nodes hold whole instances.
constexpr bool is_count(std::size_t amount) { return amount >= index_of(Amount::Primaries); }

/// Equal things that may lie on any node: primaries, or secondaries.
struct Item {
  Amounts brings{};  ///< in MiB, virtual CPUs, ones
  double need = 0;   ///< MiB that a node of its secondary reserves at least; primaries: 0
  double count = 0;  ///< how many there are
};

/// Equal online nodes.
struct NodeClass {
  Amounts per_unit{};       ///< share that one MiB, CPU, instance is
  Amounts fixed{};          ///< shares that stay
  double reserve_unit = 0;  ///< share of memory that one MiB reserved is
  double fixed_need = 0;    ///< MiB reserved at least for secondaries that stay
  double count = 0;
};

/// A node whose secondaries need at most `most` MiB each, and one of them `least` or more.
struct Level {
  double least = 0;
  double most = 0;
};

/// Nodes of one class at one level.
struct Column {
  std::size_t node = 0;   ///< of Relaxation::nodes
  std::size_t level = 0;  ///< of Relaxation::levels
};

struct Relaxation {
  std::vector<NodeClass> nodes;
  std::vector<Item> primaries;
  std::vector<Item> secondaries;
  std::vector<Level> levels;  ///< ascending; the first: nothing that reserves
  std::vector<Column> columns;
  Amounts weight{};  ///< of the deviation of each amount in the score
  Amounts centre{};  ///< total held divided by the total of all nodes
  /// Squared deviation of the nodes' totals as a share of their mean: the mean of the shares is off
  /// the centre by at most this (its root) times their deviation.
  Amounts skew{};
  double node_count = 0;
};

/// Fewer and coarser kinds of nodes and items, to find good prices by; it bounds nothing itself.
struct Coarse {
  Relaxation relaxation;
  std::vector<std::size_t> column_of;  ///< by column of the fine one
};
Coarse coarsened(const Relaxation& fine);

/// None where some figure is not finite, an instance lies in two groups, or there are no two online
/// nodes.
std::optional<Relaxation> relaxation_of(const Cluster& cluster, const State& state,
                                        const Part& part);

/// The online node of which what cannot move takes a share furthest above the mean of all.
std::optional<OverfullNode> fullest_of(const Cluster& cluster, const State& state, const Part& part,
                                       const Relaxation& relaxation);

/// Moves are only sought for it where it may go anywhere at all.
bool may_move(const Instance& instance);

/// The usual load: the sums of loads are then numbers of instances.
bool is_one(const Load& load);

}  // namespace ballast::ganeti::bound
