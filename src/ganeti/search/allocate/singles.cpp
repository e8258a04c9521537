// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/allocate/singles.hpp"

#include <algorithm>
#include <cmath>

#include "ballast/ganeti/model/unit_rules.hpp"
#include "ballast/ganeti/moves/new_instance.hpp"
#include "ballast/ganeti/search/allocate/new_on_shared.hpp"
#include "ballast/ganeti/search/redundancy/emptying_check.hpp"
#include "screen.hpp"

namespace ballast::ganeti::alloc {
namespace {

Checks checks_of(bool force) { return force ? Checks::Hard : Checks::All; }

}  // namespace

MaybeRefusal place_primary(const ScopedCluster& scope, Record& record, NodeId primary,
                           NodeId secondary, bool force, NodeState& state) {
  const Cluster& cluster = *scope.cluster;
  record.placement.primary = primary;
  record.placement.secondary = secondary;
  if (!secondary.is_none())
    record.placement.location_score = common_location_tags(cluster[primary], cluster[secondary]);
  return put_primary(cluster, scope[primary], record.ref(), checks_of(force), record.is_joined,
                     view_of(scope), state);
}

MaybeRefusal place_secondary(const ScopedCluster& scope, const Record& record, NodeId primary,
                             NodeId secondary, bool force, NodeState& state) {
  InstanceRef ref = record.ref();
  ref.placement.primary = primary;
  return put_secondary(*scope.cluster, secondary, scope[secondary], ref, checks_of(force),
                       record.is_joined, view_of(scope), state);
}

bool has_reserves(const Cluster& cluster, const ScopedCluster& scope) {
  return !cluster.rules.empty() ||
         std::any_of(scope.nodes.begin(), scope.nodes.end(), [&](NodeId node) {
           const auto& capacities = scope[node].capacities;
           return cluster[node].disk_reserve > 0 ||
                  std::any_of(capacities.begin(), capacities.end(), is_asked_by_step);
         });
}

namespace {

struct Success {
  NodeId node;
  NodeState state;
};

/// Positions of the successes in the order in which the reference looks at them.
std::vector<std::size_t> order_of(const std::vector<double>& scores) {
  const std::size_t last = scores.size() - 1;
  auto order = reference_order(scores.size(), [&](std::size_t a, std::size_t b) {
    return is_greater(scores[last - a], scores[last - b]);
  });
  for (std::size_t& position : order) position = last - position;
  return order;
}

/// Scores in which all that can be the least are exact; the others, a little off, are only known to
/// be larger. Fewer exact sums over all nodes are needed that way.
std::vector<double> screened_scores(const ScopedCluster& scope,
                                    const std::vector<Success>& successes, bool& is_exact) {
  constexpr std::size_t kWorthIt = 32;
  const Cluster& cluster = *scope.cluster;
  const ScoreSheet table(cluster, scope.states, scope.nodes);
  const auto exact = [&](const Success& success) {
    const ChangedNode change{success.node, &success.state};
    return table.total_with(std::span(&change, 1));
  };
  const auto exact_scores = [&] {
    std::vector<double> all;
    for (const Success& success : successes) all.push_back(exact(success));
    return all;
  };
  is_exact = is_exact || successes.size() < kWorthIt;
  if (is_exact) return exact_scores();
  std::vector<double> scores;
  const Running base = table.running();
  Screen screen;
  for (std::size_t i = 0; i < successes.size(); ++i) {
    Running running = base;
    running.update(cluster, successes[i].node, scope[successes[i].node], successes[i].state);
    const Running::Estimate estimate = running.estimate();
    scores.push_back(estimate.score);
    screen.offer(i, estimate);
  }
  if (const auto finalists = screen.finalists()) {
    for (const std::size_t i : *finalists) scores[i] = exact(successes[i]);
    return scores;
  }
  is_exact = true;
  return exact_scores();
}

}  // namespace

Solution search_singles(const ScopedCluster& before, const Record& wanted,
                        std::span<const NodeId> primaries, const EngineOptions& options) {
  Solution solution;
  const NewOnShared pool(before, wanted);
  const ScopedCluster& scope = pool.scope();
  std::vector<Success> successes;
  for (const NodeId node : primaries) {
    Record record = wanted;
    NodeState state;
    if (const auto no = pool.place(record, node, NodeId(), options.force, state)) {
      ++solution.failures[static_cast<std::size_t>(no->reason)];
    } else {
      successes.push_back({node, std::move(state)});
    }
  }
  if (successes.empty()) return solution;
  const bool has_prices = scope.cluster->rules.has_prices();
  bool is_exact = has_prices;
  std::vector<double> scores = screened_scores(scope, successes, is_exact);
  for (std::size_t i = 0; has_prices && i < scores.size(); ++i)
    scores[i] += price_of_change(scope, wanted, {}, {successes[i].node, NodeId(), 0});
  const CapacityTest redundancy(scope);
  solution.successes = static_cast<std::int64_t>(successes.size());
  std::vector<std::size_t> order = order_of(scores);
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::size_t position = order[place];
    Success& success = successes[position];
    Record record = wanted;
    record.placement = {success.node, NodeId(), wanted.placement.location_score};
    const ChangedNode change{success.node, &success.state};
    if (options.capacity_checks && !redundancy.holds({std::span(&change, 1), &record})) {
      ++solution.failures[static_cast<std::size_t>(FailReason::N1)];
      --solution.successes;
      if (is_exact) continue;
      // Now the order behind the first counts, too; what was tried stays first.
      is_exact = true;
      scores = screened_scores(scope, successes, is_exact);
      order = order_of(scores);
      continue;
    }
    solution.chosen = Chosen{{scores[position], {}, 0, false}, record, {success.node}, {}};
    solution.chosen->states.emplace_back(success.node, std::move(success.state));
    pool.add_others(success.node, solution.chosen->states);
    break;
  }
  return solution;
}

}  // namespace ballast::ganeti::alloc
