// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/improve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ballast/core/random.hpp"
#include "improve_state.hpp"

namespace ballast::ganeti {

namespace {

constexpr double kMibPerGib = 1024;
constexpr std::int64_t kTrialsPerInstance = 8000;
constexpr std::int64_t kTrialsBetweenLooks = 256;  ///< at the clock
constexpr std::size_t kKeptPlacements = 6;
constexpr int kRounds = 4;
constexpr double kRoundShare = 0.55;  ///< of the work that is left goes to the next round

/// What the plan may cost, and what a step and a GiB must be worth.
struct Prices {
  std::int64_t most_steps = 0;
  std::int64_t most_mib = 0;
  double per_step = 0;
  double per_mib = 0;
};

struct Cost {
  std::int64_t steps = 0;
  std::int64_t mib = 0;
};

/// Walks from placement to placement: worse ones are accepted with a chance that falls as the walk
/// cools down.
class Annealer {
 public:
  Annealer(const Cluster& cluster, const State& start, const Part& part,
           const BalanceOptions& options, const Prices& prices, std::uint64_t seed)
      : cluster_(cluster),
        start_(start),
        prices_(prices),
        work_(cluster, start, part, options),
        rnd_(seed) {
    for (const InstanceId id : part.instances) {
      if (is_considered(cluster, start, options, id) &&
          mirroring_of(cluster[id].disk_template) != Mirroring::None)
        movable_.push_back(id);
    }
    shares_.resize(cluster.instances.size());
    place_.assign(cluster.instances.size(), -1);
    best_value_ = value();
  }

  /// Takes the steps of a plan; the walk begins where it ends.
  void follow(const BalanceResult& plan) {
    for (const BalanceStep& step : plan.steps) {
      if (!work_.make(step.instance, step.move)) break;
      account(step.instance);
      work_.keep();
    }
    best_value_ = value();
    remember();
  }

  [[nodiscard]] bool is_empty() const { return movable_.empty() || work_.targets().size() < 2; }

  void walk(double hot, double cold, std::int64_t trials, double seconds, const Clock& clock) {
    const double begin = clock();
    double progress = 0;
    for (std::int64_t i = 0; i < trials; ++i) {
      if (i % kTrialsBetweenLooks == 0) {
        const double share = seconds > begin ? (clock() - begin) / (seconds - begin) : 1;
        if (share >= 1) return;
        progress = std::max(static_cast<double>(i) / static_cast<double>(trials), share);
      }
      ++trials_;
      try_change(hot * std::pow(cold / hot, progress));
    }
  }

  [[nodiscard]] std::int64_t trials() const { return trials_; }
  /// Of what was met the best last.
  [[nodiscard]] const std::vector<std::vector<Placement>>& kept() const { return kept_; }
  [[nodiscard]] std::size_t movable_count() const { return movable_.size(); }

 private:
  [[nodiscard]] double value() const {
    return work_.score() + prices_.per_step * static_cast<double>(cost_.steps) +
           prices_.per_mib * static_cast<double>(cost_.mib);
  }

  [[nodiscard]] InstanceId pick() { return movable_[rnd_.below(movable_.size())]; }
  [[nodiscard]] NodeId pick_target() { return work_.targets()[rnd_.below(work_.targets().size())]; }

  bool make(InstanceId id, Move move) {
    if (!work_.allows(id, move) || !work_.make(id, move)) return false;
    touched_.push_back(id);
    account(id);
    return true;
  }

  void account(InstanceId id) {
    Cost& share = shares_[id.index()];
    const Distance now = distance(cluster_, id, start_[id], work_.state()[id]);
    cost_.steps += now.steps - share.steps;
    cost_.mib += now.copied_mib - share.mib;
    share = {now.steps, now.copied_mib};
    const std::int32_t at = place_[id.index()];
    if (now.steps > 0 && at < 0) {
      place_[id.index()] = static_cast<std::int32_t>(displaced_.size());
      displaced_.push_back(id);
    } else if (now.steps == 0 && at >= 0) {
      displaced_[static_cast<std::size_t>(at)] = displaced_.back();
      place_[displaced_.back().index()] = at;
      displaced_.pop_back();
      place_[id.index()] = -1;
    }
  }

