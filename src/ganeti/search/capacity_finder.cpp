// SPDX-License-Identifier: BSD-2-Clause
#include "capacity_finder.hpp"

#include <algorithm>
#include <cmath>

#include "ballast/ganeti/score/node_values.hpp"

namespace ballast::ganeti::alloc {

CapacityFinder::CapacityFinder(const Cluster& cluster, const State& state,
                               std::span<const CapacityCandidate> candidates)
    : cluster_(cluster),
      state_(state),
      candidates_(candidates),
      classes_(cluster, state, candidates),
      is_pair_(!candidates.empty() && !candidates.front().secondaries.empty()),
      is_fit_for_classes_(!cluster.has_storage),
      rows_(cluster.nodes.size()),
      is_finite_(cluster.nodes.size(), true),
      partners_(cluster.nodes.size()) {
  for (const CapacityCandidate& candidate : candidates)
    is_fit_for_classes_ =
        is_fit_for_classes_ && (!is_pair_ || cluster[candidate.primary].location_tags.empty());
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    update_row(NodeId(n));
    update_exceptions(NodeId(n));
  }
}

void CapacityFinder::update(NodeId node) {
  if (!is_fit_for_classes_) return;
  classes_.update(node);
  update_row(node);
  update_exceptions(node);
}

void CapacityFinder::update_all() {
  for (std::size_t n = 0; n < cluster_.nodes.size(); ++n) update(NodeId(n));
}

void CapacityFinder::set_wanted(const Wanted& wanted) {
  wanted_ = &wanted;
  classes_.set_wanted(wanted);
}

void CapacityFinder::update_row(NodeId node) {
  rows_[node.index()] = node_values(cluster_[node], state_[node]);
  const auto& row = rows_[node.index()];
  const bool was_finite = is_finite_[node.index()];
  const bool is_finite =
      cluster_[node].is_offline ||
      std::all_of(row.begin(), row.end(), [](double value) { return std::isfinite(value); });
  is_finite_[node.index()] = is_finite;
  infinite_ += (is_finite ? 0U : 1U);
  infinite_ -= (was_finite ? 0U : 1U);
}

void CapacityFinder::update_exceptions(NodeId node) {
  if (!is_pair_ || !classes_.is_candidate(node)) return;
  for (const auto& [primary, memory] : state_[node].peers) {
    if (classes_.is_candidate(primary) && cluster_[primary].group == cluster_[node].group) {
      partners_[node.index()].insert(primary);
      partners_[primary.index()].insert(node);
    }
  }
  const std::set<NodeId> partners = partners_[node.index()];
  for (const NodeId other : partners) {
    set_exception(node, other);
    set_exception(other, node);
  }
}

void CapacityFinder::set_exception(NodeId primary, NodeId secondary) {
  const Pair pair(primary, secondary);
  if (const auto old = exception_of_.find(pair); old != exception_of_.end()) {
    const auto group = exceptions_.find(old->second);
    group->second.erase(pair);
    if (group->second.empty()) exceptions_.erase(group);
    exception_of_.erase(old);
  }
  const std::int64_t peer = peer_memory(state_[secondary], primary);
  if (peer == 0) return;
  const Exception exception{classes_.of(primary), classes_.of(secondary), peer};
  exceptions_[exception].insert(pair);
  exception_of_.emplace(pair, exception);
}

bool CapacityFinder::is_usable() const {
  const bool is_shared = cluster_.has_storage;
  return is_fit_for_classes_ && infinite_ == 0 && !is_shared;
}

void CapacityFinder::start_aggregates() {
  MetricValues sums{};
  MetricValues squares{};
  std::array<double, 2> counts{};
  for (std::size_t n = 0; n < rows_.size(); ++n) {
    if (cluster_.nodes[n].is_offline) continue;
    ++counts[0];
    for (std::size_t k = 0; k < kMetricCount; ++k) sums[k] += rows_[n][k];
  }
  MetricValues means{};
  for (std::size_t k = 0; k < kMetricCount; ++k) means[k] = sums[k] / counts[0];
  for (std::size_t n = 0; n < rows_.size(); ++n) {
    if (cluster_.nodes[n].is_offline) continue;
    for (std::size_t k = 0; k < kMetricCount; ++k) {
      const double off = rows_[n][k] - means[k];
      squares[k] += off * off;
    }
  }
  for (std::size_t k = 0; k < kMetricCount; ++k) {
    if (kMetrics[k].scope == Scope::Offline) {
      double sum = 0;
      for (std::size_t n = 0; n < rows_.size(); ++n) {
        if (cluster_.nodes[n].is_offline) sum += rows_[n][k];
      }
      base_[k] = {counts[1], sum, 0};
    } else {
      base_[k] = {counts[0], sums[k], squares[k] / counts[0]};
    }
  }
  tag_value_ =
      location_exclusion_value(cluster_, whole_part(cluster_).nodes,
                               [&](NodeId node) -> const NodeState& { return state_[node]; });
}

double CapacityFinder::score_of(const Aggregates& aggregates) const {
  double score = 0;
  for (std::size_t k = 0; k < kMetricCount; ++k) {
    const double value = kMetrics[k].statistic == Statistic::Deviation
                             ? std::sqrt(aggregates[k].variance)
                         : kMetrics[k].statistic == Statistic::Sum ? aggregates[k].sum
                                                                   : tag_value_;
    score += kMetrics[k].weight * value;
  }
  return score;
}

void CapacityFinder::apply(Aggregates& aggregates, const ClassChange& change) {
  for (std::size_t k = 0; k < kMetricCount; ++k) {
    if (kMetrics[k].scope == Scope::Offline || change.before[k] == change.after[k]) continue;
    if (kMetrics[k].statistic == Statistic::Sum)
      update_sum(aggregates[k], change.before[k], change.after[k]);
    if (kMetrics[k].statistic == Statistic::Deviation)
      update_deviation(aggregates[k], change.before[k], change.after[k]);
  }
}

Attempt CapacityFinder::attempt(bool with_failures) {
  found_infinite_ = !is_usable();
  Attempt found;
  if (!found_infinite_)
    found = is_pair_ ? attempt_pair(with_failures) : attempt_single(with_failures);
  return found_infinite_ ? place_one_by_one(cluster_, state_, *wanted_, candidates_, {}) : found;
}

}  // namespace ballast::ganeti::alloc
