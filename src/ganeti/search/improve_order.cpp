// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <limits>
#include <queue>

#include "improve_state.hpp"

namespace ballast::ganeti {

namespace {

class Orderer {
 public:
  Orderer(const Cluster& cluster, const State& start, const Part& part,
          const BalanceOptions& options, const std::vector<Placement>& wanted, bool never_worse)
      : cluster_(cluster),
        options_(options),
        wanted_(wanted),
        never_worse_(never_worse),
        work_(cluster, start, part, options) {
    for (const InstanceId id : part.instances) {
      if (left(id) > 0) queue_.push({std::numeric_limits<double>::infinity(), -id.value()});
    }
  }

  void run(BalanceResult& result) {
    while (!queue_.empty() || retry()) {
      if (options_.max_length >= 0 &&
          static_cast<std::int64_t>(result.steps.size()) >= options_.max_length)
        return;
      const InstanceId id(-queue_.top().second);
      queue_.pop();
      const auto best = best_step(id, work_.state()[id]);
      if (!best || (never_worse_ && best->score >= work_.score())) {
        waiting_.push_back(id);
        continue;
      }
      const double gain = work_.score() - best->score;
      if (!queue_.empty() &&
          gain < queue_.top().first) {  // the others' gains may be out of date, this one's is not
        queue_.push({gain, -id.value()});
        continue;
      }
      take(id, *best, result);
    }
    for (std::size_t i = 0; i < waiting_.size() && !never_worse_; ++i) detour(waiting_[i], result);
  }

  [[nodiscard]] const WorkState& work() const { return work_; }

 private:
  struct Step {
    Move move;
    double score;
  };

  [[nodiscard]] int left(InstanceId id) const {
    return distance(cluster_, id, work_.state()[id], wanted_[id.index()]).steps;
  }

  [[nodiscard]] Placement placed(const Placement& from, Move move) const {
    switch (move.kind) {
      case MoveKind::Failover:
        return {from.secondary, from.primary, 0};
      case MoveKind::FailoverToAny:
      case MoveKind::ReplacePrimary:
        return {move.target, from.secondary, 0};
      case MoveKind::ReplaceSecondary:
        return {from.primary, move.target, 0};
      case MoveKind::ReplaceAndFailover:
        return {move.target, from.primary, 0};
      case MoveKind::FailoverAndReplace:
        return {from.secondary, move.target, 0};
    }
    return from;
  }

  // The feasible step to the lowest score among those that bring the instance nearer.
  [[nodiscard]] std::optional<Step> best_step(InstanceId id, const Placement& from) const {
    const Placement& to = wanted_[id.index()];
    const int now = distance(cluster_, id, from, to).steps;
    std::optional<Step> best;
    const auto try_move = [&](Move move) {
      if (!work_.allows(id, move) || distance(cluster_, id, placed(from, move), to).steps >= now)
        return;
      const auto score = work_.score_after(id, move);
      if (score && (!best || *score < best->score)) best = Step{move, *score};
    };
    try_move({MoveKind::Failover, {}});
    const MoveKinds kinds = work_.kinds(id);
    for (const NodeId target : {to.primary, to.secondary}) {
      for (int k = 0; k < kinds.count; ++k)
        try_move({kinds.kinds[static_cast<std::size_t>(k)], target});
    }
    return best;
  }

  void take(InstanceId id, const Step& step, BalanceResult& result) {
    const Placement before = work_.state()[id];
    if (!work_.make(id, step.move)) return;
    work_.keep();
    result.steps.push_back({id, step.move, before, work_.state()[id], work_.score()});
    has_progress_ = true;
    if (left(id) > 0) queue_.push({std::numeric_limits<double>::infinity(), -id.value()});
  }

  // Steps made room: those that were impossible get another try.
  bool retry() {
    if (!has_progress_ || waiting_.empty()) return false;
    has_progress_ = false;
    for (const InstanceId id : waiting_)
      queue_.push({std::numeric_limits<double>::infinity(), -id.value()});
    waiting_.clear();
    return true;
  }

  // Two steps instead of one, by a failover first: no data is copied for it.
  void detour(InstanceId id, BalanceResult& result) {
    const Move around{MoveKind::Failover, {}};
    if (options_.max_length >= 0 &&
        static_cast<std::int64_t>(result.steps.size()) + 2 > options_.max_length)
      return;
    if (!work_.allows(id, around)) return;
    const Placement before = work_.state()[id];
    if (!work_.make(id, around)) return;
    const double between = work_.score();
    const Placement turned = work_.state()[id];
    const auto step = best_step(id, turned);
    if (!step || !work_.make(id, step->move)) {
      work_.take_back();
      return;
    }
    work_.keep();
    result.steps.push_back({id, around, before, turned, between});
    result.steps.push_back({id, step->move, turned, work_.state()[id], work_.score()});
  }

  const Cluster& cluster_;
  const BalanceOptions& options_;
  const std::vector<Placement>& wanted_;
  bool never_worse_;
  WorkState work_;
  std::priority_queue<std::pair<double, std::int32_t>>
      queue_;  ///< gain when last looked at, minus the instance's index
  std::vector<InstanceId> waiting_;
  bool has_progress_ = false;
};

}  // namespace

BalanceResult order_steps(const Cluster& cluster, const State& start, const Part& part,
                          const BalanceOptions& options, const std::vector<Placement>& wanted,
                          bool never_worse) {
  BalanceResult result;
  Orderer orderer(cluster, start, part, options, wanted, never_worse);
  result.score_before = orderer.work().score();
  result.lower_bound = score_lower_bound(cluster, start, part.nodes);
  orderer.run(result);
  result.score_after = orderer.work().score();
  result.state = orderer.work().state();
  return result;
}

}  // namespace ballast::ganeti
