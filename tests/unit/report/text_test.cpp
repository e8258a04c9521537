// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/render.hpp"

#include "support/plan_generator.hpp"
#include "support/sample_plans.hpp"

#include <doctest/doctest.h>

using namespace ballast;
using namespace ballast::report;

TEST_CASE("the text tells steps, reasons, costs and the weakest moment") {
  CHECK(plan_to_text(test::ganeti_plan()) ==
        R"(2 steps in 2 job sets, 40.0 GiB to copy, at least 6 min 50 s, 2 moved.
hbal 0.1.0, name office.example.com, group default, 2024-05-01T10:00:00Z, snapshot 5f70bf18a086

Job set 1: 1 step
   1. migrate instance web1: primary node1 -> node2, secondary node2 -> node1
      why: node1 holds more memory than the others [metric free_mem_cv, score -0.25000000]
      cost: nothing to copy
      check: gnt-instance list --no-headers -o pnode web1 | grep -qx node1
      run: gnt-instance migrate -f web1
      watch: gnt-job list
      undo: gnt-instance migrate -f web1

Job set 2: 1 step
   2. replace_secondary instance db1: primary node1, secondary node2 -> node3
      why: node3 has an empty disk [metric free_disk_cv, score -0.12500000]
      waits for: step 1: web1 must have left node1
      cost: copies 40.0 GiB: node1 -> node3, at least 6 min 50 s
      unprotected: db1: mirror, until step 2 is done
      risk: until the new mirror is in sync, the loss of node1 loses db1
      run: gnt-instance replace-disks -n node3 db1

Warnings
  warning: db1 has no mirror while it is copied (step 2)

Before and after
  node1: memory 60.0 of 64.0 GiB -> 52.0 of 64.0 GiB
  node2: memory 20.0 of 64.0 GiB -> 28.0 of 64.0 GiB
  node2: disk 420.0 of 1000.0 GiB -> 380.0 of 1000.0 GiB
  node3: disk 40.0 of 1000.0 GiB -> 80.0 of 1000.0 GiB
  node2: storage ssd 105.0 of 200.0 GiB -> 95.0 of 200.0 GiB
  node3: storage ssd 10.0 of 200.0 GiB -> 20.0 of 200.0 GiB
  node2: storage hdd 315.0 of 800.0 GiB -> 285.0 of 800.0 GiB
  node3: storage hdd 30.0 of 800.0 GiB -> 60.0 of 800.0 GiB
  node1: primaries 6 -> 5
  node2: primaries 2 -> 3

Assumptions
  100 MiB/s for one transfer, one transfer at a time

Result: changes
Total: 2 steps in 2 job sets, 40.0 GiB to copy, at least 6 min 50 s, 2 moved
Score: 1.50000000 -> 1.12500000
Weakest moment after step 1: free memory on node1: 4.0 GiB left, 2.0 GiB required
)");
}

TEST_CASE("the text tells what blocks, and remedies") {
  CHECK(plan_to_text(test::blocked_plan()) ==
        R"(0 steps; blocked.
hfdb 0.1.0, name sample, namespace default, generation 7, profile v2.1, snapshot ab12cd34

Blocked
  process class storage: the new pods fit on no node (gate free nodes, required 3, observed 1)
      wait for each other: storage-1 -> storage-2 -> storage-1
      remedy: ask for fewer processes
        set spec.processCounts.storage=4
        kubectl get nodes

Not part of this plan
  the version change is made after this

Later
  if a node is added, 2 steps follow

Queues
  replacements: 1 running of at most 1, 1 waiting: storage-3

Notes
  pods were read from pods.yaml
)");
}

TEST_CASE("dangers stand before the steps, the other warnings behind them") {
  const std::string text = plan_to_text(test::dangerous_plan());
  const std::size_t dangers = text.find("\nDangers\n  danger: db1 has no mirror");
  const std::size_t warnings = text.find("\nWarnings\n  warning: the rate is a guess\n");
  const std::size_t steps = text.find("\nJob set 1:");
  REQUIRE(dangers != std::string::npos);
  REQUIRE(warnings != std::string::npos);
  CHECK(dangers < steps);
  CHECK(steps < warnings);
  CHECK(text.find("  danger: ", steps) == std::string::npos);
  CHECK(text.find("\n1 danger: see above the first step\n", warnings) != std::string::npos);
}

TEST_CASE("weakest moments and the peak read as sentences, whatever is known of them") {
  plan::Plan plan = test::ganeti_plan();
  plan.weakest = {
      {2, "redundancy", "storage-1", 0, 0},
      {1, "redundancy", "storage-1, storage-2", -1, 0},
      {2, "quorum", "3 coordinators", 2, 2},
      {1, "availability", "servers of 7 groups restart at once", "a pause of seconds", {}}};
  plan.totals.peak = plan::Peak{9, 4400, 5, {}, 9, std::int64_t{1} << 30, 2};
  const std::string text = plan_to_text(plan);
  CHECK(text.find("after step 2: redundancy: storage-1 down, 0 more zones may fail\n") !=
        std::string::npos);
  CHECK(text.find("after step 1: redundancy: storage-1, storage-2 down, more than may fail\n") !=
        std::string::npos);
  CHECK(text.find("after step 2: quorum on 3 coordinators: 2 left, 2 required\n") !=
        std::string::npos);
  CHECK(text.find("after step 1: availability: servers of 7 groups restart at once, a pause of "
                  "seconds\n") != std::string::npos);
  CHECK(text.find("Peak: 9 pods, 4.4 CPU, CPU of 5 pods unknown, memory of 9 pods unknown, 1.0 GiB "
                  "volumes (after step 2)\n") != std::string::npos);
}

TEST_CASE("codes are shown where people look them up by these") {
  plan::Plan plan = test::dangerous_plan();
  plan.system = plan::System::Tidb;
  const std::string text = plan_to_text(plan);
  CHECK(text.find("  danger: MIRROR_REBUILT: db1 has no mirror") != std::string::npos);
  CHECK(text.find("\nAssumptions\n  RATE: 100 MiB/s") != std::string::npos);
}

TEST_CASE("an empty plan says so") {
  plan::Plan plan;
  plan.tool = "hbal";
  CHECK(plan_to_text(plan) == "Nothing to do.\nhbal\n");
}

TEST_CASE("commands and costs can be left out, colour put in") {
  const std::string text = plan_to_text(test::ganeti_plan(), {true, false, false});
  CHECK(text.find("run:") == std::string::npos);
  CHECK(text.find("cost:") == std::string::npos);
  CHECK(text.find("\x1b[31munprotected: db1: mirror, until step 2 is done\x1b[0m\n") !=
        std::string::npos);
}

TEST_CASE("no control character of a plan reaches the terminal") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    const std::string text = plan_to_text(test::PlanGenerator(seed).plan(5));
    for (const char c : text) REQUIRE((c == '\n' || static_cast<unsigned char>(c) >= 0x20));
    CHECK(text.find('\x7f') == std::string::npos);
  }
}
