// SPDX-License-Identifier: BSD-2-Clause
// The online nodes as arrays: what a target must have room for, and its place in each deviation.
// Rebuilt where nodes changed. The values are centred on means that stay for a stretch of steps;
// their sums are added up anew at each step, so that no rounding piles up.
//
// A deviation with n nodes, sum S and sum of squares Q of centred values is sqrt(G) / n with G = n
// Q - S^2. Changing one node's centred value y by d adds d * (2 (n y - S) + (n - 1) d) to G; two
// nodes by d and e adds both and takes off 2 d e. As S is the same for all, `lean` is 2 n y alone,
// which changes where the node does, and `shift` is 2 S.
#pragma once

#include <vector>

#include "ballast/ganeti/search/balance/fast_layout.hpp"

namespace ballast::ganeti::fast {

/// Rows are walked in steps of this many targets.
inline constexpr std::size_t kLanes = 8;

/// One deviation, now.
struct Deviation {
  double count = 0;   ///< n
  double spread = 0;  ///< G less `slack`: never above the reference's figure, whatever its rounding
  double slack = 0;   ///< bound of all rounding errors of a candidate's G
  double factor = 0;  ///< weight / n, and a hair less for the reference's own rounding
  double squeeze = 0;  ///< n - 1
  double delta = 0;    ///< no node's value changes by more
  double shift = 0;    ///< 2 S
  double drift = 0;    ///< no move changes S by more
};

/// Limits of one node as an integer (in doubles): a demand that is not above the limit passes the
/// check.
struct Limits {
  double memory = 0;        ///< new primary's memory (strict: N+1 too)
  double forth_memory = 0;  ///< new primary's or secondary's memory, shadow figures
  double disk = 0;
  double spindles = 0;
  double cpus = 0;
  double reserve = 0;      ///< peer entry that a new secondary makes (strict: N+1)
  double own_reserve = 0;  ///< memory that a new secondary alone reserves
};

struct Arrays {
  std::size_t count = 0;  ///< of targets
  std::size_t stride =
      0;  ///< length of each row: count rounded up to kLanes; what is beyond has no room

  // [channel][target]
  std::vector<double> value;
  std::vector<double> centred;  ///< y; 0 where the node does not take part
  std::vector<double> lean;     ///< 2 n y
  std::vector<double> scale;
  std::vector<char> held;
  std::vector<Deviation> deviations;
  // [target or, at `count`, a node that is no target: zeros][channel]
  std::vector<double> node_lean;
  std::vector<double> node_scale;

  // Reserved memory, by target (entry `count` as above).
  Deviation reserved_deviation;
  std::vector<double> reserved;  ///< MiB
  std::vector<double> reserved_centred;
  std::vector<double> reserved_lean;
  std::vector<double> reserved_scale;  ///< 1 / total memory
  // Room, by target.
  struct Room {
    std::vector<double> memory, forth_memory, disk, spindles, cpus, reserve, own_reserve;
    std::vector<double> units;  ///< [unit][target]; -1: no such unit
  };
  Room strict;
  Room hard;  ///< where the soft checks are lifted
  std::vector<double> unallocated;
  std::vector<double> failing;    ///< 1 where the node fails N+1 already
  std::vector<double> residents;  ///< primaries and secondaries
};

class ArrayBuilder {
 public:
  ArrayBuilder(const Cluster& cluster, const State& state, const Layout& layout);
  /// Reads the node again; a node that is no target is none of its business.
  void update(NodeId node);
  /// Centres everything on the current means: a new stretch begins.
  void centre();
  /// Brings deviations and what depends on the updated nodes up to date, on the means of this
  /// stretch. Returns the targets that were updated since then or since `centre`.
  std::vector<std::size_t> follow();
  [[nodiscard]] const Arrays& arrays() const { return arrays_; }

 private:
  /// What a channel (or, after the last, reserved memory) is centred on.
  struct Centre {
    double count = 0;
    double mean = 0;
    double drift = 0;  ///< as in Deviation
  };

  void update_room(NodeId node, std::size_t target);
  void find_largest();
  void centre_channel(std::size_t channel);
  void centre_reserved();
  void follow_target(std::size_t target);
  void measure_channel(std::size_t channel);
  void measure_reserved();

  const Cluster& cluster_;
  const State& state_;
  const Layout& layout_;
  std::vector<double> largest_delta_;  ///< by channel: largest amount x largest scale
  double largest_reserved_ = 0;
  std::vector<Centre> centres_;
  std::vector<std::size_t> updated_;  ///< targets
  Arrays arrays_;
};

/// The limits that the checks of the model put on a node in this state.
Limits limits_of(const Cluster& cluster, NodeId node, const NodeState& state, bool force);

}  // namespace ballast::ganeti::fast
