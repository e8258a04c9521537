// SPDX-License-Identifier: BSD-2-Clause
// The share of the bounds that belongs to the targets: rows by box of similar instances.
#include <algorithm>
#include <limits>

#include "fast_bounds.hpp"

namespace ballast::ganeti::fast {

namespace {

using enum MoveKind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array<std::size_t, 2> kToPrimary{index_of(ReplaceAndFailover),
                                                index_of(ReplacePrimary)};
constexpr std::array<std::size_t, 2> kToSecondary{index_of(ReplaceSecondary),
                                                  index_of(FailoverAndReplace)};

}  // namespace

void Bounds::see_target(std::size_t kind, std::size_t channel, const Seen& seen) {
  Range& range = targets_seen_[range_at(kind, channel)];
  range = {std::min(range.low, seen.low), std::max(range.high, seen.high)};
}

void Bounds::close(const std::vector<double>& room, double demand, const Window& window) {
  close_targets(room.data() + window.begin, demand, window.length, closed_.data());
}

void Bounds::set_block(std::size_t row, const Window& window, double least) {
  const std::size_t at = row * blocks_ + window.begin / kTargetBlock;
  row_blocks_[at] = smallest(rows_.data() + row * arrays_.stride + window.begin, window.length);
  least_blocks_[at] = std::min(least, row_blocks_[at]);
}

// Instances on a node that fails N+1 count in the score.
void Bounds::add_failing(const Window& window, bool as_primary, double demand, double* row) const {
  const Arrays& a = arrays_;
  const std::size_t count = std::min(window.length, a.count - std::min(a.count, window.begin));
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t t = window.begin + i;
    row[i] += a.failing[t];
    if (!window.relaxed || a.failing[t] > 0) continue;
    const bool fails = as_primary ? a.unallocated[t] - demand <= a.reserved[t]
                                  : a.unallocated[t] <= std::max(a.reserved[t], demand);
    if (fails) row[i] += a.residents[t] + 1;
  }
}

void Bounds::pass_new_primaries(const Window& window) {
  const Layout::Box& demand = layout_.boxes[window.box];
  const Arrays::Room& room = window.relaxed ? arrays_.hard : arrays_.strict;
  const bool is_mirrored = demand.low.is_mirrored;
  const std::size_t kinds = is_mirrored ? 2 : 1;
  close(room.cpus, demand.low.cpus, window);
  close(room.memory, demand.low.memory, window);
  close(room.forth_memory, demand.low.forth_memory, window);
  const std::size_t slot = is_mirrored ? 1 : 0;
  double* first =
      rows_.data() + row_at(window.box, slot, window.relaxed) * arrays_.stride + window.begin;
  double* out[2] = {first, first + arrays_.stride};
  std::copy_n(closed_.begin(), window.length, first);
  add_failing(window, true, demand.low.memory, first);
  if (kinds > 1) std::copy_n(first, window.length, out[1]);
  const std::size_t k0 = is_mirrored ? kToPrimary[0] : index_of(FailoverToAny);
  const std::size_t k1 = is_mirrored ? kToPrimary[1] : k0;
  for (std::size_t c = 0; c < layout_.channels.size(); ++c) {
    const double slopes[2] = {slopes_[k0 * layout_.width + c], slopes_[k1 * layout_.width + c]};
    Seen seen{0, 0};
    if (demand.high.primary[c] > 0) {
      const std::size_t at = c * arrays_.stride + window.begin;
      seen =
          target_terms({window.length, arrays_.lean.data() + at, arrays_.scale.data() + at,
                        squeeze_[c], demand.low.primary[c], demand.high.primary[c], closed_.data()},
                       slopes, out, kinds);
    }
    for (const std::size_t k : {k0, k1}) see_target(k, c, seen);
  }
  for (std::size_t i = 0; i < kinds; ++i)
    set_block(row_at(window.box, slot + i, window.relaxed), window, kInfinity);
}

