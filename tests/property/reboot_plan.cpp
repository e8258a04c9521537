// SPDX-License-Identifier: BSD-2-Clause
// Random clusters and options: the colourings are proper and complete, no reboot group holds both
// nodes of a mirrored instance, and the plan with its moves there and back replays on a fresh model
// and ends where it began.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "ballast/ganeti/search/planning/replay.hpp"
#include "ballast/ganeti/search/reboot/steps.hpp"
#include "support/ganeti_text.hpp"
#include "support/random_cluster.hpp"

namespace {

using namespace ballast;
using namespace ballast::ganeti;

long moves_made = 0;
long groups_of_many = 0;

RebootOptions random_options(Random& random) {
  RebootOptions options;
  options.offline_maintenance = random.chance(25);
  options.ignore_non_redundant = random.chance(25);
  options.skip_non_redundant = random.chance(15);
  options.full_evacuation = random.chance(30);
  if (random.chance(60)) options.master = NodeId(std::size_t{0});
  return options;
}

bool holds(const std::vector<NodeId>& nodes, NodeId node) {
  return std::ranges::find(nodes, node) != nodes.end();
}

std::string fault_in_colouring(const RebootGraph& graph, const Colouring& colouring) {
  std::vector<int> seen(graph.adjacency.size(), 0);
  for (const auto& nodes : colouring.classes) {
    for (const NodeId node : nodes) {
      ++seen.at(node.index() - graph.first);
      for (const NodeId other : graph.adjacency.at(node.index() - graph.first)) {
        if (other != node && holds(nodes, other))
          return fmt::format("{}: {} and {} are in conflict and have one colour", colouring.name,
                             node.index(), other.index());
      }
    }
  }
  const bool is_partition = std::ranges::all_of(seen, [](int count) { return count == 1; });
  return is_partition ? "" : fmt::format("{}: some node has no colour or two", colouring.name);
}

std::string fault_in_groups(const Cluster& cluster, const State& state, const RebootPlan& found) {
  for (const RebootGroup& group : found.groups) {
    if (group.nodes.size() > 1) ++groups_of_many;
    for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
      const Placement& place = state.placements[i];
      if (!has_secondary(cluster.instances[i].disk_template)) continue;
      if (holds(group.nodes, place.primary) && holds(group.nodes, place.secondary))
        return "both nodes of " + cluster.instances[i].name + " reboot together";
    }
  }
  return "";
}

std::string fault_in_plan(const Cluster& cluster, const State& state, const plan::Plan& plan) {
  const Part part = whole_part(cluster);
  PlanState replayed(cluster, state, part.nodes, true, plan);
  const plan::ReplayReport report = plan::replay(plan, replayed);
  if (!report.problems.empty())
    return fmt::format("step {} {}", report.problems.front().step,
                       report.problems.front().problem.text);
  for (const plan::Step& step : plan.steps) moves_made += step.from.is_null() ? 0 : 1;
  for (std::size_t i = 0; i < state.placements.size(); ++i) {
    const Placement& before = state.placements[i];
    const Placement& after = replayed.state().placements[i];
    if (before.primary != after.primary || before.secondary != after.secondary)
      return cluster.instances[i].name + " does not come back";
  }
  return "";
}

std::string fault_in(const std::string& text, const RebootOptions& options) {
  const Snapshot snapshot = ganeti::test::load(text);
  const Cluster& cluster = snapshot.cluster;
  const RebootPlan found = plan_reboots(cluster, snapshot.state, options);
  if (found.failure == RebootFailure::NoNodes) return "";
  for (const Colouring& colouring : found.colourings) {
    if (std::string fault = fault_in_colouring(found.graph, colouring); !fault.empty())
      return fault;
  }
  if (found.failure) return "";
  if (std::string fault = fault_in_groups(cluster, snapshot.state, found); !fault.empty())
    return fault;
  return fault_in_plan(
      cluster, snapshot.state,
      reboot_plan(cluster, snapshot.state, whole_part(cluster), found, options, false));
}

}  // namespace

int main(int argc, char** argv) {
  const long seeds = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 400;
  const long first = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 1;
  for (long seed = first; seed < first + seeds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const RebootOptions options = random_options(random);
    ballast::test::RandomCluster cluster = ballast::test::ClusterGenerator(random.next()).make();
    if (fault_in(cluster.text(), options).empty()) continue;
    for (std::size_t i = 0; i < cluster.instances.size();) {
      ballast::test::RandomCluster smaller = cluster;
      smaller.instances.erase(smaller.instances.begin() + static_cast<std::ptrdiff_t>(i));
      if (fault_in(smaller.text(), options).empty()) {
        ++i;
      } else {
        cluster = smaller;
      }
    }
    std::fprintf(stderr, "seed %ld: %s\n%s", seed, fault_in(cluster.text(), options).c_str(),
                 cluster.text().c_str());
    return 1;
  }
  if (moves_made < seeds || groups_of_many < seeds / 4) {
    std::fprintf(stderr,
                 "only %ld moves and %ld groups of several nodes: the clusters are too dull\n",
                 moves_made, groups_of_many);
    return 1;
  }
  return 0;
}
