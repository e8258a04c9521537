// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/moves/node_ops.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "support/ganeti_text.hpp"

using namespace ballast::ganeti;
using ballast::ganeti::test::ClusterText;

namespace {

/// Two equal nodes; `instances` in the text format, loaded from figures that account for none of
/// them.
Snapshot two_nodes(const std::string& instances, const std::string& tags = "",
                   const std::string& exclusive = "N") {
  ClusterText text;
  const std::string rest = "|1000|100|900|1000|1000|4|N|uuid-g|2||" + exclusive + "|5|1|1.0\n";
  text.nodes = "n1" + rest + "n2" + rest;
  text.instances = instances;
  text.tags = tags;
  return test::load(text);
}

InstanceRef ref_of(const Snapshot& snapshot, const std::string& name) {
  const InstanceId id = test::instance(snapshot, name);
  return {id, &snapshot.cluster[id], snapshot.state[id], false};
}

MaybeRefusal add_to_second(const Snapshot& snapshot, const std::string& name, bool force = false) {
  const NodeId target = test::node(snapshot, "n2");
  NodeState state = snapshot.state[target];
  return add_primary(snapshot.cluster, target, state, ref_of(snapshot, name), force);
}

void check_refused(const MaybeRefusal& refusal, FailReason reason, Rule rule) {
  REQUIRE(refusal);
  CHECK(text_of(refusal->reason) == text_of(reason));
  CHECK(static_cast<int>(refusal->rule) == static_cast<int>(rule));
}

}  // namespace

TEST_CASE("loading attaches newest first and leaves the snapshot's figures alone") {
  const Snapshot snapshot = two_nodes(
      "a|100|50|1|running|Y|n1|n2|drbd||3|-|N\n"
      "b|200|50|2|running|Y|n1||plain||1|-|N\n"
      "off|400|50|4|ADMIN_offline|Y|n1||file||1|-|N\n"
      "soon|300|60|1|running|Y|n1||plain||1|-|Y\n");
  const NodeState& n1 = snapshot.state.nodes[0];
  CHECK(n1.primaries == std::vector<InstanceId>{InstanceId(2), InstanceId(1), InstanceId(0)});
  CHECK(n1.forth_primaries.size() == 4);
  CHECK(n1.free_disk == 1000);
  CHECK(n1.forth_free_disk == 940);
  CHECK(n1.used_cpu == 1 + 1 + 2);
  CHECK(n1.forth_used_cpu == 1 + 1 + 2 + 1);
  CHECK(n1.inst_spindles == 4);
  CHECK(n1.inst_mem == 300);
  CHECK(n1.lost_mem == -300);
  // Only what uses no memory is taken off the shadow figure: the rest is in the reported one.
  CHECK(n1.forth_free_mem == 900 - 400 - 300);
  CHECK(n1.load == Load{3, 3, 3, 3});
  const NodeState& n2 = snapshot.state.nodes[1];
  CHECK(n2.secondaries == std::vector<InstanceId>{InstanceId(0)});
  CHECK(n2.load == Load{0, 0, 1, 0});
  CHECK(n2.reserved_mem == 100);
  CHECK(n2.reserved_fraction == 0.1);
  CHECK_FALSE(n2.fails_n1);
}

TEST_CASE("removing and adding a primary are mirror images but for free spindles") {
  const Snapshot snapshot =
      two_nodes("a|100|50|1|running|Y|n1|n2|drbd|x:1|3|-|N\n", "htools:iextags:x\n");
  const NodeId id = test::node(snapshot, "n1");
  NodeState state = snapshot.state[id];
  const NodeState before = state;
  const InstanceRef ref = ref_of(snapshot, "a");
  remove_primary(snapshot.cluster, id, state, ref);
  CHECK(state.primaries.empty());
  CHECK(state.primary_tags.empty());
  CHECK(state.free_disk == 1050);
  CHECK(state.inst_mem == 0);
  CHECK(state.used_cpu == 1);
  CHECK(state.free_spindles == 0);
  CHECK(state.mem_fraction == 0.9);
  REQUIRE_FALSE(add_primary(snapshot.cluster, id, state, ref, true));
  CHECK(state.free_disk == before.free_disk);
  CHECK(state.mem_fraction == before.mem_fraction);
  CHECK(state.disk_fraction == before.disk_fraction);
  CHECK(state.primaries == before.primaries);
  CHECK(state.primary_tags == before.primary_tags);
  CHECK(state.forth_free_disk == before.forth_free_disk);
}

