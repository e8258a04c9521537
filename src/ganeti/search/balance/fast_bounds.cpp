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
constexpr std::array<std::size_t, 2> kToPrimary{index_of(ReplaceAndFailover),
                                                index_of(ReplacePrimary)};
constexpr std::array<std::size_t, 2> kToSecondary{index_of(ReplaceSecondary),
                                                  index_of(FailoverAndReplace)};

double value_at(const Deviation& d, double change) {
  return d.factor * std::sqrt(std::max(0.0, d.spread + change));
}

// The least of slope * (x (lean + squeeze x) + bend x) + price * x for x between from and to.
double least_of(double slope, double squeeze, double lean, double bend, double price, double from,
                double to) {
  const auto value = [&](double x) { return slope * x * (lean + bend + squeeze * x) + price * x; };
  if (!(slope > 0) || !(squeeze > 0)) return std::min(value(from), value(to));
  const double x = std::clamp(-(lean + bend + price / slope) / (2 * squeeze), from, to);
  return value(x);
}

}  // namespace

Bounds::Bounds(const Layout& layout, const Arrays& arrays, std::size_t movable,
               const Division& division)
    : layout_(layout), arrays_(arrays), division_(division) {
  const std::size_t ranges = kKinds * (layout.width + 1);
  used_.resize(ranges);
  sources_seen_.resize(ranges);
  targets_seen_.resize(ranges);
  slopes_.resize(kKinds * layout.width);
  squeeze_.resize(layout.width);
  for (const Amounts& amounts : layout.classes) {
    class_primary_.insert(class_primary_.end(), amounts.primary.begin(), amounts.primary.end());
    class_secondary_.insert(class_secondary_.end(), amounts.secondary.begin(),
                            amounts.secondary.end());
  }
  linear_.resize(movable * kKinds);
  lowest_.resize(movable * kKinds);
  base_.resize(movable * kKinds);
  rows_.resize(2 * layout.boxes.size() * 4 * arrays.stride);
  least_.resize(2 * layout.boxes.size() * 4);
  closed_.resize(arrays.stride);
  Extremes seen;
  seen.ranges.resize(ranges);
  seen.low.resize(kKinds * layout.width);
  seen.high.resize(kKinds * layout.width);
  extremes_.assign(division.threads, seen);
}

const Deviation& Bounds::deviation(std::size_t channel) const {
  return channel == layout_.width ? arrays_.reserved_deviation : arrays_.deviations[channel];
}

double Bounds::lowest(std::size_t movable) const {
  const double* first = lowest_.data() + movable * kKinds;
  return *std::min_element(first, first + kKinds);
}

const double* Bounds::row(std::int32_t amounts_class, MoveKind kind, bool relaxed) const {
  const auto box =
      static_cast<std::size_t>(layout_.box_of[static_cast<std::size_t>(amounts_class)]);
  return rows_.data() + row_at(box, slot_of(kind), relaxed) * arrays_.stride;
}

// Above `budget` in one channel no candidate can win, so the chord may end there.
void Bounds::set_kind(std::size_t kind, double budget) {
  double constant = 0;
  double scale = 0;
  double lows = 0;
  for (std::size_t c = 0; c <= layout_.width; ++c)
    lows += value_at(deviation(c), used_[range_at(kind, c)].low);
  for (std::size_t c = 0; c <= layout_.width; ++c) {
    const Deviation& d = deviation(c);
    double& slope = c == layout_.width ? reserved_slope_[kind] : slopes_[kind * layout_.width + c];
    slope = 0;
    if (d.factor == 0) continue;
    const Range& used = used_[range_at(kind, c)];
    const double low = std::max(used.low, -d.spread);
    const double at_low = value_at(d, low);
    const double most = std::max(0.0, budget - (lows - value_at(d, used.low))) / d.factor;
    const double high = std::min(used.high, most * most * (1 + 1e-9) - d.spread);
    if (high > low) slope = d.factor * chord_slope(d.spread, low, high);
    constant += at_low - slope * low;
    scale += at_low + slope * std::abs(low) + value_at(d, std::max(high, low));
  }
  constant_[kind] = constant - 256 * kUlp * static_cast<double>(layout_.width + 8) * scale;
}

