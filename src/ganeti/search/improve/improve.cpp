// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/improve/improve.hpp"

#include "ballast/ganeti/rules/prices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <thread>

#include "ballast/ganeti/search/planning/builder.hpp"
#include "order.hpp"
#include "plan.hpp"
#include "unpaid.hpp"
#include "walk.hpp"

namespace ballast::ganeti {

namespace {

constexpr double kMibPerGib = 1024;
constexpr std::size_t kLanes = 2;  // independent walks, whatever the number of threads
constexpr std::int64_t kTrialsPerInstance = 40000;  // of all walks together
constexpr double kUsualPrice = 0.1;                 // of what a step of the step-by-step plan gains
struct Round {
  double trials;  ///< share of all
  double time;    ///< share of what is left
  double heat;    ///< at the beginning
};
/// The later rounds mend what could not be brought into an order; time is left for their own.
constexpr std::array kRounds{Round{0.8, 0.75, 1}, Round{0.15, 0.7, 0.1}, Round{0.05, 0.9, 0.02}};
// A hot walk may end where no plan leads: one of the walks begins at the end of the step-by-step
// plan, and cool.
constexpr double kCareful = 0.03;
constexpr std::int64_t kStepsBetweenLooks = 256;  // at the clock, while limits are filled
// Above this many pairs of instance and node, a step-by-step search for what is left takes too
// long.
constexpr std::size_t kMostPairsToFill = 100'000'000;

/// What all walks share.
struct Task {
  const Cluster& cluster;  ///< priced rules are hard there
  const Cluster& with_prices;
  const State& start;
  const Part& part;
  const BalanceOptions& options;
  const Clock& clock;
  const SearchSeen& seen;
  bool never_worse;
  Prices prices;
  PlanFigures worst;      ///< that a better plan may have
  Cost most;              ///< the same but for the score
  std::size_t left_most;  ///< on offline nodes
  double seconds;         ///< on the clock

