// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/reboot/reboot.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "ballast/ganeti/search/reboot/graph.hpp"
#include "ballast/ganeti/search/reboot/steps.hpp"
#include "support/ganeti_text.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

/// Nodes a, b, c, ...; roomy, so that nothing is refused for want of space.
Snapshot cluster_of(int nodes, const std::string& instances) {
  test::ClusterText text;
  for (int n = 0; n < nodes; ++n)
    text.nodes += std::string(1, static_cast<char>('a' + n)) +
                  "|65536|0|65536|1000000|1000000|32|N|uuid-g|1\n";
  text.instances = instances;
  return test::load(text);
}

std::string mirrored(const std::string& name, const std::string& primary,
                     const std::string& secondary) {
  return name + "|1024|5000|1|running|Y|" + primary + "|" + secondary + "|drbd|\n";
}
std::string plain(const std::string& name, const std::string& primary) {
  return name + "|1024|5000|1|running|Y|" + primary + "||plain|\n";
}

RebootGraph graph_of(const Snapshot& snapshot, bool offline_maintenance = false) {
  const std::vector<bool> all(snapshot.cluster.nodes.size(), true);
  return reboot_graph(snapshot.cluster, snapshot.state, all, offline_maintenance);
}

bool has_edge(const RebootGraph& graph, NodeId a, NodeId b) {
  const auto& ends = graph.adjacency[a.index() - graph.first];
  return std::ranges::find(ends, b) != ends.end();
}

/// Every vertex once, and no two neighbours of one colour.
void check_proper(const RebootGraph& graph, const Colouring& colouring) {
  CAPTURE(colouring.name);
  std::set<NodeId> seen;
  for (const auto& members : colouring.classes) {
    CHECK(std::ranges::is_sorted(members));
    for (const NodeId node : members) {
      CHECK(seen.insert(node).second);
      for (const NodeId other : members)
        CHECK_FALSE((node != other && has_edge(graph, node, other)));
    }
  }
  CHECK(seen.size() == graph.adjacency.size());
}

const NodeId kA(0);
const NodeId kB(1);
const NodeId kC(2);

}  // namespace

TEST_CASE("both nodes of a mirror, and two primaries with one secondary, keep apart") {
  const Snapshot snapshot = cluster_of(3, mirrored("i0", "a", "c") + mirrored("i1", "b", "c"));
  const RebootGraph graph = graph_of(snapshot);
  CHECK(has_edge(graph, kA, kC));
  CHECK(has_edge(graph, kC, kA));
  CHECK(has_edge(graph, kA, kB));
  CHECK(has_edge(graph, kB, kA));
}

TEST_CASE("instances that are down need no secondary: primaries that share one may go together") {
  const Snapshot snapshot = cluster_of(3, mirrored("i0", "a", "c") + mirrored("i1", "b", "c"));
  const RebootGraph graph = graph_of(snapshot, true);
  CHECK(has_edge(graph, kA, kC));
  CHECK_FALSE(has_edge(graph, kA, kB));
}

TEST_CASE("each colouring is one, on a ring, a star and a graph without edges") {
  std::string ring;
  std::string star;
  for (int n = 0; n < 7; ++n) {
    const std::string at(1, static_cast<char>('a' + n));
    const std::string next(1, static_cast<char>('a' + (n + 1) % 7));
    ring += mirrored("r" + at, at, next);
    if (n > 0) star += mirrored("s" + at, at, "a");
  }
  for (const std::string& instances : {ring, star, std::string()}) {
    const RebootGraph graph = graph_of(cluster_of(7, instances), true);
    for (const Colouring& colouring : colour(graph)) check_proper(graph, colouring);
  }
}

TEST_CASE("two nodes that mirror each other reboot one after the other, the master last") {
  const Snapshot snapshot = cluster_of(2, mirrored("i0", "a", "b"));
  RebootOptions options;
  options.master = kA;
  const RebootPlan plan = plan_reboots(snapshot.cluster, snapshot.state, options);
  REQUIRE_FALSE(plan.failure);
  REQUIRE(plan.groups.size() == 2);
  CHECK(plan.groups[0].nodes == std::vector<NodeId>{kB});
  CHECK(plan.groups[1].nodes == std::vector<NodeId>{kA});
}

TEST_CASE("an instance without a copy goes to another node, or is told where none takes it") {
  const Snapshot roomy = cluster_of(2, plain("i0", "a"));
  const RebootPlan moved = plan_reboots(roomy.cluster, roomy.state, {});
  REQUIRE_FALSE(moved.failure);
  std::size_t moves = 0;
  for (const RebootGroup& group : moved.groups) moves += group.moves.size();
  CHECK(moves == 1);

  const Snapshot alone = cluster_of(1, plain("i0", "a"));
  const RebootPlan stuck = plan_reboots(alone.cluster, alone.state, {});
  REQUIRE(stuck.failure);
  CHECK(*stuck.failure == RebootFailure::NonRedundant);
  CHECK(stuck.groups.empty());

  RebootOptions ignores;
  ignores.ignore_non_redundant = true;
  CHECK(plan_reboots(alone.cluster, alone.state, ignores).groups.size() == 1);
  RebootOptions skips;
  skips.skip_non_redundant = true;
  const RebootPlan skipped = plan_reboots(roomy.cluster, roomy.state, skips);
  for (const RebootGroup& group : skipped.groups)
    CHECK(std::ranges::find(group.nodes, kA) == group.nodes.end());
}

TEST_CASE("only nodes with one of the tags reboot") {
  test::ClusterText text;
  text.nodes =
      "a|65536|0|65536|1000000|1000000|32|N|uuid-g|1|old\n"
      "b|65536|0|65536|1000000|1000000|32|N|uuid-g|1|new\n";
  const Snapshot snapshot = test::load(text);
  RebootOptions options;
  options.node_tags = {"old"};
  const RebootPlan plan = plan_reboots(snapshot.cluster, snapshot.state, options);
  REQUIRE(plan.groups.size() == 1);
  CHECK(plan.groups[0].nodes == std::vector<NodeId>{kA});
  options.node_tags = {"none"};
  const RebootPlan none = plan_reboots(snapshot.cluster, snapshot.state, options);
  REQUIRE(none.failure);
  CHECK(*none.failure == RebootFailure::NoNodes);
}

TEST_CASE("the plan's steps: each node reboots once, what left comes back after it") {
  const Snapshot snapshot = cluster_of(3, mirrored("i0", "a", "b") + mirrored("i1", "b", "c"));
  const RebootOptions options;
  const RebootPlan found = plan_reboots(snapshot.cluster, snapshot.state, options);
  REQUIRE_FALSE(found.failure);
  const Part part = part_of(snapshot.cluster, snapshot.state, GroupId(0));
  const plan::Plan plan =
      reboot_plan(snapshot.cluster, snapshot.state, part, found, options, false);
  std::multiset<std::string> rebooted;
  int away = 0;
  for (const plan::Step& step : plan.steps) {
    if (step.subject.kind == "node") {
      rebooted.insert(step.subject.name);
      continue;
    }
    away += step.reason.code == "MOVE_BACK" ? -1 : 1;
    CHECK(away >= 0);
  }
  CHECK(rebooted == std::multiset<std::string>{"a", "b", "c"});
  CHECK(away == 0);
}
