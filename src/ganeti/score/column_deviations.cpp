// SPDX-License-Identifier: BSD-2-Clause
// Equal nodes give almost the same score, and the last bits, which depend on the order of
// summation, decide among them.
#include <algorithm>
#include <cmath>

#include "ballast/ganeti/score/columns.hpp"

namespace ballast::ganeti::alloc {
namespace {

using Change = std::pair<std::size_t, double>;

/// Running sums from left to right in which one value is replaced: one for each change, those that
/// have become equal as one.
class ReplacedSums {
 public:
  /// `column` and the values of `changes` are what is summed.
  std::vector<double> of(std::span<const double> column, std::span<const Change> changes) {
    std::vector<std::size_t> own(changes.size());
    double common = 0;
    std::size_t next = 0;
    for (std::size_t i = 0; i < column.size(); ++i) {
      const double value = column[i];
      for (double& sum : sums_) sum += value;
      if (next < changes.size() && changes[next].first == i) {
        own[next] = join(common + changes[next].second);
        ++next;
      }
      common += value;
      if (i % kMergeEvery == 0 && sums_.size() > 1) merge();
    }
    std::vector<double> result(changes.size());
    for (std::size_t c = 0; c < changes.size(); ++c) result[c] = sums_[place_of(own[c])];
    return result;
  }

 private:
  static constexpr std::size_t kMergeEvery = 8;

  /// An id for a new sum, or that of an equal one.
  std::size_t join(double value) {
    for (std::size_t s = 0; s < sums_.size(); ++s) {
      if (sums_[s] == value) return ids_[s];
    }
    sums_.push_back(value);
    ids_.push_back(parents_.size());
    parents_.push_back(parents_.size());
    return parents_.back();
  }

  void merge() {
    std::size_t kept = 0;
    for (std::size_t s = 0; s < sums_.size(); ++s) {
      std::size_t same = 0;
      while (same < kept && sums_[same] != sums_[s]) ++same;
      parents_[ids_[s]] = same < kept ? ids_[same] : ids_[s];
      if (same < kept) continue;
      sums_[kept] = sums_[s];
      ids_[kept++] = ids_[s];
    }
    sums_.resize(kept);
    ids_.resize(kept);
  }

  [[nodiscard]] std::size_t place_of(std::size_t id) const {
    while (parents_[id] != id) id = parents_[id];
    return static_cast<std::size_t>(std::find(ids_.begin(), ids_.end(), id) - ids_.begin());
  }

  std::vector<double> sums_;          ///< those that differ
  std::vector<std::size_t> ids_;      ///< of each of them
  std::vector<std::size_t> parents_;  ///< by id: the id that it has become equal to
};

double squared_off(double value, double mean) {
  const double off = value - mean;
  return off * off;
}

}  // namespace

std::vector<double> deviations_with(std::span<const double> column,
                                    std::span<const Change> changes) {
  const auto count = static_cast<double>(column.size());
  const std::vector<double> sums = ReplacedSums().of(column, changes);
  std::vector<double> deviations(changes.size());
  std::vector<bool> is_done(changes.size());
  std::vector<double> squares(column.size());
  for (std::size_t c = 0; c < changes.size(); ++c) {
    if (is_done[c]) continue;
    const double mean = sums[c] / count;
    std::vector<Change> same;
    std::vector<std::size_t> places;
    for (std::size_t d = c; d < changes.size(); ++d) {
      if (is_done[d] || sums[d] != sums[c]) continue;
      is_done[d] = true;
      same.emplace_back(changes[d].first, squared_off(changes[d].second, mean));
      places.push_back(d);
    }
    for (std::size_t i = 0; i < column.size(); ++i) squares[i] = squared_off(column[i], mean);
    const std::vector<double> totals = ReplacedSums().of(squares, same);
    for (std::size_t i = 0; i < places.size(); ++i)
      deviations[places[i]] = std::sqrt(totals[i] / count);
  }
  return deviations;
}

}  // namespace ballast::ganeti::alloc
