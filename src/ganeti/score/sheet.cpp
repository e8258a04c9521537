// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/score/sheet.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "ballast/ganeti/score/node_values.hpp"
#include "panel.hpp"

namespace ballast::ganeti {

namespace {

// Column -> metric of the first panel; the rest of it stays 0. The sum metric of reserved memory is
// the sum of its column.
constexpr auto kColumns = [] {
  std::array<MetricId, std::size_t{std::ranges::count_if(kMetricIds, is_deviation)}> columns{};
  std::ranges::copy_if(kMetricIds, columns.begin(), is_deviation);
  return columns;
}();
static_assert(kColumns.size() <= panel::kWidth);
constexpr auto kReservedColumn =
    static_cast<std::size_t>(std::ranges::find(kColumns, MetricId::ReservedMem) - kColumns.begin());
constexpr std::size_t kUnitsPerPanel = panel::kWidth / 2;

std::int64_t size_of(const std::vector<InstanceId>& list) {
  return static_cast<std::int64_t>(list.size());
}

std::vector<const NodeState*> pointers_to(const State& state) {
  std::vector<const NodeState*> pointers;
  pointers.reserve(state.nodes.size());
  for (const NodeState& node : state.nodes) pointers.push_back(&node);
  return pointers;
}

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

}  // namespace

ScoreSheet::Counts& ScoreSheet::Counts::operator+=(const Counts& other) {
  failing += other.failing;
  offline_all += other.offline_all;
  offline_primaries += other.offline_primaries;
  tag_conflicts += other.tag_conflicts;
  location += other.location;
  return *this;
}

ScoreSheet::Counts& ScoreSheet::Counts::operator-=(const Counts& other) {
  failing -= other.failing;
  offline_all -= other.offline_all;
  offline_primaries -= other.offline_primaries;
  tag_conflicts -= other.tag_conflicts;
  location -= other.location;
  return *this;
}

ScoreSheet::ScoreSheet(const Cluster& cluster, const State& state, std::span<const NodeId> nodes)
    : ScoreSheet(cluster, pointers_to(state), nodes) {}

ScoreSheet::ScoreSheet(const Cluster& cluster, std::span<const NodeState* const> states,
                       std::span<const NodeId> nodes)
    : cluster_(&cluster),
      states_(states.begin(), states.end()),
      nodes_(nodes.begin(), nodes.end()) {
  position_.assign(cluster.nodes.size(), -2);
  counts_.resize(cluster.nodes.size());
  for (const NodeId node : nodes_) {
    has_location_tags_ = has_location_tags_ || !cluster[node].location_tags.empty();
    position_[node.index()] = cluster[node].is_offline ? -1 : static_cast<std::int32_t>(online_++);
  }
  if (cluster.has_storage) units_ = scored_units(cluster, nodes_);
  panels_ = 1 + (units_.size() + kUnitsPerPanel - 1) / kUnitsPerPanel;
  values_.resize(panels_ * online_ * kPanel);
  masks_.resize((panels_ - 1) * online_ * kPanel);
  std::vector<double> mask(panels_ * kPanel);
  for (const NodeId node : nodes_) {
    if (position_[node.index()] >= 0 && panels_ > 1) {
      const auto position = static_cast<std::size_t>(position_[node.index()]);
      fill_mask(node, mask.data());
      for (std::size_t p = 1; p < panels_; ++p) {
        std::copy_n(&mask[p * kPanel], kPanel, &masks_[((p - 1) * online_ + position) * kPanel]);
      }
    }
    update(node);
  }
}

ScoreSheet::Counts ScoreSheet::counts_of(NodeId node, const NodeState& state) const {
  Counts counts;
  const std::int64_t all = size_of(state.primaries) + size_of(state.secondaries);
  if ((*cluster_)[node].is_offline) {
    counts.offline_all = all;
    counts.offline_primaries = size_of(state.primaries);
    return counts;
  }
  counts.failing = state.fails_n1 ? all : 0;
  counts.tag_conflicts = conflicting_primaries(state);
  counts.location = state.location_score;
  return counts;
}

void ScoreSheet::fill_row(NodeId node, const NodeState& state, double* values) const {
  std::fill_n(values, panels_ * kPanel, 0.0);
  const auto of_node = node_values((*cluster_)[node], state);
  for (std::size_t c = 0; c < kColumns.size(); ++c) values[c] = of_node[kColumns[c]];
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (const auto fraction = unit_fraction(*cluster_, (*cluster_)[node], state, units_[u])) {
      values[kPanel + 2 * u] = fraction->now;
      values[kPanel + 2 * u + 1] = fraction->forth;
    }
  }
}

