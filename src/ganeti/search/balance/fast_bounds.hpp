// SPDX-License-Identifier: BSD-2-Clause
// Lower bounds of the score after every candidate move, as the sum of one number per instance and
// one per target.
//
// factor * sqrt(spread + x) is concave in x, so between two points it lies above its chord. With a
// chord per kind of move and channel, over all changes x that can occur, the bound is linear in x,
// and x is (nearly) the sum of what the sources change and what the target changes: the missing
// product of the two is never negative, since what leaves the one comes to the other. So one pass
// over the instances and one over the targets bound all pairs.
//
// The slopes stay for a stretch of steps. A line of any slope that starts low enough is below the
// root between two points, so a step only moves the constants and what belongs to the nodes that it
// changed.
#pragma once

#include <span>

#include "ballast/ganeti/search/balance/fast_arrays.hpp"
#include "fast_sources.hpp"
#include "team.hpp"

namespace ballast::ganeti::fast {

/// The weight of the sum of reserved fractions.
inline constexpr double kReservedPrice = weight_of(MetricId::ReservedTotal);

/// An instance that may be considered, by its index in this list.
struct Movable {
  InstanceId id;
  Source source;
};

/// Targets whose rows are bounded together.
inline constexpr std::size_t kTargetBlock = kLanes;
/// Rows of a box: see slot_of.
inline constexpr std::size_t kSlots = 4;

class Bounds {
 public:
  Bounds(const Layout& layout, const Arrays& arrays, std::size_t movable, Team& team);

  /// Lays the chords anew and computes everything; the arrays are centred. `plain` is the score's
  /// part without deviations, `current` the score. `places` have class -1 where the instance takes
  /// no part.
  void rebuild(std::span<const Movable> movable, std::span<const SourcePlace> places, double plain,
               double current, bool force);
  /// What has changed since then, of the stretch that the arrays follow. Safe to call from all
  /// members of the team at once, for different boxes and different instances.
  void update_box(std::size_t box, std::span<const std::size_t> blocks, std::size_t member) {
    pass_box(box, blocks, extremes_[member]);
  }
  void update_source(const Movable& movable, const SourcePlace& place, std::size_t index,
                     std::size_t member);
  /// Last of all: the constants for this step.
  void set_constants(double plain, double current);
  /// An instance asks for rows that no other did when the bounds were rebuilt.
  [[nodiscard]] bool is_incomplete() const;

  /// constant(kind) + own(movable, kind) + least(...) is not above the score after any move of that
  /// kind of the instance, whatever the target; `own` is infinite where the kind is impossible.
  [[nodiscard]] double constant(MoveKind kind) const { return constant_[index_of(kind)]; }
  [[nodiscard]] const double* own(MoveKind kind) const {
    return own_.data() + index_of(kind) * movable_;
  }
  /// What a target adds at least; 0 for plain failover.
  [[nodiscard]] double least(std::int32_t box, MoveKind kind, bool relaxed) const;
  [[nodiscard]] double least(std::int32_t box, MoveKind kind) const;
  /// Base plus the row's entry for a target is not above the score after that move, unless the
  /// target holds reserved memory for the new primary already (replace secondary, failover and
  /// replace), or a source does for the target (the other two).
  [[nodiscard]] double base(std::size_t movable, MoveKind kind) const {
    return constant_[index_of(kind)] + base_[index_of(kind) * movable_ + movable];
  }
  struct Row {
    const double* entries;  ///< by target
    const double* blocks;   ///< least of each kTargetBlock entries
  };
  [[nodiscard]] Row row(std::int32_t box, MoveKind kind, bool relaxed) const;

