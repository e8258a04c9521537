// SPDX-License-Identifier: BSD-2-Clause
#include "dual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "ballast/ganeti/metrics/table.hpp"
#include "ballast/ganeti/score/root_bounds.hpp"

namespace ballast::ganeti::bound {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kWholeNumbers = 4;  // that are looked at: two on each side
constexpr double kCooler = 8;             // choices inside a column are harder than those of one

/// Least of x^2 - 2 x offset over all x that a node may lie from the centre.
struct Nearest {
  double least = 0;
  double soft = 0;      ///< softly least, not above
  double distance = 0;  ///< at which it is, softly
  double squares = 0;   ///< the same, squared
};

Nearest nearest_share(double offset) {
  return {-offset * offset, -offset * offset, offset, offset * offset};
}

/// A number of whole things is not at the centre but at one of the next whole numbers.
Nearest nearest_count(double centre, double offset, double heat) {
  std::array<double, kWholeNumbers> distances{};
  std::array<double, kWholeNumbers> values{};
  const double first = std::floor(centre + offset) - 1;
  for (std::size_t k = 0; k < kWholeNumbers; ++k) {
    distances[k] = first + static_cast<double>(k) - centre;
    values[k] = distances[k] * distances[k] - 2 * distances[k] * offset;
  }
  Nearest nearest;
  nearest.least = *std::min_element(values.begin(), values.end());
  double sum = 0;
  for (std::size_t k = 0; k < kWholeNumbers; ++k) {
    const double share = std::exp((nearest.least - values[k]) / heat);
    sum += share;
    nearest.distance += share * distances[k];
    nearest.squares += share * distances[k] * distances[k];
  }
  nearest.soft = nearest.least - heat * std::log(sum);
  nearest.distance /= sum;
  nearest.squares /= sum;
  return nearest;
}

double dot(const Amounts& a, const Amounts& b) {
  double sum = 0;
  for (std::size_t k = 0; k < kAmounts; ++k) sum += a[k] * b[k];
  return sum;
}

struct Least {
  double hard = 0;
  double soft = 0;
};

/// Turns costs into shares of the soft minimum, in place.
Least soften(std::span<double> costs, double heat) {
  const double least = *std::min_element(costs.begin(), costs.end());
  double sum = 0;
  for (double& cost : costs) sum += cost = std::exp((least - cost) / heat);
  for (double& cost : costs) cost /= sum;
  return {least, least - heat * std::log(sum)};
}

bool takes(const Relaxation& relaxation, std::size_t column, const Item& item) {
  return item.need <= relaxation.levels[relaxation.columns[column].level].most;
}

}  // namespace

double weight_of_side(const Relaxation& relaxation, std::size_t side) {
  if (side < kAmounts) return relaxation.weight[side];
  return side == kReserve ? weight_of(MetricId::ReservedMem) : 0;
}

/// The straight line below w x root(square), for squares between those of low and high, is
/// slope x square + w x low x high / (low + high).
Dual::Dual(const Relaxation& relaxation, const Cell& cell) : relaxation_(&relaxation) {
  for (std::size_t side = 0; side <= kReserve; ++side) {
    const double slope =
        chord_of_roots(weight_of_side(relaxation, side), cell.low[side], cell.high[side]);
    constant_ += slope * cell.low[side] * cell.high[side];
    if (side < kAmounts) price_[side] = slope / relaxation.node_count / (1 + relaxation.skew[side]);
  }
  // Of the reserved shares r with mean m: their squared deviation is the mean of r^2 less m^2, and
  // m^2 is at most (low + high) m - low x high between low and high.
  const double slope =
      chord_of_roots(weight_of_side(relaxation, kReserve), cell.low[kReserve], cell.high[kReserve]);
  const double twice = cell.low[kReserveMean] + cell.high[kReserveMean];
  constant_ += slope * cell.low[kReserveMean] * cell.high[kReserveMean];
  const double of_square = slope / relaxation.node_count;
  const double of_share = weight_of(MetricId::ReservedTotal);
  for (const Column& column : relaxation.columns) {
    const NodeClass& node = relaxation.nodes[column.node];
    const double least =
        std::max(relaxation.levels[column.level].least, node.fixed_need) * node.reserve_unit;
    const double lowest = of_square > 0 ? twice / 2 - of_share / (2 * of_square) : 0;
    const double share = std::max(least, lowest);
    reserve_share_.push_back(share);
    reserve_cost_.push_back(of_share * share + of_square * share * (share - twice));
  }
}