void ScoreSheet::fill_mask(NodeId node, double* mask) const {
  std::fill_n(mask, panels_ * kPanel, 0.0);
  for (const StorageUnit& unit : (*cluster_)[node].units) {
    const auto found = std::lower_bound(units_.begin(), units_.end(), unit.key);
    const auto u = static_cast<std::size_t>(found - units_.begin());
    mask[kPanel + 2 * u] = mask[kPanel + 2 * u + 1] = 1;
  }
}

void ScoreSheet::update(NodeId node) {
  if (position_[node.index()] == -2) return;
  counts_sum_ -= counts_[node.index()];
  counts_[node.index()] = counts_of(node, *states_[node.index()]);
  counts_sum_ += counts_[node.index()];
  if (position_[node.index()] < 0) return;
  const auto position = static_cast<std::size_t>(position_[node.index()]);
  std::vector<double> row(panels_ * kPanel);
  fill_row(node, *states_[node.index()], row.data());
  for (std::size_t p = 0; p < panels_; ++p) {
    std::copy_n(&row[p * kPanel], kPanel, &values_[(p * online_ + position) * kPanel]);
  }
}

void ScoreSheet::sum_panel(std::size_t panel, std::span<const Row> changed, double* sums,
                           double* squares) const {
  const double* rows = values_.data() + panel * online_ * kPanel;
  const double* masks = panel == 0 ? nullptr : masks_.data() + (panel - 1) * online_ * kPanel;
  std::fill_n(sums, kPanel, 0.0);
  std::fill_n(squares, kPanel, 0.0);
  std::size_t begin = 0;
  for (const Row& row : changed) {
    panel::add_rows(rows + begin * kPanel, row.position - begin, sums);
    panel::add_rows(row.values + panel * kPanel, 1, sums);
    begin = row.position + 1;
  }
  panel::add_rows(rows + begin * kPanel, online_ - begin, sums);

  std::array<double, kPanel> counts;
  counts.fill(static_cast<double>(online_));
  if (masks != nullptr) {
    counts.fill(0);
    panel::add_rows(masks, online_, counts.data());
  }
  std::array<double, kPanel> means{};
  for (std::size_t c = 0; c < kPanel; ++c) means[c] = counts[c] == 0 ? 0 : sums[c] / counts[c];
  const auto add = [&](const double* first, std::size_t from, std::size_t count) {
    if (masks == nullptr) {
      panel::add_squares(first, count, means.data(), squares);
    } else {
      panel::add_masked_squares(first, masks + from * kPanel, count, means.data(), squares);
    }
  };
  begin = 0;
  for (const Row& row : changed) {
    add(rows + begin * kPanel, begin, row.position - begin);
    add(row.values + panel * kPanel, row.position, 1);
    begin = row.position + 1;
  }
  add(rows + begin * kPanel, begin, online_ - begin);
  for (std::size_t c = 0; c < kPanel; ++c)
    squares[c] = counts[c] == 0 ? 0 : std::sqrt(squares[c] / counts[c]);
}

