// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/room/make_room.hpp"

#include <doctest/doctest.h>

#include "support/ganeti_text.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

constexpr std::int64_t kGib = 1024;

Instance wanted(std::int64_t memory_mib, DiskTemplate disk_template) {
  Instance instance;
  instance.name = "new";
  instance.memory_mib = memory_mib;
  instance.disk_mib = kGib;
  instance.vcpus = 1;
  instance.disk_template = disk_template;
  Disk disk;
  disk.size_mib = disk.taken_mib = kGib;
  instance.disks.push_back(disk);
  return instance;
}

/// Four nodes with 12,800 MiB free, and one large and one small instance on each.
Snapshot four_nodes() {
  test::ClusterText text;
  for (const std::string n : {"1", "2", "3", "4"}) {
    text.nodes += "n" + n + "|25088|0|12800|524288|524288|16|N|uuid-g\n";
    text.instances += "large" + n + "|8192|10240|1|running|Y|n" + n + "||sharedfile|\n";
    text.instances += "small" + n + "|4096|10240|1|running|Y|n" + n + "||sharedfile|\n";
  }
  return test::load(text);
}

MakeRoomResult room_for(const Snapshot& snapshot, const Instance& instance,
                        bool capacity_checks = false) {
  const auto parts = parts_of(snapshot.cluster, snapshot.state);
  AllocateRequest question;
  question.wanted.instance = instance;
  question.wanted.required_nodes = has_secondary(instance.disk_template) ? 2 : 1;
  MakeRoomOptions options;
  options.how.capacity_checks = capacity_checks;
  return make_room(snapshot.cluster, snapshot.state, parts.front(), {}, question, options);
}

}  // namespace

TEST_CASE("One small instance moves away where that is enough") {
  const Snapshot snapshot = four_nodes();
  const auto room = room_for(snapshot, wanted(14336, DiskTemplate::SharedFile));
  REQUIRE(room.is_found);
  REQUIRE(room.plan.steps.size() == 1);
  const BalanceStep& step = room.plan.steps.front();
  CHECK(snapshot.cluster[step.instance].memory_mib == 4096);
  CHECK(room.nodes == std::vector<NodeId>{step.before.primary});
}

TEST_CASE("Nothing moves where the instance fits") {
  const auto room = room_for(four_nodes(), wanted(12288, DiskTemplate::SharedFile));
  CHECK(room.is_found);
  CHECK(room.plan.steps.empty());
}

TEST_CASE("Two moves where one is not enough") {
  const auto room = room_for(four_nodes(), wanted(23 * kGib, DiskTemplate::SharedFile));
  REQUIRE(room.is_found);
  CHECK(room.plan.steps.size() == 2);
}

TEST_CASE("More than a node has is never found") {
  const auto room = room_for(four_nodes(), wanted(25088, DiskTemplate::SharedFile));
  CHECK_FALSE(room.is_found);
  CHECK(room.plan.steps.empty());
}

TEST_CASE("A mirrored instance needs room on two nodes") {
  test::ClusterText text;
  for (const std::string n : {"1", "2", "3"})
    text.nodes += "n" + n + "|8192|0|2048|100000|80000|16|N|uuid-g\n";
  text.instances =
      "a|6144|1024|1|running|Y|n1||sharedfile|\n"
      "b|6144|1024|1|running|Y|n2||sharedfile|\n"
      "c1|2048|1024|1|running|Y|n3||sharedfile|\n"
      "c2|4096|1024|1|running|Y|n3||sharedfile|\n";
  const Snapshot snapshot = test::load(text);
  CHECK(room_for(snapshot, wanted(1024, DiskTemplate::Drbd)).plan.steps.empty());
  const auto room = room_for(snapshot, wanted(3072, DiskTemplate::Drbd));
  CHECK_FALSE(room.is_found);  // only one node can get that much
}

TEST_CASE("The allocator has the last word: it wants every node to be emptied afterwards") {
  CHECK_FALSE(room_for(four_nodes(), wanted(14336, DiskTemplate::SharedFile), true).is_found);
  CHECK(room_for(four_nodes(), wanted(4096, DiskTemplate::SharedFile), true).is_found);
}
