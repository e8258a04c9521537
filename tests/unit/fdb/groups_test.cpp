// SPDX-License-Identifier: BSD-2-Clause
#include <doctest/doctest.h>

#include "ballast/fdb/cli/groups_report.hpp"
#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/ask/drain.hpp"
#include "ballast/fdb/search/world/group_table.hpp"

using namespace ballast::fdb;

namespace {

struct Scene {
  Cluster cluster;
  World world;

  Scene() {
    cluster.name = "demo";
    cluster.name_space = "fdb";
    cluster.now = 1772366400;
    cluster.given.pods = true;
    cluster.given.status = true;
    add(1, "host-1", "10.1.0.1");
    add(2, "host-2", "10.1.0.2");
    world.snapshot = &cluster;
    world.now = cluster.now;
    for (const ProcessGroup& group : cluster.groups) {
      world.groups.emplace_back();
      static_cast<ProcessGroup&>(world.groups.back()) = group;
    }
  }

  void add(int number, std::string host, std::string address) {
    ProcessGroup group;
    group.id = group_id("", ProcessClass::Storage, number);
    group.process_class = ProcessClass::Storage;
    group.number = number;
    group.addresses = {std::move(address)};
    group.fault_domain = host;
    group.pod = Pod{};
    group.pod->node = std::move(host);
    Process process;
    process.stored_bytes = 3LL << 30U;
    group.processes.push_back(process);
    cluster.groups.push_back(group);
  }
};

}  // namespace

TEST_CASE("group table: conditions stand with the oldest first, flags say what matters") {
  Scene scene;
  Member& group = scene.world.groups[1];
  group.conditions.set(Condition::MissingPod, 1772366000);
  group.conditions.set(Condition::MissingProcesses, 1772365000);
  group.marked = 1772366000;
  group.exclusion_skipped = true;
  group.processes[0].is_coordinator = true;
  const GroupTable table = group_table(scene.world);
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[1].conditions.front().first == Condition::MissingProcesses);
  CHECK(table.rows[1].flags ==
        std::vector<std::string>{"coordinator", "skipped", "pending-resources"});
  CHECK(
      groups_to_text(table, scene.cluster) ==
      "Process groups of fdb/demo at 2026-03-01T12:00:00Z\n"
      "ID         CLASS    DOMAIN  ADDRESSES  PROCESSES  STORED   MARKED                EXCLUDED  "
      "CONDITIONS"
      "                                                                          FLAGS\n"
      "storage-1  storage  host-1  10.1.0.1   1/1        3.0 GiB  -                     -         -"
      "                                                                                   -\n"
      "storage-2  storage  host-2  10.1.0.2   1/1        3.0 GiB  2026-03-01T11:53:20Z  skipped   "
      "MissingProcesses since "
      "2026-03-01T11:36:40Z, MissingPod since 2026-03-01T11:53:20Z  "
      "coordinator,skipped,pending-resources\n");
}

TEST_CASE("group table: a rebuilt one says what is lost") {
  Scene scene;
  CHECK(group_table(scene.world).not_recoverable.empty());
  scene.cluster.given.status = false;
  const GroupTable table = group_table(scene.world);
  CHECK(table.not_recoverable.size() == 5);
  CHECK(groups_to_text(table, scene.cluster)
            .find(", rebuilt from pods, volumes, services and database\n") != std::string::npos);
}

TEST_CASE("status document: groups as a list, or as a map by ID") {
  Scene scene;
  scene.world.groups[0].marked = 1772366000;
  scene.world.groups[0].conditions.set(Condition::PodFailing, 7);
  const auto list = status_node(scene.world, false);
  REQUIRE(list.find("processGroups")->is_list());
  CHECK(
      ballast::doc::emit_json(list.find("processGroups")->items()[0]) ==
      R"({"processGroupID":"storage-1","processClass":"storage","addresses":["10.1.0.1"],"removalTimestamp":"2026-03-01T11:53:20Z",)"
      R"("processGroupConditions":[{"type":"PodFailing","timestamp":7}],"faultDomain":"host-1"})");
  const auto map = status_node(scene.world, true);
  REQUIRE(map.find("processGroups")->is_map());
  CHECK(map.at({"processGroups", "storage-2", "processClass"})->text() == "storage");
}

TEST_CASE("drain: groups of a node and of a zone") {
  Scene scene;
  scene.cluster.groups[1].pod->distribution_key = "storage-4";
  CHECK(groups_on_node(scene.cluster, "host-2") == std::vector<std::string>{"storage-2"});
  CHECK(groups_on_node(scene.cluster, "").empty());
  CHECK(groups_in_zone(scene.cluster, "host-1") == std::vector<std::string>{"storage-1"});
  CHECK(groups_in_zone(scene.cluster, "storage-4") == std::vector<std::string>{"storage-2"});
  CHECK(groups_in_zone(scene.cluster, "host-2").empty());
  ClusterSpec spec;
  spec.groups_to_remove = {"storage-2"};
  CHECK(with_removals(spec, {"storage-1", "storage-2"}).groups_to_remove ==
        std::vector<std::string>{"storage-2", "storage-1"});
}
