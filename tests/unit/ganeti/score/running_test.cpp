// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/score/running.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "../../../../src/ganeti/score/column_deviations.hpp"
#include "ballast/core/random.hpp"
#include "ballast/ganeti/score/sheet.hpp"
#include "support/plain_score.hpp"

using namespace ballast::ganeti;

TEST_CASE("deviations with one value replaced are those of a sum from left to right") {
  ballast::Random random(17);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> column;
    // Sevenths, or halves that fall between two sums, over many binades and with either sign.
    const auto value = [&] {
      const auto whole = static_cast<double>(random.between(round % 3 == 2 ? -4 : 1, 4));
      if (round % 3 == 0) return whole / 7.0;
      return std::ldexp(whole, static_cast<int>(random.below(110)) - 55);
    };
    for (int i = 0; i < 60; ++i) column.push_back(value());
    std::vector<std::pair<std::size_t, double>> changes;
    for (std::size_t i = 0; i < column.size(); i += 1 + random.below(3))
      changes.emplace_back(i, column[i] - 0.1);
    const std::vector<double> deviations = deviations_with(column, changes);
    REQUIRE(deviations.size() == changes.size());
    for (std::size_t c = 0; c < changes.size(); ++c) {
      std::vector<double> changed = column;
      changed[changes[c].first] = changes[c].second;
      double sum = 0;
      for (const double x : changed) sum += x;
      const double mean = sum / 60.0;
      double squares = 0;
      for (const double x : changed) squares += (x - mean) * (x - mean);
      CHECK(deviations[c] == std::sqrt(squares / 60.0));
    }
  }
}

namespace {

struct Situation {
  Cluster cluster;
  State state;
  std::vector<NodeId> nodes;
};

NodeState random_state(ballast::Random& random, std::size_t units) {
  const auto share = [&] { return static_cast<double>(random.below(1000)) / 997.0; };
  NodeState state;
  state.mem_fraction = share();
  state.forth_mem_fraction = share();
  state.disk_fraction = share();
  state.cpu_ratio = share();
  state.reserved_fraction = share();
  state.load.net = share() * 1e6;
  state.fails_n1 = random.below(3) == 0;
  state.primaries.resize(random.below(5));
  state.secondaries.resize(random.below(5));
  state.location_score = static_cast<std::int64_t>(random.below(4));
  for (std::size_t tag = 0; tag < 3; ++tag) {
    if (random.below(2) == 0)
      state.location_exclusions.push_back({{TagId(0), TagId(tag)}, random.between(1, 3)});
  }
  for (std::size_t u = 0; u < units; ++u) {
    const std::int64_t free = random.between(0, 700);
    state.capacities.push_back({700, free, free / 2, 0, 0, false});
  }
  return state;
}

/// Some nodes are offline, some lack units.
Situation random_situation(std::uint64_t seed) {
  ballast::Random random(seed);
  Situation s;
  s.cluster.groups.emplace_back();
  s.cluster.has_storage = random.below(2) == 0;
  s.cluster.symbols = {"a", "b", "c"};
  for (std::size_t u = 0; u < 11; ++u)
    s.cluster.storage_keys.push_back({"file", std::to_string(10 + u)});
  for (std::size_t n = 0; n < 40; ++n) {
    Node node;
    node.group = GroupId(0);
    node.is_offline = random.below(8) == 0;
    node.high_spindles = 32;
    node.location_tags = {TagId(0)};
    for (std::size_t u = 0; u < 11; ++u) {
      if (random.below(3) == 0) continue;
      StorageUnit unit;
      unit.key = StorageKeyId(u);
      unit.capacity = static_cast<std::int32_t>(node.units.size());
      node.units.push_back(unit);
    }
    s.state.nodes.push_back(random_state(random, node.units.size()));
    s.cluster.nodes.push_back(std::move(node));
    s.nodes.emplace_back(n);
  }
  return s;
}

}  // namespace

TEST_CASE("running sums of a state give its score; updated ones come as close as they tell") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Situation s = random_situation(seed);
    ballast::Random random(seed + 1000);
    Running running = ScoreSheet(s.cluster, s.state, s.nodes).running();
    CHECK(running.score() == ballast::test::plain_score(s.cluster, s.state, s.nodes).total);
    CHECK(running.is_finite());
    const NodeId node(random.below(s.nodes.size()));
    NodeState after = random_state(random, s.cluster[node].units.size());
    after.location_exclusions = s.state[node].location_exclusions;
    running.expect(running.columns().values_of(node, after));
    const double error_before = running.error_of_next();
    running.update(s.cluster, node, s.state[node], after);
    const auto [score, error] = running.estimate();
    s.state[node] = after;
    const double exact = ballast::test::plain_score(s.cluster, s.state, s.nodes).total;
    CHECK(std::abs(score - exact) <= error);
    CHECK(error <= error_before);
    CHECK(error < 1e-3);
  }
}

