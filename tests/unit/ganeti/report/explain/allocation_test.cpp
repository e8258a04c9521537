// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/report/explain/allocation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "support/ganeti_text.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

using Role = InstanceExplanation::Role;

struct Scene {
  explicit Scene(const test::ClusterText& text) : snapshot(test::load(text)) {
    options.capacity_checks = false;
  }

  [[nodiscard]] std::vector<InstanceExplanation> explain(const Request& request,
                                                         bool all = true) const {
    return explain_request(snapshot.cluster, snapshot.state, request, options, all);
  }
  [[nodiscard]] InstanceId id(const std::string& name) const {
    return test::instance(snapshot, name);
  }
  [[nodiscard]] Rule rule_at(const AllocationExplanation& explanation,
                             const std::string& secondary) const {
    for (const CandidateVerdict& one : explanation.candidates) {
      if (snapshot.cluster[one.secondary].name == secondary)
        return one.refusal ? one.refusal->rule : Rule::None;
    }
    throw std::runtime_error("no candidate " + secondary);
  }

  Snapshot snapshot;
  AllocatorOptions options;
};

NewInstance wanted(std::int64_t memory, DiskTemplate disk_template) {
  NewInstance one;
  one.instance.name = "new";
  one.instance.memory_mib = memory;
  one.instance.disk_mib = 2048;
  one.instance.vcpus = 1;
  one.instance.disk_template = disk_template;
  Disk disk;
  disk.size_mib = disk.taken_mib = 2048;
  one.instance.disks.push_back(disk);
  one.required_nodes = disk_template == DiskTemplate::Drbd ? 2 : 1;
  return one;
}

constexpr const char* kTail = "|16|N|uuid-g|1||N|0|1|1.0\n";

/// a has room for everything, b little memory, c little disk, d a full spindle ratio.
test::ClusterText uneven() {
  test::ClusterText text;
  const std::string tail = kTail;
  text.nodes = "a|16384|0|12288|100000|90000" + tail + "b|16384|0|600|100000|90000" + tail +
               "c|16384|0|16384|100000|900" + tail +
               "d|16384|0|16384|100000|90000|16|N|uuid-g|0||N|0|1|1.0\n" +
               "e|16384|0|16384|100000|90000" + tail;
  text.instances = "local|1024|2048|1|running|Y|a||plain||1|-\n";
  return text;
}

