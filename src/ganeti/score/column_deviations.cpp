// SPDX-License-Identifier: BSD-2-Clause
// Equal nodes give almost the same score, and the last bits, which depend on the order of
// summation, decide among them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ballast/core/wide_vectors.hpp"
#include "ballast/ganeti/score/columns.hpp"

namespace ballast::ganeti::alloc {
namespace {

using Change = std::pair<std::size_t, double>;

constexpr std::size_t kLanes = 8;
constexpr double kUnused = std::numeric_limits<double>::quiet_NaN();  // equal to nothing

/// Sums that differ, in whole groups of lanes; each stands for all changes that have come to it.
class Lanes {
 public:
  double* sums() { return sums_.data(); }
  [[nodiscard]] std::size_t size() const { return sums_.size(); }

  /// The lane with this sum, a new one where there is none.
  std::size_t lane_of(double sum) {
    for (std::size_t s = 0; s < used_; ++s) {
      if (sums_[s] == sum) return s;
    }
    if (used_ == sums_.size()) merge();
    if (used_ == sums_.size()) {
      sums_.resize(used_ + kLanes, kUnused);
      ids_.resize(used_ + kLanes);
    }
    sums_[used_] = sum;
    ids_[used_] = parents_.size();
    parents_.push_back(parents_.size());
    return used_++;
  }
  [[nodiscard]] std::size_t id(std::size_t lane) const { return ids_[lane]; }

  /// By id.
  [[nodiscard]] std::vector<double> results() const {
    std::vector<double> results(parents_.size());
    for (std::size_t s = 0; s < used_; ++s) results[ids_[s]] = sums_[s];
    // A parent is older than what has become equal to it.
    for (std::size_t id = 0; id < parents_.size(); ++id) {
      if (parents_[id] != id) results[id] = results[parents_[id]];
    }
    return results;
  }

 private:
  void merge() {
    std::size_t kept = 0;
    for (std::size_t s = 0; s < used_; ++s) {
      std::size_t same = 0;
      while (same < kept && sums_[same] != sums_[s]) ++same;
      if (same < kept) {
        const auto [older, younger] = std::minmax(ids_[same], ids_[s]);
        parents_[younger] = older;
        ids_[same] = older;
        continue;
      }
      sums_[kept] = sums_[s];
      ids_[kept++] = ids_[s];
    }
    std::fill(sums_.begin() + static_cast<std::ptrdiff_t>(kept), sums_.end(), kUnused);
    used_ = kept;
  }

  std::vector<double> sums_ = std::vector<double>(kLanes, kUnused);
  std::vector<std::size_t> ids_ = std::vector<std::size_t>(kLanes);
  std::vector<std::size_t> parents_;  ///< by id: the id that it has become equal to
  std::size_t used_ = 0;
};

/// Sums of `column` from left to right with each of the changes alone; those that have become equal
/// go on as one.
BALLAST_WIDE_VECTORS void replaced_sums(std::span<const double> column,
                                        std::span<const Change> changes, double* results) {
  Lanes lanes;
  double* __restrict sums = lanes.sums();
  std::size_t size = lanes.size();
  std::vector<std::size_t> ids(changes.size());
  std::size_t last = 0;
  std::size_t next = 0;
  double common = 0;
  for (std::size_t i = 0; i < column.size(); ++i) {
    const double value = column[i];
    for (std::size_t s0 = 0; s0 < size; s0 += kLanes) {
      for (std::size_t j = 0; j < kLanes; ++j) sums[s0 + j] += value;
    }
    if (next < changes.size() && changes[next].first == i) {
      const double sum = common + changes[next].second;
      // Neighbours mostly come to the same sum.
      if (!(sums[last] == sum)) {
        last = lanes.lane_of(sum);
        sums = lanes.sums();
        size = lanes.size();
      }
      ids[next++] = lanes.id(last);
    }
    common += value;
  }
  const std::vector<double> by_id = lanes.results();
  for (std::size_t c = 0; c < changes.size(); ++c) results[c] = by_id[ids[c]];
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
  std::vector<double> sums(changes.size());
  replaced_sums(column, changes, sums.data());
  std::vector<double> different = sums;
  std::sort(different.begin(), different.end());
  different.erase(std::unique(different.begin(), different.end()), different.end());
  std::vector<double> deviations(changes.size());
  std::vector<double> squares(column.size());
  std::vector<double> totals(changes.size());
  std::vector<Change> same;
  std::vector<std::size_t> places;
  for (const double sum : different) {
    const double mean = sum / count;
    same.clear();
    places.clear();
    for (std::size_t c = 0; c < changes.size(); ++c) {
      if (sums[c] != sum) continue;
      same.emplace_back(changes[c].first, squared_off(changes[c].second, mean));
      places.push_back(c);
    }
    squares_off(column, mean, squares.data());
    replaced_sums(squares, same, totals.data());
    for (std::size_t i = 0; i < places.size(); ++i)
      deviations[places[i]] = std::sqrt(totals[i] / count);
  }
  return deviations;
}

}  // namespace ballast::ganeti::alloc