 private:
  /// Least and most change of a spread that occurs.
  struct Range {
    double low = 0;
    double high = 0;
  };
  using Ranges = std::vector<Range>;  ///< [kind][channel, then reserved memory]
  /// What a member of the team has seen sources and targets change at least and at most, and what
  /// it works with.
  struct Extremes {
    Ranges ranges;
    std::array<double, kKinds> least_plain{};  ///< smallest linear change
    std::vector<double> low;                   ///< [kind][channel]
    std::vector<double> high;
    Ranges targets;
    bool is_incomplete = false;
    std::vector<double> closed;
    std::vector<double> primaries_closed;
    void see(std::size_t place, double least, double most);
    void see_target(std::size_t place, const Seen& seen);
    void reset_sources();
    void reset_targets();
  };

  [[nodiscard]] std::size_t range_at(std::size_t kind, std::size_t channel) const {
    return kind * (layout_.width + 1) + channel;
  }
  [[nodiscard]] const Deviation& deviation(std::size_t channel) const;
  /// Of a change, sources and target together.
  [[nodiscard]] Range range(std::size_t kind, std::size_t channel) const;
  /// Up to where the change of a channel matters: above it no candidate can win.
  [[nodiscard]] double high_end(const Deviation& d, const Range& range, double rest) const;
  [[nodiscard]] double lows(std::size_t kind) const;
  [[nodiscard]] double budget(std::size_t kind, double plain, double current) const;
  void set_slopes(double plain, double current);
  void gather_seen();
  [[nodiscard]] double& slope(std::size_t kind, std::size_t channel);

  [[nodiscard]] SourceJob source_job(Extremes& seen) const;
  void pass_sources(std::span<const Movable> movable, std::span<const SourcePlace> places);
  void pass_reserved(const Movable& movable, const SourcePlace& place, std::size_t index,
                     const double* linear, Extremes& seen);

  /// Targets [begin, begin + length) of all rows of a box.
  struct Window {
    std::size_t box;
    bool relaxed;
    std::size_t begin;
    std::size_t length;
  };
  void pass_targets();
  void pass_box(std::size_t box, std::span<const std::size_t> blocks, Extremes& own);
  void pass_window(const Window& window, Extremes& own);
  void pass_new_primaries(const Window& window, Extremes& own);
  void pass_new_secondaries(const Window& window, Extremes& own);
  void add_failing(const Window& window, bool as_primary, double demand, double* row) const;
  static void close(const std::vector<double>& room, double demand, const Window& window,
                    Extremes& own);
  void set_block(std::size_t row, const Window& window, double least);
  void set_least(std::size_t row);
  [[nodiscard]] std::size_t row_at(std::size_t box, std::size_t slot, bool relaxed) const {
    return ((relaxed ? layout_.boxes.size() : 0) + box) * kSlots + slot;
  }

  const Layout& layout_;
  const Arrays& arrays_;
  std::size_t movable_;
  std::size_t blocks_;  ///< of targets, and some more that are never looked at
  bool uses_relaxed_ = false;
  bool uses_strict_ = false;
  bool has_ranges_ = false;
  Ranges sources_seen_;  ///< since the last rebuild
  Ranges targets_seen_;
  std::array<double, kKinds> least_plain_{};  ///< smallest linear change seen
  std::vector<double> slopes_;                ///< [kind][channel]
  std::array<double, kKinds> reserved_slope_{};
  std::array<double, kKinds> constant_{};
  std::vector<double> squeeze_;
  std::vector<double> class_primary_;  ///< [class][channel]
  std::vector<double> class_secondary_;
  std::vector<double> own_;  ///< [kind][movable]
  std::vector<double> base_;
  std::vector<double> rows_;          ///< [relaxed, box, slot][target]
  std::vector<double> row_blocks_;    ///< [relaxed, box, slot][block of targets]: least of the row
  std::vector<double> least_blocks_;  ///< the same, whatever reserved memory the target holds
  std::vector<double> least_;         ///< [relaxed, box, slot]
  std::vector<char> is_least_stale_;  ///< the same
  Team& team_;
  std::vector<Extremes> extremes_;  ///< by member
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
    default:
      return 0;
  }
}

}  // namespace ballast::ganeti::fast
