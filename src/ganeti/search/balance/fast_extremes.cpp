// SPDX-License-Identifier: BSD-2-Clause
// What the members of the team have seen, brought together: least and most do not depend on who
// saw what.
#include <algorithm>
#include <limits>

#include "fast_bounds.hpp"

namespace ballast::ganeti::fast {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

void Bounds::Extremes::see(std::size_t place, double least, double most) {
  ranges[place].low = std::min(ranges[place].low, least);
  ranges[place].high = std::max(ranges[place].high, most);
}

void Bounds::Extremes::see_target(std::size_t place, const Seen& seen) {
  Range& range = targets[place];
  range = {std::min(range.low, seen.low), std::max(range.high, seen.high)};
}

void Bounds::Extremes::reset_targets() {
  std::fill(targets.begin(), targets.end(), Range{kInfinity, -kInfinity});
}

void Bounds::Extremes::reset_sources() {
  std::fill(ranges.begin(), ranges.end(), Range{kInfinity, -kInfinity});
  std::fill(low.begin(), low.end(), kInfinity);
  std::fill(high.begin(), high.end(), -kInfinity);
  least_plain.fill(kInfinity);
}

void Bounds::gather_seen() {
  least_plain_.fill(kInfinity);
  std::fill(sources_seen_.begin(), sources_seen_.end(), Range{kInfinity, -kInfinity});
  std::fill(targets_seen_.begin(), targets_seen_.end(), Range{kInfinity, -kInfinity});
  for (const Extremes& seen : extremes_) {
    for (std::size_t i = 0; i < targets_seen_.size(); ++i) {
      targets_seen_[i].low = std::min(targets_seen_[i].low, seen.targets[i].low);
      targets_seen_[i].high = std::max(targets_seen_[i].high, seen.targets[i].high);
    }
    for (std::size_t k = 0; k < kKinds; ++k) {
      least_plain_[k] = std::min(least_plain_[k], seen.least_plain[k]);
      for (std::size_t c = 0; c <= layout_.width; ++c) {
        Range& range = sources_seen_[range_at(k, c)];
        const Range& other = seen.ranges[range_at(k, c)];
        const bool is_channel = c < layout_.width;
        const double low = is_channel ? seen.low[k * layout_.width + c] : other.low;
        const double high = is_channel ? seen.high[k * layout_.width + c] : other.high;
        range.low = std::min(range.low, low);
        range.high = std::max(range.high, high);
      }
    }
  }
}

}  // namespace ballast::ganeti::fast
