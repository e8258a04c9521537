// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/render.hpp"

#include "support/plan_generator.hpp"
#include "support/sample_plans.hpp"

#include <doctest/doctest.h>

using namespace ballast;
using namespace ballast::report;

namespace {

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

plan::Plan with_name(const std::string& name) {
  plan::Plan plan = test::ganeti_plan();
  plan.steps[0].subject.name = name;
  return plan;
}

}  // namespace

TEST_CASE("HTML: names are text, whatever they hold") {
  const std::string page = plan_to_html(with_name("<script>alert(1)</script>&\"\xFF\x01"));
  CHECK(has(page, "&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;"));
  CHECK_FALSE(has(page, "<script>alert"));
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const std::string random = plan_to_html(test::PlanGenerator(seed).plan(6));
    CHECK_FALSE(has(random, "<b>&amp;</b>"));
    CHECK_FALSE(has(random, "\x01"));
  }
}

TEST_CASE("HTML: headline figures, bars, units, warnings, weakest moment") {
  const std::string page = plan_to_html(test::ganeti_plan());
  for (const std::string part :
       {"<b>40.0 GiB</b>to copy", "<b>6 min 50 s</b>at least", "Weakest moment", "<h3>memory</h3>",
        "<h3>storage ssd</h3>", "aria-label=\"93.8 % before, 81.2 % after\"",
        "class=\"box warning\"", "<a href=\"#s2\">2</a>", "60.0 GiB → 52.0 GiB of 64.0 GiB",
        "6 → <b>5</b>"}) {
    CAPTURE(part);
    CHECK(has(page, part));
  }
  CHECK_FALSE(has(page, "http://"));
  CHECK_FALSE(has(page, "https://"));
}

TEST_CASE("every rendering tells dangers before the steps and before the other warnings") {
  const plan::Plan plan = test::dangerous_plan();
  for (const auto& form :
       {std::pair(plan_to_html(plan), "id=\"s1\""), std::pair(plan_to_markdown(plan), "| 1 |"),
        std::pair(plan_to_shell(plan), "step 1 of 2"), std::pair(plan_to_text(plan), "   1. ")}) {
    const std::string& text = form.first;
    CAPTURE(text);
    const std::size_t danger = text.find("db1 has no mirror while");
    REQUIRE(danger != std::string::npos);
    CHECK(danger < text.find("the rate is a guess"));
    CHECK(danger < text.find(form.second));
    CHECK(text.find("db1 has no mirror while", danger + 1) == std::string::npos);
  }
}

TEST_CASE("every form tells the fields that a step writes, old and new") {
  plan::Plan plan = test::ganeti_plan();
  plan.steps[0].changes = {{"spec.version", "7.1.26", "7.3.63"},
                           {"knob_<a>", Value(), 5},
                           {"spec.nodeSelector.disk", "ssd", Value()}};
  for (const std::string& text : {plan_to_text(plan, {}), plan_to_shell(plan)}) {
    CHECK(has(text, "change: spec.version: 7.1.26 -> 7.3.63\n"));
    CHECK(has(text, "change: knob_<a>: not set -> 5\n"));
    CHECK(has(text, "change: spec.nodeSelector.disk: ssd -> not set\n"));
  }
  CHECK(has(plan_to_markdown(plan),
            "change: spec.version: 7.1.26 -\\> 7.3.63<br>change: knob\\_\\<a\\>: not set"));
  CHECK(has(plan_to_html(plan), "<p>change: knob_&lt;a&gt;: not set → 5</p>"));
}

TEST_CASE("HTML: a bar beyond its track is shown as such") {
  plan::Plan plan = test::ganeti_plan();
  plan.after.set("node1", Value::map().set("memory_bytes", test::gauge(80, 64)));
  CHECK(has(plan_to_html(plan), "<rect class=\"over\" y=\"6\" width=\"100.0\""));
}

TEST_CASE("HTML: 10,000 steps stay below 10 MB") {
  plan::Plan plan = test::ganeti_plan();
  const plan::Step step = plan.steps[1];
  plan.steps.clear();
  for (int n = 1; n <= 10000; ++n) {
    plan.steps.push_back(step);
    plan.steps.back().n = n;
    plan.steps.back().phase = (n + 3) / 4;
  }
  CHECK(plan_to_html(plan).size() < 10U * 1000 * 1000);
}

TEST_CASE("shell: names are quoted and stay in their line") {
  const std::string script = plan_to_shell(with_name("it's $(reboot)\nreboot"));
  CHECK(has(script, "\nif begin 1 'migrate instance it'\\''s $(reboot) reboot'; then\n"));
  CHECK_FALSE(has(script, "\nreboot"));
}

TEST_CASE("shell: checks come before the steps of their phase") {
  const std::string script = plan_to_shell(test::ganeti_plan());
  const std::size_t check = script.find(
      "[ \"$first\" -gt 1 ] || { gnt-instance list --no-headers -o pnode web1 | grep -qx node1; } "
      "|| "
      "unexpected 1");
  REQUIRE(check != std::string::npos);
  CHECK(script.find("\n  gnt-instance migrate -f web1 || failed 1 ") > check);
  CHECK(has(script, "\n# watch: gnt-job list\n"));
  CHECK(has(script, "\n# undo: gnt-instance migrate -f web1\n"));
  CHECK(script.starts_with("#!/bin/sh\n"));
  CHECK(has(script, "\nset -eu\n"));
}

TEST_CASE("shell: each step waits for its gate; what an operator does itself is not run") {
  plan::Plan plan = test::ganeti_plan();
  plan.steps[0].done_when = {{"web1 is on node2", "test there"}};
  std::string script = plan_to_shell(plan);
  const std::size_t gate =
      script.find("\n  holds() { test there; }\n  await 1 0 'web1 is on node2'\n");
  REQUIRE(gate != std::string::npos);
  CHECK(gate < script.find("replace-disks -n node3 db1 || failed"));
  plan.system = plan::System::Fdb;
  script = plan_to_shell(plan);
  CHECK(has(script, "\n# the operator runs: gnt-instance migrate -f web1\n"));
  CHECK_FALSE(has(script, "\n  gnt-instance"));
  CHECK_FALSE(has(script, "{ gnt-instance"));
}

TEST_CASE("shell: steps without a gate lend their time to the next one") {
  plan::Plan plan = test::ganeti_plan();
  plan.system = plan::System::Tidb;
  plan.steps[0].cost.seconds_at_least = 75;
  plan.steps[1].cost = {100 * 1024 * 1024, {}, 5};
  plan.steps[1].done_when = {{"done", "true"}};
  CHECK(has(plan_to_shell(plan), "\n  await 2 90 'done'\n"));
}

TEST_CASE("shell: an empty plan does nothing, a blocked one ends with 3") {
  plan::Plan nothing;
  CHECK(has(plan_to_shell(nothing), "\necho 'nothing to do'\n"));
  CHECK(plan_to_shell(test::blocked_plan()).ends_with("\nexit 3\n"));
}

TEST_CASE("Markdown: nothing in a name makes markup or leaves its cell") {
  const std::string text = plan_to_markdown(with_name("a|b*c_d`e`\n<f>"));
  CHECK(has(text, "| 1 | migrate instance a\\|b\\*c\\_d\\`e\\` \\<f\\> |"));
  plan::Plan plan = test::ganeti_plan();
  plan.steps[0].commands = {{plan::CommandUse::Hand, "echo ```"}};
  CHECK(has(plan_to_markdown(plan), "\n````sh\necho ```\n"));
}
