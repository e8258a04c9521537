// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/report/explain/evacuation_plan.hpp"

#include <doctest/doctest.h>

#include <string>

#include "support/ganeti_text.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

struct Scene {
  explicit Scene(const test::ClusterText& text) : snapshot(test::load(text)) {}

  [[nodiscard]] InstanceId id(const std::string& name) const {
    return test::instance(snapshot, name);
  }
  [[nodiscard]] plan::Plan plan(const Request& request,
                                const AllocatorOptions& options = {}) const {
    const auto answer = answer_request(snapshot.cluster, snapshot.state, request, options);
    REQUIRE_FALSE(answer.dies_at_key);
    return evacuation_plan(snapshot.cluster, snapshot.state, request, answer, options);
  }
  [[nodiscard]] plan::Plan evacuate(const std::vector<std::string>& names,
                                    EvacuateMode mode) const {
    NodeEvacuateRequest request{{}, mode};
    for (const std::string& name : names) request.instances.push_back(id(name));
    return plan(request);
  }

  Snapshot snapshot;
};

/// Four nodes with room; `second` is n2's offline mark.
test::ClusterText four_nodes(const std::string& second = "N") {
  test::ClusterText text;
  for (const std::string n : {"1", "2", "3", "4"}) {
    text.nodes += "n" + n + "|16384|0|12288|100000|90000|16|" + (n == "2" ? second : "N") +
                  "|uuid-g|1||N|0|1|1.0\n";
  }
  return text;
}

std::string line(const std::string& name, const std::string& nodes,
                 const std::string& disk_template, int memory = 1024) {
  return name + "|" + std::to_string(memory) + "|1024|1|running|Y|" + nodes + "|" + disk_template +
         "||1|-\n";
}

std::string blocked_of(const plan::Plan& plan, const std::string& name) {
  for (const plan::Blocked& one : plan.blocked) {
    if (one.subject.name == name) return one.code + ": " + one.text;
  }
  return "not blocked";
}

}  // namespace

TEST_CASE("only requests that move what exists have plans") {
  CHECK(has_plan(RelocateRequest{}));
  CHECK(has_plan(ChangeGroupRequest{}));
  CHECK(has_plan(NodeEvacuateRequest{}));
  CHECK_FALSE(has_plan(AllocateRequest{}));
  CHECK_FALSE(has_plan(MultiAllocateRequest{}));
  CHECK_FALSE(has_plan(AllocateSecondaryRequest{}));
}

TEST_CASE("one step for each operation, each waiting for the one before on its nodes") {
  auto text = four_nodes();
  text.instances = line("web", "n1|n2", "drbd");
  const plan::Plan plan = Scene(text).evacuate({"web"}, EvacuateMode::All);
  REQUIRE(plan.steps.size() == 3);
  CHECK(plan.result == plan::Outcome::Changes);
  CHECK(plan.steps[0].n == 1);
  CHECK(plan.steps[0].phase == 1);
  CHECK(plan.steps[2].phase == 3);
  CHECK(plan.steps[2].waits_for.size() >= 1);
  CHECK(plan.steps[0].reason.code == "EVACUATE");
  CHECK(plan.steps[0].reason.text == "is to leave n1 and n2");
  CHECK(plan.blocked.empty());
}

TEST_CASE("steps on different nodes share a phase") {
  auto text = four_nodes();
  text.instances = line("web", "n1|n2", "drbd") + line("db", "n3|n4", "drbd");
  const plan::Plan plan = Scene(text).evacuate({"web", "db"}, EvacuateMode::Primary);
  REQUIRE(plan.steps.size() == 2);
  CHECK(plan.steps[0].phase == 1);
  CHECK(plan.steps[1].phase == 1);
  CHECK(plan.headline == "2 instances move");
}

TEST_CASE("an instance that is listed twice moves once") {
  auto text = four_nodes();
  text.instances = line("web", "n1|n2", "drbd");
  CHECK(Scene(text).evacuate({"web", "web"}, EvacuateMode::Primary).steps.size() == 1);
}

TEST_CASE("a move to an offline node is no step") {
  auto text = four_nodes("Y");
  text.instances = line("web", "n1|n2", "drbd");
  const plan::Plan plan = Scene(text).evacuate({"web"}, EvacuateMode::Primary);
  CHECK(plan.steps.empty());
  CHECK(plan.result == plan::Outcome::Blocked);
  CHECK(blocked_of(plan, "web") == "UNSAFE_ANSWER: the answer moves it to n2, which is offline");
}

TEST_CASE("what stays is told in words") {
  auto text = four_nodes();
  text.instances = line("local", "n1|", "plain") + line("large", "n1|", "ext", 20000) +
                   line("shared", "n1|", "ext");
  const Scene scene(text);
  const plan::Plan plan = scene.evacuate({"local", "large", "shared"}, EvacuateMode::All);
  CHECK(plan.headline == "1 instance moves, 2 cannot");
  CHECK(blocked_of(plan, "local") ==
        "NO_PLACE: its disks have no second copy, so that it cannot be moved");
  const std::string large = blocked_of(plan, "large");
  CHECK(large.starts_with("NO_PLACE: no node can take it: "));
  CHECK(large.find("20000 MiB") != std::string::npos);
  CHECK(large.find("Fail") == std::string::npos);
  CHECK(blocked_of(plan, "shared") == "not blocked");
}

TEST_CASE("a group that takes nothing is told in words") {
  auto text = four_nodes();
  text.groups += "h|uuid-h|preferred||\n";
  text.nodes += "m1|4096|0|4096|100000|90000|16|N|uuid-h|1||N|0|1|1.0\n";
  text.instances = line("large", "n1|", "ext", 8000);
  const Scene scene(text);
  CHECK(blocked_of(scene.plan(ChangeGroupRequest{{scene.id("large")}, {}}), "large") ==
        "NO_PLACE: no allowed group has a place for it: group h (preferred): no place, refused for "
        "memory: 1");
  const ChangeGroupRequest home{{scene.id("large")}, {GroupId(0)}};
  CHECK(blocked_of(scene.plan(home), "large") == "NO_PLACE: no group is left that it may go to");
}

TEST_CASE("relocation: one step, or why not") {
  auto text = four_nodes();
  text.instances = line("web", "n1|n2", "drbd") + line("local", "n1|", "plain");
  const Scene scene(text);
  const NodeId n1 = test::node(scene.snapshot, "n1");
  const NodeId n2 = test::node(scene.snapshot, "n2");
  const plan::Plan plan = scene.plan(RelocateRequest{scene.id("web"), 1, {n2}});
  REQUIRE(plan.steps.size() == 1);
  CHECK(plan.steps[0].reason.code == "RELOCATE");
  CHECK(blocked_of(scene.plan(RelocateRequest{scene.id("web"), 1, {n1}}), "web") ==
        "NO_PLACE: the request names another node than the one that it can leave");
  CHECK(blocked_of(scene.plan(RelocateRequest{scene.id("local"), 1, {n1}}), "local") ==
        "NO_PLACE: its disks have no second copy, so that it cannot be moved");
}
