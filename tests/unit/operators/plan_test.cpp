// SPDX-License-Identifier: BSD-2-Clause
#include <doctest/doctest.h>

#include "ballast/operators/plan/pod_state.hpp"
#include "ballast/operators/plan/trace.hpp"
#include "ballast/operators/plan/ways_out.hpp"

using namespace ballast;
using namespace ballast::operators;

namespace {

plan::Subject pod(const std::string& name) { return {"pod", name, ""}; }

}  // namespace

TEST_CASE("a trace numbers steps, and puts those beside each other into one phase") {
  plan::Plan plan;
  Trace trace(plan);
  trace.emit("create-pod", pod("a-0"), {});
  trace.emit("create-pod", pod("a-1"), {}, true);
  trace.emit("restart-pod", pod("a-0"), {}, true);  // another action: no company
  trace.finish();
  CHECK(plan.steps[1].n == 2);
  CHECK(plan.steps[0].phase == plan.steps[1].phase);
  CHECK(plan.steps[2].phase == 2);
  CHECK(plan.totals.added == 2);
  CHECK(plan.totals.restarted == 1);
  CHECK_FALSE(plan.totals.removed.has_value());
  CHECK(plan.result == plan::Outcome::Changes);
}

TEST_CASE("a refusal blocks, or is a danger once it is waved through") {
  plan::Plan plan;
  Trace trace(plan);
  trace.refuse({"U-BUDGET", pod("a-0"), "two pods are there"}, true);
  CHECK_FALSE(trace.is_blocked());
  REQUIRE(plan.warnings.size() == 1);
  CHECK(plan.warnings.front().severity == plan::Severity::Danger);
  trace.refuse({"U-BUDGET", pod("a-0"), "two pods are there"}, false);
  CHECK(plan.blocked.front().text == "refused by the planner: U-BUDGET");
  trace.block({"B-NOT-READY", pod("a-0"), "Ready"});
  CHECK(plan.blocked.back().text == "blocked by the operator's rules: B-NOT-READY");
}

TEST_CASE("of the ways out those that get through are told, the least harmful first") {
  using Way = WayOut<int>;
  const auto stuck_below = [](int wanted) {
    return [wanted](int value) -> std::optional<DeadEnd> {
      if (value >= wanted) return std::nullopt;
      return DeadEnd{value == 0 ? "FIRST" : "SECOND", ""};
    };
  };
  const auto ways = [] {
    return std::vector<Way>{{{"two", plan::Loss::Data}, [](int& value) { value = 2; }},
                            {{"one", plan::Loss::Effort}, [](int& value) { value = 1; }},
                            {{"nothing", plan::Loss::None}, [](int&) {}}};
  };
  const auto both = tried_out(0, {"FIRST", ""}, ways(), stuck_below(1));
  REQUIRE(both.size() == 2);
  CHECK(both[0].text == "one");
  CHECK(both[1].text == "two");
  const auto further = tried_out(0, {"FIRST", ""}, ways(), stuck_below(3));
  REQUIRE(further.size() == 2);
  CHECK(worded(further[0]).text == "one (tried: gets further, then stops at SECOND)");
}

TEST_CASE("replay of pods refuses what is not there and sees the pod that restarts") {
  plan::Plan plan;
  Trace trace(plan);
  trace.emit("restart-pod", pod("a-1"), {});
  trace.emit("delete-pod", pod("a-7"), {});
  trace.emit("create-pod", pod("a-0"), {});
  PodState state({{"a-0", true}, {"a-1", true}}, 1);
  const plan::ReplayReport report = plan::replay(plan, state);
  REQUIRE(report.problems.size() == 2);
  CHECK(report.problems[0].problem.text == "there is no pod a-7");
  CHECK(report.problems[1].problem.text == "pod a-0 is there already");
  REQUIRE(report.weakest.size() == 1);
  CHECK(report.weakest.front().step == 1);
  CHECK(report.weakest.front().left == Value(1));
}
