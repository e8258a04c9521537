// SPDX-License-Identifier: BSD-2-Clause
// Equal nodes give almost the same score, and the last bits, which depend on the order of
// summation, decide among them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ballast/core/wide_vectors.hpp"
#include "column_deviations.hpp"

namespace ballast::ganeti {
namespace {

using Change = std::pair<std::size_t, double>;

/// Sums from left to right of a column in which one value is replaced, for many replacements.
///
/// Two sums in one binade (between two powers of two) are both multiples of its unit in the last
/// place. Adding the same value rounds both by the same amount, unless that amount is exactly half
/// a unit: the side then depends on the sum. So while the plain sum and all others stay in one
/// binade and no value is such a tie, the others keep their distance from the plain sum and need no
/// work
/// ("calm"). Elsewhere each of them is added to on its own; those that become equal go on as one.
class ReplacedSums {
 public:
  void add(double value) {
    const double sum = plain_ + value;
    if (is_calm_ && !stays_calm(value, sum)) be_explicit();
    if (!is_calm_) {
      for (Lane& lane : lanes_) lane.sum += value;
    }
    plain_ = sum;
    if (!is_calm_) calm_down();
  }

  /// As add(), and one more sum begins here, with `other` in place of `value`. Its id.
  std::size_t add_replaced(double value, double other) {
    const double begun = plain_ + other;
    add(value);
    if (is_calm_ && (begun < bottom_ || begun >= 2 * bottom_)) be_explicit();
    return lanes_[lane_of(is_calm_ ? begun - plain_ : begun)].id;
  }

  /// By id; the last call.
  std::vector<double> results() {
    be_explicit();
    std::vector<double> results(parents_.size());
    for (const Lane& lane : lanes_) results[lane.id] = lane.sum;
    // A parent is older than what has become equal to it.
    for (std::size_t id = 0; id < parents_.size(); ++id) {
      if (parents_[id] != id) results[id] = results[parents_[id]];
    }
    return results;
  }

 private:
  struct Lane {
    double sum;  ///< while calm: less the plain sum, which is exact
    std::size_t id;
  };

  [[nodiscard]] bool stays_calm(double value, double sum) const {
    const double rounded_off = value - (sum - plain_);
    return value >= 0 && sum < limit_ && std::abs(rounded_off) != half_unit_;
  }

  void be_explicit() {
    if (!is_calm_) return;
    is_calm_ = false;
    for (Lane& lane : lanes_) lane.sum += plain_;
  }

  /// Where all sums stand in one binade.
  void calm_down() {
    if (!(plain_ >= std::numeric_limits<double>::min() && std::isfinite(plain_))) return;
    bottom_ = std::ldexp(1.0, std::ilogb(plain_));
    for (const Lane& lane : lanes_) {
      if (lane.sum < bottom_ || !(lane.sum < 2 * bottom_)) return;
    }
    is_calm_ = true;
    half_unit_ = bottom_ * (std::numeric_limits<double>::epsilon() / 2);
    limit_ = 2 * bottom_;
    for (Lane& lane : lanes_) {
      lane.sum -= plain_;
      limit_ = std::min(limit_, 2 * bottom_ - lane.sum);
    }
  }

  /// The lane with this sum, a new one where there is none.
  std::size_t lane_of(double sum) {
    // Neighbours mostly come to the same.
    if (last_ < lanes_.size() && lanes_[last_].sum == sum) return last_;
    const auto is_same = [&](const Lane& lane) { return lane.sum == sum; };
    auto found = std::find_if(lanes_.begin(), lanes_.end(), is_same);
    if (found == lanes_.end()) {
      if (lanes_.size() >= merge_at_) merge();
      lanes_.push_back({sum, parents_.size()});
      parents_.push_back(parents_.size());
      if (is_calm_) limit_ = std::min(limit_, 2 * bottom_ - sum);
      found = lanes_.end() - 1;
    }
    last_ = static_cast<std::size_t>(found - lanes_.begin());
    return last_;
  }

  void merge() {
    std::sort(lanes_.begin(), lanes_.end(), [](const Lane& a, const Lane& b) {
      return a.sum != b.sum ? a.sum < b.sum : a.id < b.id;
    });
    std::size_t kept = 0;
    for (const Lane& lane : lanes_) {
      if (kept > 0 && lanes_[kept - 1].sum == lane.sum) {
        parents_[lane.id] = lanes_[kept - 1].id;
      } else {
        lanes_[kept++] = lane;
      }
    }
    lanes_.resize(kept);
    merge_at_ = std::max(kLeastMerged, 2 * kept);
  }

  static constexpr std::size_t kLeastMerged = 8;
  std::vector<Lane> lanes_;
  std::vector<std::size_t> parents_;  ///< by id: the id that it has become equal to
  double plain_ = 0;
  bool is_calm_ = false;
  double bottom_ = 0;     ///< while calm: of the binade
  double half_unit_ = 0;  ///< while calm: of the last place there
  double limit_ = 0;      ///< while calm: the plain sum below which no sum leaves the binade
  std::size_t last_ = 0;
  std::size_t merge_at_ = kLeastMerged;
};

struct Sums {
  std::vector<double> by_id;     ///< some may be equal
  std::vector<std::size_t> ids;  ///< by change
};

/// Sums of `column` from left to right with each of the changes alone.
Sums replaced_sums(std::span<const double> column, std::span<const Change> changes) {
  ReplacedSums sums;
  Sums found;
  found.ids.reserve(changes.size());
  std::size_t i = 0;
  for (const auto& [place, value] : changes) {
    for (; i < place; ++i) sums.add(column[i]);
    found.ids.push_back(sums.add_replaced(column[i++], value));
  }
  for (; i < column.size(); ++i) sums.add(column[i]);
  found.by_id = sums.results();
  return found;
}

BALLAST_WIDE_VECTORS void squares_off(std::span<const double> column, double mean,
                                      double* squares) {
  for (std::size_t i = 0; i < column.size(); ++i) {
    const double off = column[i] - mean;
    squares[i] = off * off;
  }
}

double squared_off(double value, double mean) {
  const double off = value - mean;
  return off * off;
}

}  // namespace

std::vector<double> deviations_with(std::span<const double> column,
                                    std::span<const Change> changes) {
  const auto count = static_cast<double>(column.size());
  const Sums sums = replaced_sums(column, changes);
  std::vector<double> different = sums.by_id;
  std::sort(different.begin(), different.end());
  different.erase(std::unique(different.begin(), different.end()), different.end());
  std::vector<double> deviations(changes.size());
  std::vector<double> squares(column.size());
  std::vector<Change> same;
  std::vector<std::size_t> places;
  same.reserve(changes.size());
  places.reserve(changes.size());
  for (const double sum : different) {
    const double mean = sum / count;
    same.clear();
    places.clear();
    for (std::size_t c = 0; c < changes.size(); ++c) {
      if (sums.by_id[sums.ids[c]] != sum) continue;
      same.emplace_back(changes[c].first, squared_off(changes[c].second, mean));
      places.push_back(c);
    }
    squares_off(column, mean, squares.data());
    Sums totals = replaced_sums(squares, same);
    for (double& total : totals.by_id) total = std::sqrt(total / count);
    for (std::size_t i = 0; i < places.size(); ++i)
      deviations[places[i]] = totals.by_id[totals.ids[i]];
  }
  return deviations;
}

}  // namespace ballast::ganeti
