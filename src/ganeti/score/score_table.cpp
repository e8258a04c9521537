// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <map>

#include "ballast/ganeti/score/candidates.hpp"
#include "ballast/ganeti/score/node_values.hpp"

namespace ballast::ganeti {
namespace {

/// Rows that a candidate replaces; at most a handful.
struct Replaced {
  std::int32_t row;
  PerMetric<double> values;
};

double deviation(double squares, double count) { return std::sqrt(squares / count); }

}  // namespace

ScoreTable::ScoreTable(const Cluster& cluster, std::span<const NodeState* const> states,
                       std::span<const NodeId> nodes)
    : cluster_(&cluster),
      columns_(cluster.has_storage ? scored_units(cluster, nodes) : std::vector<StorageKeyId>()),
      nodes_(nodes.begin(), nodes.end()),
      position_(cluster.nodes.size(), -1) {
  for (const NodeId node : nodes_) {
    const NodeState& state = *states[node.index()];
    position_[node.index()] = static_cast<std::int32_t>(rows_.size());
    rows_.push_back(row_of(node, state));
    states_.push_back(&state);
    is_offline_.push_back(cluster[node].is_offline);
    if (cluster.has_storage) unit_rows_.push_back(candidate_values(cluster, node, state, columns_));
    if (is_offline_.back()) continue;
    online_ += 1;
    has_locations_ = has_locations_ || !state.location_exclusions.empty();
  }
}

ScoreTable::Row ScoreTable::row_of(NodeId node, const NodeState& state) const {
  return candidate_values(*cluster_, node, state, {}).metrics;
}

std::int32_t ScoreTable::position(NodeId node) const { return position_[node.index()]; }

double ScoreTable::locations_value(std::span<const ChangedNode> changes) const {
  bool is_empty = !has_locations_;
  for (const ChangedNode& change : changes)
    is_empty = is_empty && change.state->location_exclusions.empty();
  if (is_empty) return 0;
  std::vector<const NodeState*> states = states_;
  for (const ChangedNode& change : changes) {
    if (position(change.node) >= 0)
      states[static_cast<std::size_t>(position(change.node))] = change.state;
  }
  std::map<std::pair<TagId, TagId>, std::int64_t> counts;
  std::int64_t total = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (is_offline_[i]) continue;
    for (const auto& [key, count] : states[i]->location_exclusions) {
      counts[key] += count;
      total += count;
    }
  }
  return static_cast<double>(total - static_cast<std::int64_t>(counts.size()));
}

double ScoreTable::units_value(std::span<const ChangedNode> changes, bool forthcoming) const {
  if (columns_.empty()) return 0;
  const auto member = forthcoming ? &CandidateValues::forth_units : &CandidateValues::units;
  std::vector<const CandidateValues*> rows;
  for (const CandidateValues& row : unit_rows_) rows.push_back(&row);
  std::vector<CandidateValues> changed;
  changed.reserve(changes.size());
  for (const ChangedNode& change : changes) {
    if (position(change.node) < 0) continue;
    changed.push_back(candidate_values(*cluster_, change.node, *change.state, columns_));
    rows[static_cast<std::size_t>(position(change.node))] = &changed.back();
  }
  double total = 0;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    double count = 0;
    double sum = 0;
    double squares = 0;
    const auto each = [&](const auto& visit) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double value = (rows[i]->*member)[column];
        if (!is_offline_[i] && !std::isnan(value)) visit(value);
      }
    };
    each([&](double value) {
      count += 1;
      sum += value;
    });
    const double mean = sum / count;
    each([&](double value) { squares += (value - mean) * (value - mean); });
    total += deviation(squares, count);
  }
  return total / static_cast<double>(columns_.size());
}

double ScoreTable::exact(std::span<const ChangedNode> changes) const {
  if (online_ == 0) return 0;
  std::vector<Replaced> replaced;
  for (const ChangedNode& change : changes) {
    const std::int32_t row = position(change.node);
    if (row < 0) continue;
    std::erase_if(replaced, [row](const Replaced& other) { return other.row == row; });
    replaced.push_back({row, row_of(change.node, *change.state)});
  }
  std::sort(replaced.begin(), replaced.end(),
            [](const Replaced& a, const Replaced& b) { return a.row < b.row; });
  const auto each = [&](const auto& visit) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const bool is_replaced =
          next < replaced.size() && static_cast<std::size_t>(replaced[next].row) == i;
      visit(is_replaced ? replaced[next++].values : rows_[i], i);
    }
  };
  Row sum{};
  double offline_all = 0;
  double offline_primaries = 0;
  each([&](const Row& row, std::size_t i) {
    if (is_offline_[i]) {
      offline_all += row[MetricId::OfflineAll];
      offline_primaries += row[MetricId::OfflinePrimary];
      return;
    }
    for (const MetricId k : kMetricIds) sum[k] += row[k];
  });
  Row mean{};
  for (const MetricId k : kMetricIds) mean[k] = sum[k] / online_;
  Row squares{};
  each([&](const Row& row, std::size_t i) {
    if (is_offline_[i]) return;
    for (const MetricId k : kMetricIds) {
      const double off = row[k] - mean[k];
      squares[k] += off * off;
    }
  });
  sum[MetricId::OfflineAll] = offline_all;
  sum[MetricId::OfflinePrimary] = offline_primaries;
  double score = 0;
  for (const MetricId k : kMetricIds) {
    double value =
        kMetrics[k].statistic == Statistic::Deviation ? deviation(squares[k], online_) : sum[k];
    if (kMetrics[k].statistic == Statistic::TagMap) value = locations_value(changes);
    if (cluster_->has_storage && k == MetricId::FreeDisk) value = units_value(changes, false);
    if (cluster_->has_storage && k == MetricId::ForthFreeDisk) value = units_value(changes, true);
    score += kMetrics[k].weight * value;
  }
  return score;
}

}  // namespace ballast::ganeti
