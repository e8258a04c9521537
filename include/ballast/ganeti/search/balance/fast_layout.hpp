// SPDX-License-Identifier: BSD-2-Clause
// What the fast search knows of a cluster before it looks at a state: which deviations there are to
// watch, how much each instance weighs in them, and which instances weigh the same.
#pragma once

#include <cstdint>
#include <vector>

#include "ballast/ganeti/metrics/table.hpp"
#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"

namespace ballast::ganeti::fast {

/// Channels come in groups of this many, so that one vector operation serves a group.
inline constexpr std::size_t kGroup = 4;

/// One deviation of the score over the online nodes, or several that are always equal. Reserved
/// memory is not among them: it does not depend on sums alone.
struct Channel {
  MetricId metric = MetricId::FreeMem;
  StorageKeyId unit;  ///< for a storage metric
  double weight = 0;  ///< in the score; sums up what was merged
  [[nodiscard]] bool is_forth() const { return kMetrics[metric].is_forth; }
};

/// What an instance adds to a node, before the node's scale.
struct Amounts {
  std::vector<double> primary;    ///< by channel, padded with 0
  std::vector<double> secondary;  ///< by channel, padded with 0
  double memory = 0;              ///< on its primary, now
  double forth_memory = 0;        ///< on its primary, in the shadow figures
  double reserved = 0;            ///< on its secondary
  double cpus = 0;
  double spindles = -1e300;  ///< of its local disks; negative where it has none: always fits
  double disk =
      -1e300;  ///< on the node's own disk; negative where that does not count: always fits
  std::vector<double> units;      ///< by scored unit; negative: does not ask for it
  double own_spindles = 0;        ///< of its disks, on a node with exclusive storage; unknown: 0
  double forth_own_spindles = 0;  ///< the same in the shadow figures
  bool knows_spindles = true;
  bool is_mirrored = false;  ///< drbd: four kinds of moves; else failover to any node
  friend bool operator==(const Amounts&, const Amounts&) = default;
};

struct Layout {
  std::vector<NodeId> targets;         ///< online nodes in index order
  std::vector<std::int32_t> position;  ///< NodeId -> index into targets; targets.size(): no target
  std::vector<StorageKeyId> units;     ///< scored
  std::vector<Channel> channels;
  std::size_t width = 0;               ///< channels, rounded up to kGroup
  std::vector<Amounts> classes;        ///< all different
  std::vector<std::int32_t> class_of;  ///< InstanceId -> class; -1: never moved
  /// Neighbouring classes share bounds: each field between these two.
  struct Box {
    Amounts low;
    Amounts high;
    bool is_exact = false;  ///< one class only
  };
  std::vector<Box> boxes;
  std::vector<std::int32_t> box_of;  ///< class -> box
  bool has_offline = false;          ///< a node that is no target
  bool has_migration_tags = false;
  bool has_location_tags = false;
  bool has_exclusive_storage = false;  ///< on a target
};

/// Whether all figures are such that sums, fractions and bounds behave: positive totals, no
/// exclusive storage, nothing infinite or huge, and each mirrored instance has a secondary. The
/// rare cluster where this fails is searched candidate by candidate.
bool is_ordinary(const Cluster& cluster, const State& state, const Part& part);

Layout make_layout(const Cluster& cluster, const State& state, const Part& part);

/// Whether nodes with exclusive storage count this deviation in spindles.
bool is_in_spindles(const Cluster& cluster, const Channel& channel);

/// The channel's value on the node, and what one unit of an amount adds to it. `held`: the node
/// takes part in this deviation.
struct Cell {
  double value = 0;
  double scale = 0;
  bool held = true;
};
Cell cell_of(const Cluster& cluster, const State& state, NodeId node, const Channel& channel);

}  // namespace ballast::ganeti::fast
