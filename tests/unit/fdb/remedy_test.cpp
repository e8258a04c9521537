// SPDX-License-Identifier: BSD-2-Clause
// The closed table of remedies, gate by gate. That the first which works is told, others only where
// they are alternatives, is seen in the golden cases.
#include "ballast/fdb/search/remedy/remedy.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "ballast/fdb/model/identity.hpp"

using namespace ballast::fdb;

namespace {

using Sets = std::vector<std::vector<std::string>>;

struct Scene {
  Cluster cluster;
  ClusterSpec wish;
  Simulation simulation;
  TraceStep dead_end;

  Scene() {
    cluster.name = "demo";
    cluster.spec.version = {7, 3, 69};
    cluster.spec.counts.fill(-1);
    cluster.status.running_version = cluster.spec.version;
    wish = cluster.spec;
    dead_end.classes = class_bit(ProcessClass::Storage);
    dead_end.observed = "why";
  }

  void group(int number, std::string zone, std::string node) {
    ProcessGroup group;
    group.id = group_id("", ProcessClass::Storage, number);
    group.process_class = ProcessClass::Storage;
    group.number = number;
    group.fault_domain = zone;
    group.pod = Pod{};
    group.pod->node = std::move(node);
    Process process;
    process.zone = std::move(zone);
    group.processes.push_back(std::move(process));
    cluster.groups.push_back(std::move(group));
  }

  std::vector<RemedyEdit> edits(std::string gate) {
    dead_end.gate = std::move(gate);
    return remedy_edits({cluster, wish, PlanOptions{}, simulation, dead_end});
  }
  Sets sets(std::string gate) {
    Sets sets;
    for (const RemedyEdit& edit : edits(std::move(gate))) sets.push_back(edit.set);
    return sets;
  }
};

}  // namespace

TEST_CASE("remedies of a lag, an unavailable database and many generations: wait") {
  Scene scene;
  for (const char* gate : {"lag", "unavailable", "generations"}) {
    const auto edits = scene.edits(gate);
    REQUIRE(edits.size() == 1);
    CHECK(edits[0].text == "why: wait, then plan again");
    CHECK_FALSE(edits[0].apply);
  }
}

TEST_CASE("remedies of an exclusion budget: more replacements at once, then more groups") {
  Scene scene;
  CHECK(scene.sets("exclude-budget") ==
        Sets{{"automationOptions.replacements.maxConcurrentReplacements={}"},
             {"processCounts.storage={}"}});
  scene.wish.automation.max_concurrent_replacements = 2;
  scene.dead_end.classes |= class_bit(ProcessClass::Log);
  const auto edits = scene.edits("exclude-budget");
  REQUIRE(edits.size() == 4);
  CHECK(edits[1].set.front() == "automationOptions.maxConcurrentReplacements={}");
  CHECK(edits[1].from == 2);
  Trial trial{scene.cluster, scene.wish, {}};
  edits[1].apply(trial, 3);
  CHECK(trial.spec.automation.max_concurrent_replacements == 3);
  CHECK(edits[3].set.front() == "processCounts.log={}");
}

TEST_CASE("the remedy of held pods: take the finalizers off") {
  Scene scene;
  CHECK(scene.edits("held-pods").empty());
  scene.group(1, "zone-1", "node-1");
  scene.group(2, "zone-2", "node-2");
  for (ProcessGroup& group : scene.cluster.groups) {
    group.pod->name = "demo-" + group.id;
    group.pod->is_held = true;
  }
  scene.cluster.name_space = "db";
  scene.dead_end.targets = {scene.cluster.groups[1].id};
  const auto edits = scene.edits("held-pods");
  REQUIRE(edits.size() == 1);
  CHECK(edits[0].commands ==
        std::vector<std::string>{"kubectl -n db patch pod demo-storage-2 --type=merge -p "
                                 "'{\"metadata\":{\"finalizers\":null}}'"});
  Trial trial{scene.cluster, scene.wish, {}};
  edits[0].apply(trial, 1);
  CHECK(trial.snapshot.groups[0].pod->is_held);
  CHECK_FALSE(trial.snapshot.groups[1].pod->is_held);
}

TEST_CASE("remedies of a zone shortage: more fault domains only where the packing makes them") {
  Scene scene;
  CHECK(scene.sets("zone-shortage") == Sets{{"processCounts.storage={}"}});
  scene.wish.fault_domain.distribution = {true, 3, false};
  const auto edits = scene.edits("zone-shortage");
  REQUIRE(edits.size() == 2);
  CHECK(edits[0].set.front() == "faultDomain.distribution.desiredFaultDomains={}");
  CHECK(edits[0].from == 3);
  Trial trial{scene.cluster, scene.wish, {}};
  edits[0].apply(trial, 5);
  CHECK(trial.spec.fault_domain.distribution.domains == 5);
}

TEST_CASE("remedies of coordinators: three data halls need nine hosts and three zones") {
  Scene scene;
  scene.wish.database.redundancy_mode = "triple";
  scene.wish.fault_domain.key = "topology.kubernetes.io/zone";
  for (int i = 1; i <= 8; ++i)
    scene.group(i, "zone-" + std::to_string(i % 3), "node-" + std::to_string(i));
  CHECK(scene.sets("coordinators") == Sets{{"databaseConfiguration.redundancy_mode=double"}});
  scene.group(9, "zone-0", "node-9");
  const auto edits = scene.edits("coordinators");
  REQUIRE(edits.size() == 2);
  const auto halls = std::ranges::find(
      edits,
      std::vector<std::string>{"databaseConfiguration.redundancy_mode=three_data_hall",
                               "faultDomain.key=kubernetes.io/hostname"},
      &RemedyEdit::set);
  REQUIRE(halls != edits.end());
  Trial trial{scene.cluster, scene.wish, {}};
  halls->apply(trial, 1);
  CHECK(trial.spec.database.redundancy_mode == "three_data_hall");
  const Process& process = trial.snapshot.groups.front().processes.front();
  CHECK(process.zone == "node-1");
  CHECK(process.data_hall == "zone-1");
}

TEST_CASE("remedies of a group without address: by locality where the version can, and without") {
  Scene scene;
  scene.dead_end.targets = {"log-2"};
  scene.wish.automation.use_localities = false;
  scene.simulation.world.spec = scene.wish;
  CHECK(scene.sets("no-address") == Sets{{"automationOptions.useLocalitiesForExclusion=true"},
                                         {"processGroupsToRemoveWithoutExclusion=[log-2]"}});
  scene.cluster.status.running_version = {7, 1, 27};
  CHECK(scene.sets("no-address") == Sets{{"processGroupsToRemoveWithoutExclusion=[log-2]"}});
  scene.cluster.database.full_replication = false;
  CHECK(scene.sets("no-address").empty());
}