void Bounds::set_slopes(double current, double plain) {
  for (std::size_t c = 0; c < layout_.width; ++c) squeeze_[c] = deviation(c).squeeze;
  for (std::size_t k = 0; k < kKinds; ++k) {
    set_kind(k, (current - plain - least_plain_used_[k]) * (1 + 1e-9) + 1e-9);
    constant_[k] += plain - 256 * kUlp * (std::abs(current) + std::abs(plain) + 1);
  }
}

// Reserved memory at the sources. For two kinds it depends on the target: the bound takes the best
// that any could do.
void Bounds::pass_reserved(const Movable& movable, const SourcePlace& place, std::size_t index,
                           Extremes& seen) {
  const Amounts& demand = layout_.classes[static_cast<std::size_t>(place.amounts)];
  const Source& source = movable.source;
  double* lowest = lowest_.data() + index * kKinds;
  double* base = base_.data() + index * kKinds;
  const auto start = [&](std::size_t k) {
    return constant_[k] + linear_[index * kKinds + k] + source.offset[k];
  };
  const std::size_t any = index_of(FailoverToAny);
  if (!demand.is_mirrored) {
    if (!source.possible[any]) return;
    lowest[any] = base[any] = start(any);
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
    lowest[k] = start(k) + least_change;
    base[k] = start(k) + base_change;
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

void Bounds::pass_sources(std::span<const Movable> movable, std::span<const SourcePlace> places) {
  std::fill(sources_seen_.begin(), sources_seen_.end(), Range{kInfinity, -kInfinity});
  std::fill(lowest_.begin(), lowest_.end(), kInfinity);
  std::fill(base_.begin(), base_.end(), kInfinity);
  least_plain_.fill(kInfinity);
  for (Extremes& seen : extremes_) seen.reset();
  for_pieces(places.size(), division_, [&](std::size_t begin, std::size_t end, std::size_t piece) {
    Extremes& seen = extremes_[piece];
    const SourceJob job{layout_.width,
                        slopes_.data(),
                        squeeze_.data(),
                        arrays_.node_lean.data(),
                        arrays_.node_scale.data(),
                        class_primary_.data(),
                        class_secondary_.data(),
                        seen.low.data(),
                        seen.high.data()};
    source_terms(job, places.data() + begin, end - begin, linear_.data() + begin * kKinds);
    for (std::size_t i = begin; i < end; ++i) {
      if (places[i].amounts >= 0) pass_reserved(movable[i], places[i], i, seen);
    }
  });
  for (const Extremes& seen : extremes_) merge(seen);
}

// Instances on a node that fails N+1 count in the score.
void Bounds::add_failing(bool relaxed, bool as_primary, double demand, double* row) const {
  const Arrays& a = arrays_;
  for (std::size_t t = 0; t < a.count; ++t) {
    row[t] += a.failing[t];
    if (!relaxed || a.failing[t] > 0) continue;
    const bool fails = as_primary ? a.unallocated[t] - demand <= a.reserved[t]
                                  : a.unallocated[t] <= std::max(a.reserved[t], demand);
    if (fails) row[t] += a.residents[t] + 1;
  }
}

void Bounds::pass_new_primaries(std::size_t box, bool relaxed) {
  const Layout::Box& demand = layout_.boxes[box];
  const Arrays::Room& room = relaxed ? arrays_.hard : arrays_.strict;
  const bool is_mirrored = demand.low.is_mirrored;
  const std::size_t kinds = is_mirrored ? 2 : 1;
  close_targets(room.cpus.data(), demand.low.cpus, arrays_.stride, closed_.data());
  close_targets(room.memory.data(), demand.low.memory, arrays_.stride, closed_.data());
  close_targets(room.forth_memory.data(), demand.low.forth_memory, arrays_.stride, closed_.data());
  double* first = rows_.data() + row_at(box, is_mirrored ? 1 : 0, relaxed) * arrays_.stride;
  double* out[2] = {first, first + arrays_.stride};
  std::copy(closed_.begin(), closed_.end(), first);
  add_failing(relaxed, true, demand.low.memory, first);
  if (kinds > 1) std::copy_n(first, arrays_.stride, out[1]);
  const std::size_t k0 = is_mirrored ? kToPrimary[0] : index_of(FailoverToAny);
  const std::size_t k1 = is_mirrored ? kToPrimary[1] : k0;
  for (std::size_t c = 0; c < layout_.channels.size(); ++c) {
    const double slopes[2] = {slopes_[k0 * layout_.width + c], slopes_[k1 * layout_.width + c]};
    Seen seen{0, 0};
    if (demand.high.primary[c] > 0) {
      seen = target_terms({arrays_.stride, arrays_.lean.data() + c * arrays_.stride,
                           arrays_.scale.data() + c * arrays_.stride, squeeze_[c],
                           demand.low.primary[c], demand.high.primary[c], closed_.data()},
                          slopes, out, kinds);
    }
    for (const std::size_t k : {k0, k1}) {
      Range& range = targets_seen_[range_at(k, c)];
      range = {std::min(range.low, seen.low), std::max(range.high, seen.high)};
    }
  }
  const std::size_t slot = is_mirrored ? 1 : 0;
  for (std::size_t i = 0; i < kinds; ++i)
    least_[row_at(box, slot + i, relaxed)] = smallest(out[i], arrays_.stride);
}

void Bounds::pass_new_secondaries(std::size_t box, bool relaxed) {
  const Layout::Box& demand = layout_.boxes[box];
  const Arrays::Room& room = relaxed ? arrays_.hard : arrays_.strict;
  close_targets(room.reserve.data(), demand.low.reserved, arrays_.stride, closed_.data());
  close_targets(room.own_reserve.data(), demand.low.reserved, arrays_.stride, closed_.data());
  double* out[2] = {rows_.data() + row_at(box, 0, relaxed) * arrays_.stride,
                    rows_.data() + row_at(box, 3, relaxed) * arrays_.stride};
  std::copy(closed_.begin(), closed_.end(), out[0]);
  add_failing(relaxed, false, demand.low.reserved, out[0]);
  std::copy_n(out[0], arrays_.stride, out[1]);
  for (std::size_t c = 0; c < layout_.channels.size(); ++c) {
    const double slopes[2] = {slopes_[kToSecondary[0] * layout_.width + c],
                              slopes_[kToSecondary[1] * layout_.width + c]};
    Seen seen{0, 0};
    if (demand.high.secondary[c] > 0) {
      seen = target_terms({arrays_.stride, arrays_.lean.data() + c * arrays_.stride,
                           arrays_.scale.data() + c * arrays_.stride, squeeze_[c],
                           demand.low.secondary[c], demand.high.secondary[c], closed_.data()},
                          slopes, out, 2);
    }
    for (const std::size_t k : kToSecondary) {
      Range& range = targets_seen_[range_at(k, c)];
      range = {std::min(range.low, seen.low), std::max(range.high, seen.high)};
    }
  }
  const double slopes[2] = {reserved_slope_[kToSecondary[0]], reserved_slope_[kToSecondary[1]]};
  double least[2];
  const Seen seen =
      reserved_terms({arrays_.stride, arrays_.reserved.data(), arrays_.reserved_lean.data(),
                      arrays_.reserved_scale.data(), arrays_.reserved_deviation.squeeze,
                      demand.low.reserved, demand.high.reserved, kReservedPrice, closed_.data()},
                     slopes, out, 2, least);
  for (std::size_t i = 0; i < 2; ++i) {
    Range& range = targets_seen_[range_at(kToSecondary[i], layout_.width)];
    range = {std::min(range.low, seen.low), std::max(range.high, seen.high)};
    least_[row_at(box, i == 0 ? 0 : 3, relaxed)] = least[i];
  }
}

void Bounds::pass_box(std::size_t box, bool relaxed) {
  const Layout::Box& demand = layout_.boxes[box];
  const Arrays::Room& room = relaxed ? arrays_.hard : arrays_.strict;
  std::fill(closed_.begin(), closed_.end(), 0.0);
  std::fill(closed_.begin() + static_cast<std::ptrdiff_t>(arrays_.count), closed_.end(), kInfinity);
  close_targets(room.disk.data(), demand.low.disk, arrays_.stride, closed_.data());
  close_targets(room.spindles.data(), demand.low.spindles, arrays_.stride, closed_.data());
  for (std::size_t u = 0; u < layout_.units.size(); ++u) {
    if (demand.low.units[u] >= 0)
      close_targets(room.units.data() + u * arrays_.stride, demand.low.units[u], arrays_.stride,
                    closed_.data());
  }
  if (!demand.low.is_mirrored) {
    pass_new_primaries(box, relaxed);
    return;
  }
  const std::vector<double> closed = closed_;
  pass_new_primaries(box, relaxed);
  closed_ = closed;
  pass_new_secondaries(box, relaxed);
}

void Bounds::pass_targets(bool force) {
  std::fill(targets_seen_.begin(), targets_seen_.end(), Range{kInfinity, -kInfinity});
  for (std::size_t c = 0; c <= layout_.width; ++c)
    targets_seen_[range_at(index_of(Failover), c)] = {0, 0};
  for (const std::size_t k : {kToPrimary[0], kToPrimary[1], index_of(FailoverToAny)}) {
    targets_seen_[range_at(k, layout_.width)] = {0, 0};
  }
  for (std::size_t box = 0; box < layout_.boxes.size(); ++box) {
    if (!force && uses_strict_) pass_box(box, false);
    if (force || uses_relaxed_) pass_box(box, true);
  }
}

// Whether all that was seen lies within what the chords were made for; if not, the next try is made
// for it.
bool Bounds::combine_ranges() {
  bool is_within = has_ranges_;
  Ranges next(used_.size());
  for (std::size_t k = 0; k < kKinds; ++k) {
    for (std::size_t c = 0; c <= layout_.width; ++c) {
      const std::size_t at = range_at(k, c);
      const Range& source = sources_seen_[at];
      const Range& target = targets_seen_[at];
      if (source.low > source.high || target.low > target.high) {  // no such move
        next[at] = used_[at];
        continue;
      }
      const double low = source.low + target.low;
      // The product of the two changes, which the sum leaves out, is not above this.
      const double product = 4 * deviation(c).delta * deviation(c).delta;
      const double high = source.high + target.high + product;
      is_within = is_within && low >= used_[at].low && high <= used_[at].high;
      const double margin = 0.03 * (high - low) + 1e-12 * std::abs(high);
      next[at] = {low - margin, high + margin};
    }
    is_within = is_within && least_plain_[k] >= least_plain_used_[k];
    if (least_plain_[k] < kInfinity)
      least_plain_used_[k] = least_plain_[k] - 0.03 * std::abs(least_plain_[k]) - 1e-9;
  }
  used_ = std::move(next);
  has_ranges_ = true;
  return is_within;
}

void Bounds::refresh(std::span<const Movable> movable, std::span<const SourcePlace> places,
                     double plain, double current, bool force) {
  uses_strict_ = uses_relaxed_ = false;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].amounts < 0) continue;
    for (const bool relaxed : movable[i].source.relaxed)
      (relaxed ? uses_relaxed_ : uses_strict_) = true;
  }
  do {
    set_slopes(current, plain);
    pass_sources(movable, places);
    pass_targets(force);
  } while (!combine_ranges());
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].amounts < 0) continue;
    const auto box =
        static_cast<std::size_t>(layout_.box_of[static_cast<std::size_t>(places[i].amounts)]);
    for (std::size_t k = 0; k < kKinds; ++k) {
      const auto kind = static_cast<MoveKind>(k);
      if (kind == Failover || lowest_[i * kKinds + k] == kInfinity) continue;
      lowest_[i * kKinds + k] += least_[row_at(box, slot_of(kind), movable[i].source.relaxed[k])];
    }
  }
}

}  // namespace ballast::ganeti::fast