/// Two nodes, each with one large and one small shared instance.
test::ClusterText crowded() {
  test::ClusterText text;
  for (const std::string n : {"1", "2", "3", "4"}) {
    text.nodes += "n" + n + "|16384|0|6144|100000|90000" + kTail;
    text.instances += "large" + n + "|8192|1024|1|running|Y|n" + n + "||ext||1|-\n";
    text.instances += "small" + n + "|2048|1024|1|running|Y|n" + n + "||ext||1|-\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a secondary: each other node of the group, with the rule that forbids it") {
  const Scene scene(uneven());
  const auto all = scene.explain(AllocateSecondaryRequest{scene.id("local")});
  REQUIRE(all.size() == 1);
  CHECK(all[0].role == Role::Mirrored);
  CHECK(all[0].instance.disk_template == DiskTemplate::Drbd);
  const AllocationExplanation& explanation = all[0].explanation;
  REQUIRE(explanation.candidates.size() == 4);
  CHECK(scene.rule_at(explanation, "b") == Rule::SecondaryMemory);
  CHECK(scene.rule_at(explanation, "c") == Rule::DiskFree);
  CHECK(scene.rule_at(explanation, "d") == Rule::SpindleRatio);
  CHECK(scene.rule_at(explanation, "e") == Rule::None);
  const Refusal& memory = *explanation.candidates[0].refusal;
  CHECK(memory.wanted == 1024);
  CHECK(memory.available == 600);
  const Refusal& disk = *explanation.candidates[1].refusal;
  CHECK(disk.wanted == 2048);
  CHECK(disk.available == 900);
  CHECK_FALSE(explanation.change);
}

TEST_CASE("the score of a secondary is that of the answer") {
  const Scene scene(uneven());
  const AllocateSecondaryRequest request{scene.id("local")};
  const auto answer =
      answer_request(scene.snapshot.cluster, scene.snapshot.state, request, scene.options);
  REQUIRE(answer.success);
  const auto all = scene.explain(request);
  const auto& last = all[0].explanation.candidates.back();
  CHECK(std::get<SecondaryResult>(answer.result).node == last.secondary);
  char score[32];
  std::snprintf(score, sizeof score, "score: %.6f", last.score);
  CHECK(answer.info.substr(0, 12) == std::string(score).substr(0, 12));
}

TEST_CASE("no secondary: the smallest change, and no search for room") {
  auto text = uneven();
  text.nodes = text.nodes.substr(0, text.nodes.find("\nd|") + 1);
  const Scene scene(text);
  const auto all = scene.explain(AllocateSecondaryRequest{scene.id("local")});
  REQUIRE(all[0].explanation.change);
  CHECK(all[0].explanation.change->lifted.size() == 1);
  CHECK(all[0].explanation.change->lifted.front().rule == Rule::SecondaryMemory);
  CHECK(all[0].explanation.moves_sought == 0);
}

TEST_CASE("an instance that has a secondary is not explained") {
  auto text = uneven();
  text.instances = "mirrored|1024|2048|1|running|Y|a|e|drbd||1|-\n";
  const Scene scene(text);
  CHECK(scene.explain(AllocateSecondaryRequest{scene.id("mirrored")}).empty());
}

TEST_CASE("room: one move where one is enough, several only where all is asked for") {
  const Scene scene(crowded());
  const auto one = scene.explain(AllocateRequest{wanted(7000, DiskTemplate::Ext), {}}, false);
  REQUIRE(one[0].explanation.room);
  CHECK(one[0].explanation.room->moves.size() == 1);
  CHECK(scene.snapshot.cluster[one[0].explanation.room->moves[0].instance].memory_mib == 2048);
  const AllocateRequest large{wanted(15000, DiskTemplate::Ext), {}};
  const auto single = scene.explain(large, false);
  CHECK(single[0].explanation.moves_sought == 1);
  CHECK_FALSE(single[0].explanation.room);
  CHECK(scene.explain(large, true)[0].explanation.moves_sought == 5);
}

TEST_CASE("room: the nodes of the request's list only") {
  const Scene scene(crowded());
  const AllocateRequest request{wanted(7000, DiskTemplate::Ext), std::vector<std::string>{"n3"}};
  const auto all = scene.explain(request);
  REQUIRE(all[0].explanation.room);
  CHECK(all[0].explanation.room->nodes == std::vector<NodeId>{test::node(scene.snapshot, "n3")});
  const BalanceStep& step = all[0].explanation.room->moves.front();
  CHECK(step.before.primary == test::node(scene.snapshot, "n3"));
}

TEST_CASE(
    "room: not looked for where something fits, or only rules forbid that moves do not change") {
  const Scene scene(crowded());
  CHECK(scene.explain(AllocateRequest{wanted(1024, DiskTemplate::Ext), {}})[0]
            .explanation.moves_sought == 0);
  const auto all = scene.explain(AllocateRequest{wanted(40000, DiskTemplate::Ext), {}});
  CHECK(all[0].explanation.candidates.front().refusal->rule == Rule::PolicyMemory);
  CHECK(all[0].explanation.moves_sought == 0);
  CHECK_FALSE(all[0].explanation.room);
}

TEST_CASE("room: for the second of several, with the first in place") {
  const Scene scene(crowded());
  MultiAllocateRequest request;
  request.wanted = {wanted(5000, DiskTemplate::Ext), wanted(7000, DiskTemplate::Ext)};
  request.wanted[0].group = request.wanted[1].group = "g";
  const auto all = scene.explain(request);
  REQUIRE(all.size() == 2);
  CHECK(all[0].explanation.moves_sought == 0);
  REQUIRE(all[1].explanation.room);
  CHECK(all[1].explanation.room->moves.size() == 1);
}

TEST_CASE("evacuation: instances that move are only told where all is asked for") {
  auto text = uneven();
  text.instances += "shared|1024|1024|1|running|Y|a||ext||1|-\n";
  const Scene scene(text);
  const NodeEvacuateRequest request{{scene.id("local"), scene.id("shared")}, EvacuateMode::All};
  const auto few = scene.explain(request, false);
  REQUIRE(few.size() == 1);
  CHECK(few[0].role == Role::Moved);
  CHECK(few[0].explanation.candidates.empty());
  CHECK(no_candidates_text(few[0]) == "its disks have no second copy, so that it cannot be moved");
  const auto all = scene.explain(request, true);
  REQUIRE(all.size() == 2);
  CHECK(all[1].explanation.candidates.size() == 4);
}
