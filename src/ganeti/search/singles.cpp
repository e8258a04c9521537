// SPDX-License-Identifier: BSD-2-Clause
#include "singles.hpp"

#include <algorithm>
#include <cmath>

#include "capacity_test.hpp"

namespace ballast::ganeti::alloc {

MaybeRefusal place_primary(const World& world, Record& record, NodeId primary, NodeId secondary, bool force, NodeState& state) {
  const Cluster& cluster = *world.cluster;
  if (auto no = check_policy(cluster, primary, *record.instance)) return no;
  record.placement.primary = primary;
  record.placement.secondary = secondary;
  if (!secondary.is_none()) record.placement.location_score = common_location_tags(cluster[primary], cluster[secondary]);
  state = world[primary];
  return add_primary(cluster, primary, state, record.ref(), force);
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

}  // namespace

Solution search_singles(const World& world, const Record& wanted, std::span<const NodeId> primaries,
                        const EngineOptions& options) {
  Solution solution;
  std::vector<Success> successes;
  for (const NodeId node : primaries) {
    Record record = wanted;
    NodeState state;
    if (const auto no = place_primary(world, record, node, NodeId(), options.force, state)) {
      ++solution.failures[static_cast<std::size_t>(no->reason)];
    } else {
      successes.push_back({node, std::move(state)});
    }
  }
  if (successes.empty()) return solution;
  const ScoreTable table(*world.cluster, world.states, world.nodes);
  std::vector<double> scores;
  for (const Success& success : successes) {
    const ChangedNode change{success.node, &success.state};
    scores.push_back(table.exact(std::span(&change, 1)));
  }
  const CapacityTest redundancy(world);
  solution.successes = static_cast<std::int64_t>(successes.size());
  for (const std::size_t position : order_of(scores)) {
    Success& success = successes[position];
    Record record = wanted;
    record.placement = {success.node, NodeId(), wanted.placement.location_score};
    const ChangedNode change{success.node, &success.state};
    if (options.capacity_checks && !redundancy.holds({std::span(&change, 1), &record})) {
      ++solution.failures[static_cast<std::size_t>(FailReason::N1)];
      --solution.successes;
      continue;
    }
    solution.chosen = Chosen{{scores[position], {}, 0, false}, record, {success.node}, {}};
    solution.chosen->states.emplace_back(success.node, std::move(success.state));
    break;
  }
  return solution;
}

}  // namespace ballast::ganeti::alloc
