// SPDX-License-Identifier: BSD-2-Clause
// Many changes of one node each: column by column for all of them.
#include <algorithm>

#include "column_deviations.hpp"
#include "sheet_layout.hpp"

namespace ballast::ganeti {
namespace {

/// A column of its own: the values that count, in node order.
struct Gathered {
  std::size_t column;
  std::vector<double> values;
  /// By position among the online nodes; -1: does not count. Empty: all do.
  std::vector<std::int32_t> places;
};

bool differs(const ChangedValues& change, std::size_t column) {
  const double before = (*change.before)[column];
  return before != (*change.after)[column] && ScoreColumns::counts(column, before, false);
}

bool is_same(const Gathered& a, const Gathered& b, std::span<const ChangedValues> changes) {
  return a.values == b.values && a.places == b.places &&
         std::ranges::all_of(changes, [&](const ChangedValues& change) {
           return (*change.after)[a.column] == (*change.after)[b.column];
         });
}

Gathered gathered(std::size_t column, std::size_t at, std::span<const double> by_column,
                  const double* mask) {
  const std::size_t online = by_column.size() / panel::kWidth;
  const auto all = by_column.subspan(at * online, online);
  if (mask == nullptr) return {column, {all.begin(), all.end()}, {}};
  Gathered result{column, {}, std::vector<std::int32_t>(online, -1)};
  result.values.reserve(online);
  for (std::size_t t = 0; t < online; ++t) {
    if (mask[t * panel::kWidth + at] == 0) continue;
    result.places[t] = static_cast<std::int32_t>(result.values.size());
    result.values.push_back(all[t]);
  }
  return result;
}

/// What the column's deviation is with each change.
std::vector<double> deviations_of(const Gathered& one, std::span<const ChangedValues> changes,
                                  std::span<const std::int32_t> positions, double unchanged) {
  std::vector<double> deviations(changes.size(), unchanged);
  std::vector<std::pair<std::size_t, double>> changed;
  std::vector<std::size_t> of;
  changed.reserve(changes.size());
  of.reserve(changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (!differs(changes[i], one.column)) continue;
    const auto position = static_cast<std::size_t>(positions[changes[i].node.index()]);
    const std::size_t place =
        one.places.empty() ? position : static_cast<std::size_t>(one.places[position]);
    changed.emplace_back(place, (*changes[i].after)[one.column]);
    of.push_back(i);
  }
  const std::vector<double> found = deviations_with(one.values, changed);
  for (std::size_t i = 0; i < of.size(); ++i) deviations[of[i]] = found[i];
  return deviations;
}

}  // namespace

std::vector<double> ScoreSheet::totals_with_each(std::span<const ChangedValues> changes) const {
  if (online_ == 0) return std::vector<double>(changes.size());
  const ColumnValues unchanged = results(counts_sum_, {}, tag_pairs_->conflicts());
  // By column and change; empty: no change makes a difference.
  std::vector<std::vector<double>> each(columns_->size());
  std::vector<Gathered> done;
  for (std::size_t p = 0; p < panels_; ++p) {
    std::vector<double> by_column;
    for_each_column(p, [&](std::size_t column, std::size_t at) {
      const auto is_changed = [&](const ChangedValues& one) { return differs(one, column); };
      if (columns_->weight_of(column) == 0 || std::ranges::none_of(changes, is_changed)) return;
      if (by_column.empty()) by_column = panel::transposed(panel_values(p), online_);
      Gathered one = gathered(column, at, by_column, panel_mask(p));
      const auto same = std::ranges::find_if(
          done, [&](const Gathered& other) { return is_same(one, other, changes); });
      each[column] = same != done.end() ? each[same->column]
                                        : deviations_of(one, changes, position_, unchanged[column]);
      if (same == done.end()) done.push_back(std::move(one));
    });
  }
  std::vector<double> totals;
  totals.reserve(changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const ChangedValues& change = changes[i];
    totals.push_back(columns_->score([&](std::size_t column) {
      if (!each[column].empty()) return each[column][i];
      if (ScoreColumns::is_deviation(column) || !differs(change, column)) return unchanged[column];
      return unchanged[column] + ((*change.after)[column] - (*change.before)[column]);
    }));
  }
  return totals;
}

}  // namespace ballast::ganeti
