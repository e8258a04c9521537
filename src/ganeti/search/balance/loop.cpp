// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/move.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/balance/step_finder.hpp"

namespace ballast::ganeti {

namespace {

bool is_length_reached(const BalanceResult& result, const BalanceOptions& options) {
  return options.max_length >= 0 &&
         static_cast<std::int64_t>(result.steps.size()) >= options.max_length;
}

bool is_worth_it(double current, double next, const BalanceOptions& options) {
  return next < current && (current > options.min_gain_limit || current - next >= options.min_gain);
}

}  // namespace

void balance_with(StepFinder& finder, const Cluster& cluster, const Part& part,
                  const BalanceOptions& options, const StepSeen& seen, BalanceResult& result) {
  result.score_before = full_score(cluster, result.state, part.nodes);
  result.score_after = result.score_before;
  result.lower_bound = score_lower_bound(cluster, result.state, part.nodes);
  const double stop = result.lower_bound + options.min_score;
  for (;;) {
    const double current = result.score_after;
    if (is_length_reached(result, options)) {
      result.stop = BalanceStop::LengthLimit;
      return;
    }
    if (options.stops_by_score && !(current > stop)) {
      result.stop = BalanceStop::ScoreReached;
      return;
    }
    const StepChoice choice = finder.best(current);
    if (choice.kind != StepChoice::Kind::Found) {
      result.stop = choice.kind == StepChoice::Kind::None ? BalanceStop::NoBetterMove
                                                          : BalanceStop::ReferenceWouldDie;
      return;
    }
    if (!is_worth_it(current, choice.score, options)) {
      result.stop = BalanceStop::GainTooSmall;
      return;
    }
    const Placement before = result.state[choice.instance];
    auto effect =
        evaluate(cluster, result.state, choice.instance, choice.move, options.ignore_soft_errors);
    apply(result.state, choice.instance, std::move(*effect));
    result.score_after = choice.score;
    result.steps.push_back(
        {choice.instance, choice.move, before, result.state[choice.instance], choice.score});
    finder.moved(choice.instance, before);
    if (seen) seen(result.steps.back(), result.steps.size() - 1);
  }
}

}  // namespace ballast::ganeti
