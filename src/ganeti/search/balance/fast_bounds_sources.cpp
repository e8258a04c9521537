// SPDX-License-Identifier: BSD-2-Clause
// The share of the bounds that belongs to the instances and the nodes that they leave.
#include <algorithm>
#include <limits>

#include "fast_bounds.hpp"

namespace ballast::ganeti::fast {

namespace {

using enum MoveKind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Instances whose terms are computed at a time.
constexpr std::size_t kChunk = 64;
/// Below, another thread costs more than it saves.
constexpr std::size_t kLeastPerThread = 256;

// The least of slope * (x (lean + squeeze x) + bend x) + price * x for x between from and to.
double least_of(double slope, double squeeze, double lean, double bend, double price, double from,
                double to) {
  const auto value = [&](double x) { return slope * x * (lean + bend + squeeze * x) + price * x; };
  if (!(slope > 0) || !(squeeze > 0)) return std::min(value(from), value(to));
  const double x = std::clamp(-(lean + bend + price / slope) / (2 * squeeze), from, to);
  return value(x);
}

}  // namespace

// Reserved memory at the sources. For two kinds it depends on the target: the bound takes the best
// that any could do.
void Bounds::pass_reserved(const Movable& movable, const SourcePlace& place, std::size_t index,
                           const double* linear, Extremes& seen) {
  const Amounts& demand = layout_.classes[static_cast<std::size_t>(place.amounts)];
  const Source& source = movable.source;
  const auto start = [&](std::size_t k) { return linear[k] + source.offset[k]; };
  const auto own = [&](std::size_t k) -> double& { return own_[k * movable_ + index]; };
  const auto base = [&](std::size_t k) -> double& { return base_[k * movable_ + index]; };
  const std::size_t any = index_of(FailoverToAny);
  if (!demand.is_mirrored) {
    if (!source.possible[any]) return;
    own(any) = base(any) = start(any);
    seen.least_plain[any] = std::min(seen.least_plain[any], source.offset[any]);
    seen.see(range_at(any, layout_.width), 0, 0);
    return;
  }
  const auto p = static_cast<std::size_t>(place.primary);
  const auto s = static_cast<std::size_t>(place.secondary);
  const double squeeze = arrays_.reserved_deviation.squeeze;
  const double lean_p = arrays_.reserved_lean[p];
  const double lean_s = arrays_.reserved_lean[s];
  const double scale_p = arrays_.reserved_scale[p];
  const double scale_s = arrays_.reserved_scale[s];
  const double reserved_p = arrays_.reserved[p];
  const double reserved_s = arrays_.reserved[s];
  const double need = demand.reserved;
  const auto change = [squeeze](double x, double lean) { return x * (lean + squeeze * x); };
  const double out = (source.reserved_left - reserved_s) * scale_s;
  const double q_out = change(out, lean_s);
  const auto set = [&](MoveKind kind, double least_change, double low, double high,
                       double low_price, double base_change) {
    const std::size_t k = index_of(kind);
    if (!source.possible[k]) return;
    own(k) = start(k) + least_change;
    base(k) = start(k) + base_change;
    seen.see(range_at(k, layout_.width), low, high);
    seen.least_plain[k] = std::min(seen.least_plain[k], source.offset[k] + low_price);
  };
  for (const MoveKind kind : {ReplaceSecondary, FailoverAndReplace}) {
    const double value = reserved_slope_[index_of(kind)] * q_out + kReservedPrice * out;
    set(kind, value, q_out, q_out, kReservedPrice * out, value);
  }
  const auto swap = [&](MoveKind kind, double from, double to) {
    const double slope = reserved_slope_[index_of(kind)];
    const double rest = slope * q_out + kReservedPrice * out;
    const double bend = -2 * out;
    const double least = least_of(slope, squeeze, lean_p, bend, kReservedPrice, from, to);
    const double bottom = least_of(1, squeeze, lean_p, bend, 0, from, to);
    const double top = std::max(change(from, lean_p + bend), change(to, lean_p + bend));
    set(kind, rest + least, q_out + bottom, q_out + top, kReservedPrice * (out + from),
        rest + slope * change(from, lean_p + bend) + kReservedPrice * from);
  };
  swap(ReplaceAndFailover, (std::max(reserved_p, need) - reserved_p) * scale_p, need * scale_p);
  const double known = (std::max(reserved_p, source.peer_entry + need) - reserved_p) * scale_p;
  swap(Failover, known, known);
  const double from = (std::max(source.reserved_left, need) - reserved_s) * scale_s;
  const double to = std::max(from, (source.reserved_left + need - reserved_s) * scale_s);
  const double slope = reserved_slope_[index_of(ReplacePrimary)];
  set(ReplacePrimary, least_of(slope, squeeze, lean_s, 0, kReservedPrice, from, to),
      least_of(1, squeeze, lean_s, 0, 0, from, to),
      std::max(change(from, lean_s), change(to, lean_s)), kReservedPrice * from,
      slope * change(from, lean_s) + kReservedPrice * from);
}

SourceJob Bounds::source_job(Extremes& seen) const {
  return {layout_.width,
          slopes_.data(),
          squeeze_.data(),
          arrays_.node_lean.data(),
          arrays_.node_scale.data(),
          class_primary_.data(),
          class_secondary_.data(),
          seen.low.data(),
          seen.high.data()};
}

void Bounds::pass_sources(std::span<const Movable> movable, std::span<const SourcePlace> places) {
  std::fill(own_.begin(), own_.end(), kInfinity);
  std::fill(base_.begin(), base_.end(), kInfinity);
  for (Extremes& seen : extremes_) seen.reset_sources();
  const auto work = [&](std::size_t begin, std::size_t end, std::size_t member) {
    Extremes& seen = extremes_[member];
    const SourceJob job = source_job(seen);
    std::array<double, kChunk * kKinds> linear;
    for (std::size_t i0 = begin; i0 < end; i0 += kChunk) {
      const std::size_t count = std::min(kChunk, end - i0);
      source_terms(job, places.data() + i0, count, linear.data());
      for (std::size_t i = i0; i < i0 + count; ++i) {
        if (places[i].amounts >= 0)
          pass_reserved(movable[i], places[i], i, &linear[(i - i0) * kKinds], seen);
      }
    }
  };
  team_.divide(places.size(), kLeastPerThread, work);
}

void Bounds::update_source(const Movable& movable, const SourcePlace& place, std::size_t index,
                           std::size_t member) {
  Extremes& seen = extremes_[member];
  for (std::size_t k = 0; k < kKinds; ++k)
    own_[k * movable_ + index] = base_[k * movable_ + index] = kInfinity;
  if (place.amounts < 0) return;
  for (const bool relaxed : movable.source.relaxed)
    seen.is_incomplete = seen.is_incomplete || !(relaxed ? uses_relaxed_ : uses_strict_);
  std::array<double, kKinds> linear;
  source_terms(source_job(seen), &place, 1, linear.data());
  pass_reserved(movable, place, index, linear.data(), seen);
}

}  // namespace ballast::ganeti::fast
