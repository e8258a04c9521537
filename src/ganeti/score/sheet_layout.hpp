// SPDX-License-Identifier: BSD-2-Clause
// Which column stands where in the panels of a sheet.
#pragma once

#include <algorithm>
#include <array>

#include "ballast/ganeti/score/sheet.hpp"
#include "panel.hpp"

namespace ballast::ganeti {

/// Position -> metric in the first panel; the rest of it stays 0. The sum metric of reserved memory
/// is the sum of its column.
inline constexpr auto kPanelMetrics = [] {
  std::array<MetricId, std::size_t{std::ranges::count_if(kMetricIds, is_deviation)}> metrics{};
  std::ranges::copy_if(kMetricIds, metrics.begin(), is_deviation);
  return metrics;
}();
static_assert(kPanelMetrics.size() <= panel::kWidth);
inline constexpr auto kReservedColumn = static_cast<std::size_t>(
    std::ranges::find(kPanelMetrics, MetricId::ReservedMem) - kPanelMetrics.begin());
/// In the others, two columns a unit: as it is, and with planned instances.
inline constexpr std::size_t kUnitsPerPanel = panel::kWidth / 2;

template <class Visit>
void ScoreSheet::for_each_column(std::size_t panel, Visit&& visit) const {
  if (panel == 0) {
    for (std::size_t i = 0; i < kPanelMetrics.size(); ++i)
      visit(ScoreColumns::column_of(kPanelMetrics[i]), i);
    return;
  }
  const std::size_t first = (panel - 1) * kUnitsPerPanel;
  const std::size_t count = std::min(kUnitsPerPanel, columns_->units().size() - first);
  for (std::size_t u = 0; u < count; ++u) {
    visit(columns_->first_unit_of(MetricId::FreeDisk) + first + u, 2 * u);
    visit(columns_->first_unit_of(MetricId::ForthFreeDisk) + first + u, 2 * u + 1);
  }
}

}  // namespace ballast::ganeti
