// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/plan/drift.hpp"
#include "ballast/plan/estimate.hpp"
#include "ballast/plan/replay.hpp"
#include "ballast/plan/select.hpp"
#include "ballast/plan/shape.hpp"

#include "support/plan_generator.hpp"

#include <doctest/doctest.h>

#include <map>

using namespace ballast;
using namespace ballast::plan;

namespace {

constexpr std::int64_t kMib = 1 << 20;

/// Steps in the given phases, each copying so many MiB.
Plan copying(const std::vector<std::pair<int, std::int64_t>>& steps) {
  Plan plan;
  plan.result = Outcome::Changes;
  plan.totals.bytes = 0;
  plan.totals.moved = 0;
  for (const auto& [phase, mib] : steps) {
    Step step;
    step.n = static_cast<int>(plan.steps.size()) + 1;
    step.phase = phase;
    step.action = "move";
    step.subject = {"instance", "i" + std::to_string(step.n), ""};
    step.to = Value::map().set("primary", "n2");
    step.cost.bytes = mib * kMib;
    plan.steps.push_back(step);
  }
  plan.totals.steps = static_cast<std::int64_t>(steps.size());
  return plan;
}

/// One number per instance; a step moves it by its detail unless that leaves less than nothing.
class Counters final : public ReplayState {
 public:
  std::map<std::string, std::int64_t> left;

  std::optional<Problem> apply(const Step& step) override {
    const auto counter = left.find(step.subject.name);
    if (counter == left.end()) return Problem{ProblemKind::UnknownName, "no " + step.subject.name};
    const std::int64_t delta = std::stoll(step.detail);
    if (counter->second + delta < 0) return Problem{ProblemKind::BrokenRule, "less than nothing"};
    counter->second += delta;
    return std::nullopt;
  }
  [[nodiscard]] std::vector<std::string> at_stake(const Step& step) override {
    return step.action == "delete" && left[step.subject.name] > 0
               ? std::vector<std::string>{step.subject.name}
               : std::vector<std::string>{};
  }
  [[nodiscard]] std::vector<Margin> margins() const override {
    std::vector<Margin> all;
    for (const auto& [name, number] : left) {
      if (all.empty() || number < all.front().left) all = {{"free memory", name, number, 0}};
    }
    return all;
  }
};

}  // namespace

TEST_CASE("estimate_time: copies of a phase share the transfers, phases add up") {
  Plan plan = copying({{1, 100}, {1, 300}, {2, 50}});
  SUBCASE("one at a time") {
    estimate_time(plan, {10, 1});
    CHECK(plan.steps[1].cost.seconds_at_least == 30);
    CHECK(plan.totals.seconds_at_least == 45);
    CHECK(plan.assumptions.back().text.find("10 MiB/s for one transfer, 1 at a time") !=
          std::string::npos);
  }
  SUBCASE("the longest copy decides when there are transfers enough") {
    estimate_time(plan, {10, 8});
    CHECK(plan.totals.seconds_at_least == 35);
  }
  SUBCASE("rule waits come before a copy") {
    plan.steps[1].waits_for.push_back({{}, "GATE", "", {}, {}, {}, 600});
    estimate_time(plan, {10, 8});
    CHECK(plan.totals.seconds_at_least == 635);
  }
  SUBCASE("without a rate only waits count") {
    plan.steps[1].waits_for.push_back({{}, "GATE", "", {}, {}, {}, 600});
    estimate_time(plan, {});
    CHECK(plan.totals.seconds_at_least == 600);
    CHECK_FALSE(plan.steps[0].cost.seconds_at_least);
    CHECK(plan.assumptions.back().text.find("without --rate") != std::string::npos);
  }
  SUBCASE("a second estimate replaces the first") {
    estimate_time(plan, {});
    estimate_time(plan, {1, 1});
    CHECK(plan.assumptions.size() == 1);
  }
}

TEST_CASE("estimate_time survives absurd figures") {
  Plan plan = copying({{1, 1}, {2, 1}});
  plan.steps[0].cost.bytes = INT64_MAX;
  plan.steps[1].waits_for.push_back({{}, "", "", {}, {}, {}, INT64_MAX});
  estimate_time(plan, {1e-300, 1});
  CHECK(*plan.totals.seconds_at_least > 0);
}

TEST_CASE("find_drift names node and figure") {
  const auto node = [](int memory, int primaries) {
    return Value::map()
        .set("memory_bytes", Value::map().set("used", memory).set("total", 64))
        .set("primaries", primaries);
  };
  const Value before =
      Value::map().set("n1", node(1, 1)).set("n2", node(2, 2)).set("n3", node(3, 3));
  const Value now = Value::map().set("n3", node(3, 4)).set("n1", node(9, 1)).set("n4", node(0, 0));
  const auto drifts = find_drift(before, now);
  REQUIRE(drifts.size() == 4);
  CHECK(drifts[0].name == "n1");
  CHECK(drifts[0].figure == "memory_bytes");
  CHECK(*drifts[0].found.find("used") == Value(9));
  CHECK(drifts[1] == Drift{"", "n2", "", node(2, 2), Value()});
  CHECK(drifts[2] == Drift{"", "n3", "primaries", 3, 4});
  CHECK(drifts[3] == Drift{"", "n4", "", Value(), node(0, 0)});
  CHECK(find_drift(before, before).empty());
}