  [[nodiscard]] OrderTask order() const {
    return {cluster,     start, part,   options,
            never_worse, most,  prices, [this] { return clock() / seconds; }};
  }
  [[nodiscard]] double worth(const PlanFigures& figures) const {
    return figures.value() + prices.per_step * static_cast<double>(figures.steps) +
           prices.per_mib * static_cast<double>(figures.copied_mib);
  }
};

std::size_t left_on_offline_nodes(const Cluster& cluster, const Part& part, const State& state) {
  std::size_t count = 0;
  for (const NodeId node : part.nodes) {
    if (cluster[node].is_offline)
      count += state[node].primaries.size() + state[node].secondaries.size();
  }
  return count;
}

struct Found {
  BalanceResult plan;
  PlanFigures figures;
  std::int64_t trials = 0;
};

/// At most so many steps more that are worth their price; false where there are no others.
bool append_some(const Task& task, int threads, std::int64_t most, BalanceResult& plan) {
  BalanceOptions rest = task.options;
  rest.max_length = most;
  rest.threads = threads;
  BalanceResult more = balance(task.cluster, plan.state, task.part, rest);
  limit_data(task.cluster, plan.state, task.part, task.options,
             task.most.mib - total_copied_mib(task.cluster, plan.steps), more);
  double worth = plan.score_after;
  std::size_t count = 0;
  for (const BalanceStep& step : more.steps) {
    const double price =
        task.prices.per_step + task.prices.per_mib * static_cast<double>(copied_mib(
                                                         task.cluster, step.instance, step.move));
    if (worth - step.score < price) break;
    worth = step.score;
    ++count;
  }
  cut(task.cluster, plan.state, task.part, task.options, count, more);
  plan.steps.insert(plan.steps.end(), more.steps.begin(), more.steps.end());
  plan.state = std::move(more.state);
  plan.score_after = more.score_after;
  return count == static_cast<std::size_t>(most);
}

/// Steps that the ordering could not make leave room in the limits: the step-by-step search fills
/// it, as long as there is time where the limits are wide.
void append_steps(const Task& task, int threads, BalanceResult& plan) {
  if (task.part.nodes.size() * task.part.instances.size() > kMostPairsToFill) return;
  bool is_first = true;
  for (;;) {
    const std::int64_t left = task.most.steps - static_cast<std::int64_t>(plan.steps.size());
    if (left <= 0 || (!is_first && task.clock() >= task.seconds)) return;
    is_first = false;
    if (!append_some(task, threads, std::min(left, kStepsBetweenLooks), plan)) return;
  }
}

/// A feasible plan towards these placements.
BalanceResult plan_towards(const Task& task, int threads, const std::vector<Placement>& wanted) {
  BalanceResult best = order_steps(task.order(), wanted).plan;
  append_steps(task, threads, best);
  // An instance that moved twice may get there at once.
  BalanceResult again = order_steps(task.order(), best.state.placements).plan;
  if (is_better(figures_of(task.cluster, again), figures_of(task.cluster, best)))
    best = std::move(again);
  gather_job_sets(task.order(), best);
  return best;
}

struct Beginning {
  std::vector<Placement> placements;
  double heat = 1;                     ///< share of the round's
  std::int64_t steps_for_detours = 0;  ///< that the last order needed beyond the limit
};

/// One walk and the plan that it gives. `from` holds the placements to begin at; `threads` are this
/// walk's alone.
Found walk_lane(const Task& task, int threads, const std::vector<Placement>& from,
                const WalkOptions& options, std::uint64_t seed) {
  EndState ends(task.cluster, task.start, task.part, task.options);
  Walk walk(ends, options, seed);
  walk.begin_at(from, task.clock);
  walk.run(task.clock);
  Found found;
  found.trials = walk.trials();
  found.plan = plan_towards(task, threads, ends.placements());
  found.figures = figures_of(task.cluster, found.plan);
  return found;
}

/// All walks of a round, on as many threads as there may be. Where there are fewer threads than
/// walks, these share the time.
std::array<Found, kLanes> walk_round(const Task& task, const std::array<Beginning, kLanes>& from,
                                     WalkOptions options, double until, std::uint64_t seed) {
  std::array<Found, kLanes> found;
  const auto threads =
      std::min<std::size_t>(kLanes, static_cast<std::size_t>(std::max(1, task.options.threads)));
  const auto walk = [&](std::size_t lane) {
    WalkOptions mine = options;
    if (lane == 0) mine.seen = task.seen;
    mine.heat *= from[lane].heat;
    mine.most.steps -= from[lane].steps_for_detours;
    found[lane] = walk_lane(task, 1, from[lane].placements, mine, seed + lane);
  };
  for (std::size_t first = 0; first < kLanes; first += threads) {
    const double now = task.clock();
    options.until =
        now + (until - now) * static_cast<double>(threads) / static_cast<double>(kLanes - first);
    std::vector<std::thread> others;
    for (std::size_t lane = first + 1; lane < std::min(kLanes, first + threads); ++lane)
      others.emplace_back(walk, lane);
    walk(first);
    for (std::thread& other : others) other.join();
  }
  return found;
}

Prices prices_of(const PlanFigures& plain, double score_before, const ImproveOptions& wish) {
  const auto steps = static_cast<double>(std::max<std::size_t>(1, plain.steps));
  // What a step gains where it is no emergency: the first steps off an offline node gain far more.
  const double gain = std::max(1e-9, std::min(score_before - plain.score, 3 * plain.score) / steps);
  const double mib_per_step = std::max(1.0, static_cast<double>(plain.copied_mib) / steps);
  return {wish.move_price.value_or(kUsualPrice * gain),
          wish.data_price ? *wish.data_price / kMibPerGib : kUsualPrice * gain / mib_per_step};
}

/// Takes the plan where it keeps the limits, leaves no more on offline nodes, and is worth more
/// than the best so far, the step-by-step one at first.
void take_better(const Task& task, Found& found, ImproveResult& result) {
  result.trials += found.trials;
  found.figures.breaches = price_of_breaches(task.with_prices, found.plan.state);
  if (!is_better(found.figures, task.worst)) return;
  if (left_on_offline_nodes(task.cluster, task.part, found.plan.state) > task.left_most) return;
  if (task.worth(found.figures) >= task.worth(result.figures)) return;
  found.plan.lower_bound = result.plan.lower_bound;
  result.plan = std::move(found.plan);
  result.figures = found.figures;
  result.is_better = true;
}

/// The step-by-step plan without the steps that gain nothing, and with the moves of one instance
/// merged.
Found shortened(const Task& task, const std::vector<Placement>& plain) {
  WalkOptions options;
  options.prices = task.prices;
  options.most = task.most;
  options.most_score = task.worst.value();
  options.until = task.seconds;
  return walk_lane(task, task.options.threads, plain, options, 0);
}

void search(const Task& task, const ImproveOptions& wish, ImproveResult& result) {
  const double seconds = task.seconds;
  const auto count = static_cast<std::int64_t>(task.part.instances.size());
  const std::int64_t trials = wish.trials > 0 ? wish.trials : kTrialsPerInstance * count;
  const std::vector<Placement> plain = result.plan.state.placements;
  // To bring an end into an order takes about as long as the step-by-step search.
  if (1.5 * task.clock() >= seconds) return;
  Found shorter = shortened(task, plain);
  take_better(task, shorter, result);
  std::uint64_t seed = wish.seed * 1000;
  std::array<Beginning, kLanes> from;
  from.fill({task.start.placements});
  from.back() = {plain, kCareful};
  for (const Round& round : kRounds) {
    const double now = task.clock();
    if (now >= seconds) return;
    WalkOptions options;
    options.prices = task.prices;
    options.most = task.most;
    options.most_score = task.worst.value();
    options.heat = round.heat;
    options.trials = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(static_cast<double>(trials) * round.trials) /
               static_cast<std::int64_t>(kLanes));
    auto found = walk_round(task, from, options, now + (seconds - now) * round.time, seed);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      from[lane].placements = found[lane].plan.state.placements;
      from[lane].heat = 1;
      from[lane].steps_for_detours += std::max<std::int64_t>(
          0, static_cast<std::int64_t>(found[lane].figures.steps) - task.most.steps);
      take_better(task, found[lane], result);
    }
    seed += kLanes;
  }
}

