// SPDX-License-Identifier: BSD-2-Clause
// Many changes of one node each: column by column for all of them.
#include <algorithm>

#include "column_deviations.hpp"
#include "sheet_layout.hpp"

namespace ballast::ganeti {
namespace {

/// So many changes in a row that do the same: those of equal nodes share their values.
struct Alike {
  std::size_t begin;
  std::size_t end;
  const ColumnValues* before;
  const ColumnValues* after;

  [[nodiscard]] bool differs_in(std::size_t column) const {
    const double value = (*before)[column];
    return value != (*after)[column] && ScoreColumns::counts(column, value, false);
  }
};

std::vector<Alike> runs_of(std::span<const ChangedValues> changes) {
  std::vector<Alike> runs;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const ChangedValues& one = changes[i];
    if (runs.empty() || runs.back().before != one.before || runs.back().after != one.after)
      runs.push_back({i, i, one.before, one.after});
    runs.back().end = i + 1;
  }
  return runs;
}

bool differs_in_any(std::span<const Alike> runs, std::size_t column) {
  return std::ranges::any_of(runs, [&](const Alike& run) { return run.differs_in(column); });
}

/// A column of its own: the values that count, in node order.
struct Gathered {
  std::size_t column;
  std::vector<double> values;
  std::vector<std::size_t> places;  ///< by row, of those that count; empty: all do
};

/// `values` and `mask` are the column's in the panel; no mask: all count.
Gathered gathered(std::size_t column, const double* values, const double* mask, std::size_t rows) {
  Gathered result{column, std::vector<double>(rows), {}};
  if (mask != nullptr) result.places.resize(rows);
  std::size_t count = 0;
  for (std::size_t t = 0; t < rows; ++t) {
    if (mask != nullptr && mask[t * panel::kWidth] == 0) continue;
    if (mask != nullptr) result.places[t] = count;
    result.values[count++] = values[t * panel::kWidth];
  }
  result.values.resize(count);
  return result;
}

bool is_same(const Gathered& a, const Gathered& b, std::span<const Alike> runs) {
  return a.values == b.values && a.places == b.places &&
         std::ranges::all_of(runs, [&](const Alike& run) {
           return (*run.after)[a.column] == (*run.after)[b.column];
         });
}

/// What the column's deviation is with each change; `rows` by change.
std::vector<double> deviations_of(const Gathered& one, std::span<const Alike> runs,
                                  std::span<const std::size_t> rows, double unchanged) {
  std::vector<std::pair<std::size_t, double>> changed;
  changed.reserve(rows.size());
  for (const Alike& run : runs) {
    if (!run.differs_in(one.column)) continue;
    for (const std::size_t row : rows.subspan(run.begin, run.end - run.begin))
      changed.emplace_back(one.places.empty() ? row : one.places[row], (*run.after)[one.column]);
  }
  const std::vector<double> found = deviations_with(one.values, changed);
  if (found.size() == rows.size()) return found;
  std::vector<double> deviations(rows.size(), unchanged);
  auto next = found.begin();
  for (const Alike& run : runs) {
    if (!run.differs_in(one.column)) continue;
    for (std::size_t i = run.begin; i < run.end; ++i) deviations[i] = *next++;
  }
  return deviations;
}

std::vector<double> sums_with(std::size_t column, std::span<const Alike> runs, std::size_t changes,
                              double unchanged) {
  std::vector<double> sums(changes, unchanged);
  for (const Alike& run : runs) {
    if (!run.differs_in(column)) continue;
    const double sum = unchanged + ((*run.after)[column] - (*run.before)[column]);
    std::fill_n(sums.begin() + static_cast<std::ptrdiff_t>(run.begin), run.end - run.begin, sum);
  }
  return sums;
}

}  // namespace

std::vector<double> ScoreSheet::totals_with_each(const Running& now,
                                                 std::span<const ChangedValues> changes) const {
  if (online_ == 0) return std::vector<double>(changes.size());
  ColumnValues unchanged(columns_->size());
  for (std::size_t c = 0; c < unchanged.size(); ++c) unchanged[c] = now.value_of(c);
  const std::vector<Alike> runs = runs_of(changes);
  std::vector<std::size_t> rows;
  rows.reserve(changes.size());
  for (const ChangedValues& change : changes)
    rows.push_back(static_cast<std::size_t>(position_[change.node.index()]));
  // By column and change; empty: no change makes a difference.
  std::vector<std::vector<double>> each(columns_->size());
  for (std::size_t c = 0; c < each.size(); ++c) {
    if (!ScoreColumns::is_deviation(c) && differs_in_any(runs, c))
      each[c] = sums_with(c, runs, changes.size(), unchanged[c]);
  }
  std::vector<Gathered> done;
  for (std::size_t p = 0; p < panels_; ++p) {
    const double* mask = panel_mask(p);
    for_each_column(p, [&](std::size_t column, std::size_t at) {
      if (columns_->weight_of(column) == 0 || !differs_in_any(runs, column)) return;
      Gathered one = gathered(column, panel_values(p) + at, mask ? mask + at : nullptr, online_);
      const auto same = std::ranges::find_if(
          done, [&](const Gathered& other) { return is_same(one, other, runs); });
      each[column] = same != done.end() ? each[same->column]
                                        : deviations_of(one, runs, rows, unchanged[column]);
      if (same == done.end()) done.push_back(std::move(one));
    });
  }
  // Metric by metric: sums of one change after another would each wait for the addition before.
  std::vector<double> totals(changes.size());
  for (const MetricId k : kMetricIds) {
    if (!columns_->is_by_units(k) && each[ScoreColumns::column_of(k)].empty()) {
      const double term = columns_->term(k, [&](std::size_t column) { return unchanged[column]; });
      for (double& total : totals) total += term;
      continue;
    }
    for (std::size_t i = 0; i < totals.size(); ++i) {
      totals[i] += columns_->term(k, [&](std::size_t column) {
        return each[column].empty() ? unchanged[column] : each[column][i];
      });
    }
  }
  return totals;
}

}  // namespace ballast::ganeti
