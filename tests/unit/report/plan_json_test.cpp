// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/plan_json.hpp"

#include "support/plan_generator.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace ballast;
using namespace ballast::report;

namespace {

plan::Plan small_plan() {
  plan::Plan plan;
  plan.tool = "hbal";
  plan.tool_version = "0.1.0";
  plan.fingerprint = "ab12";
  plan.result = plan::Outcome::Changes;
  for (const int n : {1, 2}) {
    plan::Step step;
    step.n = n;
    step.phase = n;
    step.action = "migrate";
    step.subject = {"instance", "web" + std::to_string(n), ""};
    step.reason.code = "GAIN";
    step.reason.text = "the score falls";
    plan.steps.push_back(step);
  }
  plan.steps[1].waits_for.push_back({1, "", "step 1", {}, {}, {}, {}});
  plan.totals.steps = 2;
  plan.totals.phases = 2;
  return plan;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

std::string error_of(std::string_view text) {
  const auto read = plan_from_json(text, "p.json");
  REQUIRE_FALSE(read);
  return to_string(read.error());
}

/// The error after one edit of the small plan's text.
std::string edited(std::string_view what, std::string_view by) {
  return error_of(replaced(plan_to_json(small_plan()), what, by));
}

}  // namespace

TEST_CASE("a plan survives JSON") {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    const plan::Plan plan = test::PlanGenerator(seed).plan(6);
    const std::string text = plan_to_json(plan);
    const auto read = plan_from_json(text, "p.json");
    REQUIRE_MESSAGE(read, (read ? "" : to_string(read.error())));
    CHECK(read->plan == plan);
    CHECK(read->seal_holds);
    CHECK(plan_to_json(read->plan) == text);
  }
}

TEST_CASE("keys stand in the documented order") {
  const std::string text = plan_to_json(small_plan());
  std::size_t last = 0;
  for (const char* key : {"kind", "format", "version", "system", "tool", "tool_version",
                          "fingerprint", "seal", "result", "assumptions", "notes", "steps",
                          "blocked", "deferred", "later", "warnings", "totals"}) {
    CAPTURE(key);
    const std::size_t at = text.find("\n  \"" + std::string(key) + "\": ");
    REQUIRE(at != std::string::npos);
    CHECK(at > last);
    last = at;
  }
  CHECK(text.find("null") == std::string::npos);
  CHECK(text.ends_with("}\n"));
}

TEST_CASE("the seal ignores layout and tells an edit") {
  const std::string text = plan_to_json(small_plan());
  CHECK(plan_from_json(replaced(text, "\n  \"tool\"", "\r\n\t \"tool\""), "p")->seal_holds);
  CHECK(plan_from_json(replaced(replaced(text, "\"code\": \"GAIN\",", ""), "\"the score falls\"",
                                "\"the score falls\", \"code\": \"GAIN\""),
                       "p")
            ->seal_holds);
  CHECK_FALSE(plan_from_json(replaced(text, "web1", "web3"), "p")->seal_holds);
  CHECK_FALSE(
      plan_from_json(replaced(text, "\"fingerprint\": \"ab12\"", "\"fingerprint\": \"ab13\""), "p")
          ->seal_holds);
  CHECK_FALSE(plan_from_json(replaced(text, "\"seal\": \"", "\"seal\": \"0"), "p")->seal_holds);
}

TEST_CASE("integers beyond 2^53 are strings, and come back as integers") {
  plan::Plan plan = small_plan();
  plan.totals.bytes = (std::int64_t{1} << 53) + 1;
  plan.steps[0].from.set("bytes", std::numeric_limits<std::int64_t>::min());
  plan.steps[0].subject.name = "9007199254740993";
  const std::string text = plan_to_json(plan);
  CHECK(text.find("\"bytes\": \"9007199254740993\"") != std::string::npos);
  CHECK(plan_from_json(text, "p")->plan == plan);
}

TEST_CASE("numbers that JSON lacks survive in typed fields") {
  plan::Plan plan = small_plan();
  plan.score = plan::Score{std::numeric_limits<double>::infinity(),
                           std::nan(""),
                           {},
                           -std::numeric_limits<double>::infinity()};
  const auto read = plan_from_json(plan_to_json(plan), "p");
  REQUIRE(read);
  CHECK(read->plan.score->before == plan.score->before);
  CHECK(std::isnan(read->plan.score->after));
  CHECK(read->plan.score->lowest_possible == plan.score->lowest_possible);
}

TEST_CASE("invalid UTF-8 becomes valid JSON") {
  plan::Plan plan = small_plan();
  plan.steps[0].subject.name = "a\xFFz";
  const auto read = plan_from_json(plan_to_json(plan), "p");
  REQUIRE(read);
  CHECK(read->plan.steps[0].subject.name == "a\xEF\xBF\xBDz");
  CHECK(read->seal_holds);
}

