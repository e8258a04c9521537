// SPDX-License-Identifier: BSD-2-Clause
#include "fast_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ballast/ganeti/score/root_bounds.hpp"

namespace ballast::ganeti::fast {

namespace {

using enum MoveKind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUlp = std::numeric_limits<double>::epsilon() / 2;

double value_at(const Deviation& d, double change) {
  return d.factor * std::sqrt(std::max(0.0, d.spread + change));
}

}  // namespace

Bounds::Bounds(const Layout& layout, const Arrays& arrays, std::size_t movable, Team& team)
    : layout_(layout),
      arrays_(arrays),
      movable_(movable),
      blocks_((arrays.stride / kTargetBlock + kLanes - 1) / kLanes * kLanes),
      team_(team) {
  const std::size_t ranges = kKinds * (layout.width + 1);
  sources_seen_.resize(ranges);
  targets_seen_.resize(ranges);
  slopes_.resize(kKinds * layout.width);
  squeeze_.resize(layout.width);
  for (const Amounts& amounts : layout.classes) {
    class_primary_.insert(class_primary_.end(), amounts.primary.begin(), amounts.primary.end());
    class_secondary_.insert(class_secondary_.end(), amounts.secondary.begin(),
                            amounts.secondary.end());
  }
  own_.resize(movable * kKinds);
  base_.resize(movable * kKinds);
  const std::size_t rows = 2 * layout.boxes.size() * kSlots;
  rows_.resize(rows * arrays.stride);
  row_blocks_.resize(rows * blocks_, kInfinity);
  least_blocks_.resize(rows * blocks_, kInfinity);
  least_.resize(rows, kInfinity);
  is_least_stale_.resize(rows);
  Extremes seen;
  seen.ranges.resize(ranges);
  seen.targets.resize(ranges);
  seen.closed.resize(kTargetBlock);
  seen.low.resize(kKinds * layout.width);
  seen.high.resize(kKinds * layout.width);
  extremes_.assign(team.size(), seen);
}

const Deviation& Bounds::deviation(std::size_t channel) const {
  return channel == layout_.width ? arrays_.reserved_deviation : arrays_.deviations[channel];
}

bool Bounds::is_incomplete() const {
  return std::ranges::any_of(extremes_, &Extremes::is_incomplete);
}

double& Bounds::slope(std::size_t kind, std::size_t channel) {
  return channel == layout_.width ? reserved_slope_[kind] : slopes_[kind * layout_.width + channel];
}

double Bounds::least(std::int32_t box, MoveKind kind, bool relaxed) const {
  if (kind == Failover) return 0;
  return least_[row_at(static_cast<std::size_t>(box), slot_of(kind), relaxed)];
}

double Bounds::least(std::int32_t box, MoveKind kind) const {
  return std::min(uses_strict_ ? least(box, kind, false) : kInfinity,
                  uses_relaxed_ ? least(box, kind, true) : kInfinity);
}

Bounds::Row Bounds::row(std::int32_t box, MoveKind kind, bool relaxed) const {
  const std::size_t row = row_at(static_cast<std::size_t>(box), slot_of(kind), relaxed);
  return {rows_.data() + row * arrays_.stride, row_blocks_.data() + row * blocks_};
}

// Empty (low above high) where there is no such move. The sum S is left out of what sources and
// targets report: it shifts a change by `shift` times what the move changes S by.
Bounds::Range Bounds::range(std::size_t kind, std::size_t channel) const {
  const std::size_t at = range_at(kind, channel);
  const Range& source = sources_seen_[at];
  const Range& target = targets_seen_[at];
  if (source.low > source.high || target.low > target.high) return {0, 0};
  const Deviation& d = deviation(channel);
  const double shifted = std::abs(d.shift) * d.drift;
  // The product of the two changes, which the sum leaves out, is not above this.
  const double product = 4 * d.delta * d.delta;
  return {source.low + target.low - shifted, source.high + target.high + product + shifted};
}

double Bounds::lows(std::size_t kind) const {
  double sum = 0;
  for (std::size_t c = 0; c <= layout_.width; ++c)
    sum += value_at(deviation(c), range(kind, c).low);
  return sum;
}

// What the deviations may come to in a candidate that wins.
double Bounds::budget(std::size_t kind, double plain, double current) const {
  return (current - plain - least_plain_[kind]) * (1 + 1e-9) + 1e-9;
}

double Bounds::high_end(const Deviation& d, const Range& range, double rest) const {
  const double most = std::max(0.0, rest + value_at(d, range.low)) / d.factor;
  return std::min(range.high, most * most * (1 + 1e-9) - d.spread);
}

void Bounds::set_slopes(double plain, double current) {
  for (std::size_t c = 0; c < layout_.width; ++c) squeeze_[c] = deviation(c).squeeze;
  for (std::size_t k = 0; k < kKinds; ++k) {
    const double rest = budget(k, plain, current) - lows(k);
    for (std::size_t c = 0; c <= layout_.width; ++c) {
      const Deviation& d = deviation(c);
      slope(k, c) = 0;
      if (d.factor == 0) continue;
      const Range used = range(k, c);
      const double low = std::max(used.low, -d.spread);
      const double high = high_end(d, used, rest);
      if (high > low) slope(k, c) = d.factor * chord_slope(d.spread, low, high);
    }
  }
}

// The line of the slope that is nowhere above the root: as the root is concave, it meets it at one
// of the ends.
void Bounds::set_constants(double plain, double current) {
  gather_seen();
  for (std::size_t k = 0; k < kKinds; ++k) {
    const double rest = budget(k, plain, current) - lows(k);
    double constant = plain;
    double scale = std::abs(current) + std::abs(plain) + 1;
    for (std::size_t c = 0; c <= layout_.width; ++c) {
      const Deviation& d = deviation(c);
      if (d.factor == 0) continue;
      const Range used = range(k, c);
      const double low = std::max(used.low, -d.spread);
      const double high = std::max(low, high_end(d, used, rest));
      const double steep = slope(k, c);
      const double at_low = value_at(d, low);
      const double at_high = value_at(d, high);
      const double shifted = std::abs(d.shift) * d.drift;
      constant += std::min(at_low - steep * low, at_high - steep * high) - steep * shifted;
      const Range& source = sources_seen_[range_at(k, c)];
      const double most = std::max(std::abs(source.low), std::abs(source.high));
      const double reach = most < kInfinity ? most : 0;
      scale += at_low + at_high + steep * (std::abs(low) + std::abs(high) + 2 * reach + shifted);
    }
    constant_[k] = constant - 256 * kUlp * static_cast<double>(layout_.width + 8) * scale;
  }
}

// New ranges give new chords; the first time none are known.
void Bounds::rebuild(std::span<const Movable> movable, std::span<const SourcePlace> places,
                     double plain, double current, bool force) {
  uses_relaxed_ = force;
  uses_strict_ = false;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].amounts < 0) continue;
    for (const bool relaxed : movable[i].source.relaxed)
      (relaxed ? uses_relaxed_ : uses_strict_) = true;
  }
  for (Extremes& seen : extremes_) seen.is_incomplete = false;
  for (int pass = has_ranges_ ? 1 : 0; pass < 2; ++pass) {
    set_slopes(plain, current);
    pass_sources(movable, places);
    pass_targets();
    gather_seen();
    has_ranges_ = true;
  }
}

}  // namespace ballast::ganeti::fast
