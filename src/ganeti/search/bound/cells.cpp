// SPDX-License-Identifier: BSD-2-Clause
#include "cells.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <queue>

#include "ascent.hpp"
#include "ballast/ganeti/metrics/table.hpp"

namespace ballast::ganeti::bound {

namespace {

constexpr double kCloseEnough = 1e-4;  // of score, between a chord and its root
constexpr double kWhole = 1e-9;
constexpr double kAnySoftness = 0.01;  // where only the value is asked
constexpr double kMargin = 0.15;       // of a side, that a part has at least

struct Bounded {
  Cell cell;
  double score = 0;
  Seen seen;  ///< of the coarse relaxation
  Offsets offsets;
  std::int64_t work = 0;  ///< that it took
};

struct HigherScore {
  bool operator()(const Bounded& a, const Bounded& b) const { return a.score > b.score; }
};

/// Between two whole numbers both are as good: so nodes come by unequal counts.
Amounts even(const Relaxation& relaxation) {
  Amounts offsets{};
  for (std::size_t k = 0; k < kAmounts; ++k) {
    if (!is_count(k)) continue;
    const double above = relaxation.centre[k] - std::floor(relaxation.centre[k]);
    if (above > kWhole && above < 1 - kWhole) offsets[k] = 0.5 - above;
  }
  return offsets;
}

/// Of one look.
std::int64_t work_of(const Relaxation& relaxation) {
  const std::size_t items = relaxation.primaries.size() + relaxation.secondaries.size();
  return static_cast<std::int64_t>(relaxation.columns.size() * (items + kAmounts));
}

class Cells {
 public:
  Cells(const Relaxation& relaxation, const BoundOptions& within)
      : fine_(relaxation),
        coarse_(coarsened(relaxation)),
        known_(within.known),
        work_left_(within.work),
        launch_(within.threads > 1 ? std::launch::async | std::launch::deferred
                                   : std::launch::deferred) {}

  LeastRelaxed search() {
    if (work_of(fine_) > work_left_) return {};  // one look is too much already
    Cell all;
    for (std::size_t side = 0; side <= kReserve; ++side) {
      const double weight = weight_of_side(fine_, side);
      all.high[side] = weight > 0 ? known_ / weight : 0;
    }
    all.high[kReserveMean] = known_ / weight_of(MetricId::ReservedTotal) / fine_.node_count;
    keep(spent(bounded(all, Offsets(coarse_.relaxation.columns.size(), even(fine_)), 0)));
    while (work_left_ > 0 && !open_.empty()) {
      const Bounded least = open_.top();
      const auto [side, error] = worst_side(least);
      open_.pop();
      if (error < kCloseEnough) {
        Bounded again = spent(bounded(least.cell, least.offsets, least.score));
        const bool is_done = again.score < least.score + kCloseEnough / 4;
        keep(std::move(again));
        if (is_done) break;
        continue;
      }
      part(least, side);
    }
    if (open_.empty()) return {known_, {}};
    return {std::min(known_, open_.top().score), open_.top().seen.at};
  }

 private:
  /// Both parts at once where there are threads.
  void part(const Bounded& whole, std::size_t side) {
    const double low = whole.cell.low[side];
    const double high = whole.cell.high[side];
    const double margin = kMargin * (high - low);
    const double middle = std::clamp(whole.seen.at[side], low + margin, high - margin);
    Cell lower = whole.cell;
    Cell upper = whole.cell;
    lower.high[side] = middle;
    upper.low[side] = middle;
    auto above = std::async(launch_, [&] { return bounded(upper, whole.offsets, whole.score); });
    keep(spent(bounded(lower, whole.offsets, whole.score)));
    keep(spent(above.get()));
  }

  Bounded spent(Bounded bounded) {
    work_left_ -= bounded.work;
    return bounded;
  }

  /// A part of a cell is not below the whole.
  [[nodiscard]] Bounded bounded(const Cell& cell, const Offsets& from, double at_least) const {
    Ascent ascent = ascend(Dual(coarse_.relaxation, cell), from);
    const std::int64_t work = ascent.looks * work_of(coarse_.relaxation) + work_of(fine_);
    Offsets offsets;
    for (const std::size_t column : coarse_.column_of) offsets.push_back(ascent.offsets[column]);
    const double score = std::max(at_least, Dual(fine_, cell).look(offsets, kAnySoftness).value);
    ascent.best.at[kReserve] =
        std::sqrt(std::max(0.0, ascent.best.reserve_squares - chord_of_mean(cell, ascent.best)));
    return {cell, score, std::move(ascent.best), std::move(ascent.offsets), work};
  }

  /// Above the square of the mean of the reserve.
  static double chord_of_mean(const Cell& cell, const Seen& seen) {
    const double low = cell.low[kReserveMean];
    const double high = cell.high[kReserveMean];
    return (low + high) * seen.at[kReserveMean] - low * high;
  }

  /// Where the bound loses most, and how much.
  [[nodiscard]] std::pair<std::size_t, double> worst_side(const Bounded& of) const {
    std::pair<std::size_t, double> worst{0, 0};
    const auto look = [&](std::size_t side, double error) {
      if (error > worst.second) worst = {side, error};
    };
    const Sides& at = of.seen.at;
    for (std::size_t side = 0; side <= kReserve; ++side) {
      const double low = of.cell.low[side];
      const double high = of.cell.high[side];
      if (!(low + high > 0)) continue;
      const double chord = (at[side] * at[side] + low * high) / (low + high);
      look(side, weight_of_side(fine_, side) * (at[side] - chord));
    }
    const double mean = at[kReserveMean];
    const double deviation = std::sqrt(std::max(0.0, of.seen.reserve_squares - mean * mean));
    look(kReserveMean, weight_of_side(fine_, kReserve) * (deviation - at[kReserve]));
    return worst;
  }

  void keep(Bounded bounded) {
    if (bounded.score < known_) open_.push(std::move(bounded));
  }

  const Relaxation& fine_;
  Coarse coarse_;
  double known_;
  std::int64_t work_left_;
  std::launch launch_;  ///< of the second part of a cell
  std::priority_queue<Bounded, std::vector<Bounded>, HigherScore> open_;
};

}  // namespace

LeastRelaxed least_relaxed(const Relaxation& relaxation, const BoundOptions& within) {
  return Cells(relaxation, within).search();
}

}  // namespace ballast::ganeti::bound
