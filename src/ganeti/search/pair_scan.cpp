// SPDX-License-Identifier: BSD-2-Clause
#include "pair_scan.hpp"

#include <algorithm>
#include <cmath>

#include "ballast/ganeti/score/node_values.hpp"
#include "pair_loops.hpp"

namespace ballast::ganeti::alloc {
namespace {

constexpr std::size_t kLocationScore = 17;

}  // namespace

PairScan::PairScan(const World& world, const Record& wanted, const Candidates& candidates,
                   const EngineOptions& options, const AllocatorStatistics& base)
    : world_(world),
      wanted_(wanted),
      secondaries_(candidates.secondaries),
      options_(options),
      base_(base),
      exceptions_(world.cluster->nodes.size()) {
  const Cluster& cluster = *world.cluster;
  is_usable_ = base.has_values() && base.is_plain() && !cluster.has_storage &&
               std::all_of(world.nodes.begin(), world.nodes.end(),
                           [&](NodeId node) { return is_finite(node); });
  for (const NodeId node : secondaries_) {
    is_usable_ = is_usable_ && !cluster[node].is_offline;
    has_locations_ = has_locations_ || !cluster[node].location_tags.empty();
  }
  for (const NodeId node : candidates.primaries)
    has_locations_ = has_locations_ || !cluster[node].location_tags.empty();
  // A planned instance has no share in the nodes' location scores yet.
  has_locations_ = has_locations_ && !wanted.instance->is_forthcoming;
  // The tags of a new primary make the tag map count.
  is_usable_ = is_usable_ && !(has_locations_ && !wanted.instance->exclusion_tags.empty());
  if (!is_usable_) return;
  for (std::size_t i = 0; i < secondaries_.size() && is_usable_; ++i) prepare_secondary(i);
  if (is_usable_) prepare_columns();
}

bool PairScan::is_finite(NodeId node) const {
  const Node& data = (*world_.cluster)[node];
  if (data.is_offline) return true;
  const auto values = node_values(data, world_[node]);
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value); });
}

void PairScan::prepare_secondary(std::size_t position) {
  const Cluster& cluster = *world_.cluster;
  const NodeId node = secondaries_[position];
  const NodeState& before = world_[node];
  for (const auto& [primary, memory] : before.peers) {
    if (world_.has(primary)) exceptions_[primary.index()].push_back(position);
  }
  const NodeId nobody(cluster.nodes.size());
  NodeState after = before;
  const auto no =
      add_secondary(cluster, node, after, wanted_.ref(), nobody, options_.force_secondary);
  status_.push_back(no ? static_cast<std::int8_t>(no->reason) : kFits);
  before_.push_back(node_values(cluster[node], before));
  after_.push_back(no ? before_.back() : node_values(cluster[node], after));
  is_usable_ = std::all_of(after_.back().begin(), after_.back().end(),
                           [](double value) { return std::isfinite(value); });
}

void PairScan::prepare_columns() {
  for (std::size_t k = 0; k < kMetricCount; ++k) {
    if (kMetrics[k].scope == Scope::Offline || k == kTagMap) continue;
    Column column{k, kMetrics[k].statistic == Statistic::Deviation, {}, {}, {}};
    bool is_changed = k == kLocationScore && has_locations_;
    const double count = base_.aggregates()[k].count;
    for (std::size_t i = 0; i < secondaries_.size(); ++i) {
      const double x = before_[i][k];
      const double y = after_[i][k];
      const double change = y - x;
      column.change.push_back(change);
      column.scaled.push_back(count * (y * y - x * x));
      column.squared.push_back(change * change);
      is_changed = is_changed || x != y;
    }
    if (is_changed) columns_.push_back(std::move(column));
  }
}

void PairScan::score_all(NodeId primary, const AllocatorStatistics& statistics,
                         std::vector<double>& score) const {
  const Cluster& cluster = *world_.cluster;
  const std::size_t count = secondaries_.size();
  std::fill(score.begin(), score.end(), 0.0);
  std::vector<double> common;
  std::size_t next = 0;
  for (std::size_t k = 0; k < kMetricCount; ++k) {
    const auto& aggregate = statistics.aggregates()[k];
    const double weight = kMetrics[k].weight;
    if (next >= columns_.size() || columns_[next].metric != k) {
      const bool is_deviation = kMetrics[k].statistic == Statistic::Deviation;
      const double value = k == kTagMap   ? 0
                           : is_deviation ? std::sqrt(aggregate.variance)
                                          : aggregate.sum;
      loops::add_constant(score.data(), count, weight * value);
      continue;
    }
    const Column& column = columns_[next++];
    if (column.is_deviation) {
      const loops::Deviation before{2 * aggregate.sum, aggregate.variance,
                                    aggregate.count * aggregate.count, weight};
      loops::add_deviation(score.data(), count, before,
                           {column.change.data(), column.scaled.data(), column.squared.data()});
      continue;
    }
    const double* change = column.change.data();
    if (k == kLocationScore && has_locations_ && !cluster[primary].location_tags.empty()) {
      common.resize(count);
      for (std::size_t i = 0; i < count; ++i) {
        common[i] =
            static_cast<double>(common_location_tags(cluster[primary], cluster[secondaries_[i]]));
      }
      change = common.data();
    }
    loops::add_sum(score.data(), count, aggregate.sum, weight, change);
  }
}

void PairScan::fix_exceptions(NodeId primary, const AllocatorStatistics& statistics,
                              std::vector<std::int8_t>& status, std::vector<double>& score) const {
  const Cluster& cluster = *world_.cluster;
  for (const std::size_t i : exceptions_[primary.index()]) {
    const NodeId node = secondaries_[i];
    if (node == primary) continue;
    NodeState after = world_[node];
    if (const auto no =
            add_secondary(cluster, node, after, wanted_.ref(), primary, options_.force_secondary)) {
      status[i] = static_cast<std::int8_t>(no->reason);
      continue;
    }
    status[i] = kFits;
    AllocatorStatistics one = statistics;
    one.update(node, world_[node], after);
    // The pair's location score stands in the primary's sum, which does not know it yet.
    if (has_locations_) {
      one.add_to_sum(kLocationScore,
                     static_cast<double>(common_location_tags(cluster[primary], cluster[node])));
    }
    score[i] = one.score();
  }
}

void PairScan::scan(NodeId primary, const NodeState& first, std::vector<std::int8_t>& status,
                    std::vector<double>& score) const {
  AllocatorStatistics statistics = base_;
  statistics.update(primary, world_[primary], first);
  status = status_;
  score.resize(secondaries_.size());
  score_all(primary, statistics, score);
  fix_exceptions(primary, statistics, status, score);
  const auto own = std::find(secondaries_.begin(), secondaries_.end(), primary);
  if (own != secondaries_.end())
    status[static_cast<std::size_t>(own - secondaries_.begin())] = kSkipped;
}

}  // namespace ballast::ganeti::alloc