  bool move_to(InstanceId id, NodeId target) {
    const MoveKinds kinds = work_.kinds(id);
    const auto choices = static_cast<std::uint64_t>(kinds.count + (kinds.failover ? 1 : 0));
    if (choices == 0) return false;
    const std::uint64_t choice = rnd_.below(choices);
    if (choice == static_cast<std::uint64_t>(kinds.count))
      return make(id, {MoveKind::Failover, {}});
    return make(id, {kinds.kinds[choice], target});
  }

  // One step of the way back.
  bool move_back() {
    if (displaced_.empty()) return false;
    const InstanceId id = displaced_[rnd_.below(displaced_.size())];
    const Placement& home = start_[id];
    return move_to(id, rnd_.chance(50) || home.secondary.is_none() ? home.primary : home.secondary);
  }

  // Another instance takes the place that the first one left.
  bool exchange() {
    const InstanceId a = rnd_.chance(50) ? pick() : pick_displaced();
    const Placement before = work_.state()[a];
    const NodeId target = pick_target();
    if (!move_to(a, target)) return false;
    const NodeState& there = work_.state()[target];
    const auto& list = rnd_.chance(50) ? there.primaries : there.secondaries;
    if (list.empty()) return true;
    const InstanceId b = list[rnd_.below(list.size())];
    if (b == a || !is_movable(b)) return true;
    move_to(b, rnd_.chance(50) || before.secondary.is_none() ? before.primary : before.secondary);
    return true;
  }

  [[nodiscard]] bool is_movable(InstanceId id) const {
    return std::binary_search(movable_.begin(), movable_.end(), id);
  }

  [[nodiscard]] InstanceId pick_displaced() {
    return displaced_.empty() ? pick() : displaced_[rnd_.below(displaced_.size())];
  }

  // With the limits reached, only changes that give back what they take can pass: hence the
  // mixture.
  bool propose(std::uint64_t dice) {
    if (dice < 25) return move_to(pick(), pick_target());
    if (dice < 45) return move_to(pick_displaced(), pick_target());
    if (dice < 55) return move_back();
    if (dice < 80) return move_back() && (move_to(pick(), pick_target()), true);
    return exchange();
  }

  void try_change(double temperature) {
    const double before = value();
    const Cost cost_before = cost_;
    touched_.clear();
    if (!propose(rnd_.below(100))) return;
    const double after = value();
    // Going back towards the limits is always allowed.
    const bool within = (cost_.steps <= prices_.most_steps || cost_.steps < cost_before.steps) &&
                        (cost_.mib <= prices_.most_mib || cost_.mib < cost_before.mib);
    if (within && (after <= before || rnd_.unit() < std::exp((before - after) / temperature))) {
      work_.keep();
      if (after < best_value_ - 1e-12 && cost_.steps <= prices_.most_steps &&
          cost_.mib <= prices_.most_mib) {
        best_value_ = after;
        remember();
      }
      return;
    }
    work_.take_back();
    while (!touched_.empty()) {
      account(touched_.back());
      touched_.pop_back();
    }
  }

  void remember() {
    if (kept_.size() == kKeptPlacements) kept_.erase(kept_.begin());
    kept_.push_back(work_.state().placements);
  }

