// SPDX-License-Identifier: BSD-2-Clause
#include <doctest/doctest.h>

#include <cmath>

#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/score/sheet.hpp"
#include "support/plain_score.hpp"

using namespace ballast::ganeti;

namespace {

struct Situation {
  Cluster cluster;
  State state;
  std::vector<NodeId> nodes;
};

// `count` nodes of 1000 MiB with nothing on them: every fraction is the same everywhere.
Situation empty_nodes(std::size_t count) {
  Situation s;
  s.cluster.groups.emplace_back();
  for (std::size_t i = 0; i < count; ++i) {
    Node node;
    node.group = GroupId(0);
    node.total_mem = 1000;
    node.total_cpu = 4;
    node.high_spindles = 32;
    s.cluster.nodes.push_back(node);
    NodeState state;
    state.mem_fraction = state.forth_mem_fraction = 1;
    state.disk_fraction = state.forth_disk_fraction = 1;
    s.state.nodes.push_back(state);
    s.nodes.emplace_back(i);
  }
  return s;
}

NodeState& node(Situation& s, int index) { return s.state[NodeId(index)]; }

}  // namespace

TEST_CASE("equal nodes score 0") {
  const Situation s = empty_nodes(3);
  CHECK(full_score(s.cluster, s.state, s.nodes) == 0);
  CHECK(score_lower_bound(s.cluster, s.state, s.nodes) == 0);
}

TEST_CASE("reserved memory counts in the deviation, in the total and in the lower bound") {
  Situation s = empty_nodes(2);
  for (int i = 0; i < 2; ++i) {
    node(s, i).reserved_fraction = 0.1;
    node(s, i).peers = {{NodeId(1 - i), 100}};
  }
  CHECK(full_score(s.cluster, s.state, s.nodes) == doctest::Approx(0.05));
  CHECK(score_lower_bound(s.cluster, s.state, s.nodes) == doctest::Approx(0.025));
}

TEST_CASE("an offline node counts its instances and takes no part in deviations") {
  Situation s = empty_nodes(3);
  s.cluster.nodes[2].is_offline = true;
  node(s, 2).primaries = {InstanceId(0)};
  node(s, 2).secondaries = {InstanceId(1), InstanceId(2)};
  node(s, 2).load.cpu = 5;
  const ScoreDetail detail = score_detail(s.cluster, s.state, s.nodes);
  CHECK(detail.values[MetricId::OfflineAll] == 3);
  CHECK(detail.values[MetricId::OfflinePrimary] == 1);
  CHECK(detail.values[MetricId::CpuLoad] == 0);
  CHECK(detail.total == 4 * 3 + 16 * 1);
}

TEST_CASE("without online nodes there are no values and the score is 0") {
  Situation s = empty_nodes(1);
  s.cluster.nodes[0].is_offline = true;
  node(s, 0).primaries = {InstanceId(0)};
  const ScoreDetail detail = score_detail(s.cluster, s.state, s.nodes);
  CHECK_FALSE(detail.has_values);
  CHECK(detail.total == 0);
  CHECK(score_table(s.cluster, detail) == "   Field Value Weight\n");
  CHECK(ScoreSheet(s.cluster, s.state, s.nodes).total() == 0);
}

TEST_CASE("the deviation divides by n") {
  Situation s = empty_nodes(2);
  node(s, 0).load.net = 1;
  node(s, 1).load.net = 4;
  CHECK(score_detail(s.cluster, s.state, s.nodes).values[MetricId::NetLoad] == 1.5);
}

TEST_CASE("pairs of location and exclusion tag are counted over all nodes") {
  Situation s = empty_nodes(2);
  s.cluster.nodes[0].location_tags = s.cluster.nodes[1].location_tags = {TagId(0)};
  node(s, 0).location_exclusions = {{{TagId(0), TagId(1)}, 2}, {{TagId(0), TagId(2)}, 1}};
  node(s, 1).location_exclusions = {{{TagId(0), TagId(1)}, 1}};
  CHECK(score_detail(s.cluster, s.state, s.nodes).values[MetricId::LocationExclusion] == 2);
  CHECK(full_score(s.cluster, s.state, s.nodes) ==
        ballast::test::plain_score(s.cluster, s.state, s.nodes).total);
}

namespace {

// Two keys; node 2 holds only the first.
Situation with_units() {
  Situation s = empty_nodes(3);
  s.cluster.has_storage = true;
  s.cluster.storage_keys = {{"drbd8", "fast"}, {"file", "/srv"}};
  const std::int64_t free[3][2] = {{100, 10}, {300, 30}, {200, 0}};
  for (int i = 0; i < 3; ++i) {
    const std::int32_t units = i == 2 ? 1 : 2;
    for (std::int32_t u = 0; u < units; ++u) {
      StorageUnit unit;
      unit.key = StorageKeyId(u);
      unit.total_mib = u == 0 ? 400 : 40;
      unit.capacity = u;
      s.cluster.nodes[static_cast<std::size_t>(i)].units.push_back(unit);
      Capacity capacity;
      capacity.total_mib = unit.total_mib;
      capacity.free_mib = capacity.forth_free_mib = free[i][u];
      node(s, i).capacities.push_back(capacity);
    }
  }
  return s;
}

}  // namespace

