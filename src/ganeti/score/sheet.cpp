// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/score/sheet.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ballast/ganeti/score/node_values.hpp"
#include "panel.hpp"
#include "sheet_layout.hpp"

namespace ballast::ganeti {

namespace {

std::int64_t size_of(const std::vector<InstanceId>& list) {
  return static_cast<std::int64_t>(list.size());
}

std::vector<const NodeState*> pointers_to(const State& state, std::span<const NodeId> nodes) {
  std::vector<const NodeState*> pointers(state.nodes.size());
  for (const NodeId node : nodes) pointers[node.index()] = &state[node];
  return pointers;
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
    : ScoreSheet(cluster, pointers_to(state, nodes), nodes) {}

ScoreSheet::ScoreSheet(const Cluster& cluster, std::vector<const NodeState*> states,
                       std::span<const NodeId> nodes)
    : cluster_(&cluster),
      states_(std::move(states)),
      nodes_(nodes.begin(), nodes.end()),
      tag_pairs_(std::make_shared<TagPairs>()) {
  position_.assign(cluster.nodes.size(), -2);
  counts_.resize(cluster.nodes.size());
  for (const NodeId node : nodes_) {
    if (!cluster[node].location_tags.empty()) tag_pairs_of_.resize(cluster.nodes.size());
    position_[node.index()] = cluster[node].is_offline ? -1 : static_cast<std::int32_t>(online_++);
  }
  columns_ = std::make_shared<ScoreColumns>(cluster, nodes_);
  panels_ = 1 + (columns_->units().size() + kUnitsPerPanel - 1) / kUnitsPerPanel;
  values_.resize(panels_ * online_ * kPanel);
  largest_.resize(panels_ * kPanel);
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
  for (std::size_t c = 0; c < kPanelMetrics.size(); ++c) values[c] = of_node[kPanelMetrics[c]];
  const auto units = columns_->units();
  for (std::size_t u = 0; u < units.size(); ++u) {
    if (const auto fraction = unit_fraction(*cluster_, (*cluster_)[node], state, units[u])) {
      values[kPanel + 2 * u] = fraction->now;
      values[kPanel + 2 * u + 1] = fraction->forth;
    }
  }
}

void ScoreSheet::fill_mask(NodeId node, double* mask) const {
  std::fill_n(mask, panels_ * kPanel, 0.0);
  for (const StorageUnit& unit : (*cluster_)[node].units) {
    const auto units = columns_->units();
    const auto found = std::lower_bound(units.begin(), units.end(), unit.key);
    const auto u = static_cast<std::size_t>(found - units.begin());
    mask[kPanel + 2 * u] = mask[kPanel + 2 * u + 1] = 1;
  }
}

void ScoreSheet::update(NodeId node) {
  if (position_[node.index()] == -2) return;
  counts_sum_ -= counts_[node.index()];
  counts_[node.index()] = counts_of(node, *states_[node.index()]);
  counts_sum_ += counts_[node.index()];
  if (position_[node.index()] < 0) return;
  update_tag_pairs(node);
  const auto position = static_cast<std::size_t>(position_[node.index()]);
  std::vector<double> row(panels_ * kPanel);
  fill_row(node, *states_[node.index()], row.data());
  for (std::size_t i = 0; i < row.size(); ++i)
    largest_[i] = std::max(largest_[i], std::abs(row[i]));
  for (std::size_t p = 0; p < panels_; ++p) {
    std::copy_n(&row[p * kPanel], kPanel, &values_[(p * online_ + position) * kPanel]);
  }
}

ScoreSheet::PanelSums ScoreSheet::sums_of(std::size_t panel, std::span<const Row> changed) const {
  const double* rows = panel_values(panel);
  const double* masks = panel_mask(panel);
  PanelSums of{};
  std::size_t begin = 0;
  for (const Row& row : changed) {
    panel::add_rows(rows + begin * kPanel, row.position - begin, of.sums.data());
    panel::add_rows(row.values + panel * kPanel, 1, of.sums.data());
    begin = row.position + 1;
  }
  panel::add_rows(rows + begin * kPanel, online_ - begin, of.sums.data());

  if (masks == nullptr) of.counts.fill(static_cast<double>(online_));
  if (masks != nullptr) panel::add_rows(masks, online_, of.counts.data());
  std::array<double, kPanel> means{};
  for (std::size_t c = 0; c < kPanel; ++c)
    means[c] = of.counts[c] == 0 ? 0 : of.sums[c] / of.counts[c];
  const auto add = [&](const double* first, std::size_t from, std::size_t count) {
    if (masks == nullptr) {
      panel::add_squares(first, count, means.data(), of.variances.data());
    } else {
      panel::add_masked_squares(first, masks + from * kPanel, count, means.data(),
                                of.variances.data());
    }
  };
  begin = 0;
  for (const Row& row : changed) {
    add(rows + begin * kPanel, begin, row.position - begin);
    add(row.values + panel * kPanel, row.position, 1);
    begin = row.position + 1;
  }
  add(rows + begin * kPanel, begin, online_ - begin);
  for (std::size_t c = 0; c < kPanel; ++c) {
    if (of.counts[c] != 0) of.variances[c] /= of.counts[c];
  }
  return of;
}

void ScoreSheet::update_tag_pairs(NodeId node) {
  if (tag_pairs_of_.empty()) return;
  TagPairs::Times& counted = tag_pairs_of_[node.index()];
  const TagPairs::Times& now = states_[node.index()]->location_exclusions;
  if (counted == now) return;
  if (tag_pairs_.use_count() > 1) tag_pairs_ = std::make_shared<TagPairs>(*tag_pairs_);
  tag_pairs_->change(counted, now);
  tag_pairs_->drop_unused();
  counted = now;
}

std::int64_t ScoreSheet::tag_pair_conflicts_with(std::span<const ChangedNode> changed) const {
  if (tag_pairs_of_.empty()) return 0;
  TagPairs changes;
  for (const ChangedNode& one : changed) {
    if (position_[one.node.index()] < 0) continue;
    changes.change(tag_pairs_of_[one.node.index()], one.state->location_exclusions);
  }
  return tag_pairs_->conflicts() + tag_pairs_->change_by(changes);
}

ColumnValues ScoreSheet::results(const Counts& counts, std::span<const Row> rows,
                                 std::int64_t tag_pair_conflicts,
                                 const PanelSums& first_panel) const {
  ColumnValues results(columns_->size());
  for (std::size_t p = 0; p < panels_; ++p) {
    const PanelSums of = p == 0 ? first_panel : sums_of(p, rows);
    for_each_column(p, [&](std::size_t column, std::size_t at) {
      results[column] = std::sqrt(of.variances[at]);
    });
    if (p == 0)
      results[ScoreColumns::column_of(MetricId::ReservedTotal)] = of.sums[kReservedColumn];
  }
  counts.for_each(
      [&](MetricId metric, double value) { results[ScoreColumns::column_of(metric)] = value; });
  results[ScoreColumns::column_of(MetricId::LocationExclusion)] =
      static_cast<double>(tag_pair_conflicts);
  return results;
}

ScoreDetail ScoreSheet::detail() const {
  if (online_ == 0) return {};
  const ColumnValues all = results(counts_sum_, {}, tag_pairs_->conflicts(), sums_of(0, {}));
  const auto value_of = [&](std::size_t column) { return all[column]; };
  ScoreDetail detail;
  detail.has_values = true;
  for (const MetricId k : kMetricIds) detail.values[k] = columns_->metric_value(k, value_of);
  for (std::size_t u = 0; u < columns_->units().size(); ++u) {
    detail.units.push_back({columns_->units()[u],
                            all[columns_->first_unit_of(MetricId::FreeDisk) + u],
                            all[columns_->first_unit_of(MetricId::ForthFreeDisk) + u]});
  }
  detail.total = columns_->score(value_of);
  return detail;
}

double ScoreSheet::plain_part() const {
  double reserved = 0;
  for (std::size_t t = 0; t < online_; ++t) reserved += values_[t * kPanel + kReservedColumn];
  double part = 0;
  const auto add = [&](MetricId metric, double value) { part += weight_of(metric) * value; };
  counts_sum_.for_each(add);
  add(MetricId::LocationExclusion, static_cast<double>(tag_pairs_->conflicts()));
  add(MetricId::ReservedTotal, reserved);
  return part;
}

Running ScoreSheet::running() const {
  std::vector<Running::Aggregate> all(columns_->size());
  for (std::size_t p = 0; p < panels_; ++p) {
    const PanelSums of = sums_of(p, {});
    const auto aggregate = [&](std::size_t at) {
      return Running::Aggregate{of.counts[at], of.sums[at], of.variances[at],
                                largest_[p * kPanel + at]};
    };
    for_each_column(p, [&](std::size_t column, std::size_t at) { all[column] = aggregate(at); });
    if (p == 0) all[ScoreColumns::column_of(MetricId::ReservedTotal)] = aggregate(kReservedColumn);
  }
  counts_sum_.for_each(
      [&](MetricId metric, double value) { all[ScoreColumns::column_of(metric)].sum = value; });
  return {columns_, std::move(all), tag_pairs_};
}

}  // namespace ballast::ganeti
