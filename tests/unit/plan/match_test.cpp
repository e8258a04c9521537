// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/plan/match.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace ballast::plan;

namespace {

/// Steps as "ACTION NAME".
Plan plan_of(const std::vector<std::pair<std::string, std::string>>& steps) {
  Plan plan;
  for (const auto& [action, name] : steps) {
    Step step;
    step.n = static_cast<int>(plan.steps.size()) + 1;
    step.action = action;
    step.subject = {"pod", name, ""};
    plan.steps.push_back(step);
  }
  return plan;
}

using Numbers = std::vector<int>;

}  // namespace

TEST_CASE("steps before the first that is left are made") {
  const Plan planned =
      plan_of({{"restart", "a"}, {"wait", "a"}, {"restart", "b"}, {"restart", "c"}});
  const Match match = match_plans(planned, plan_of({{"restart", "b"}, {"restart", "c"}}));
  CHECK(match.made == Numbers{1});
  CHECK(match.left == Numbers{3, 4});
  CHECK(match.dropped.empty());
  CHECK(match.added.empty());
}

TEST_CASE("where nothing is left, all is made") {
  const Match match = match_plans(plan_of({{"restart", "a"}, {"restart", "b"}}), plan_of({}));
  CHECK(match.made == Numbers{1, 2});
  CHECK(match.left.empty());
}

TEST_CASE("of equal steps the last are left") {
  const Plan planned = plan_of({{"configure", "x"}, {"restart", "a"}, {"configure", "x"}});
  const Match match = match_plans(planned, plan_of({{"configure", "x"}}));
  CHECK(match.left == Numbers{3});
  CHECK(match.made == Numbers{1, 2});
}

TEST_CASE("of steps with one subject, those with the same targets match") {
  Plan planned = plan_of({{"delete", "a"}, {"delete", "a"}, {"delete", "a"}});
  planned.steps[0].targets = {{"pod", "b", ""}, {"pod", "c", ""}};
  planned.steps[1].targets = {{"pod", "d", ""}};
  Plan today = plan_of({{"delete", "a"}});
  today.steps[0].targets = planned.steps[0].targets;
  CHECK(match_plans(planned, today).left == Numbers{1});
  CHECK(match_plans(planned, today).dropped == Numbers{2, 3});
  SUBCASE("an equal step comes before one that is only alike") {
    today = plan_of({{"delete", "a"}, {"delete", "a"}});
    today.steps[0].targets = planned.steps[1].targets;
    today.steps[1].targets = {{"pod", "c", ""}};
    CHECK(match_plans(planned, today).left == Numbers{2, 3});
  }
}

TEST_CASE("steps that are gone and steps that are new do not hold") {
  const Plan planned = plan_of({{"restart", "a"}, {"restart", "b"}, {"restart", "c"}});
  const Plan today = plan_of({{"restart", "a"}, {"create", "d"}, {"restart", "c"}});
  const Match match = match_plans(planned, today);
  CHECK(match.made.empty());
  CHECK(match.dropped == Numbers{2});
  CHECK(match.added == Numbers{2});
  const auto problems = mismatches(planned, today, match);
  REQUIRE(problems.size() == 2);
  CHECK(problems[0].step == 2);
  CHECK(problems[1].step == 3);
  CHECK(problems[1].problem.text.find("create pod d") != std::string::npos);
  const Plan rest = rest_of(planned, today);
  REQUIRE(rest.warnings.size() == 2);
  CHECK(rest.warnings[0].code == "NO_LONGER");
  CHECK(rest.warnings[1].steps == Numbers{2});
}

TEST_CASE("on the snapshot that the plan was made from every step must be as today's") {
  Plan planned = plan_of({{"exclude", "a"}, {"wait", "a"}, {"delete", "a"}, {"include", "a"}});
  planned.fingerprint = "x";
  for (Step& step : planned.steps) step.phase = step.n;
  const Plan today = planned;
  const auto problems_of = [&] { return mismatches(planned, today, match_plans(planned, today)); };
  CHECK(problems_of().empty());
  const auto renumber = [&] {
    int n = 0;
    for (Step& step : planned.steps) step.n = ++n;
  };
  SUBCASE("its order") {
    std::swap(planned.steps[0].subject, planned.steps[2].subject);
    std::swap(planned.steps[0].action, planned.steps[2].action);
    CHECK(problems_of().back().step == 3);
  }
  SUBCASE("its phase") { planned.steps[3].phase = 3; }
  SUBCASE("its targets") { planned.steps[0].targets = {{"pod", "b", ""}}; }
  SUBCASE("what it waits for") { planned.steps[2].waits_for.resize(1); }
  SUBCASE("what shows that it is done") { planned.steps[2].done_when.resize(1); }
  SUBCASE("what it consists of") { planned.steps[2].substeps = {ballast::Value("x")}; }
  SUBCASE("a wait that is gone") {
    planned.steps.erase(planned.steps.begin() + 1);
    renumber();
  }
  SUBCASE("a step made twice, which would pass as made before") {
    planned.steps.insert(planned.steps.begin(), planned.steps.front());
    renumber();
  }
  SUBCASE("a step of which a part is missing") {
    planned.steps.pop_back();
    CHECK(problems_of()[0].step == 3);
  }
  CHECK_FALSE(problems_of().empty());
}

TEST_CASE("on another snapshot steps keep the order of their phases, and take in nobody else") {
  Plan planned = plan_of({{"restart", "a"}, {"restart", "b"}, {"restart", "c"}});
  for (Step& step : planned.steps) step.phase = step.n;
  Plan today = plan_of({{"restart", "c"}, {"restart", "b"}});
  const auto problems_of = [&] { return mismatches(planned, today, match_plans(planned, today)); };
  planned.fingerprint = "x";
  SUBCASE("of one phase in any order") { CHECK(problems_of().empty()); }
  SUBCASE("of several phases in order") {
    today.steps[0].phase = 1;
    today.steps[1].phase = 2;
    REQUIRE(problems_of().size() == 1);
    CHECK(problems_of()[0].step == 3);
  }
  SUBCASE("some targets may be done") {
    planned.steps[1].targets = {{"pod", "d", ""}, {"pod", "e", ""}};
    today.steps[1].targets = {{"pod", "e", ""}};
    CHECK(problems_of().empty());
    today.steps[1].targets = {{"pod", "f", ""}};
    REQUIRE(problems_of().size() == 1);
    CHECK(problems_of()[0].problem.text == "is done to f too, which is not planned");
  }
}