TEST_CASE("the storage metric is the mean of the units' deviations over the nodes that hold them") {
  const Situation s = with_units();
  const ScoreDetail detail = score_detail(s.cluster, s.state, s.nodes);
  REQUIRE(detail.units.size() == 2);
  CHECK(detail.units[0].deviation == doctest::Approx(std::sqrt(0.125 / 3)));  // of 0.25, 0.75, 0.5
  CHECK(detail.units[1].deviation == 0.25);                                   // of 0.25, 0.75
  CHECK(detail.values[MetricId::FreeDisk] ==
        (detail.units[0].deviation + detail.units[1].deviation) / 2);
  CHECK(detail.values[MetricId::ForthFreeDisk] == detail.values[MetricId::FreeDisk]);
  CHECK(metric_name(s.cluster, MetricId::FreeDisk) == "storage_cv");
  CHECK(score_table(s.cluster, detail).find("\n     drbd8/fast ") != std::string::npos);
  CHECK(detail.total == ballast::test::plain_score(s.cluster, s.state, s.nodes).total);
}

TEST_CASE("the same change weighs more in a unit that few nodes hold") {
  const auto gain_of_levelling = [](bool is_scarce) {
    Situation s = with_units();
    // The unit is held by nodes 0 and 1 with free shares of 0.25 and 0.75; in plenty, node 2 holds
    // it half full as well.
    StorageUnit third = s.cluster.nodes[0].units[1];
    if (!is_scarce) {
      s.cluster.nodes[2].units.push_back(third);
      node(s, 2).capacities.push_back({40, 20, 20, 0, 0, false});
    }
    const double before = full_score(s.cluster, s.state, s.nodes);
    node(s, 0).capacities[1].free_mib = node(s, 0).capacities[1].forth_free_mib = 20;
    node(s, 1).capacities[1].free_mib = node(s, 1).capacities[1].forth_free_mib = 20;
    return before - full_score(s.cluster, s.state, s.nodes);
  };
  CHECK(gain_of_levelling(true) > gain_of_levelling(false));
  CHECK(gain_of_levelling(false) > 0);
}

TEST_CASE("on a node with exclusive storage volume groups count by spindles, other units by size") {
  Situation s = with_units();
  s.cluster.nodes[0].has_exclusive_storage = true;
  s.cluster.nodes[0].total_spindles = 8;
  node(s, 0).free_spindles = 6;
  node(s, 0).disk_fraction = 0.75;  // 6 of 8: what node operations keep there for such a node
  const ScoreDetail detail = score_detail(s.cluster, s.state, s.nodes);
  CHECK(detail.units[0].deviation ==
        doctest::Approx(std::sqrt((2 * 0.0833333 * 0.0833333 + 0.1666667 * 0.1666667) /
                                  3)));      // of 0.75, 0.75, 0.5
  CHECK(detail.units[1].deviation == 0.25);  // "file" keeps 0.25, 0.75
}

TEST_CASE("the sheet scores a change as the plain sums do") {
  Situation s = with_units();
  s.cluster.nodes[1].is_offline = true;
  ScoreSheet sheet(s.cluster, s.state, s.nodes);
  MoveEffect::Changed changed[2];
  changed[0] = {NodeId(2), node(s, 2)};
  changed[0].state.mem_fraction = 0.3;
  changed[0].state.capacities[0].free_mib = 7;
  changed[0].state.fails_n1 = true;
  changed[0].state.primaries = {InstanceId(3)};
  changed[1] = {NodeId(1), node(s, 1)};
  changed[1].state.secondaries = {InstanceId(4)};
  State after = s.state;
  for (const auto& c : changed) after[c.node] = c.state;
  CHECK(sheet.total_with(changed) == ballast::test::plain_score(s.cluster, after, s.nodes).total);
  s.state = after;
  sheet.update(NodeId(1));
  sheet.update(NodeId(2));
  CHECK(sheet.total() == ballast::test::plain_score(s.cluster, s.state, s.nodes).total);
}

TEST_CASE("the table shows value and weight") {
  const Situation s = empty_nodes(1);
  const std::string table = score_table(s.cluster, score_detail(s.cluster, s.state, s.nodes));
  CHECK(
      table.starts_with("   Field                         Value Weight\n"
                        "   free_mem_cv              0.00000000  x0.50\n"));
  CHECK(table.find("   offline_pri_cnt          0.00000000 x16.00\n") != std::string::npos);
}