ScoreDetail ScoreSheet::detail_of(const Counts& counts, std::span<const Row> rows,
                                  double exclusions, bool with_units) const {
  ScoreDetail detail;
  detail.has_values = true;
  std::array<double, kPanel> sums{};
  std::array<double, kPanel> deviations{};
  sum_panel(0, rows, sums.data(), deviations.data());
  PerMetric<double>& values = detail.values;
  for (std::size_t c = 0; c < kColumns.size(); ++c) values[kColumns[c]] = deviations[c];
  values[MetricId::FailingN1] = static_cast<double>(counts.failing);
  values[MetricId::OfflineAll] = static_cast<double>(counts.offline_all);
  values[MetricId::OfflinePrimary] = static_cast<double>(counts.offline_primaries);
  values[MetricId::ExclusionTags] = static_cast<double>(counts.tag_conflicts);
  values[MetricId::Location] = static_cast<double>(counts.location);
  values[MetricId::LocationExclusion] = exclusions;
  values[MetricId::ReservedTotal] = sums[kReservedColumn];
  if (cluster_->has_storage) {
    double now = 0;
    double forth = 0;
    for (std::size_t p = 1; p < panels_; ++p) {
      sum_panel(p, rows, sums.data(), deviations.data());
      const std::size_t first = (p - 1) * kUnitsPerPanel;
      const std::size_t count = std::min(kUnitsPerPanel, units_.size() - first);
      for (std::size_t u = 0; u < count; ++u) {
        now += deviations[2 * u];
        forth += deviations[2 * u + 1];
        if (with_units)
          detail.units.push_back({units_[first + u], deviations[2 * u], deviations[2 * u + 1]});
      }
    }
    const auto count = static_cast<double>(units_.size());
    values[MetricId::FreeDisk] = units_.empty() ? 0 : now / count;
    values[MetricId::ForthFreeDisk] = units_.empty() ? 0 : forth / count;
  }
  for (const MetricId k : kMetricIds) detail.total += kMetrics[k].weight * values[k];
  return detail;
}

ScoreDetail ScoreSheet::detail() const {
  if (online_ == 0) return {};
  return detail_of(counts_sum_, {}, has_location_tags_ ? exclusions_with({}) : 0, true);
}

double ScoreSheet::plain_part() const {
  double reserved = 0;
  for (std::size_t t = 0; t < online_; ++t) reserved += values_[t * kPanel + kReservedColumn];
  const auto weighted = [](MetricId metric, double value) { return weight_of(metric) * value; };
  return weighted(MetricId::FailingN1, static_cast<double>(counts_sum_.failing)) +
         weighted(MetricId::OfflineAll, static_cast<double>(counts_sum_.offline_all)) +
         weighted(MetricId::OfflinePrimary, static_cast<double>(counts_sum_.offline_primaries)) +
         weighted(MetricId::ExclusionTags, static_cast<double>(counts_sum_.tag_conflicts)) +
         weighted(MetricId::Location, static_cast<double>(counts_sum_.location)) +
         weighted(MetricId::LocationExclusion, has_location_tags_ ? exclusions_with({}) : 0) +
         weighted(MetricId::ReservedTotal, reserved);
}

double ScoreSheet::exclusions_with(std::span<const ChangedNode> changed) const {
  return location_exclusion_value(*cluster_, nodes_, [&](NodeId node) -> const NodeState& {
    const auto found = std::ranges::find(changed, node, &ChangedNode::node);
    return found == changed.end() ? *states_[node.index()] : *found->state;
  });
}

double ScoreSheet::total_with(std::span<const MoveEffect::Changed> changed) const {
  std::vector<ChangedNode> pointers;
  pointers.reserve(changed.size());
  for (const MoveEffect::Changed& one : changed) pointers.push_back({one.node, &one.state});
  return total_with(pointers);
}

double ScoreSheet::total_with(std::span<const ChangedNode> all) const {
  if (online_ == 0) return 0;
  const std::vector<ChangedNode> changed = last_of_each(all);
  Counts counts = counts_sum_;
  std::vector<double> values(changed.size() * panels_ * kPanel);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < changed.size(); ++i) {
    const NodeId node = changed[i].node;
    if (position_[node.index()] == -2) continue;
    counts -= counts_[node.index()];
    counts += counts_of(node, *changed[i].state);
    if (position_[node.index()] < 0) continue;
    double* row = &values[i * panels_ * kPanel];
    fill_row(node, *changed[i].state, row);
    rows.push_back({static_cast<std::size_t>(position_[node.index()]), row});
  }
  std::sort(rows.begin(), rows.end(),
            [](const Row& a, const Row& b) { return a.position < b.position; });
  return detail_of(counts, rows, has_location_tags_ ? exclusions_with(changed) : 0, false).total;
}

}  // namespace ballast::ganeti
