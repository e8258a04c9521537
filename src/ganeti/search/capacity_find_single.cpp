// SPDX-License-Identifier: BSD-2-Clause
// Instances on one node: equal nodes give almost the same score, and the last bits, which depend on
// the order of summation, decide among them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "capacity_finder.hpp"

namespace ballast::ganeti::alloc {
namespace {

/// Running sums from left to right in which one value is replaced: one for each change, those that
/// have become equal as one.
class ReplacedSums {
 public:
  using Changes = std::vector<std::pair<std::size_t, double>>;

  /// Ends with the sum for each change. `value_of` maps a value to what is summed.
  template <class ValueOf>
  static std::vector<double> of(const std::vector<double>& column, const Changes& changes,
                                ValueOf value_of) {
    ReplacedSums sums;
    std::vector<std::size_t> own(changes.size());
    double common = 0;
    std::size_t next = 0;
    for (std::size_t i = 0; i < column.size(); ++i) {
      const double value = value_of(column[i]);
      for (const std::size_t root : sums.roots_) sums.values_[root] += value;
      if (next < changes.size() && changes[next].first == i) {
        own[next] = sums.join(common + value_of(changes[next].second));
        ++next;
      }
      common += value;
      if (i % kMergeEvery == 0) sums.merge();
    }
    std::vector<double> result;
    for (const std::size_t id : own) result.push_back(sums.values_[sums.root_of(id)]);
    return result;
  }

 private:
  static constexpr std::size_t kMergeEvery = 8;

  std::size_t join(double value) {
    for (const std::size_t root : roots_) {
      if (values_[root] == value) return root;
    }
    parents_.push_back(values_.size());
    roots_.push_back(values_.size());
    values_.push_back(value);
    return values_.size() - 1;
  }

  void merge() {
    std::vector<std::size_t> kept;
    for (const std::size_t root : roots_) {
      const auto same = std::find_if(kept.begin(), kept.end(), [&](std::size_t other) {
        return values_[other] == values_[root];
      });
      if (same == kept.end()) {
        kept.push_back(root);
      } else {
        parents_[root] = *same;
      }
    }
    roots_ = std::move(kept);
  }

  [[nodiscard]] std::size_t root_of(std::size_t id) const {
    while (parents_[id] != id) id = parents_[id];
    return id;
  }

