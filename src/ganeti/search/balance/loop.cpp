// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/moves/move.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/balance/step_finder.hpp"
#include "companions.hpp"

namespace ballast::ganeti {

namespace {

bool is_length_reached(const BalanceResult& result, const BalanceOptions& options) {
  return options.max_length >= 0 &&
         static_cast<std::int64_t>(result.steps.size()) >= options.max_length;
}

bool is_worth_it(double current, double next, const BalanceOptions& options) {
  return next < current && (current > options.min_gain_limit || current - next >= options.min_gain);
}

/// Makes the moves, tells the finder and whoever watches.
class StepMaker {
 public:
  StepMaker(StepFinder& finder, const Cluster& cluster, const BalanceOptions& options,
            const StepSeen& seen, BalanceResult& result)
      : finder_(finder), cluster_(cluster), options_(options), seen_(seen), result_(result) {}

  void make(InstanceId instance, Move move, double score) {
    const Placement before = result_.state[instance];
    auto effect = evaluate(cluster_, result_.state, instance, move, options_.ignore_soft_errors);
    apply(result_.state, instance, std::move(*effect));
    result_.score_after = score;
    result_.steps.push_back({instance, move, before, result_.state[instance], score});
    finder_.moved(instance, before);
    if (seen_) seen_(result_.steps.back(), result_.steps.size() - 1);
  }

  void make(const JointMove& joint, const Part& part) {
    for (const auto& [instance, move] : joint.moves) {
      make(instance, move, 0);
      result_.score_after = full_score(cluster_, result_.state, part.nodes);
      result_.steps.back().score = result_.score_after;
    }
  }

 private:
  StepFinder& finder_;
  const Cluster& cluster_;
  const BalanceOptions& options_;
  const StepSeen& seen_;
  BalanceResult& result_;
};

std::int64_t steps_left(const BalanceResult& result, const BalanceOptions& options) {
  return options.max_length < 0
             ? -1
             : options.max_length - static_cast<std::int64_t>(result.steps.size());
}

}  // namespace

void balance_with(StepFinder& finder, const Cluster& cluster, const Part& part,
                  const BalanceOptions& options, const StepSeen& seen, BalanceResult& result) {
  result.score_before = full_score(cluster, result.state, part.nodes);
  result.score_after = result.score_before;
  result.lower_bound = score_lower_bound(cluster, result.state, part.nodes);
  const double stop = result.lower_bound + options.min_score;
  const CompanionFinder companions(cluster, part, options);
  const bool is_joint = companions.is_needed();
  StepMaker maker(finder, cluster, options, seen, result);
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
    if (is_joint && choice.kind != StepChoice::Kind::ReferenceWouldDie) {
      const double limit = choice.kind == StepChoice::Kind::Found ? choice.score : current;
      const auto joint = companions.best(result.state, limit, steps_left(result, options));
      if (joint && is_worth_it(current, joint->score, options)) {
        maker.make(*joint, part);
        continue;
      }
    }
    if (choice.kind != StepChoice::Kind::Found) {
      result.stop = choice.kind == StepChoice::Kind::None ? BalanceStop::NoBetterMove
                                                          : BalanceStop::ReferenceWouldDie;
      return;
    }
    if (!is_worth_it(current, choice.score + choice.price, options)) {
      result.stop = BalanceStop::GainTooSmall;
      return;
    }
    maker.make(choice.instance, choice.move, choice.score);
  }
}

}  // namespace ballast::ganeti