void Bounds::pass_new_secondaries(const Window& window) {
  const Layout::Box& demand = layout_.boxes[window.box];
  const Arrays::Room& room = window.relaxed ? arrays_.hard : arrays_.strict;
  close(room.reserve, demand.low.reserved, window);
  close(room.own_reserve, demand.low.reserved, window);
  const std::size_t rows[2] = {row_at(window.box, 0, window.relaxed),
                               row_at(window.box, 3, window.relaxed)};
  double* out[2] = {rows_.data() + rows[0] * arrays_.stride + window.begin,
                    rows_.data() + rows[1] * arrays_.stride + window.begin};
  std::copy_n(closed_.begin(), window.length, out[0]);
  add_failing(window, false, demand.low.reserved, out[0]);
  std::copy_n(out[0], window.length, out[1]);
  for (std::size_t c = 0; c < layout_.channels.size(); ++c) {
    const double slopes[2] = {slopes_[kToSecondary[0] * layout_.width + c],
                              slopes_[kToSecondary[1] * layout_.width + c]};
    Seen seen{0, 0};
    if (demand.high.secondary[c] > 0) {
      const std::size_t at = c * arrays_.stride + window.begin;
      seen = target_terms(
          {window.length, arrays_.lean.data() + at, arrays_.scale.data() + at, squeeze_[c],
           demand.low.secondary[c], demand.high.secondary[c], closed_.data()},
          slopes, out, 2);
    }
    for (const std::size_t k : kToSecondary) see_target(k, c, seen);
  }
  const double slopes[2] = {reserved_slope_[kToSecondary[0]], reserved_slope_[kToSecondary[1]]};
  double least[2];
  const Seen seen = reserved_terms(
      {window.length, arrays_.reserved.data() + window.begin,
       arrays_.reserved_lean.data() + window.begin, arrays_.reserved_scale.data() + window.begin,
       arrays_.reserved_deviation.squeeze, demand.low.reserved, demand.high.reserved,
       kReservedPrice, closed_.data()},
      slopes, out, 2, least);
  for (std::size_t i = 0; i < 2; ++i) {
    see_target(kToSecondary[i], layout_.width, seen);
    set_block(rows[i], window, least[i]);
  }
}

void Bounds::pass_window(const Window& window) {
  const Layout::Box& demand = layout_.boxes[window.box];
  const Arrays::Room& room = window.relaxed ? arrays_.hard : arrays_.strict;
  for (std::size_t i = 0; i < window.length; ++i)
    closed_[i] = window.begin + i < arrays_.count ? 0.0 : kInfinity;
  close(room.disk, demand.low.disk, window);
  close(room.spindles, demand.low.spindles, window);
  for (std::size_t u = 0; u < layout_.units.size(); ++u) {
    if (demand.low.units[u] >= 0) {
      close_targets(room.units.data() + u * arrays_.stride + window.begin, demand.low.units[u],
                    window.length, closed_.data());
    }
  }
  if (!demand.low.is_mirrored) {
    pass_new_primaries(window);
    return;
  }
  primaries_closed_ = closed_;
  pass_new_primaries(window);
  std::swap(closed_, primaries_closed_);
  pass_new_secondaries(window);
}

void Bounds::pass_block(std::size_t block) {
  const std::size_t begin = block * kTargetBlock;
  const std::size_t length = std::min(kTargetBlock, arrays_.stride - begin);
  for (std::size_t box = 0; box < layout_.boxes.size(); ++box) {
    if (uses_strict_) pass_window({box, false, begin, length});
    if (uses_relaxed_) pass_window({box, true, begin, length});
  }
}

void Bounds::pass_targets() {
  std::fill(targets_seen_.begin(), targets_seen_.end(), Range{kInfinity, -kInfinity});
  for (std::size_t c = 0; c <= layout_.width; ++c)
    targets_seen_[range_at(index_of(Failover), c)] = {0, 0};
  for (const std::size_t k : {kToPrimary[0], kToPrimary[1], index_of(FailoverToAny)}) {
    targets_seen_[range_at(k, layout_.width)] = {0, 0};
  }
  for (std::size_t block = 0; block < blocks_; ++block) pass_block(block);
}

void Bounds::update_target(std::size_t target) { pass_block(target / kTargetBlock); }

void Bounds::set_least() {
  for (std::size_t row = 0; row < least_.size(); ++row) {
    const auto begin = least_blocks_.begin() + static_cast<std::ptrdiff_t>(row * blocks_);
    least_[row] = blocks_ == 0
                      ? kInfinity
                      : *std::min_element(begin, begin + static_cast<std::ptrdiff_t>(blocks_));
  }
}

}  // namespace ballast::ganeti::fast