TEST_CASE("what is no plan is named") {
  CHECK(error_of("") == "p.json:1:1: empty: expected a plan in JSON");
  CHECK(error_of(" \n") == "p.json:1:1: empty: expected a plan in JSON");
  CHECK(error_of("[1]") == "p.json:1:1: a list: expected a plan, an object");
  CHECK(error_of("{}") == "p.json:1:1: not a plan: key \"kind\" is missing");
  CHECK(error_of("{\"kind\":\n \"error\"}") == "p.json:2:2: kind: \"error\": expected \"plan\"");
  CHECK(error_of("g|u|preferred") ==
        "p.json:1:1: \"g|u|preferred\": expected a value (a text stands in double quotes)");
  CHECK(error_of("{\"kind\": \"plan\"") ==
        "p.json:1:16: end of the file: expected a comma or a closing brace");
  CHECK(error_of(std::string("\0\1\2", 3)).starts_with("p.json:1:1: "));
  CHECK(error_of(std::string(150, '[') + std::string(150, ']')) ==
        "p.json:1:101: nested more than 100 deep");
  CHECK(error_of("{\"a\": 1,\n\"b\": 2, \"a\": 3\n}") ==
        "p.json:2:9: key \"a\" is given twice: it stands at line 1 already");
  CHECK(error_of("{\"a\":\n123456789012345678901234567890}") ==
        "p.json:2:1: \"123456789012345678901234567890\": expected an integer of at most 63 bits "
        "and a sign");
}

TEST_CASE("a wrong version, a missing, an unknown and a mistyped key are named with their place") {
  CHECK(edited("\"version\": 1", "\"version\": 2") ==
        "p.json:4:14: version: \"2\": expected \"1\"");
  CHECK(edited("\"format\": \"ballast-plan\"", "\"format\": \"x\"") ==
        "p.json:3:13: format: \"x\": expected \"ballast-plan\"");
  CHECK(edited("\"tool\": \"hbal\",", "") == "p.json:1:1: the document: key \"tool\" is missing");
  CHECK(edited("\"action\": \"migrate\",", "").find(": steps[0]: key \"action\" is missing") !=
        std::string::npos);
  CHECK(edited("\"action\": \"migrate\",", "\"action\": 7,")
            .ends_with(": steps[0].action: \"7\": expected a string"));
  CHECK(edited("\"action\":", "\"aktion\": 1, \"action\":")
            .ends_with("steps[0].aktion: unknown key \"aktion\""));
  CHECK(edited("\"result\": \"changes\"", "\"result\": \"change\"")
            .ends_with("result: \"change\": expected one of no_change, changes, blocked, skipped"));
  CHECK(edited("\"fingerprint\"", "\"options\": 3, \"fingerprint\"")
            .ends_with("options: \"3\": expected an object"));
  CHECK(edited("\"n\": 1", "\"n\": -1")
            .ends_with("steps[0].n: \"-1\": expected an integer from 0 to 2147483647"));
  CHECK(edited("\"n\": 1", "\"n\": 1.0")
            .ends_with("steps[0].n: \"1.0\": expected an integer from 0 to 2147483647"));
  CHECK(edited("\"steps\": [", "\"steps\": {}, \"x\": [")
            .ends_with("steps: an object: expected a list"));
}

TEST_CASE("places are those of the value") {
  const std::string text = replaced(plan_to_json(small_plan()), "\"step\": 1", "\"step\": true");
  const std::size_t at = text.find("true");
  std::size_t line = 1;
  std::size_t column = 1;
  for (const char c : text.substr(0, at)) {
    column = c == '\n' ? 1 : column + 1;
    if (c == '\n') ++line;
  }
  CHECK(error_of(text).starts_with("p.json:" + std::to_string(line) + ":" + std::to_string(column) +
                                   ": steps[1].waits_for[0].step: "));
}

TEST_CASE("a plan of wrong shape is refused") {
  CHECK(edited("\"n\": 2", "\"n\": 3")
            .ends_with("steps[1].n: step 3 stands where step 2 is expected"));
  CHECK(
      edited("\"phase\": 2", "\"phase\": 0").ends_with("steps[1].phase: phase 0 follows phase 1"));
  CHECK(edited("\"step\": 1", "\"step\": 2")
            .ends_with("steps[1].waits_for: waits for step 2, which is no earlier step"));
  CHECK(edited("\"steps\": 2", "\"steps\": 7")
            .ends_with("totals: 7 steps are counted, 2 are listed"));
  CHECK(edited("\"changes\"", "\"no_change\"")
            .ends_with("result: no change, but 2 steps are listed"));
}

TEST_CASE("an error is a document too") {
  CHECK(error_to_json({"no \"x\"", {"f", 3, 0}, Fault::Input}, "hbal", 1) ==
        "{\n  \"kind\": \"error\",\n  \"format\": \"ballast-error\",\n  \"version\": 1,\n  "
        "\"tool\": \"hbal\",\n"
        "  \"message\": \"no \\\"x\\\"\",\n  \"place\": {\n    \"file\": \"f\",\n    \"line\": 3\n "
        " },\n  \"exit\": 1\n}\n");
}