/// The step-by-step plan's own figures, but where there are limits. One that the data limit breaks
/// off early may be followed by one with as many steps as it would have without.
Cost limits_of(const PlanFigures& whole, const BalanceOptions& options,
               const ImproveOptions& wish) {
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  Cost most{wish.max_steps.value_or(static_cast<std::int64_t>(whole.steps)),
            wish.max_data_mib.value_or(wish.max_steps ? kNone : whole.copied_mib)};
  if (options.max_length >= 0) most.steps = std::min(most.steps, options.max_length);
  return most;
}

/// Where the clock ends the search, the bound takes a fifth of its time at most.
std::int64_t bound_work_of(const ImproveOptions& wish) {
  constexpr double kWorkPerSecond = 25e6;
  constexpr double kShare = 0.2;
  if (wish.trials > 0) return wish.bound_work;
  const double most = kShare * wish.seconds * kWorkPerSecond;
  return std::min(wish.bound_work, static_cast<std::int64_t>(std::min(most, 1e15)));
}

/// The end state is searched one instance at a time: what a rule keeps together stays where it is.
/// It knows no prices either: what they are put on is not made worse.
Cluster searched(const Cluster& cluster) {
  Cluster held = without_prices(cluster);
  for (Instance& instance : held.instances) {
    const bool is_tied = std::any_of(instance.rules.begin(), instance.rules.end(), [&](RuleId id) {
      return cluster.rules[id].kind == RuleKind::Together;
    });
    if (is_tied) instance.is_movable = false;
  }
  return held;
}

}  // namespace

ImproveResult improve(const Cluster& cluster, const State& state, const Part& part,
                      const BalanceOptions& options, const ImproveOptions& wish,
                      const Clock& clock) {
  ImproveResult result;
  result.plan = balance(cluster, state, part, options);
  const PlanFigures whole = figures_of(cluster, result.plan);
  const Cost most = limits_of(whole, options, wish);
  limit_data(cluster, state, part, options, most.mib, result.plan);
  cut(cluster, state, part, options, static_cast<std::size_t>(most.steps), result.plan);
  result.plain = figures_of(cluster, result.plan);
  result.plain.weakest = weakest_moment(cluster, state, part, options, result.plan.steps);
  result.figures = result.plain;
  const double score = result.plan.score_before;
  const bool is_priced = wish.move_price.value_or(0) > 0 || wish.data_price.value_or(0) > 0;
  const StepPrices own_prices{wish.move_price.value_or(0),
                              wish.data_price.value_or(0) / kMibPerGib};
  const double seconds = wish.trials > 0 ? std::numeric_limits<double>::max() : wish.seconds;
  const auto is_over = [&] { return clock() >= seconds; };
  if (is_priced) {
    result.left_out =
        leave_out_unpaid(cluster, state, part, options, own_prices, is_over, result.plan);
    result.figures = figures_of(cluster, result.plan);
  }
  if (result.plan.stop != BalanceStop::ReferenceWouldDie && std::isfinite(score) &&
      most.steps > 0) {
    const PlanFigures worst{is_priced ? std::max(score, result.plain.score) : result.plain.score,
                            static_cast<std::size_t>(most.steps),
                            most.mib,
                            {},
                            result.plain.breaches};
    const Cluster held = searched(cluster);
    const Task task{held,
                    cluster,
                    state,
                    part,
                    options,
                    clock,
                    wish.seen,
                    wish.never_worse,
                    prices_of(whole, score, wish),
                    worst,
                    most,
                    left_on_offline_nodes(cluster, part, result.plan.state),
                    seconds};
    search(task, wish, result);
  }
  if (is_priced && result.is_better) {
    const auto more =
        leave_out_unpaid(cluster, state, part, options, own_prices, is_over, result.plan);
    result.left_out.insert(result.left_out.end(), more.begin(), more.end());
    result.figures = figures_of(cluster, result.plan);
    std::erase_if(result.left_out, [&](const LeftOut& one) {
      return std::ranges::find(result.plan.steps, one.instance, &BalanceStep::instance) !=
             result.plan.steps.end();
    });
  }
  if (wish.stop_at_percent < 100) {
    stop_at(cluster, state, part, options, wish.stop_at_percent, result.plan);
    result.figures = figures_of(cluster, result.plan);
  }
  result.figures.weakest = weakest_moment(cluster, state, part, options, result.plan.steps);
  const double reached = std::min(result.figures.score, result.plain.score);
  result.at_least =
      least_possible_score(cluster, state, part, {reached, bound_work_of(wish), options.threads});
  return result;
}

}  // namespace ballast::ganeti
