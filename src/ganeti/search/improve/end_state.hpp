// SPDX-License-Identifier: BSD-2-Clause
// Where the instances could end up, in flat arrays: a change costs the same whatever the number of
// nodes. Limits that a step must keep are walls here, with a price, so that a search can pass
// through them. A screen: what it finds is put into feasible steps and scored by the model.
#pragma once

#include <cstdint>
#include <vector>

#include "ballast/ganeti/search/balance/balance.hpp"
#include "ballast/ganeti/search/balance/fast_arrays.hpp"
#include "end_tags.hpp"
#include "reach.hpp"

namespace ballast::ganeti {

/// Nodes count from 0: first the online ones in index order, then the offline ones.
struct Spot {
  std::int32_t primary = -1;
  std::int32_t secondary = -1;  ///< -1: none
  friend bool operator==(const Spot&, const Spot&) = default;
};

/// What it takes to bring an instance, or all of them, from the start to an end.
struct Cost {
  std::int64_t steps = 0;
  std::int64_t mib = 0;
};

class EndState {
 public:
  EndState(const Cluster& cluster, const State& start, const Part& part,
           const BalanceOptions& options);
  EndState(const EndState&) = delete;
  EndState& operator=(const EndState&) = delete;

  /// Instances that may move; they count from 0 here.
  [[nodiscard]] std::size_t count() const { return movable_.size(); }
  /// Online nodes: all that an instance can move to.
  [[nodiscard]] std::size_t target_count() const { return layout_.targets.size(); }
  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
  [[nodiscard]] bool is_mirrored(std::size_t i) const { return movable_[i].home.secondary >= 0; }
  [[nodiscard]] const Spot& spot(std::size_t i) const { return spots_[i]; }
  [[nodiscard]] const Spot& home(std::size_t i) const { return movable_[i].home; }
  /// Steps are Way::kNone or more where the instance cannot get there.
  [[nodiscard]] Cost cost(std::size_t i, const Spot& spot) const;
  [[nodiscard]] const Cost& cost(std::size_t i) const { return costs_[i]; }  ///< where it is
  [[nodiscard]] std::int64_t copy_mib(std::size_t i) const { return movable_[i].copy_mib; }
  /// Different nodes, reachable, and no migration tag in the way; the spot's nodes are targets or
  /// the instance's own.
  [[nodiscard]] bool may_be(std::size_t i, const Spot& spot) const;

  /// How much a usual instance that comes to the node would raise the score, to first order and by
  /// the deviations of the last `read_slopes`: where it is low, there is room.
  [[nodiscard]] double primary_slope(std::int32_t node) const {
    return slope(node, primary_slopes_);
  }
  [[nodiscard]] double secondary_slope(std::int32_t node) const {
    return slope(node, secondary_slopes_);
  }
  void read_slopes();
  /// Of each metric the online node with most and that with least.
  void find_extremes(std::vector<std::int32_t>& nodes) const;

  [[nodiscard]] const Cost& total() const { return total_; }
  [[nodiscard]] double score() const { return score_with(exact_); }
  /// With deviations that do not fall to 0: near it each change would cost so much that a search
  /// stays where it is. And with a reserve that each secondary counts for: of many large ones on a
  /// node only the last that leaves lowers the true one.
  [[nodiscard]] double blurred_score() const;
  /// 0: exact. 1: as if one usual instance were out of place.
  void set_blur(double factor);
  /// 0: the true reserve. 1: the soft one.
  void set_softness(double share) { softness_ = share; }
  /// From now on what no step could make, as all else is now, may not be.
  void watch_passage() { watches_passage_ = keeps_reserve_; }
  /// How far the state is beyond walls; 0: a sequence of steps may lead to it.
  [[nodiscard]] double walls() const;
  /// In (0, 1]: what failing nodes cost, of what they cost in the score. The less, the easier a
  /// search passes.
  void set_hardness(double hardness);

  void place(std::size_t i, const Spot& spot);
  void keep();
  /// Undoes what was placed since `keep`.
  void take_back();

  /// By InstanceId; instances that do not move stay where they are.
  [[nodiscard]] std::vector<Placement> placements() const;
  /// Goes to these placements as far as they are known here.
  void adopt(const std::vector<Placement>& placements);

 private:
  [[nodiscard]] double score_with(const std::vector<double>& blur) const;

  struct Movable {
    InstanceId id;
    Spot home;
    const WayTable* ways;  ///< nullptr: not mirrored
    Way away;              ///< not mirrored: to any other node
    std::int64_t copy_mib;
    std::size_t amounts;             ///< class
    double presence;                 ///< 0: forthcoming, only in the shadow figures
    double reserved;                 ///< MiB on its secondary
    std::int64_t carried_locations;  ///< of its location score, whatever its node
    bool has_tags;
    bool has_locations;
  };
  /// Besides the channels and the room.
  struct Figures {
    double unallocated = 0;
    double reserved = 0;
    double softened = 0;  ///< reserved, as a share, in which each peer counts
    double inverse_mem = 0;
    double primaries = 0;
    double residents = 0;
    double counted = 0;  ///< in the score: failing or offline
    double wall = 0;
    std::int32_t displaced = 0;  ///< instances not at home that are, or have been, here
    bool is_online = false;
    bool is_exclusive = false;  ///< counts disk in spindles
    bool failed = false;        ///< at the start, as the snapshot's figures have it
  };
  /// What a unit can show as free ends at its total.
  struct Cap {
    std::size_t channel;
    std::size_t uncapped;  ///< the channel that holds its figure without the end
    double most;
  };
  /// What a class adds to the channels of a node.
  struct Amounts {
    std::vector<double> primary, secondary;  ///< [class][channel]
  };
  struct Saved {
    std::size_t node;
    Figures figures;
  };
  struct Placed {
    std::size_t instance;
    Spot before;
    Cost cost_before;
  };
  using Peers = std::vector<std::pair<std::int32_t, double>>;  ///< (primary, MiB)

