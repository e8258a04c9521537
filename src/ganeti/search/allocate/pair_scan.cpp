// SPDX-License-Identifier: BSD-2-Clause
#include "pair_scan.hpp"

#include <algorithm>
#include <cmath>

#include "pair_loops.hpp"

namespace ballast::ganeti::alloc {
PairScan::PairScan(const Question& question, const Running& base)
    : scope_(question.scope),
      instance_(question.instance),
      secondaries_(question.secondaries),
      force_(question.force),
      base_(base),
      position_(question.scope.cluster->nodes.size(), -1),
      exceptions_(question.scope.cluster->nodes.size()) {
  const Cluster& cluster = *scope_.cluster;
  is_usable_ = base.has_values() && !base.has_tag_pairs() && base.is_finite();
  const auto has_locations = [&](NodeId node) { return !cluster[node].location_tags.empty(); };
  // A planned instance has no share in the nodes' location scores yet.
  has_locations_ =
      !instance_.instance->is_forthcoming &&
      (std::any_of(secondaries_.begin(), secondaries_.end(), has_locations) ||
       std::any_of(question.primaries.begin(), question.primaries.end(), has_locations));
  for (const NodeId node : secondaries_) is_usable_ = is_usable_ && !cluster[node].is_offline;
  // The tags of a new primary make the tag map count.
  is_usable_ = is_usable_ && !(has_locations_ && !instance_.instance->exclusion_tags.empty());
  for (std::size_t i = 0; i < secondaries_.size() && is_usable_; ++i) prepare_secondary(i);
  if (!is_usable_) return;
  for (std::size_t c = 0; c < base.columns().size(); ++c) columns_.push_back(column_of(c));
}

void PairScan::prepare_secondary(std::size_t position) {
  const Cluster& cluster = *scope_.cluster;
  const NodeId node = secondaries_[position];
  const NodeState& before = scope_[node];
  position_[node.index()] = static_cast<std::int32_t>(position);
  for (const auto& [primary, memory] : before.peers) {
    if (scope_.has(primary)) exceptions_[primary.index()].push_back(position);
  }
  const NodeId nobody(cluster.nodes.size());
  NodeState after = before;
  const auto no = add_secondary(cluster, node, after, instance_, nobody, force_);
  status_.push_back(no ? static_cast<std::int8_t>(no->reason) : kFits);
  before_.push_back(base_.columns().values_of(node, before));
  after_.push_back(no ? before_.back() : base_.columns().values_of(node, after));
  is_usable_ = std::all_of(after_.back().begin(), after_.back().end(),
                           [](double value) { return std::isfinite(value) || std::isnan(value); });
}

PairScan::Column PairScan::column_of(std::size_t c) const {
  Column column;
  const double count = base_.aggregates()[c].count;
  for (auto* values : {&column.change, &column.scaled, &column.squared})
    values->reserve(secondaries_.size());
  for (std::size_t i = 0; i < secondaries_.size(); ++i) {
    const double x = before_[i][c];
    const double y = after_[i][c];
    // A node without that unit has no share in its deviation.
    const bool counts = ScoreColumns::counts(c, x, false);
    const double change = counts ? y - x : 0;
    column.change.push_back(change);
    column.scaled.push_back(counts ? count * (y * y - x * x) : 0);
    column.squared.push_back(change * change);
    column.is_changed = column.is_changed || (counts && x != y);
  }
  return column;
}

void PairScan::prepare_bound(Running& running) const {
  for (const ColumnValues& values : after_) running.expect(values);
}

void PairScan::add_column(std::size_t c, double weight, const Running& running,
                          std::vector<double>& score) const {
  const Column& column = columns_[c];
  const Running::Aggregate& aggregate = running.aggregates()[c];
  if (!column.is_changed) {
    loops::add_constant(score.data(), score.size(), weight * running.value_of(c));
  } else if (ScoreColumns::is_deviation(c)) {
    const loops::Deviation before{2 * aggregate.sum, aggregate.variance,
                                  aggregate.count * aggregate.count, weight};
    loops::add_deviation(score.data(), score.size(), before,
                         {column.change.data(), column.scaled.data(), column.squared.data()});
  } else {
    loops::add_sum(score.data(), score.size(), aggregate.sum, weight, column.change.data());
  }
}

void PairScan::add_units(MetricId metric, const Running& running,
                         std::vector<double>& score) const {
  const std::size_t units = running.columns().units().size();
  std::vector<double> total(score.size(), 0.0);
  for (std::size_t u = 0; u < units; ++u)
    add_column(running.columns().first_unit_of(metric) + u, 1, running, total);
  for (std::size_t i = 0; i < score.size(); ++i)
    score[i] += weight_of(metric) * (units == 0 ? 0 : total[i] / static_cast<double>(units));
}

void PairScan::add_locations(NodeId primary, double sum, double weight,
                             std::vector<double>& score) const {
  const Node& first = (*scope_.cluster)[primary];
  for (std::size_t i = 0; i < score.size(); ++i) {
    const Node& second = (*scope_.cluster)[secondaries_[i]];
    score[i] += weight * (sum + static_cast<double>(common_location_tags(first, second)));
  }
}

/// As the loops compute it.
double PairScan::value_with(std::size_t position, std::size_t c, const Running& running) const {
  const Column& column = columns_[c];
  const Running::Aggregate& aggregate = running.aggregates()[c];
  if (!column.is_changed) return running.value_of(c);
  if (!ScoreColumns::is_deviation(c)) return aggregate.sum + column.change[position];
  const double by = growth(column.scaled[position], 2 * aggregate.sum, column.change[position],
                           column.squared[position]);
  return std::sqrt(grown(aggregate.variance, by, aggregate.count * aggregate.count));
}

double PairScan::score_of(std::size_t position, const Running& running) const {
  return running.columns().score(
      [&](std::size_t column) { return value_with(position, column, running); });
}

std::int8_t PairScan::place_exception(NodeId primary, std::size_t position,
                                      NodeState& after) const {
  const NodeId node = secondaries_[position];
  after = scope_[node];
  const auto no = add_secondary(*scope_.cluster, node, after, instance_, primary, force_);
  return no ? static_cast<std::int8_t>(no->reason) : kFits;
}

double PairScan::score_of_exception(NodeId primary, std::size_t position, const NodeState& after,
                                    const Running& running) const {
  const Cluster& cluster = *scope_.cluster;
  const NodeId node = secondaries_[position];
  Running one = running;
  one.update(cluster, node, scope_[node], after);
  // The pair's location score stands in the primary's sum, which does not know it yet.
  if (has_locations_) {
    one.add_to_sum(MetricId::Location,
                   static_cast<double>(common_location_tags(cluster[primary], cluster[node])));
  }
  return one.score();
}

void PairScan::fix_exceptions(NodeId primary, const Running& running,
                              std::vector<std::int8_t>& status, std::vector<double>& score) const {
  NodeState after;
  for (const std::size_t i : exceptions(primary)) {
    if (secondaries_[i] == primary) continue;
    status[i] = place_exception(primary, i, after);
    if (status[i] == kFits) score[i] = score_of_exception(primary, i, after, running);
  }
}

void PairScan::scan(NodeId primary, const Running& running, std::vector<std::int8_t>& status,
                    std::vector<double>& score) const {
  status = status_;
  score.assign(secondaries_.size(), 0.0);
  const bool adds_locations = has_locations_ && !(*scope_.cluster)[primary].location_tags.empty();
  for (const MetricId k : kMetricIds) {
    if (running.columns().is_by_units(k)) {
      add_units(k, running, score);
    } else if (k == MetricId::Location && adds_locations) {
      add_locations(primary, running[k].sum, weight_of(k), score);
    } else {
      add_column(ScoreColumns::column_of(k), weight_of(k), running, score);
    }
  }
  fix_exceptions(primary, running, status, score);
  const std::int32_t own = position_[primary.index()];
  if (own >= 0) status[static_cast<std::size_t>(own)] = kSkipped;
}

}  // namespace ballast::ganeti::alloc