/// What is summed up while the columns and items are gone through.
class Dual::Look {
 public:
  Look(const Dual& dual, const Offsets& offsets, double softness)
      : all_(*dual.relaxation_),
        dual_(dual),
        offsets_(offsets),
        softness_(softness),
        slopes_(all_.columns.size()),
        nearest_(all_.columns.size()),
        hard_(all_.columns.size()),
        soft_(all_.columns.size()) {
    seen_.value = seen_.smooth = dual.constant_;
    seen_.slope.assign(all_.columns.size(), Amounts{});
  }

  Seen seen() && {
    // The columns of one class stand together.
    for (std::size_t first = 0; first < all_.columns.size();) {
      std::size_t last = first;
      while (last < all_.columns.size() && all_.columns[last].node == all_.columns[first].node)
        ++last;
      count_nodes(first, last);
      first = last;
    }
    for (std::size_t k = 0; k < kAmounts; ++k) {
      seen_.at[k] = std::sqrt(seen_.at[k] / all_.node_count / (1 + all_.skew[k]));
    }
    seen_.at[kReserveMean] /= all_.node_count;
    seen_.reserve_squares /= all_.node_count;
    count_items(all_.primaries);
    count_items(all_.secondaries);
    return std::move(seen_);
  }

 private:
  /// What a node costs in that column, and what one more unit of each amount does.
  void set_costs(std::size_t q, double heat) {
    const NodeClass& node = all_.nodes[all_.columns[q].node];
    hard_[q] = soft_[q] = dual_.reserve_cost_[q];
    for (std::size_t k = 0; k < kAmounts; ++k) {
      const double price = dual_.price_[k];
      const double offset = offsets_[q][k];
      if (price <= 0) continue;
      slopes_[q][k] = 2 * price * offset * node.per_unit[k];
      nearest_[q][k] =
          is_count(k) ? nearest_count(all_.centre[k], offset, heat / price) : nearest_share(offset);
      const double fixed = 2 * offset * (node.fixed[k] - all_.centre[k]);
      hard_[q] += price * (fixed + nearest_[q][k].least);
      soft_[q] += price * (fixed + nearest_[q][k].soft);
    }
  }

  /// All nodes of a class take the column that costs least.
  void count_nodes(std::size_t first, std::size_t last) {
    const double heat = softness_ / all_.node_count;
    for (std::size_t q = first; q < last; ++q) set_costs(q, heat / kCooler);
    const NodeClass& node = all_.nodes[all_.columns[first].node];
    const auto hard = std::span(hard_).subspan(first, last - first);
    const auto shares = std::span(soft_).subspan(first, last - first);
    seen_.value += node.count * *std::min_element(hard.begin(), hard.end());
    seen_.smooth += node.count * soften(shares, heat).soft;
    for (std::size_t q = first; q < last; ++q) {
      const double count = node.count * soft_[q];
      for (std::size_t k = 0; k < kAmounts; ++k) {
        const double away = node.fixed[k] - all_.centre[k] - nearest_[q][k].distance;
        seen_.slope[q][k] += 2 * dual_.price_[k] * count * away;
        seen_.at[k] += count * nearest_[q][k].squares;
      }
      const double share = dual_.reserve_share_[q];
      seen_.at[kReserveMean] += count * share;
      seen_.reserve_squares += count * share * share;
    }
  }

  /// Each item takes the column that costs least among those whose level it may share.
  void count_items(const std::vector<Item>& items) {
    double count = 0;
    for (const Item& item : items) count += item.count;
    for (const Item& item : items) {
      for (std::size_t q = 0; q < all_.columns.size(); ++q) {
        soft_[q] = takes(all_, q, item) ? dot(slopes_[q], item.brings) : kNever;
      }
      const Least least = soften(soft_, softness_ / count);
      seen_.value += item.count * least.hard;
      seen_.smooth += item.count * least.soft;
      for (std::size_t q = 0; q < all_.columns.size(); ++q) {
        if (soft_[q] <= 0) continue;
        const NodeClass& node = all_.nodes[all_.columns[q].node];
        for (std::size_t k = 0; k < kAmounts; ++k) {
          seen_.slope[q][k] +=
              2 * dual_.price_[k] * node.per_unit[k] * item.count * soft_[q] * item.brings[k];
        }
      }
    }
  }

  const Relaxation& all_;
  const Dual& dual_;
  const Offsets& offsets_;
  double softness_;
  std::vector<Amounts> slopes_;                         ///< by column
  std::vector<std::array<Nearest, kAmounts>> nearest_;  ///< by column
  std::vector<double> hard_;                            ///< by column
  std::vector<double> soft_;                            ///< by column; shares, once softened
  Seen seen_;
};

Seen Dual::look(const Offsets& offsets, double softness) const {
  return Look(*this, offsets, softness).seen();
}

}  // namespace ballast::ganeti::bound
