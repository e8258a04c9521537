// SPDX-License-Identifier: BSD-2-Clause
// Lower bounds of the score after every candidate move, as the sum of one number per instance and
// one per target.
//
// factor * sqrt(spread + x) is concave in x, so between two points it lies above its chord. With a
// chord per kind of move and channel, over all changes x that can occur, the bound is linear in x,
// and x is (nearly) the sum of what the sources change and what the target changes: the missing
// product of the two is never negative, since what leaves the one comes to the other. So one pass
// over the instances and one over the targets bound all pairs.
#pragma once

#include <span>

#include "ballast/ganeti/search/balance/fast_arrays.hpp"
#include "fast_sources.hpp"
#include "fast_threads.hpp"

namespace ballast::ganeti::fast {

/// The weight of the sum of reserved fractions.
inline constexpr double kReservedPrice = weight_of(MetricId::ReservedTotal);

/// An instance that may be considered, by its index in this list.
struct Movable {
  InstanceId id;
  Source source;
};

class Bounds {
 public:
  Bounds(const Layout& layout, const Arrays& arrays, std::size_t movable, const Division& division);

  /// Computes all bounds for this step. `plain` is the score's part without deviations, `current`
  /// the score. `places` have class -1 where the instance takes no part.
  void refresh(std::span<const Movable> movable, std::span<const SourcePlace> places, double plain,
               double current, bool force);

  /// Not above the score after any move of that kind of the instance, whatever the target; infinity
  /// where the kind is impossible.
  [[nodiscard]] double lowest(std::size_t movable, MoveKind kind) const {
    return lowest_[movable * kKinds + index_of(kind)];
  }
  [[nodiscard]] double lowest(std::size_t movable) const;
  /// Base plus the row's entry for a target is not above the score after that move, unless the
  /// target holds reserved memory for the new primary already (replace secondary, failover and
  /// replace), or a source does for the target (the other two).
  [[nodiscard]] double base(std::size_t movable, MoveKind kind) const {
    return base_[movable * kKinds + index_of(kind)];
  }
  [[nodiscard]] const double* row(std::int32_t amounts_class, MoveKind kind, bool relaxed) const;

 private:
  /// Least and most change of a spread that occurs.
  struct Range {
    double low = 0;
    double high = 0;
  };
  using Ranges = std::vector<Range>;  ///< [kind][channel, then reserved memory]

  [[nodiscard]] std::size_t range_at(std::size_t kind, std::size_t channel) const {
    return kind * (layout_.width + 1) + channel;
  }
  [[nodiscard]] const Deviation& deviation(std::size_t channel) const;
  void set_slopes(double current, double plain);
  void set_kind(std::size_t kind, double budget);
  void pass_sources(std::span<const Movable> movable, std::span<const SourcePlace> places);
  /// What a piece of the sources was seen to change at least and at most.
  struct Extremes {
    Ranges ranges;
    std::array<double, kKinds> least_plain{};  ///< smallest linear change
    std::vector<double> low;                   ///< [kind][channel]
    std::vector<double> high;
    void see(std::size_t place, double least, double most);
    void reset();
  };
  void pass_reserved(const Movable& movable, const SourcePlace& place, std::size_t index,
                     Extremes& seen);
  void merge(const Extremes& seen);
  void pass_targets(bool force);
  void pass_box(std::size_t box, bool relaxed);
  void pass_new_primaries(std::size_t box, bool relaxed);
  void pass_new_secondaries(std::size_t box, bool relaxed);
  void add_failing(bool relaxed, bool as_primary, double demand, double* row) const;
  [[nodiscard]] bool combine_ranges();
  [[nodiscard]] std::size_t row_at(std::size_t box, std::size_t slot, bool relaxed) const {
    return ((relaxed ? layout_.boxes.size() : 0) + box) * 4 + slot;
  }

  const Layout& layout_;
  const Arrays& arrays_;
  bool has_ranges_ = false;
  bool uses_relaxed_ = false;
  bool uses_strict_ = false;
  Ranges used_;
  Ranges sources_seen_;
  Ranges targets_seen_;
  std::array<double, kKinds> least_plain_{};  ///< smallest linear change seen
  std::array<double, kKinds> least_plain_used_{};
  std::vector<double> slopes_;  ///< [kind][channel]
  std::array<double, kKinds> reserved_slope_{};
  std::array<double, kKinds> constant_{};
  std::vector<double> squeeze_;
  std::vector<double> class_primary_;  ///< [class][channel]
  std::vector<double> class_secondary_;
  std::vector<double> linear_;  ///< [movable][kind]
  std::vector<double> lowest_;
  std::vector<double> base_;
  std::vector<double> rows_;   ///< [relaxed, box, slot][target]
  std::vector<double> least_;  ///< [relaxed, box, slot]
  std::vector<double> closed_;
  Division division_;
  std::vector<Extremes> extremes_;  ///< by thread
};

/// The slot of a kind among the rows of its box.
inline std::size_t slot_of(MoveKind kind) {
  switch (kind) {
    case MoveKind::ReplaceSecondary:
      return 0;
    case MoveKind::ReplaceAndFailover:
      return 1;
    case MoveKind::ReplacePrimary:
      return 2;
    case MoveKind::FailoverAndReplace:
      return 3;
    case MoveKind::FailoverToAny:
    case MoveKind::Failover:
      return 0;
  }
  return 0;
}

}  // namespace ballast::ganeti::fast
