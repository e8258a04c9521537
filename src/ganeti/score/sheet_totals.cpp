// SPDX-License-Identifier: BSD-2-Clause
// The score with a few nodes changed; of several such changes side by side.
#include <algorithm>

#include "panel.hpp"
#include "sheet_layout.hpp"

namespace ballast::ganeti {

static_assert(ScoreSheet::kTogether == panel::kTogether);

namespace {

std::vector<ChangedNode> last_of_each(std::span<const ChangedNode> changed) {
  std::vector<ChangedNode> result;
  result.reserve(changed.size());
  for (std::size_t i = 0; i < changed.size(); ++i) {
    const auto later = changed.subspan(i + 1);
    if (std::ranges::find(later, changed[i].node, &ChangedNode::node) == later.end())
      result.push_back(changed[i]);
  }
  return result;
}

std::vector<ChangedNode> pointers_to(std::span<const MoveEffect::Changed> changed) {
  std::vector<ChangedNode> pointers;
  pointers.reserve(changed.size());
  for (const MoveEffect::Changed& one : changed) pointers.push_back({one.node, &one.state});
  return pointers;
}

}  // namespace

ScoreSheet::Variant ScoreSheet::variant_of(std::span<const ChangedNode> all) const {
  const std::vector<ChangedNode> changed = last_of_each(all);
  Variant variant{counts_sum_, std::vector<double>(changed.size() * panels_ * kPanel), {}, 0};
  for (std::size_t i = 0; i < changed.size(); ++i) {
    const NodeId node = changed[i].node;
    if (position_[node.index()] == -2) continue;
    variant.counts -= counts_[node.index()];
    variant.counts += counts_of(node, *changed[i].state);
    if (position_[node.index()] < 0) continue;
    double* row = &variant.values[i * panels_ * kPanel];
    fill_row(node, *changed[i].state, row);
    variant.rows.push_back({static_cast<std::size_t>(position_[node.index()]), row});
  }
  std::ranges::sort(variant.rows, {}, &Row::position);
  variant.tag_pair_conflicts = tag_pair_conflicts_with(changed);
  return variant;
}

double ScoreSheet::total_with(std::span<const MoveEffect::Changed> changed) const {
  return total_with(pointers_to(changed));
}

double ScoreSheet::total_with(std::span<const ChangedNode> all) const {
  if (online_ == 0) return 0;
  const Variant variant = variant_of(all);
  const ColumnValues results = this->results(variant.counts, variant.rows,
                                             variant.tag_pair_conflicts, sums_of(0, variant.rows));
  return columns_->score([&](std::size_t column) { return results[column]; });
}

ScoreSheet::SumsTogether ScoreSheet::sums_together(
    const std::array<std::span<const Row>, kTogether>& changed) const {
  const double* rows = panel_values(0);
  std::vector<std::size_t> places;  // where at least one differs
  for (const auto& own : changed) {
    for (const Row& row : own) places.push_back(row.position);
  }
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  const auto row_of = [&](std::size_t k, std::size_t place) {
    const auto own = std::ranges::find(changed[k], place, &Row::position);
    return own == changed[k].end() ? rows + place * kPanel : own->values;
  };
  // Calls all(rows, count) for what is the same for all, one(set, row) where it is not.
  const auto walk = [&](auto all, auto one) {
    std::size_t begin = 0;
    for (const std::size_t place : places) {
      all(rows + begin * kPanel, place - begin);
      for (std::size_t k = 0; k < kTogether; ++k) one(k, row_of(k, place));
      begin = place + 1;
    }
    all(rows + begin * kPanel, online_ - begin);
  };
  const auto count = static_cast<double>(online_);
  std::array<double, kTogether * kPanel> sums{};
  walk([&](const double* first, std::size_t n) { panel::add_rows_together(first, n, sums.data()); },
       [&](std::size_t k, const double* row) { panel::add_rows(row, 1, &sums[k * kPanel]); });
  std::array<double, kTogether * kPanel> means;
  for (std::size_t i = 0; i < means.size(); ++i) means[i] = sums[i] / count;
  std::array<double, kTogether * kPanel> squares{};
  walk([&](const double* first,
           std::size_t n) { panel::add_squares_together(first, n, means.data(), squares.data()); },
       [&](std::size_t k, const double* row) {
         panel::add_squares(row, 1, &means[k * kPanel], &squares[k * kPanel]);
       });
  SumsTogether result{};
  for (std::size_t k = 0; k < kTogether; ++k) {
    result[k].counts.fill(count);
    std::copy_n(&sums[k * kPanel], kPanel, result[k].sums.begin());
    for (std::size_t c = 0; c < kPanel; ++c)
      result[k].variances[c] = squares[k * kPanel + c] / count;
  }
  return result;
}

std::array<double, ScoreSheet::kTogether> ScoreSheet::totals_with(const Together& several) const {
  std::array<double, kTogether> totals{};
  if (online_ == 0) return totals;
  std::array<Variant, kTogether> variants;
  std::array<std::span<const Row>, kTogether> rows;
  for (std::size_t k = 0; k < kTogether; ++k) {
    variants[k] = variant_of(pointers_to(several[k]));
    rows[k] = variants[k].rows;
  }
  const SumsTogether sums = sums_together(rows);
  for (std::size_t k = 0; k < kTogether; ++k) {
    const ColumnValues values =
        results(variants[k].counts, rows[k], variants[k].tag_pair_conflicts, sums[k]);
    totals[k] = columns_->score([&](std::size_t column) { return values[column]; });
  }
  return totals;
}

}  // namespace ballast::ganeti