  void read_part(const Part& part);
  void read_caps();
  void read_channels(const fast::Arrays& arrays);
  void read_capped(std::size_t channel, double mean);
  void read_rooms(const fast::Arrays& arrays, bool force);
  void read_nodes(const fast::Arrays& arrays);
  void read_classes();
  void read_amounts(std::size_t k);
  void read_movable(const Part& part, const BalanceOptions& options);
  [[nodiscard]] bool may_move(const BalanceOptions& options, InstanceId id) const;

  [[nodiscard]] double slope(std::int32_t node, const std::vector<double>& slopes) const {
    const std::size_t begin = static_cast<std::size_t>(node) * width_;
    double result = 0;
    for (std::size_t c = 0; c < width_; ++c)
      result += rows_[begin + c] * scales_[begin + c] * slopes[c];
    return result;
  }
  [[nodiscard]] bool is_exclusive(std::int32_t node) const {
    return node >= 0 && figures_[static_cast<std::size_t>(node)].is_exclusive;
  }
  /// The model refuses disks of unknown spindles on nodes with exclusive storage, and cannot give
  /// back what they take there.
  [[nodiscard]] bool may_be_anywhere(std::size_t amounts) const {
    return !layout_.has_exclusive_storage || layout_.classes[amounts].knows_spindles;
  }
  [[nodiscard]] const Amounts& amounts_on(std::size_t node) const {
    return figures_[node].is_exclusive ? exclusive_amounts_ : amounts_;
  }
  [[nodiscard]] bool can_pass(std::size_t i, const Spot& spot) const;
  void touch(std::size_t node);
  void count_displaced(const Movable& movable, const Spot& spot, std::int32_t sign);
  void shift(std::size_t node, const double* amounts, const double* takes, double sign);
  void shift_primary(const Movable& movable, std::size_t node, double sign);
  void shift_secondary(const Movable& movable, std::size_t node, double sign);
  void shift_tags(const Movable& movable, std::int32_t primary, int sign);
  void reserve(const Movable& movable, const Spot& spot, double sign);
  void shift_value(std::size_t node, std::size_t channel, double change);
  void cap(std::size_t node);
  void sum_up();
  void settle(std::size_t node);
  void soften(std::size_t node);
  [[nodiscard]] double beyond_rooms(std::size_t node) const;
  [[nodiscard]] double location_score(const Movable& movable, const Spot& spot) const;

  const Cluster& cluster_;
  const State& start_;
  Reach reach_;
  fast::Layout layout_;
  std::vector<NodeId> nodes_;
  std::vector<std::int32_t> index_;  ///< by NodeId; -1: not of the part
  std::size_t width_ = 0;            ///< channels, uncapped ones, then reserved memory, padded
  std::size_t reserved_channel_ = 0;
  std::size_t rooms_ = 0;
  bool keeps_reserve_;  ///< steps must
  bool watches_passage_ = false;
  std::vector<double> weight_;         ///< by channel
  std::vector<double> inverse_count_;  ///< by channel: 1 / nodes that take part
  std::vector<double> rows_;           ///< [node][channel], about the mean at the start
  std::vector<double> scales_;         ///< [node][channel]
  std::vector<double> left_;           ///< [node][room]
  std::vector<double> lack_;           ///< [node][room]: what was missing at the start
  std::vector<double> room_scale_;     ///< [node][room]
  Amounts amounts_, exclusive_amounts_;
  std::vector<std::vector<Cap>> caps_;                     ///< by node
  std::vector<double> primary_takes_, secondary_takes_;    ///< [class][room]
  std::vector<double> usual_primary_, usual_secondary_;    ///< mean amounts, by channel
  std::vector<double> primary_slopes_, secondary_slopes_;  ///< by channel
  std::vector<double> usual_squares_;                      ///< variance of one usual instance
  std::vector<double> blur_, exact_;                       ///< added to variances; exact_: 0
  std::vector<Figures> figures_;
  std::vector<Peers> peers_;
  std::vector<Movable> movable_;
  std::vector<Spot> spots_;
  std::vector<Cost> costs_;  ///< of spots_
  EndTags tags_;

  std::vector<double> sums_, squares_;
  double reserved_base_ = 0;
  double softened_ = 0;
  double softened_before_ = 0;
  double softness_ = 0;
  double counted_ = 0;
  double wall_ = 0;
  double locations_ = 0;
  double hardness_ = 1;
  Cost total_;

  // What take_back needs.
  std::vector<Placed> placed_;
  std::vector<Saved> saved_;
  std::vector<double> saved_values_;  ///< [saved][channel, then room]
  std::vector<std::uint32_t> touched_in_;
  std::uint32_t epoch_ = 1;
  std::vector<double> sums_before_, squares_before_;
  double counted_before_ = 0;
  double wall_before_ = 0;
  double locations_before_ = 0;
  Cost total_before_;
};

}  // namespace ballast::ganeti
