// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/plan/shape.hpp"

#include <doctest/doctest.h>

using namespace ballast::plan;

namespace {

Plan two_steps() {
  Plan plan;
  plan.result = Outcome::Changes;
  for (const int n : {1, 2}) {
    Step step;
    step.n = n;
    step.phase = 1;
    step.action = "restart";
    step.subject = {"pod", "p" + std::to_string(n), ""};
    plan.steps.push_back(step);
  }
  plan.totals.steps = 2;
  return plan;
}

/// The only flaw's text.
std::string flaw_of(const Plan& plan) {
  const auto flaws = find_flaws(plan);
  REQUIRE(flaws.size() == 1);
  return flaws.front().key + ": " + flaws.front().text;
}

}  // namespace

TEST_CASE("a plan in order has no flaws") {
  CHECK(find_flaws(two_steps()).empty());
  CHECK(find_flaws(Plan{}).empty());
}

TEST_CASE("each flaw is found") {
  Plan plan = two_steps();
  SUBCASE("number") {
    plan.steps[1].n = 3;
    CHECK(flaw_of(plan) == "n: step 3 stands where step 2 is expected");
    CHECK(find_flaws(plan).front().step == 1U);
  }
  SUBCASE("phase goes back") {
    plan.steps[0].phase = 2;
    CHECK(flaw_of(plan) == "phase: phase 1 follows phase 2");
  }
  SUBCASE("phase zero") {
    plan.steps[0].phase = 0;
    CHECK(flaw_of(plan) == "phase: phase 0 follows phase 1");
  }
  SUBCASE("no action") {
    plan.steps[0].action = "";
    CHECK(flaw_of(plan) == "action: the step has no action");
  }
  SUBCASE("no subject") {
    plan.steps[0].subject.name = "";
    CHECK(flaw_of(plan) == "subject: the subject has no name");
  }
  SUBCASE("waits for itself") {
    plan.steps[0].waits_for.push_back({1, "", "", {}, {}, {}, {}});
    CHECK(flaw_of(plan) == "waits_for: waits for step 1, which is no earlier step");
  }
  SUBCASE("unprotected until a step that never comes") {
    plan.steps[0].unprotected.push_back({"mirror", "web", 3});
    CHECK(flaw_of(plan) == "unprotected: until step 3, which is no later step");
  }
  SUBCASE("references to steps that are not there") {
    plan.warnings.push_back({"X", Severity::Note, "", {0}, {}});
    CHECK(flaw_of(plan) == "warnings: there is no step 0");
    plan.warnings.clear();
    plan.weakest = {{3, "free memory", "", {}, {}}};
    CHECK(flaw_of(plan) == "weakest: there is no step 3");
    plan.weakest[0].step = 2;
    plan.totals.peak = Peak{};
    plan.totals.peak->step = 9;
    CHECK(flaw_of(plan) == "totals: there is no step 9");
  }
  SUBCASE("totals") {
    plan.totals.steps = 1;
    CHECK(flaw_of(plan) == "totals: 1 steps are counted, 2 are listed");
  }
  SUBCASE("no change with steps") {
    plan.result = Outcome::NoChange;
    CHECK(flaw_of(plan) == "result: no change, but 2 steps are listed");
  }
}
