// SPDX-License-Identifier: BSD-2-Clause
#include "pairs.hpp"

#include <algorithm>

#include "ballast/ganeti/search/allocate/singles.hpp"
#include "ballast/ganeti/search/redundancy/emptying_check.hpp"
#include "pair_pick.hpp"

namespace ballast::ganeti::alloc {
namespace {

struct Pair {
  NodeId secondary;
  double score;
};

/// One primary with all its secondaries.
class PrimaryRun {
 public:
  PrimaryRun(const ScopedCluster& scope, const Record& wanted, NodeId primary,
             const EngineOptions& options)
      : scope_(scope), wanted_(wanted), primary_(primary), options_(options) {}

  /// Both nodes' states with the instance, and the record; or why not.
  MaybeRefusal place(NodeId secondary, Record& record, NodeState& first, NodeState& second) const {
    record = wanted_;
    if (auto no = place_primary(scope_, record, primary_, secondary, options_.force, first))
      return no;
    return place_secondary(scope_, record, primary_, secondary, options_.force_secondary, second);
  }

  void evaluate(const Running& base, std::span<const NodeId> secondaries, Solution& solution) {
    for (const NodeId secondary : secondaries) {
      if (secondary == primary_) continue;
      Record record;
      NodeState first;
      NodeState second;
      if (const auto no = place(secondary, record, first, second)) {
        ++solution.failures[static_cast<std::size_t>(no->reason)];
        continue;
      }
      Running running = base;
      running.update(*scope_.cluster, primary_, scope_[primary_], first);
      running.update(*scope_.cluster, secondary, scope_[secondary], second);
      pairs_.push_back(
          {secondary, running.score() + price_of_change(scope_, wanted_, {}, record.placement)});
    }
  }

  /// The first pair in the reference's order that passes the capacity test.
  void collapse(const CapacityTest& redundancy, Solution& solution) {
    if (pairs_.empty()) return;
    solution.successes = static_cast<std::int64_t>(pairs_.size());
    const std::size_t last = pairs_.size() - 1;
    const auto order = reference_order(pairs_.size(), [&](std::size_t a, std::size_t b) {
      return is_greater(pairs_[last - a].score, pairs_[last - b].score);
    });
    for (const std::size_t position : order) {
      const Pair& pair = pairs_[last - position];
      Chosen chosen;
      NodeState first;
      NodeState second;
      place(pair.secondary, chosen.record, first, second);
      const std::array changes{ChangedNode{primary_, &first}, ChangedNode{pair.secondary, &second}};
      if (options_.capacity_checks && !redundancy.holds({changes, &chosen.record})) {
        ++solution.failures[static_cast<std::size_t>(FailReason::N1)];
        --solution.successes;
        continue;
      }
      chosen.metric.score = pair.score;
      chosen.nodes = {primary_, pair.secondary};
      chosen.states.emplace_back(primary_, std::move(first));
      chosen.states.emplace_back(pair.secondary, std::move(second));
      solution.chosen = std::move(chosen);
      return;
    }
  }

 private:
  const ScopedCluster& scope_;
  const Record& wanted_;
  NodeId primary_;
  const EngineOptions& options_;
  std::vector<Pair> pairs_;
};

}  // namespace

void fold(Solution& all, Solution&& one) {
  for (std::size_t i = 0; i < kReasons; ++i) all.failures[i] += one.failures[i];
  all.successes += one.successes;
  if (!one.chosen) return;
  if (all.chosen && is_less(all.chosen->metric, one.chosen->metric)) return;
  all.chosen = std::move(one.chosen);
}

namespace {

Running running_of(const ScopedCluster& scope) {
  return ScoreSheet(*scope.cluster, scope.states, scope.nodes).running();
}

}  // namespace

Solution search_pairs_one_by_one(const ScopedCluster& scope, const Record& wanted,
                                 const Candidates& candidates, const EngineOptions& options) {
  const Running base = running_of(scope);
  const CapacityTest redundancy(scope);
  Solution solution;
  for (const NodeId primary : candidates.primaries) {
    Solution of_primary;
    PrimaryRun run(scope, wanted, primary, options);
    run.evaluate(base, candidates.secondaries, of_primary);
    run.collapse(redundancy, of_primary);
    fold(solution, std::move(of_primary));
  }
  return solution;
}

namespace {

/// The fast form, primary by primary.
class PairSearch {
 public:
  PairSearch(const ScopedCluster& scope, const Record& wanted, const Candidates& candidates,
             const EngineOptions& options, const Running& base, const PairScan& scan)
      : scope_(scope),
        wanted_(wanted),
        candidates_(candidates),
        options_(options),
        base_(base),
        scan_(scan),
        capacity_(scope) {}

