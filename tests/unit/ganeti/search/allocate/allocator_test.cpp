// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/allocate/allocator.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/ganeti_text.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

using Nodes = std::vector<NodeId>;

std::string node(const std::string& name, int free_mem, int free_disk, const std::string& group) {
  return name + "|16384|0|" + std::to_string(free_mem) + "|100000|" + std::to_string(free_disk) +
         "|16|N|" + group + "|1\n";
}

/// a and b in one group, roomy; full has no memory left.
Snapshot three_nodes() {
  test::ClusterText text;
  text.nodes = node("a", 16384, 100000, "uuid-g") + node("b", 16384, 100000, "uuid-g") +
               node("full", 100, 100000, "uuid-g");
  return test::load(text);
}

AllocateRequest request_for(std::int64_t memory_mib, DiskTemplate disk_template) {
  AllocateRequest request;
  Instance& instance = request.wanted.instance;
  instance.name = "new";
  instance.memory_mib = memory_mib;
  instance.disk_mib = 1024;
  instance.vcpus = 1;
  instance.disk_template = disk_template;
  Disk disk;
  disk.size_mib = disk.taken_mib = 1024;
  instance.disks.push_back(disk);
  request.wanted.required_nodes = has_secondary(disk_template) ? 2 : 1;
  return request;
}

AllocatorAnswer ask(const Snapshot& snapshot, const Request& request,
                    const AllocatorOptions& options = {}) {
  return answer_request(snapshot.cluster, snapshot.state, request, options);
}

AllocatorOptions without_capacity() {
  AllocatorOptions options;
  options.capacity_checks = false;
  return options;
}

const NodeId kA(0);
const NodeId kB(1);

}  // namespace

TEST_CASE("a new mirrored instance gets the two nodes that have room") {
  const AllocatorAnswer answer =
      ask(three_nodes(), request_for(1024, DiskTemplate::Drbd), without_capacity());
  REQUIRE(answer.success);
  Nodes nodes = std::get<Nodes>(answer.result);
  REQUIRE(nodes.size() == 2);
  std::sort(nodes.begin(), nodes.end());
  CHECK(nodes == Nodes{kA, kB});
}

TEST_CASE("what fits nowhere is told with the number of nodes per cause") {
  const AllocatorAnswer answer =
      ask(three_nodes(), request_for(20000, DiskTemplate::Plain), without_capacity());
  CHECK_FALSE(answer.success);
  CHECK(std::get<Nodes>(answer.result).empty());
  CHECK(answer.info.find("FailMem: 3") != std::string::npos);
}

TEST_CASE("only the nodes of the request, or those of the option in their place, may take it") {
  const Snapshot snapshot = three_nodes();
  AllocateRequest request = request_for(1024, DiskTemplate::Plain);
  request.restrict_to_nodes = {"b"};
  CHECK(std::get<Nodes>(ask(snapshot, request, without_capacity()).result) == Nodes{kB});
  AllocatorOptions options = without_capacity();
  options.restrict_to_nodes = {"a"};
  CHECK(std::get<Nodes>(ask(snapshot, request, options).result) == Nodes{kA});
}

TEST_CASE("the state of an answer holds the instance, the loaded one stays as it is") {
  const Snapshot snapshot = three_nodes();
  AllocateRequest request = request_for(1024, DiskTemplate::Plain);
  request.restrict_to_nodes = {"a"};
  const std::int64_t free_before = snapshot.state[kA].free_disk;
  const AllocatorAnswer answer = ask(snapshot, request, without_capacity());
  REQUIRE(answer.success);
  CHECK(answer.state[kA].free_disk == free_before - 1024);
  CHECK(answer.state[kA].used_cpu == snapshot.state[kA].used_cpu + 1);
  CHECK(snapshot.state[kA].free_disk == free_before);
  REQUIRE_FALSE(answer.instances.empty());
  CHECK(answer.instances.front().instance.name == "new");
}

TEST_CASE("a mirrored instance leaves its primary for its secondary, and gets a new one") {
  test::ClusterText text;
  text.nodes = node("a", 15000, 90000, "uuid-g") + node("b", 16384, 90000, "uuid-g") +
               node("c", 16384, 100000, "uuid-g");
  text.instances = "i0|1024|5000|1|running|Y|a|b|drbd|\n";
  const Snapshot snapshot = test::load(text);
  NodeEvacuateRequest request;
  request.instances = {InstanceId(0)};
  request.mode = EvacuateMode::Primary;
  const AllocatorAnswer primary = ask(snapshot, request);
  REQUIRE(primary.success);
  const EvacuateResult& away = std::get<EvacuateResult>(primary.result);
  REQUIRE(away.moved.size() == 1);
  CHECK(away.moved.front().nodes.front() == kB);

  request.mode = EvacuateMode::Secondary;
  const AllocatorAnswer secondary = ask(snapshot, request);
  REQUIRE(secondary.success);
  const EvacuateResult& renewed = std::get<EvacuateResult>(secondary.result);
  REQUIRE(renewed.moved.size() == 1);
  CHECK(renewed.moved.front().nodes == Nodes{kA, NodeId(2)});
  REQUIRE(renewed.moved.front().job.size() == 1);
  CHECK(renewed.moved.front().job.front().kind == AllocatorOperation::Kind::ReplaceSecondary);
}

TEST_CASE("an instance without a copy cannot be evacuated") {
  test::ClusterText text;
  text.nodes = node("a", 15000, 90000, "uuid-g") + node("b", 16384, 90000, "uuid-g");
  text.instances = "i0|1024|5000|1|running|Y|a||plain|\n";
  const Snapshot snapshot = test::load(text);
  NodeEvacuateRequest request;
  request.instances = {InstanceId(0)};
  const AllocatorAnswer answer = ask(snapshot, request);
  const EvacuateResult& result = std::get<EvacuateResult>(answer.result);
  CHECK(result.moved.empty());
  REQUIRE(result.failed.size() == 1);
  CHECK(result.failed.front().name == "i0");
}