TEST_CASE("secondaries keep the memory that a failed primary would need, the largest first") {
  const Snapshot snapshot = two_nodes(
      "a|100|50|1|running|Y|n1|n2|drbd||1|-|N\n"
      "b|70|50|1|ADMIN_down|Y|n1|n2|drbd||1|-|N\n"
      "c|60|50|1|running|N|n1|n2|drbd||1|-|N\n");
  const NodeId id = test::node(snapshot, "n2");
  NodeState state = snapshot.state[id];
  CHECK(state.reserved_mem == 170);
  remove_secondary(snapshot.cluster, id, state, ref_of(snapshot, "a"));
  CHECK(state.reserved_mem == 70);
  remove_secondary(snapshot.cluster, id, state, ref_of(snapshot, "b"));
  CHECK(state.peers.empty());
  CHECK(state.reserved_mem == 0);
  REQUIRE_FALSE(add_secondary(snapshot.cluster, id, state, ref_of(snapshot, "c"),
                              NodeId(std::size_t{0}), false));
  CHECK(state.reserved_mem == 0);
  CHECK(state.peers == std::vector<std::pair<NodeId, std::int64_t>>{{NodeId(std::size_t{0}), 0}});
}

TEST_CASE("the hard checks of a primary hold even when forced") {
  check_refused(add_to_second(two_nodes("a|900|50|1|running|Y|n1||plain||1|-|N\n"), "a", true),
                FailReason::Mem, Rule::MemoryUnallocated);
  check_refused(add_to_second(two_nodes("a|1|1000|1|running|Y|n1||plain||1|-|N\n"), "a", true),
                FailReason::Disk, Rule::DiskFree);
  check_refused(
      add_to_second(two_nodes("a|1|10|1|running|Y|n1||plain||1|6|N\n", "", "Y"), "a", true),
      FailReason::Spindles, Rule::Spindles);
  check_refused(
      add_to_second(two_nodes("a|1|10|1|running|Y|n1||plain||1|-|N\n", "", "Y"), "a", true),
      FailReason::Spindles, Rule::Spindles);
  CHECK_FALSE(
      add_to_second(two_nodes("a|1|10|1|running|Y|n1||plain||1|5|N\n", "", "Y"), "a", true));
}

TEST_CASE("the soft checks of a primary are lifted by force") {
  Snapshot low = two_nodes("a|1|800|1|running|Y|n1||plain||1|-|N\n");
  set_min_disk(low, 0.25);
  check_refused(add_to_second(low, "a"), FailReason::Disk, Rule::DiskLowWater);
  CHECK_FALSE(add_to_second(low, "a", true));

  const Snapshot spindles = two_nodes("a|1|1|1|running|Y|n1||plain||65|-|N\n");
  check_refused(add_to_second(spindles, "a"), FailReason::Disk, Rule::SpindleRatio);
  CHECK_FALSE(add_to_second(spindles, "a", true));

  const Snapshot cpu = two_nodes("a|1|1|16|running|Y|n1||file||1|-|N\n");
  check_refused(add_to_second(cpu, "a"), FailReason::Cpu, Rule::CpuRatio);
  CHECK_FALSE(add_to_second(cpu, "a", true));

  const Snapshot tags =
      two_nodes("a|1|1|1|running|Y|n1||file|x1|1|-|N\nb|1|1|1|running|Y|n2||file|x1|1|-|N\n",
                "htools:iextags:x\n");
  check_refused(add_to_second(tags, "a"), FailReason::Tags, Rule::ExclusionTag);
  CHECK_FALSE(add_to_second(tags, "a", true));

  const Snapshot spare =
      two_nodes("a|500|1|1|running|Y|n1||file||1|-|N\nd|450|1|1|running|Y|n1|n2|drbd||1|-|N\n");
  check_refused(add_to_second(spare, "a"), FailReason::Mem, Rule::NPlusOne);
  CHECK_FALSE(add_to_second(spare, "a", true));
}