TEST_CASE("an update to the same values changes nothing, and one of tag pairs makes no promise") {
  const Situation s = random_situation(5);
  const Running start = ScoreSheet(s.cluster, s.state, s.nodes).running();
  Running running = start;
  running.update(s.cluster, s.nodes.front(), s.state.nodes.front(), s.state.nodes.front());
  CHECK(running.score() == start.score());
  NodeState after = s.state.nodes.front();
  after.location_exclusions.clear();
  const std::size_t online = s.cluster.nodes.front().is_offline ? 1 : 0;
  running.update(s.cluster, s.nodes[online], s.state.nodes[online], after);
  CHECK(std::isinf(running.estimate().error));
}

TEST_CASE("equal nodes that are counted at once come to almost the same sums") {
  Situation s = random_situation(3);
  for (Node& node : s.cluster.nodes) node.is_offline = false;
  for (std::size_t n = 1; n < 5; ++n) {
    s.cluster.nodes[n] = s.cluster.nodes.front();
    s.state.nodes[n] = s.state.nodes.front();
  }
  for (NodeState& node : s.state.nodes) node.location_exclusions.clear();
  const Running one_by_one = ScoreSheet(s.cluster, s.state, s.nodes).running();
  const auto columns = std::make_shared<ScoreColumns>(s.cluster, s.nodes);
  std::vector<ColumnValues> values;
  for (std::size_t n = 4; n < s.nodes.size(); ++n)
    values.push_back(columns->values_of(s.nodes[n], s.state.nodes[n]));
  std::vector<Running::NodesAlike> alike;
  for (const ColumnValues& one : values) alike.push_back({&one, alike.empty() ? 5.0 : 1.0});
  CHECK(Running(columns, alike).score() == doctest::Approx(one_by_one.score()));
}

TEST_CASE("scores of many changes are those of each change alone, to the last bit") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Situation s = random_situation(seed);
    ballast::Random random(seed + 2000);
    const ScoreSheet sheet(s.cluster, s.state, s.nodes);
    std::vector<NodeState> states;
    std::vector<ColumnValues> values;
    std::vector<NodeId> changed;
    for (const NodeId node : s.nodes) {
      if (s.cluster[node].is_offline || random.below(3) == 0) continue;
      NodeState after = random_state(random, s.cluster[node].units.size());
      after.location_exclusions = s.state[node].location_exclusions;
      // Planned instances as others, as long as there are none.
      if (seed % 2 == 0) after.forth_mem_fraction = after.mem_fraction;
      after.reserved_fraction = s.state[node].reserved_fraction;
      values.push_back(sheet.columns().values_of(node, s.state[node]));
      values.push_back(sheet.columns().values_of(node, after));
      changed.push_back(node);
      states.push_back(std::move(after));
    }
    std::vector<ChangedValues> changes;
    for (std::size_t i = 0; i < changed.size(); ++i)
      changes.push_back({changed[i], &values[2 * i], &values[2 * i + 1]});
    const std::vector<double> totals = sheet.totals_with_each(changes);
    for (std::size_t i = 0; i < changed.size(); ++i) {
      State after = s.state;
      after[changed[i]] = states[i];
      const double exact = ballast::test::plain_score(s.cluster, after, s.nodes).total;
      CHECK(totals[i] == exact);
      const ChangedNode one{changed[i], &states[i]};
      CHECK(sheet.total_with(std::span(&one, 1)) == exact);
    }
  }
}

TEST_CASE("a sheet follows tag pairs from state to state") {
  Situation s = random_situation(9);
  ballast::Random random(9);
  ScoreSheet sheet(s.cluster, s.state, s.nodes);
  for (int step = 0; step < 50; ++step) {
    const NodeId node(random.below(s.nodes.size()));
    const NodeState after = random_state(random, s.cluster[node].units.size());
    const ChangedNode one{node, &after};
    const double promised = sheet.total_with(std::span(&one, 1));
    const Running kept = sheet.running();
    s.state[node] = after;
    sheet.update(node);
    const double exact = ballast::test::plain_score(s.cluster, s.state, s.nodes).total;
    CHECK(promised == exact);
    CHECK(sheet.total() == exact);
    CHECK(sheet.running().score() == exact);
    CHECK(kept.has_tag_pairs());
  }
}
