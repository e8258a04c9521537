// SPDX-License-Identifier: BSD-2-Clause
// A walk through end states: worse ones are accepted with a chance that falls as the walk cools
// down.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "ballast/core/random.hpp"
#include "ballast/ganeti/search/improve/improve.hpp"
#include "end_state.hpp"
#include "toll.hpp"

namespace ballast::ganeti {

/// What a step and a copied MiB must be worth, in score.
struct Prices {
  double per_step = 0;
  double per_mib = 0;
};

struct WalkOptions {
  Prices prices;
  Cost most;              ///< of the whole plan
  double most_score = 0;  ///< that a plan may end with
  std::int64_t trials = 0;
  double until = 0;  ///< on the clock
  double heat = 1;   ///< share of the usual temperature at the beginning
  SearchSeen seen;
};

class Walk {
 public:
  /// `ends` is at the start: the usual changes of the score there are what the heat is measured by.
  Walk(EndState& ends, const WalkOptions& options, std::uint64_t seed);

  /// Once the time is over, what is beyond the limits goes home unasked.
  void begin_at(const std::vector<Placement>& placements, const Clock& clock);
  void run(const Clock& clock);

  /// The best end state within the limits, and beyond no wall, that was met.
  [[nodiscard]] const std::vector<Spot>& best() const { return best_; }
  [[nodiscard]] std::int64_t trials() const { return trials_; }

 private:
  static constexpr double kNothing = std::numeric_limits<double>::infinity();
  [[nodiscard]] double objective() const;
  [[nodiscard]] double priced(double score) const;
  [[nodiscard]] double worth() const;
  [[nodiscard]] bool is_within() const;
  [[nodiscard]] bool keeps_limits() const;
  bool place_proposed();
  [[nodiscard]] double usual_change();
  void set_progress(double progress);
  void guide(double progress);
  void follow_limits(double progress);
  void trial();
  void accept(double after);
  void record();
  void polish(const Clock& clock, double until);
  void return_to_limits(const Clock& clock);
  bool improve_by(std::size_t i, const Spot& spot);

  /// Uniform up to the last bits of a double, without a division.
  [[nodiscard]] std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(rnd_.unit() * static_cast<double>(bound));
  }
  [[nodiscard]] double slope_of(std::size_t i) const;
  [[nodiscard]] bool is_from_extremes();
  [[nodiscard]] std::size_t any();
  [[nodiscard]] std::int32_t any_extreme() { return extremes_[below(extremes_.size())]; }
  [[nodiscard]] std::size_t any_displaced();
  [[nodiscard]] std::int32_t any_target(bool for_primary);
  bool put(std::size_t i, const Spot& spot);
  bool put_somewhere(std::size_t i);
  bool put_at(std::size_t i, std::int32_t node, bool as_primary);
  bool go_home();
  bool replace_displaced();
  bool substitute();
  [[nodiscard]] std::size_t any_displaced_on(std::int32_t node);
  bool pass_on();
  bool exchange(bool only_displaced);
  [[nodiscard]] std::int32_t& moved_end(std::size_t i, Spot& spot);
  bool rotate();
  bool propose();
  void note(std::size_t i);

  EndState& ends_;
  WalkOptions options_;
  Random rnd_;
  Toll steps_;
  Toll mib_;
  std::vector<std::int32_t> extremes_;  ///< nodes that stand out now
  double usual_change_ = 0;
  double hot_ = 0;
  double temperature_ = 0;
  double hardness_ = 0;
  double current_ = 0;
  double best_worth_;
  std::vector<Spot> best_;
  std::vector<std::pair<std::size_t, Spot>> proposed_;  ///< in this trial
  std::vector<std::size_t> unsaved_;                    ///< may differ from best_
  std::vector<std::size_t> displaced_;
  std::vector<Spot> known_;                       ///< as the lists have it
  std::vector<std::int32_t> place_in_displaced_;  ///< -1: at home
  std::vector<std::int32_t> place_in_primaries_;
  std::vector<std::int32_t> place_in_secondaries_;
  std::vector<std::vector<std::size_t>> primaries_;    ///< by node
  std::vector<std::vector<std::size_t>> secondaries_;  ///< by node
  std::int64_t trials_ = 0;
};

}  // namespace ballast::ganeti
