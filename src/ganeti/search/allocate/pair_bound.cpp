// SPDX-License-Identifier: BSD-2-Clause
#include "pair_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ballast/ganeti/score/root_bounds.hpp"

namespace ballast::ganeti::alloc {
namespace {

using Aggregate = Running::Aggregate;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kReserved = ScoreColumns::column_of(MetricId::ReservedMem);

}  // namespace

PairBound::PairBound(const PairScan& scan, const Running& reference) : scan_(scan) {
  for (std::size_t c = 0; c < reference.columns().size(); ++c) {
    if (ScoreColumns::is_deviation(c) && reference.columns().weight_of(c) > 0)
      add_term(c, reference);
  }
  set_least(reference);
}

double PairBound::h_of(const Term& term, std::size_t position, double count) const {
  const PairScan::Column& column = scan_.columns()[term.column];
  return growth(column.scaled[position], 2 * term.sum, column.change[position],
                column.squared[position]) /
         (count * count);
}

void PairBound::add_term(std::size_t c, const Running& reference) {
  const PairScan::Column& column = scan_.columns()[c];
  if (!column.is_changed) return;
  Term term{c, reference.columns().weight_of(c)};
  const Aggregate& aggregate = reference.aggregates()[c];
  term.sum = aggregate.sum;
  term.least = kInfinity;
  term.most = -kInfinity;
  for (std::size_t i = 0; i < column.change.size(); ++i) {
    if (scan_.status()[i] != PairScan::kFits) continue;
    const double h = h_of(term, i, aggregate.count);
    term.least = std::min(term.least, h);
    term.most = std::max(term.most, h);
    const double moved = 2 * std::abs(column.change[i]) / (aggregate.count * aggregate.count);
    term.steepest = std::max(term.steepest, moved);
  }
  const bool is_sure = aggregate.variance + term.least > 0;
  term.slope = is_sure ? chord_slope(aggregate.variance, term.least, term.most) : 0;
  terms_.push_back(term);
}

void PairBound::set_least(const Running& reference) {
  least_ = least_without_reserve_ = kInfinity;
  const Aggregate& reserved = reference[MetricId::ReservedMem];
  parts_.plain.resize(scan_.status().size());
  parts_.exceptions.resize(scan_.status().size());
  for (std::size_t i = 0; i < scan_.status().size(); ++i) {
    if (scan_.status()[i] != PairScan::kFits) continue;
    double linear = 0;
    double of_reserve = 0;
    for (const Term& term : terms_) {
      const double part =
          term.weight * term.slope * h_of(term, i, reference.aggregates()[term.column].count);
      linear += part;
      if (term.column == kReserved) of_reserve = part;
    }
    for (const MetricId k : kMetricIds) {
      const PairScan::Column& column = scan_.columns()[ScoreColumns::column_of(k)];
      if (kMetrics[k].statistic == Statistic::Sum && column.is_changed)
        linear += kMetrics[k].weight * column.change[i];
    }
    parts_.plain[i] = linear;
    parts_.exceptions[i] = linear - of_reserve;
    least_ = std::min(least_, linear);
    least_without_reserve_ = std::min(least_without_reserve_, linear - of_reserve);
    reserve_reach_ =
        std::max(reserve_reach_,
                 reserved.sum - reserved.count * scan_.value_before(i, MetricId::ReservedMem));
  }
}

/// What the reserved memory's deviation changes at least, whatever a reserved fraction grows to:
/// h = ((n - 1) * d * d + 2 * d * (n * x - sum)) / (n * n) is least at d = (sum - n * x) / (n - 1).
double PairBound::reserve_part(const Term& term, const Aggregate& aggregate) const {
  const double n = aggregate.count;
  const double reach = reserve_reach_ + std::abs(aggregate.sum - term.sum);
  const double h = -reach * reach / ((n - 1) * n * n);
  return std::sqrt(std::max(0.0, aggregate.variance + h)) - std::sqrt(aggregate.variance);
}

PairBound::Lowest PairBound::lowest(const Running& running) const {
  Lowest lowest = offsets(running);
  lowest.plain += least_;
  lowest.exceptions += least_without_reserve_;
  return lowest;
}

PairBound::Lowest PairBound::offsets(const Running& running) const {
  const double start = running.score();
  Lowest lowest{start, start};
  bool has_reserve = false;
  for (const Term& term : terms_) {
    const Aggregate& aggregate = running.aggregates()[term.column];
    const double drift = std::abs(aggregate.sum - term.sum) * term.steepest;
    const double least = term.least - drift;
    const double most = term.most + drift;
    if (!(aggregate.variance + least > 0)) return {-kInfinity, -kInfinity};
    const double slope = chord_slope(aggregate.variance, least, most);
    const double reach = std::max(std::abs(least), std::abs(most));
    const double root = std::sqrt(aggregate.variance);
    const double part = std::sqrt(aggregate.variance + least) - root - slope * least -
                        std::abs(slope - term.slope) * reach - slope * drift;
    lowest.plain += term.weight * part;
    if (term.column != kReserved) {
      lowest.exceptions += term.weight * part;
      continue;
    }
    has_reserve = true;
    lowest.exceptions += term.weight * reserve_part(term, aggregate);
  }
  if (!has_reserve) lowest.exceptions = -kInfinity;
  return lowest;
}

}  // namespace ballast::ganeti::alloc
