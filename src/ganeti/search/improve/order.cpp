// SPDX-License-Identifier: BSD-2-Clause
#include "order.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <queue>

#include "ballast/ganeti/moves/ends.hpp"
#include "ballast/ganeti/search/balance/work_state.hpp"

namespace ballast::ganeti {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();
constexpr std::size_t kDetourTargets = 48;         // nodes that are tried as a stop on the way
constexpr std::size_t kDetours = 200;              // instances that are tried
constexpr std::size_t kMostTries = 20 * kDetours;  // of all detours together
// Of the time: an order that is broken off loses what the walk has found, detours lose little.
constexpr double kLate = 1;
constexpr double kTooLate = 1.5;

class Orderer {
 public:
  Orderer(const OrderTask& task, const std::vector<Placement>& wanted)
      : task_(task),
        wanted_(wanted),
        reach_(task.options),
        work_(task.cluster, task.start, task.part, task.options) {
    for (const InstanceId id : task.part.instances) {
      if (left(id) > 0) push(id, kUnknown);
    }
  }

  void run(BalanceResult& result) {
    do {
      make_direct_steps(result);
    } while (!task_.never_worse && make_detours(result));
  }

  [[nodiscard]] const WorkState& work() const { return work_; }
  [[nodiscard]] std::size_t stuck() const {
    return static_cast<std::size_t>(std::count_if(waiting_.begin(), waiting_.end(),
                                                  [&](InstanceId id) { return left(id) > 0; }));
  }

 private:
  struct Rated {
    Move move;
    double score;
  };

  void push(InstanceId id, double value) { queue_.push({value, -id.value()}); }

  /// Steps to the wanted placement; 0 also where there is no way.
  [[nodiscard]] int left(InstanceId id) const { return left_from(id, work_.state()[id]); }
  [[nodiscard]] int left_from(InstanceId id, const Placement& from) const {
    const Way way = reach_.way(task_.cluster, id, from, wanted_[id.index()]);
    return way.exists() ? way.steps : 0;
  }

  [[nodiscard]] bool is_full(const BalanceResult& result, std::size_t more) const {
    return task_.options.max_length >= 0 &&
           static_cast<std::int64_t>(result.steps.size() + more) > task_.options.max_length;
  }

  [[nodiscard]] bool is_past(double share) const {
    return task_.time_used && task_.time_used() >= share;
  }

  void make_direct_steps(BalanceResult& result) {
    while (!queue_.empty() || retry()) {
      if (is_full(result, 1) || is_past(kTooLate)) return;
      const InstanceId id(-queue_.top().second);
      queue_.pop();
      const auto best = best_step(id, work_.state()[id]);
      if (!best || (task_.never_worse && best->score >= work_.score())) {
        waiting_.push_back(id);
        continue;
      }
      const double value =
          work_.score() - best->score -
          task_.prices.per_mib * static_cast<double>(copied_mib(task_.cluster, id, best->move));
      // The others' values may be out of date, this one's is not.
      if (!queue_.empty() && value < queue_.top().first) {
        push(id, value);
        continue;
      }
      take(id, best->move, result);
      if (left(id) > 0) push(id, kUnknown);
    }
  }

  /// The feasible step to the lowest score among those that bring the instance nearer and lead
  /// below `limit`.
  [[nodiscard]] std::optional<Rated> best_step(InstanceId id, const Placement& from,
                                               double limit = kUnknown) const {
    const Placement& to = wanted_[id.index()];
    const int now = left_from(id, from);
    std::optional<Rated> best;
    const auto try_move = [&](Move move) {
      if (!work_.allows(id, move)) return;
      const Way rest = reach_.way(task_.cluster, id, after(from, move), to);
      if (!rest.exists() || rest.steps >= now) return;
      const auto score = work_.score_below(best ? best->score : limit, id, move);
      if (score) best = Rated{move, *score};
    };
    for_each_move(work_.kinds(id), from, std::array{to.primary, to.secondary}, try_move);
    return best;
  }

  void take(InstanceId id, Move move, BalanceResult& result) {
    const Placement before = work_.state()[id];
    if (!work_.make(id, move)) return;
    work_.keep();
    result.steps.push_back({id, move, before, work_.state()[id], work_.score()});
    copied_ += copied_mib(task_.cluster, id, move);
    has_progress_ = true;
  }

  // Steps made room: those that were impossible get another try.
  bool retry() {
    if (!has_progress_ || waiting_.empty()) return false;
    has_progress_ = false;
    for (const InstanceId id : waiting_) push(id, kUnknown);
    waiting_.clear();
    return true;
  }

  /// One instance goes its way by a stop; true: it did, and others may have room now.
  bool make_detours(BalanceResult& result) {
    std::size_t tried = 0;
    for (const InstanceId id : waiting_) {
      if (++tried > kDetours || ++tries_ > kMostTries || is_past(kLate)) return false;
      if (left(id) == 0 || is_full(result, 2) ||
          static_cast<std::int64_t>(result.steps.size()) + 2 > task_.most.steps)
        continue;
      const auto first = best_stop(id);
      if (!first) continue;
      take(id, *first, result);
      const auto second = best_step(id, work_.state()[id]);
      if (second) take(id, second->move, result);
      if (left(id) > 0) push(id, kUnknown);
      return true;
    }
    return false;
  }

  /// The first of two steps to the lowest score, where none leads nearer at once.
  [[nodiscard]] std::optional<Move> best_stop(InstanceId id) {
    double best_score = kUnknown;
    std::optional<Move> best;
    const auto try_stop = [&](Move move) {
      if (!work_.allows(id, move) || !work_.make(id, move)) return;
      const auto second = best_step(id, work_.state()[id], best_score);
      if (second && copied_ + copied_mib(task_.cluster, id, move) +
                            copied_mib(task_.cluster, id, second->move) <=
                        task_.most.mib) {
        best_score = second->score;
        best = move;
      }
      work_.take_back();
    };
    try_stop({MoveKind::Failover, {}});
    if (best) return best;  // nothing is copied for it
    const MoveKinds kinds = work_.kinds(id);
    const std::size_t count = std::min(work_.targets().size(), kDetourTargets);
    for (std::size_t t = 0; t < count; ++t) {
      const NodeId target = work_.targets()[t * work_.targets().size() / count];
      for (const MoveKind kind : kinds.per_target()) try_stop({kind, target});
    }
    return best;
  }

  const OrderTask& task_;
  const std::vector<Placement>& wanted_;
  Reach reach_;
  WorkState work_;
  std::priority_queue<std::pair<double, std::int32_t>>
      queue_;  ///< value when last looked at, minus the instance's index
  std::vector<InstanceId> waiting_;
  std::int64_t copied_ = 0;
  std::size_t tries_ = 0;  ///< to go by a stop
  bool has_progress_ = false;
};

}  // namespace

OrderedPlan order_steps(const OrderTask& task, const std::vector<Placement>& wanted) {
  OrderedPlan result;
  Orderer orderer(task, wanted);
  result.plan.score_before = orderer.work().score();
  result.plan.lower_bound = score_lower_bound(task.cluster, task.start, task.part.nodes);
  orderer.run(result.plan);
  result.plan.score_after = orderer.work().score();
  result.plan.state = orderer.work().state();
  result.stuck = orderer.stuck();
  return result;
}

}  // namespace ballast::ganeti