  std::vector<double> values_;
  std::vector<std::size_t> parents_;
  std::vector<std::size_t> roots_;
};

}  // namespace

std::vector<double> deviations_with(const std::vector<double>& column,
                                    const std::vector<std::pair<std::size_t, double>>& changes) {
  const auto count = static_cast<double>(column.size());
  const std::vector<double> sums =
      ReplacedSums::of(column, changes, [](double value) { return value; });
  std::vector<double> deviations(changes.size());
  std::vector<bool> is_done(changes.size());
  for (std::size_t c = 0; c < changes.size(); ++c) {
    if (is_done[c]) continue;
    const double mean = sums[c] / count;
    ReplacedSums::Changes same;
    std::vector<std::size_t> places;
    for (std::size_t d = c; d < changes.size(); ++d) {
      if (is_done[d] || sums[d] != sums[c]) continue;
      is_done[d] = true;
      same.push_back(changes[d]);
      places.push_back(d);
    }
    const auto squares = ReplacedSums::of(column, same, [mean](double value) {
      const double off = value - mean;
      return off * off;
    });
    for (std::size_t i = 0; i < places.size(); ++i)
      deviations[places[i]] = std::sqrt(squares[i] / count);
  }
  return deviations;
}

std::optional<NodeId> CapacityFinder::find_single() {
  struct Screened {
    ClassId id;
    double score;
    double error;
  };
  const double count = base_[0].count;
  MetricValues largest{};
  for (std::size_t n = 0; n < rows_.size(); ++n) {
    if (cluster_.nodes[n].is_offline) continue;
    for (std::size_t k = 0; k < kMetricCount; ++k)
      largest[k] = std::max(largest[k], std::abs(rows_[n][k]));
  }
  std::vector<Screened> screened;
  for (const ClassId id : classes_.live()) {
    const ClassChange& change = classes_.as_primary(id);
    if (!change.fits()) continue;
    Aggregates aggregates = base_;
    apply(aggregates, change);
    const double score = score_of(aggregates);
    if (!std::isfinite(score)) found_infinite_ = true;
    // An update and a sum from scratch differ by a few roundings of each term; a root magnifies
    // that where the variance is small.
    double error = 0;
    for (std::size_t k = 0; k < kMetricCount; ++k) {
      if (kMetrics[k].statistic != Statistic::Deviation) continue;
      const double most = std::max(largest[k], std::abs(change.after[k]));
      const double variance_error =
          16 * (count + 4) * std::numeric_limits<double>::epsilon() * most * most;
      if (variance_error == 0) continue;
      error += kMetrics[k].weight * variance_error /
               std::sqrt(std::max(aggregates[k].variance, variance_error));
    }
    error += 64 * std::numeric_limits<double>::epsilon() * (std::abs(score) + 1);
    screened.push_back({id, score, error});
  }
  if (screened.empty()) return std::nullopt;
  double bound = std::numeric_limits<double>::infinity();
  for (const Screened& one : screened) bound = std::min(bound, one.score + one.error);
  std::vector<NodeId> nodes;
  for (const Screened& one : screened) {
    if (one.score - one.error > bound) continue;
    const auto& members = classes_.members(one.id);
    nodes.insert(nodes.end(), members.begin(), members.end());
  }
  std::sort(nodes.begin(), nodes.end());
  return best_exactly(nodes);
}

/// The later of equally good ones.
NodeId CapacityFinder::best_exactly(const std::vector<NodeId>& nodes) {
  if (nodes.size() == 1) return nodes.front();
  std::vector<std::size_t> position(rows_.size());
  std::size_t online = 0;
  for (std::size_t n = 0; n < rows_.size(); ++n) {
    position[n] = online;
    if (!cluster_.nodes[n].is_offline) ++online;
  }
  std::vector<const ClassChange*> changes_of;
  for (const NodeId node : nodes) changes_of.push_back(&classes_.as_primary(classes_.of(node)));
  std::vector<double> scores(nodes.size());
  std::vector<std::pair<std::vector<double>, std::vector<std::pair<std::size_t, double>>>> seen;
  std::vector<std::vector<double>> seen_deviations;
  for (std::size_t k = 0; k < kMetricCount; ++k) {
    const Metric& metric = kMetrics[k];
    const double weight = metric.weight;
    std::vector<std::pair<std::size_t, double>> changes;
    bool is_changed = false;
    changes.reserve(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const ClassChange& change = *changes_of[i];
      changes.emplace_back(position[nodes[i].index()], change.after[k]);
      is_changed = is_changed || change.before[k] != change.after[k];
    }
    if (metric.statistic == Statistic::TagMap || metric.scope == Scope::Offline || !is_changed) {
      const double value = metric.statistic == Statistic::Deviation ? std::sqrt(base_[k].variance)
                           : metric.statistic == Statistic::Sum     ? base_[k].sum
                                                                    : tag_value_;
      for (double& score : scores) score += weight * value;
      continue;
    }
    if (metric.statistic == Statistic::Sum) {
      for (std::size_t i = 0; i < nodes.size(); ++i)
        scores[i] += weight * (base_[k].sum + (changes[i].second - rows_[nodes[i].index()][k]));
      continue;
    }
    std::vector<double> column;
    column.reserve(online);
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      if (!cluster_.nodes[n].is_offline) column.push_back(rows_[n][k]);
    }
    std::pair key(std::move(column), std::move(changes));
    std::size_t place = 0;
    while (place < seen.size() && seen[place] != key) ++place;
    if (place == seen.size()) {
      seen_deviations.push_back(deviations_with(key.first, key.second));
      seen.push_back(std::move(key));
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) scores[i] += weight * seen_deviations[place][i];
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    if (scores[i] <= scores[best]) best = i;
  }
  return nodes[best];
}

Attempt CapacityFinder::attempt_single(bool with_failures) {
  Attempt attempt;
  start_aggregates();
  const auto node = find_single();
  if (found_infinite_) return attempt;
  if (!node || with_failures) {
    for (const ClassId id : classes_.live()) {
      const MaybeRefusal& refusal = classes_.as_primary(id).refusal;
      if (!refusal) continue;
      attempt.failures[static_cast<std::size_t>(refusal->reason)] +=
          static_cast<std::int64_t>(classes_.members(id).size());
    }
  }
  if (!node) return attempt;
  const InstanceRef ref{
      wanted_->id, &wanted_->of(cluster_[*node].group), {*node, NodeId(), 0}, true};
  Placed placed{ref.placement, {{*node, NodeState()}}};
  put_primary(cluster_, state_[*node], ref, placed.states[0].second);
  attempt.placed = std::move(placed);
  return attempt;
}

}  // namespace ballast::ganeti::alloc