  Solution run() {
    Solution solution;
    for (const NodeId primary : candidates_.primaries) fold(solution, run_primary(primary));
    return solution;
  }

 private:
  Solution run_primary(NodeId primary) {
    Solution solution;
    Record record = wanted_;
    NodeState first;
    const auto others =
        static_cast<std::int64_t>(candidates_.secondaries.size()) - (holds_itself(primary) ? 1 : 0);
    if (const auto no = place_primary(scope_, record, primary, NodeId(), options_.force, first)) {
      solution.failures[static_cast<std::size_t>(no->reason)] += others;
      return solution;
    }
    Running running = base_;
    running.update(*scope_.cluster, primary, scope_[primary], first);
    if (!scan_.has_locations() && try_picked(primary, running, solution)) return solution;
    scan_.scan(primary, running, status_, score_);
    std::size_t best = status_.size();
    solution = {};
    for (std::size_t i = 0; i < status_.size(); ++i) {
      if (status_[i] >= 0) ++solution.failures[static_cast<std::size_t>(status_[i])];
      if (status_[i] != PairScan::kFits) continue;
      ++solution.successes;
      if (best == status_.size() || !(score_[best] < score_[i])) best = i;
    }
    if (best < status_.size() && !accept_pair(primary, best, score_[best], solution))
      try_others(primary, best, solution);
    return solution;
  }

  /// Without a look at all secondaries: only where the best of them passes the capacity test.
  bool try_picked(NodeId primary, const Running& running, Solution& solution) {
    if (!picker_) picker_.emplace(scan_, running);
    const PairPicker::Pick pick = picker_->pick(primary, running);
    if (!pick.is_sure) return false;
    solution.failures = pick.failures;
    solution.successes = pick.successes;
    return !pick.best || accept_pair(primary, pick.best->position, pick.best->score, solution);
  }

  [[nodiscard]] bool holds_itself(NodeId primary) const {
    const auto& all = candidates_.secondaries;
    return std::find(all.begin(), all.end(), primary) != all.end();
  }

  static bool refuse(Solution& solution) {
    ++solution.failures[static_cast<std::size_t>(FailReason::N1)];
    --solution.successes;
    return false;
  }

  /// Counts a pair that fails the capacity test.
  bool accept_pair(NodeId primary, std::size_t position, double score, Solution& solution) const {
    const NodeId secondary = candidates_.secondaries[position];
    Record record = wanted_;
    record.placement = {primary, secondary, 0};
    if (options_.capacity_checks && capacity_.surely_fails(record)) return refuse(solution);
    Chosen chosen;
    NodeState first;
    NodeState second;
    PrimaryRun(scope_, wanted_, primary, options_).place(secondary, chosen.record, first, second);
    const std::array changes{ChangedNode{primary, &first}, ChangedNode{secondary, &second}};
    if (options_.capacity_checks && !capacity_.holds({changes, &chosen.record}))
      return refuse(solution);
    chosen.metric.score = score;
    chosen.nodes = {primary, secondary};
    chosen.states.emplace_back(primary, std::move(first));
    chosen.states.emplace_back(secondary, std::move(second));
    solution.chosen = std::move(chosen);
    return true;
  }

  void try_others(NodeId primary, std::size_t tried, Solution& solution) {
    std::vector<std::size_t> order;
    for (std::size_t i = status_.size(); i-- > 0;) {
      if (status_[i] == PairScan::kFits && i != tried) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return score_[a] < score_[b]; });
    for (const std::size_t position : order) {
      if (accept_pair(primary, position, score_[position], solution)) return;
    }
  }

  const ScopedCluster& scope_;
  const Record& wanted_;
  const Candidates& candidates_;
  const EngineOptions& options_;
  const Running& base_;
  const PairScan& scan_;
  CapacityTest capacity_;
  std::optional<PairPicker> picker_;
  std::vector<std::int8_t> status_;
  std::vector<double> score_;
};

}  // namespace

Solution search_pairs(const ScopedCluster& scope, const Record& wanted,
                      const Candidates& candidates, const EngineOptions& options) {
  // The fast form knows no reserves (hail has none; hbal --make-room may).
  if (has_reserves(*scope.cluster, scope))
    return search_pairs_one_by_one(scope, wanted, candidates, options);
  Running base = running_of(scope);
  const PairScan scan(
      {scope, wanted.ref(), candidates.primaries, candidates.secondaries, options.force_secondary},
      base);
  if (!scan.is_usable()) return search_pairs_one_by_one(scope, wanted, candidates, options);
  scan.prepare_bound(base);
  return PairSearch(scope, wanted, candidates, options, base, scan).run();
}

}  // namespace ballast::ganeti::alloc
