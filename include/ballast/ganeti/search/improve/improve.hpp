// SPDX-License-Identifier: BSD-2-Clause
// Better plans than the step-by-step search: the end state is searched by annealing, then reached
// by feasible steps, best value first. The plan is never worse than the step-by-step one in score,
// steps and copied data together. What breaches of priced rules cost counts as score: the search
// itself takes such rules for hard ones. Limits that the user sets count in place of that plan's
// figures: then the plan keeps the limits and is never worse in score. Where the user sets a price,
// moves that do not pay are left out, and the score may be above that of the step-by-step plan.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "ballast/ganeti/search/balance/balance.hpp"
#include "ballast/ganeti/search/bound/bound.hpp"

namespace ballast::ganeti {

/// Called now and then while the search goes on: the score of the end state that it looks at, and
/// how many it has tried. May be empty.
using SearchSeen = std::function<void(double score, std::int64_t trials)>;

struct ImproveOptions {
  double seconds = 10;  ///< ends by then, earlier by itself where it can; the bound takes up to a
                        ///< fifth of it more
  std::int64_t trials = 0;  ///< work limit, which then is the only one: the plan depends on nothing
                            ///< else; 0: by the cluster's size
  std::int64_t bound_work = 50'000'000;  ///< for the bound; a second has some 25 million
  std::uint64_t seed = 1;
  std::optional<double> move_price;  ///< score that one step must be worth; none: a little, by what
                                     ///< the plain plan gains
  std::optional<double> data_price;  ///< score that one copied GiB must be worth
  std::optional<std::int64_t> max_data_mib;  ///< in place of what the step-by-step plan copies
  std::optional<std::int64_t> max_steps;     ///< in place of that plan's own number; then data is
                                             ///< only limited by max_data_mib
  bool never_worse = false;                  ///< the score falls at every step
  SearchSeen seen;
  double stop_at_percent = 100;  ///< the plan ends once it has this share of its whole gain
};

/// The moment with least memory beyond what N+1 reserves.
struct WeakestMoment {
  NodeId node;                 ///< none: there is no online node
  std::size_t after_step = 0;  ///< 0: before the first
  std::int64_t spare_mib = 0;  ///< below 0: the node fails N+1
};

struct PlanFigures {
  double score = 0;
  std::size_t steps = 0;
  std::int64_t copied_mib = 0;
  WeakestMoment weakest;
  double breaches = 0;  ///< what those of priced rules cost in the end, besides the score
  [[nodiscard]] double value() const { return score + breaches; }
};

/// An instance that stays where it is because moving it does not pay.
struct LeftOut {
  InstanceId instance;
  std::int64_t mib = 0;  ///< that would be copied
  double gain = 0;       ///< of score
};

struct ImproveResult {
  BalanceResult plan;  ///< the better plan, or the step-by-step one where none was found
  PlanFigures figures;
  PlanFigures plain;  ///< of the step-by-step plan, within the same limits
  Bound at_least;     ///< no placement scores below this
  std::int64_t trials = 0;
  bool is_better = false;  ///< plan is not the step-by-step one
  std::vector<LeftOut>
      left_out;  ///< with prices: moves that do not pay, in the order of leaving out
};

/// Seconds since the search began: the only thing it takes from outside. Called from several
/// threads.
using Clock = std::function<double()>;

/// `options` holds what shapes steps (length limit, kinds of moves, soft errors, threads).
/// Deterministic, whatever the number of threads, as long as `clock` does not reach the limit.
ImproveResult improve(const Cluster& cluster, const State& state, const Part& part,
                      const BalanceOptions& options, const ImproveOptions& improve_options,
                      const Clock& clock);

/// Cuts the plan after the first step that reaches this share of the whole gain; the state is
/// computed anew.
void stop_at(const Cluster& cluster, const State& start, const Part& part,
             const BalanceOptions& options, double percent, BalanceResult& plan);

}  // namespace ballast::ganeti
