// SPDX-License-Identifier: BSD-2-Clause
// What looks at, or sets, all instances or all nodes at once.
#include "end_state.hpp"

#include <algorithm>
#include <cmath>

namespace ballast::ganeti {

void EndState::read_slopes() {
  for (std::size_t c = 0; c < reserved_channel_; ++c) {
    const double mean = sums_[c] * inverse_count_[c];
    const double variance = squares_[c] * inverse_count_[c] - mean * mean;
    const double steepness =
        variance > 1e-18 ? weight_[c] * inverse_count_[c] / std::sqrt(variance) : 0;
    primary_slopes_[c] = steepness * usual_primary_[c];
    secondary_slopes_[c] = steepness * usual_secondary_[c];
  }
}

void EndState::find_extremes(std::vector<std::int32_t>& nodes) const {
  nodes.clear();
  for (std::size_t c = 0; c <= reserved_channel_; ++c) {
    if (weight_[c] == 0) continue;
    std::size_t least = 0;
    std::size_t most = 0;
    for (std::size_t n = 1; n < target_count(); ++n) {
      const double value = rows_[n * width_ + c];
      if (value < rows_[least * width_ + c]) least = n;
      if (value > rows_[most * width_ + c]) most = n;
    }
    nodes.push_back(static_cast<std::int32_t>(least));
    nodes.push_back(static_cast<std::int32_t>(most));
  }
}

// From the rows: over millions of changes their roundings pile up.
void EndState::sum_up() {
  std::fill(sums_.begin(), sums_.end(), 0);
  std::fill(squares_.begin(), squares_.end(), 0);
  for (std::size_t n = 0; n < target_count(); ++n) {
    const double* row = rows_.data() + n * width_;
    for (std::size_t c = 0; c < width_; ++c) {
      sums_[c] += row[c];
      squares_[c] += row[c] * row[c];
    }
  }
}

void EndState::set_hardness(double hardness) {
  sum_up();
  hardness_ = hardness;
  counted_ = wall_ = softened_ = 0;
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    figures_[node].counted = figures_[node].wall = figures_[node].softened = 0;
    settle(node);
  }
  keep();
}

std::vector<Placement> EndState::placements() const {
  std::vector<Placement> result = start_.placements;
  for (std::size_t i = 0; i < movable_.size(); ++i) {
    Placement& placement = result[movable_[i].id.index()];
    placement.primary = nodes_[static_cast<std::size_t>(spots_[i].primary)];
    if (spots_[i].secondary >= 0)
      placement.secondary = nodes_[static_cast<std::size_t>(spots_[i].secondary)];
  }
  return result;
}

void EndState::adopt(const std::vector<Placement>& placements) {
  for (std::size_t i = 0; i < movable_.size(); ++i) {
    const Placement& to = placements[movable_[i].id.index()];
    Spot spot{index_[to.primary.index()], -1};
    if (is_mirrored(i)) spot.secondary = index_[to.secondary.index()];
    if (spot != spots_[i]) place(i, spot);
  }
  keep();
}

}  // namespace ballast::ganeti
