// SPDX-License-Identifier: BSD-2-Clause
// The share of the bounds that belongs to the targets: rows by box of similar instances.
#include <algorithm>
#include <limits>
#include <numeric>

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

void Bounds::close(const std::vector<double>& room, double demand, const Window& window,
                   Extremes& own) {
  close_targets(room.data() + window.begin, demand, window.length, own.closed.data());
}

// The least of the row itself is sought anew where it was this block's.
void Bounds::set_block(std::size_t row, const Window& window, double least) {
  const std::size_t at = row * blocks_ + window.begin / kTargetBlock;
  row_blocks_[at] = smallest(rows_.data() + row * arrays_.stride + window.begin, window.length);
  const double before = least_blocks_[at];
  least_blocks_[at] = std::min(least, row_blocks_[at]);
  if (least_blocks_[at] <= least_[row]) {
    least_[row] = least_blocks_[at];
  } else if (before == least_[row]) {
    is_least_stale_[row] = 1;
  }
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

void Bounds::pass_new_primaries(const Window& window, Extremes& own) {
  const Layout::Box& demand = layout_.boxes[window.box];
  const Arrays::Room& room = window.relaxed ? arrays_.hard : arrays_.strict;
  const bool is_mirrored = demand.low.is_mirrored;
  const std::size_t kinds = is_mirrored ? 2 : 1;
  close(room.cpus, demand.low.cpus, window, own);
  close(room.memory, demand.low.memory, window, own);
  close(room.forth_memory, demand.low.forth_memory, window, own);
  const std::size_t slot = is_mirrored ? 1 : 0;
  double* first =
      rows_.data() + row_at(window.box, slot, window.relaxed) * arrays_.stride + window.begin;
  double* out[2] = {first, first + arrays_.stride};
  std::copy_n(own.closed.begin(), window.length, first);
  add_failing(window, true, demand.low.memory, first);
  if (kinds > 1) std::copy_n(first, window.length, out[1]);
  const std::size_t k0 = is_mirrored ? kToPrimary[0] : index_of(FailoverToAny);
  const std::size_t k1 = is_mirrored ? kToPrimary[1] : k0;
  for (std::size_t c = 0; c < layout_.channels.size(); ++c) {
    const double slopes[2] = {slopes_[k0 * layout_.width + c], slopes_[k1 * layout_.width + c]};
    Seen seen{0, 0};
    if (demand.high.primary[c] > 0) {
      const std::size_t at = c * arrays_.stride + window.begin;
      seen = target_terms(
          {window.length, arrays_.lean.data() + at, arrays_.scale.data() + at, squeeze_[c],
           demand.low.primary[c], demand.high.primary[c], own.closed.data()},
          slopes, out, kinds);
    }
    for (const std::size_t k : {k0, k1}) own.see_target(range_at(k, c), seen);
  }
  for (std::size_t i = 0; i < kinds; ++i)
    set_block(row_at(window.box, slot + i, window.relaxed), window, kInfinity);
}

void Bounds::pass_new_secondaries(const Window& window, Extremes& own) {
  const Layout::Box& demand = layout_.boxes[window.box];
  const Arrays::Room& room = window.relaxed ? arrays_.hard : arrays_.strict;
  close(room.reserve, demand.low.reserved, window, own);
  close(room.own_reserve, demand.low.reserved, window, own);
  const std::size_t rows[2] = {row_at(window.box, 0, window.relaxed),
                               row_at(window.box, 3, window.relaxed)};
  double* out[2] = {rows_.data() + rows[0] * arrays_.stride + window.begin,
                    rows_.data() + rows[1] * arrays_.stride + window.begin};
  std::copy_n(own.closed.begin(), window.length, out[0]);
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
           demand.low.secondary[c], demand.high.secondary[c], own.closed.data()},
          slopes, out, 2);
    }
    for (const std::size_t k : kToSecondary) own.see_target(range_at(k, c), seen);
  }
  const double slopes[2] = {reserved_slope_[kToSecondary[0]], reserved_slope_[kToSecondary[1]]};
  double least[2];
  const Seen seen = reserved_terms(
      {window.length, arrays_.reserved.data() + window.begin,
       arrays_.reserved_lean.data() + window.begin, arrays_.reserved_scale.data() + window.begin,
       arrays_.reserved_deviation.squeeze, demand.low.reserved, demand.high.reserved,
       kReservedPrice, own.closed.data()},
      slopes, out, 2, least);
  for (std::size_t i = 0; i < 2; ++i) {
    own.see_target(range_at(kToSecondary[i], layout_.width), seen);
    set_block(rows[i], window, least[i]);
  }
}

void Bounds::pass_window(const Window& window, Extremes& own) {
  const Layout::Box& demand = layout_.boxes[window.box];
  const Arrays::Room& room = window.relaxed ? arrays_.hard : arrays_.strict;
  for (std::size_t i = 0; i < window.length; ++i)
    own.closed[i] = window.begin + i < arrays_.count ? 0.0 : kInfinity;
  close(room.disk, demand.low.disk, window, own);
  close(room.spindles, demand.low.spindles, window, own);
  for (std::size_t u = 0; u < layout_.units.size(); ++u) {
    if (demand.low.units[u] >= 0) {
      close_targets(room.units.data() + u * arrays_.stride + window.begin, demand.low.units[u],
                    window.length, own.closed.data());
    }
  }
  if (!demand.low.is_mirrored) {
    pass_new_primaries(window, own);
    return;
  }
  own.primaries_closed = own.closed;
  pass_new_primaries(window, own);
  std::swap(own.closed, own.primaries_closed);
  pass_new_secondaries(window, own);
}

void Bounds::pass_box(std::size_t box, std::span<const std::size_t> blocks, Extremes& own) {
  for (const bool relaxed : {false, true}) {
    if (!(relaxed ? uses_relaxed_ : uses_strict_)) continue;
    for (const std::size_t block : blocks)
      pass_window({box, relaxed, block * kTargetBlock, kTargetBlock}, own);
    for (std::size_t slot = 0; slot < kSlots; ++slot) set_least(row_at(box, slot, relaxed));
  }
}

void Bounds::pass_targets() {
  for (Extremes& seen : extremes_) seen.reset_targets();
  Ranges& seen = extremes_.front().targets;
  for (std::size_t c = 0; c <= layout_.width; ++c) seen[range_at(index_of(Failover), c)] = {0, 0};
  for (const std::size_t k : {kToPrimary[0], kToPrimary[1], index_of(FailoverToAny)})
    seen[range_at(k, layout_.width)] = {0, 0};
  std::fill(is_least_stale_.begin(), is_least_stale_.end(), 1);
  std::vector<std::size_t> all(arrays_.stride / kTargetBlock);
  std::iota(all.begin(), all.end(), std::size_t{0});
  team_.divide(layout_.boxes.size(), 1,
               [&](std::size_t begin, std::size_t end, std::size_t member) {
                 for (std::size_t box = begin; box < end; ++box)
                   pass_box(box, all, extremes_[member]);
               });
}

void Bounds::set_least(std::size_t row) {
  if (is_least_stale_[row] == 0) return;
  is_least_stale_[row] = 0;
  least_[row] = smallest(least_blocks_.data() + row * blocks_, blocks_);
}

}  // namespace ballast::ganeti::fast