TEST_CASE("forthcoming instances count in the shadow figures only") {
  const Snapshot snapshot = two_nodes(
      "soon|600|100|1|running|Y|n2||plain||1|-|Y\n"
      "a|400|100|1|running|Y|n1||plain||1|-|N\n");
  check_refused(add_to_second(snapshot, "a"), FailReason::Mem, Rule::ForthcomingMemory);
  CHECK_FALSE(add_to_second(snapshot, "a", true));
  const Snapshot full = two_nodes(
      "soon|1|950|1|running|Y|n2||plain||1|-|Y\n"
      "a|4|100|1|running|Y|n1||plain||1|-|N\n");
  check_refused(add_to_second(full, "a"), FailReason::Disk, Rule::ForthcomingDisk);
}

TEST_CASE("a secondary needs a mirrored template, disk and memory to reserve") {
  const Snapshot snapshot = two_nodes(
      "plain|1|1|1|running|Y|n1||plain||1|-|N\n"
      "big|1|1000|1|running|Y|n1|n2|drbd||1|-|N\n"
      "mem|900|1|1|running|Y|n1|n2|drbd||1|-|N\n");
  const auto add = [&](const std::string& name, bool force, bool ignore_disks) {
    NodeState state = snapshot.state.nodes[1];
    return add_secondary(snapshot.cluster, NodeId(std::size_t{1}), state, ref_of(snapshot, name),
                         NodeId(std::size_t{0}), force, ignore_disks);
  };
  check_refused(add("plain", true, true), FailReason::Disk, Rule::NotMirrored);
  check_refused(add("big", true, false), FailReason::Disk, Rule::DiskFree);
  CHECK_FALSE(add("big", true, true));
  check_refused(add("mem", false, false), FailReason::Mem, Rule::SecondaryMemory);
  CHECK_FALSE(add("mem", true, false));
}

TEST_CASE("conversions of doubles follow the machine where they do not fit") {
  CHECK(truncated(-1.5) == -1);
  CHECK(floored(-1.5) == -2);
  CHECK(floored(2.0) == 2);
  CHECK(truncated(1e30) == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("policies compare sizes against pairs, the failure is the first pair's") {
  ClusterText text;
  text.nodes = "n1|1000|100|900|1000|1000|4|N|uuid-g|2||N|5|1|1.0\n";
  text.policies =
      "g|1,1,1,1,1,1|10,2,10,1,0,1;20,4,20,2,0,2;100,1,100,1,0,1;200,8,200,2,0,2|plain|4|32\n";
  text.instances =
      "ok|15|15|3|running|Y|n1||plain||1|-|N\n"
      "second|150|150|1|running|Y|n1||plain||1|-|N\n"
      "small|5|15|3|running|Y|n1||plain||1|-|N\n"
      "disk|15|25|3|running|Y|n1||plain||1|-|N\n"
      "cpu|15|15|9|running|Y|n1||plain||1|-|N\n"
      "spindle|15|15|3|running|Y|n1||plain||3|-|N\n"
      "template|15|15|3|running|Y|n1||file||1|-|N\n";
  const Snapshot snapshot = test::load(text);
  const auto check = [&](const std::string& name) {
    return check_policy(snapshot.cluster, NodeId(std::size_t{0}),
                        snapshot.cluster[test::instance(snapshot, name)]);
  };
  CHECK_FALSE(check("ok"));
  CHECK_FALSE(check("second"));
  check_refused(check("small"), FailReason::Mem, Rule::PolicyMemory);
  check_refused(check("disk"), FailReason::Disk, Rule::PolicyDiskSize);
  check_refused(check("cpu"), FailReason::Cpu, Rule::PolicyCpu);
  check_refused(check("spindle"), FailReason::Spindles, Rule::PolicySpindleUse);
  check_refused(check("template"), FailReason::Disk, Rule::PolicyTemplate);
}