TEST_CASE("replay names the steps that fail and the weakest moment of the others") {
  Plan plan = copying({{1, 1}, {1, 1}, {1, 1}, {1, 1}});
  const char* names[] = {"a", "b", "x", "a"};
  const int deltas[] = {-3, -9, 1, 2};
  for (std::size_t i = 0; i < 4; ++i) {
    plan.steps[i].subject.name = names[i];
    plan.steps[i].detail = std::to_string(deltas[i]);
  }
  Counters state;
  state.left = {{"a", 4}, {"b", 5}};
  const ReplayReport report = replay(plan, state);
  CHECK(report.problems ==
        std::vector<StepProblem>{{2, {ProblemKind::BrokenRule, "less than nothing"}},
                                 {3, {ProblemKind::UnknownName, "no x"}}});
  REQUIRE(report.weakest.size() == 1);
  CHECK(report.weakest[0] == Weakest{1, "free memory", "a", 1, 0});
  CHECK(state.left["a"] == 3);
}

TEST_CASE("the weakest moment may be before the first step") {
  Plan plan = copying({{1, 1}});
  plan.steps[0].subject.name = "a";
  plan.steps[0].detail = "3";
  Counters state;
  state.left = {{"a", 4}};
  CHECK(replay(plan, state).weakest ==
        std::vector<Weakest>{{std::nullopt, "free memory", "a", 4, 0}});
}

TEST_CASE("least_redundancy counts what is open at the same time") {
  Plan plan = copying({{1, 1}, {2, 1}, {2, 1}, {3, 1}});
  CHECK(least_redundancy(plan) == std::nullopt);
  plan.steps[0].unprotected.push_back({"mirror", "web", 2});
  plan.steps[2].unprotected.push_back({"mirror", "db", {}});
  plan.steps[3].unprotected.push_back({"mirror", "x", {}});
  CHECK(least_redundancy(plan) == Weakest{2, "redundancy", "web, db", {}, {}});
  const Weakest memory{1, "free memory", "a", 1, 0};
  CHECK(weakest_moments(plan, {memory}) ==
        std::vector<Weakest>{{2, "redundancy", "web, db", {}, {}}, memory});
}

TEST_CASE("keep_steps renumbers everything that refers to steps") {
  Plan plan = copying({{1, 10}, {3, 20}, {3, 30}, {7, 40}});
  plan.steps[2].waits_for.push_back({1, "", "first", {}, {}, {}, {}});
  plan.steps[3].waits_for.push_back({3, "", "third", {}, {}, {}, {}});
  plan.steps[2].unprotected.push_back({"mirror", "i3", 4});
  plan.warnings = {{"A", Severity::Note, "", {1}, {}},
                   {"B", Severity::Note, "", {1, 4}, {}},
                   {"C", Severity::Note, "", {}, {}}};
  plan.weakest = {{4, "free memory", "", {}, {}},
                  {1, "free space", "", {}, {}},
                  {std::nullopt, "quorum", "", {}, {}}};
  plan.totals.restarted = 1;
  plan.steps[1].to = {};
  keep_steps(plan, {false, true, true, true});
  CHECK(find_flaws(plan).empty());
  CHECK(plan.steps[0].phase == 1);
  CHECK(plan.steps[2].phase == 2);
  CHECK(plan.steps[1].waits_for.empty());
  CHECK(plan.steps[2].waits_for[0].step == 2);
  CHECK(plan.steps[1].unprotected[0].until_step == 3);
  REQUIRE(plan.warnings.size() == 2);
  CHECK(plan.warnings[0].steps == std::vector<int>{3});
  REQUIRE(plan.weakest.size() == 2);
  CHECK(plan.weakest[0].step == 3);
  CHECK(plan.weakest[1].what == "quorum");
  CHECK(plan.totals.steps == 3);
  CHECK(plan.totals.phases == 2);
  CHECK(plan.totals.bytes == 90 * kMib);
  CHECK(plan.totals.moved == 2);
  CHECK(!plan.totals.restarted.has_value());
}

TEST_CASE("any choice of steps is a plan in order") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Plan plan = test::PlanGenerator(seed).plan(12);
    Random random(seed);
    std::vector<bool> keep;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) keep.push_back(random.chance(50));
    keep_steps(plan, keep);
    CHECK(find_flaws(plan).empty());
  }
}