  const Cluster& cluster_;
  const State& start_;
  Prices prices_;
  WorkState work_;
  Random rnd_;
  std::vector<InstanceId> movable_;
  std::vector<InstanceId> displaced_;
  std::vector<std::int32_t> place_;  ///< in displaced_, -1: at home
  std::vector<Cost> shares_;
  Cost cost_;
  std::vector<InstanceId> touched_;
  double best_value_ = 0;
  std::vector<std::vector<Placement>> kept_;
  std::int64_t trials_ = 0;
};

PlanFigures figures_of(const Cluster& cluster, const BalanceResult& plan) {
  return {plan.score_after, plan.steps.size(), copied_mib(cluster, plan.steps)};
}

bool is_no_worse(const PlanFigures& a, const PlanFigures& b) {
  return a.score <= b.score && a.steps <= b.steps && a.copied_mib <= b.copied_mib;
}

bool is_less(const PlanFigures& a, const PlanFigures& b) {
  return is_no_worse(a, b) &&
         (a.score < b.score || a.steps < b.steps || a.copied_mib < b.copied_mib);
}

// The plain plan, cut where the data it copies would pass the limit.
void limit_data(const Cluster& cluster, const State& start, const Part& part,
                const BalanceOptions& options, std::int64_t most_mib, BalanceResult& plan) {
  std::int64_t mib = 0;
  std::size_t count = 0;
  for (const BalanceStep& step : plan.steps) {
    mib += copied_mib(cluster, step.instance, step.move);
    if (mib > most_mib) break;
    ++count;
  }
  if (count == plan.steps.size()) return;
  plan.steps.resize(count);
  plan.state = start;
  for (const BalanceStep& step : plan.steps) {
    apply(plan.state, step.instance,
          *evaluate(cluster, plan.state, step.instance, step.move, options.ignore_soft_errors));
  }
  plan.score_after = full_score(cluster, plan.state, part.nodes);
}

/// What one search works on, and the limits that its plans keep.
struct Task {
  const Cluster& cluster;
  const State& start;
  const Part& part;
  const BalanceOptions& options;
  bool never_worse;
  PlanFigures limits;  ///< steps and data
};

// Steps that the ordering could not make leave room in the limits: the step-by-step search fills
// it.
void append_steps(const Task& task, BalanceResult& plan) {
  BalanceOptions rest = task.options;
  rest.max_length =
      static_cast<std::int64_t>(task.limits.steps) - static_cast<std::int64_t>(plan.steps.size());
  if (rest.max_length <= 0) return;
  BalanceResult more = balance(task.cluster, plan.state, task.part, rest);
  limit_data(task.cluster, plan.state, task.part, task.options,
             task.limits.copied_mib - copied_mib(task.cluster, plan.steps), more);
  plan.steps.insert(plan.steps.end(), more.steps.begin(), more.steps.end());
  plan.state = std::move(more.state);
  plan.score_after = more.score_after;
}

// A feasible plan towards these placements, as good as a few attempts make it.
BalanceResult plan_towards(const Task& task, const std::vector<Placement>& wanted) {
  const auto order = [&](const std::vector<Placement>& placements) {
    return order_steps(task.cluster, task.start, task.part, task.options, placements,
                       task.never_worse);
  };
  BalanceResult best = order(wanted);
  append_steps(task, best);
  for (int round = 0; round < 3; ++round) {  // an instance that moved twice may get there at once
    BalanceResult next = order(best.state.placements);
    append_steps(task, next);
    if (!is_less(figures_of(task.cluster, next), figures_of(task.cluster, best))) break;
    best = std::move(next);
  }
  return best;
}

}  // namespace

std::int64_t copied_mib(const Cluster& cluster, const std::vector<BalanceStep>& steps) {
  std::int64_t mib = 0;
  for (const BalanceStep& step : steps) mib += copied_mib(cluster, step.instance, step.move);
  return mib;
}

void stop_at(const Cluster& cluster, const State& start, const Part& part,
             const BalanceOptions& options, double percent, BalanceResult& plan) {
  const double wanted = plan.score_before - (plan.score_before - plan.score_after) * percent / 100;
  const auto last = std::find_if(plan.steps.begin(), plan.steps.end(),
                                 [&](const BalanceStep& step) { return step.score <= wanted; });
  if (percent >= 100 || last == plan.steps.end() || last + 1 == plan.steps.end()) return;
  plan.steps.erase(last + 1, plan.steps.end());
  plan.state = start;
  for (const BalanceStep& step : plan.steps) {
    apply(plan.state, step.instance,
          *evaluate(cluster, plan.state, step.instance, step.move, options.ignore_soft_errors));
  }
  plan.score_after = full_score(cluster, plan.state, part.nodes);
}

namespace {

// One walk from the best plan so far; true: a better plan was found.
bool search_round(const Task& task, const ImproveOptions& wish, const Prices& prices, double hot,
                  std::int64_t trials, double seconds, std::uint64_t seed, const Clock& clock,
                  ImproveResult& result) {
  Annealer annealer(task.cluster, task.start, task.part, task.options, prices, seed);
  if (annealer.is_empty()) return false;
  annealer.follow(result.plan);
  annealer.walk(hot, hot / 150, trials, std::min(seconds, wish.seconds), clock);
  result.trials += annealer.trials();
  for (auto kept = annealer.kept().rbegin(); kept != annealer.kept().rend(); ++kept) {
    BalanceResult plan = plan_towards(task, *kept);
    const PlanFigures figures = figures_of(task.cluster, plan);
    if (!is_less(figures, result.figures) &&
        !(is_less(figures, result.plain) && figures.score < result.figures.score))
      continue;
    plan.lower_bound = result.plan.lower_bound;
    result.plan = std::move(plan);
    result.figures = figures;
    result.is_better = true;
    return true;
  }
  return false;
}

}  // namespace

ImproveResult improve(const Cluster& cluster, const State& state, const Part& part,
                      const BalanceOptions& options, const ImproveOptions& wish,
                      const Clock& clock) {
  ImproveResult result;
  result.at_least = least_possible_score(cluster, state, part);
  result.plan = balance(cluster, state, part, options);
  const std::int64_t most_mib =
      wish.max_data_mib.value_or(std::numeric_limits<std::int64_t>::max());
  limit_data(cluster, state, part, options, most_mib, result.plan);
  result.figures = result.plain = figures_of(cluster, result.plan);
  const double score = result.plan.score_before;
  if (result.plan.stop != BalanceStop::ReferenceWouldDie && std::isfinite(score) &&
      result.plain.steps > 0) {
    const auto steps = static_cast<double>(result.plain.steps);
    // What a step gains where it is no emergency: the first steps off an offline node gain far
    // more.
    const double gain =
        std::max(1e-9, std::min(score - result.plain.score, 3 * result.plain.score) / steps);
    const double mib_per_step = std::max(1.0, static_cast<double>(result.plain.copied_mib) / steps);
    Prices prices{static_cast<std::int64_t>(result.plain.steps), result.plain.copied_mib,
                  wish.move_price.value_or(0.02 * gain),
                  wish.data_price ? *wish.data_price / kMibPerGib : 0.02 * gain / mib_per_step};
    const Task task{cluster, state, part, options, wish.never_worse, result.plain};
    const auto movable = static_cast<std::int64_t>(part.instances.size());
    const std::int64_t trials = wish.trials > 0 ? wish.trials : kTrialsPerInstance * movable;
    // Each round is colder than the one before and starts from the best plan.
    double hot = 0.3 * gain;
    for (int round = 0; round < kRounds && clock() < wish.seconds; ++round) {
      const double end = clock() + (wish.seconds - clock()) * kRoundShare;
      const auto round_trials =
          static_cast<std::int64_t>(static_cast<double>(trials) *
                                    (round == 0 ? kRoundShare : (1 - kRoundShare) / (kRounds - 1)));
      // Some slack for detours where the last plan could not be ordered.
      prices.most_steps =
          static_cast<std::int64_t>(steps * (1 - (result.is_better ? 0.0 : 0.04 * round)));
      search_round(task, wish, prices, hot, round_trials, end,
                   wish.seed + static_cast<std::uint64_t>(round), clock, result);
      if (result.is_better) hot /= 3;
    }
  }
  if (wish.stop_at_percent < 100) {
    stop_at(cluster, state, part, options, wish.stop_at_percent, result.plan);
    result.figures = figures_of(cluster, result.plan);
  }
  return result;
}

}  // namespace ballast::ganeti
