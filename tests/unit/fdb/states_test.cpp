// SPDX-License-Identifier: BSD-2-Clause
// Snapshots taken in the middle of an operation.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

#include "ballast/fdb/model/map_hash.hpp"
#include "ballast/fdb/search/check/second_opinion.hpp"
#include "ballast/fdb/search/moments/weak_moments.hpp"
#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/plan/planner.hpp"
#include "ballast/fdb/search/world/coordinator_servers.hpp"
#include "ballast/fdb/search/world/coordinators.hpp"
#include "ballast/fdb/search/world/world.hpp"

#include "support/fdb_cases.hpp"
#include "support/fdb_steps.hpp"

namespace ballast::fdb {
namespace {

using fdb_cases::Case;
using fdb_cases::make_case;

ProcessGroup& group_of(Case& it, const std::string& id) {
  return *std::ranges::find(it.snapshot.groups, id, &ProcessGroup::id);
}

bool has_step(const Simulation& simulation, Action action, const std::string& id) {
  return std::ranges::any_of(simulation.steps, [&](const TraceStep& step) {
    return step.action == action && std::ranges::find(step.targets, id) != step.targets.end();
  });
}

const TraceStep* wait_at(const Simulation& simulation, const std::string& gate) {
  const auto found = std::ranges::find_if(simulation.steps, [&](const TraceStep& step) {
    return step.action == Action::Wait && step.gate == gate;
  });
  return found == simulation.steps.end() ? nullptr : &*found;
}

void expect_end(const Case& it, const Simulation& simulation) {
  CHECK(simulation.ending == Ending::Reconciled);
  CHECK(find_broken_rules({it.snapshot, it.desired, {}, simulation.steps}).empty());
}

TEST_CASE("an exclusion that runs is waited for, however it was made") {
  for (const bool by_locality : {true, false}) {
    for (const int servers : {1, 2}) {
      for (const std::string id : {"storage-1", "log-1"}) {
        CAPTURE(by_locality);
        CAPTURE(servers);
        CAPTURE(id);
        Case it = make_case(3, 0);
        it.desired.automation.use_localities = by_locality;
        it.snapshot.spec.automation.use_localities = by_locality;
        ProcessGroup& group = group_of(it, id);
        group.marked = it.snapshot.now - 3600;
        group.pod->servers = servers;
        Process process = group.processes.front();
        process.is_excluded = true;
        process.has_role = true;
        process.stored_bytes = 1000;
        group.processes.assign(static_cast<std::size_t>(servers), process);
        it.snapshot.database.exclusions.insert(by_locality ? locality_target(id)
                                                           : group.addresses.front());
        const Simulation simulation = simulate(it.snapshot, it.desired, {});
        expect_end(it, simulation);
        CHECK_FALSE(has_step(simulation, Action::Exclude, id));
        CHECK(has_step(simulation, Action::DeleteResources, id));
        const TraceStep* wait = wait_at(simulation, "exclusion-complete");
        REQUIRE(wait != nullptr);
        CHECK(wait->bytes == (id == "log-1" ? 0 : 1000 * servers));
      }
    }
  }
}

TEST_CASE("a time of exclusion that the database does not confirm is taken back") {
  Case it = make_case(3, 0);
  it.snapshot.database.is_given = true;
  ProcessGroup& group = group_of(it, "storage-1");
  group.marked = it.snapshot.now - 3600;
  group.excluded = it.snapshot.now - 1800;
  const Simulation simulation = simulate(it.snapshot, it.desired, {});
  expect_end(it, simulation);
  CHECK(has_step(simulation, Action::Exclude, "storage-1"));
}

TEST_CASE("groups whose resources are gone, going or left over are included and dropped") {
  for (const char* kind : {"gone", "pod going", "claim going", "claim left"}) {
    CAPTURE(kind);
    Case it = make_case(3, 0);
    ProcessGroup& group = group_of(it, "storage-1");
    group.marked = it.snapshot.now - 3600;
    group.excluded = it.snapshot.now - 1800;
    group.processes.clear();
    const std::string text = kind;
    if (text == "pod going") group.pod->terminating_since = it.snapshot.now - 10;
    if (text != "pod going") group.pod.reset();
    if (text == "gone") group.volume.reset();
    if (text == "claim going" || text == "pod going") group.volume->is_terminating = true;
    it.snapshot.database.exclusions.insert(locality_target("storage-1"));
    const Simulation simulation = simulate(it.snapshot, it.desired, {});
    expect_end(it, simulation);
    CHECK(has_step(simulation, Action::Include, "storage-1"));
    CHECK(has_step(simulation, Action::DropProcessGroup, "storage-1"));
    CHECK(has_step(simulation, Action::DeleteResources, "storage-1") == (text == "claim left"));
  }
}

TEST_CASE(
    "an excluded coordinator gives way while a version that is not compatible is rolled out") {
  Case it = make_case(3, 0);
  it.desired.version = {7, 4, 6};
  it.snapshot.database.is_given = true;
  // Servers that are missed hold the restart of all up, so that the upgrade goes on for a while.
  group_of(it, "stateless-1").processes.clear();
  ProcessGroup& group = group_of(it, "log-1");
  group.processes.front().is_coordinator = true;
  group.processes.front().is_excluded = true;
  group.marked = it.snapshot.now - 3600;
  it.snapshot.database.exclusions.insert(locality_target("log-1"));
  const Simulation simulation = simulate(it.snapshot, it.desired, {});
  const auto first = [&](Action action) {
    return std::ranges::find(simulation.steps, action, &TraceStep::action);
  };
  REQUIRE(first(Action::ChangeCoordinators) != simulation.steps.end());
  CHECK(first(Action::ChangeCoordinators) < first(Action::KillProcesses));
}

TEST_CASE("a pod that is being deleted is made anew") {
  Case it = make_case(3, 0);
  group_of(it, "storage-2").pod->terminating_since = it.snapshot.now - 5;
  const Simulation simulation = simulate(it.snapshot, it.desired, {});
  expect_end(it, simulation);
  CHECK(wait_at(simulation, "terminating") != nullptr);
  CHECK(has_step(simulation, Action::CreatePod, "storage-2"));
}

TEST_CASE("pods that are as wished already are left alone when an edit is taken back") {
  Case it = make_case(3, 0);
  for (ProcessGroup& group : it.snapshot.groups) group.pod->is_assumed = false;
  it.snapshot.spec.storage_servers_per_pod = 2;  // all pods have 1
  it.snapshot.status.storage_densities = {1};
  it.desired.storage_servers_per_pod = 1;
  CHECK(simulate(it.snapshot, it.desired, {}).steps.empty());
  group_of(it, "storage-2").pod->servers = 2;
  group_of(it, "storage-2").processes.push_back(group_of(it, "storage-2").processes.front());
  const Simulation simulation = simulate(it.snapshot, it.desired, {});
  CHECK(has_step(simulation, Action::MarkForRemoval, "storage-2"));
  CHECK_FALSE(has_step(simulation, Action::MarkForRemoval, "storage-1"));
  CHECK_FALSE(has_step(simulation, Action::DeletePod, "storage-1"));
}

TEST_CASE("a server that tells no start command while others do is missing") {
  ProcessGroup group = test::storage_group(1, "a");
  CHECK(group.reporting() == 1);
  group.processes.front().is_incomplete = true;
  CHECK(group.reporting() == 0);
}

TEST_CASE("nothing is done only where no group keeps a condition") {
  Case it = make_case(3, 0);
  it.snapshot.database.is_given = true;
  ProcessGroup& group = group_of(it, "storage-1");
  group.processes.clear();
  group.conditions.set(Condition::MissingProcesses, it.snapshot.now - 100);
  it.desired.automation.replacements.enabled = false;
  const Simulation simulation = simulate(it.snapshot, it.desired, {});
  REQUIRE(simulation.ending == Ending::Blocked);
  CHECK(simulation.steps.back().gate == "left-unhealthy");
  CHECK(simulation.steps.back().observed.find("enabled is false") != std::string::npos);
}

TEST_CASE("a group that lacks its server for too long is replaced when its time has come") {
  Case it = make_case(4, 0);
  it.snapshot.database.is_given = true;
  ProcessGroup& group = group_of(it, "storage-1");
  group.processes.clear();
  group.conditions.set(Condition::MissingProcesses, it.snapshot.now - 100);
  const Simulation simulation = simulate(it.snapshot, it.desired, {});
  const auto wait = std::ranges::find(simulation.steps, "failure-detection", &TraceStep::gate);
  REQUIRE(wait != simulation.steps.end());
  CHECK(wait->until == it.snapshot.now - 100 + 7200 + 1);
  CHECK(has_step(simulation, Action::MarkForRemoval, "storage-1"));
  CHECK(simulation.ending != Ending::Blocked);
}

TEST_CASE("labels of a template are added and changed, never taken away") {
  Case it = make_case(4, 0);
  it.desired = it.snapshot.spec;
  auto& labels = it.snapshot.spec.processes[index(ProcessClass::Storage)].pod.labels;
  auto& wished = it.desired.processes[index(ProcessClass::Storage)].pod.labels;
  const auto patches = [&] {
    return has_step(simulate(it.snapshot, it.desired, {}), Action::UpdatePodMetadata, "storage-1");
  };
  labels = {{"team", "x"}};
  CHECK_FALSE(patches());
  wished = {{"team", "y"}};
  CHECK(patches());
  // The pod tells that an earlier edit has reached it.
  Pod& pod = *group_of(it, "storage-1").pod;
  pod.is_assumed = false;
  pod.has_node_note = true;
  pod.labels = {{"team", "y"}};
  CHECK_FALSE(patches());
  pod.labels = {};
  labels = wished;
  CHECK(patches());
}

TEST_CASE("the hash of a pod's configuration is the operator's") {
  const std::map<std::string, std::string> data = {{"cluster-file", "a:b@1.1.1.1:4501"},
                                                   {"fdbmonitor-conf-log", "x < y & \"z\"\n"},
                                                   {"fdbmonitor-conf-storage", "not its own"},
                                                   {"running-version", "7.3.63"}};
  // SHA-256 of what Go writes for the three entries, with the end of the line.
  CHECK(config_map_hash(data, ProcessClass::Log, ImageType::Split, 1) ==
        "9bc24a46ce673cd6c3c26ac486b08bea1c7e636ab762a00f5cc3154e1acad18e");
}

TEST_CASE("coordinators are reachable at their addresses, not by their names alone") {
  Cluster cluster;
  cluster.name = "demo";
  for (int i = 1; i <= 3; ++i) {
    ProcessGroup group = test::storage_group(i, "zone-" + std::to_string(i));
    const Address address{"10.0.0." + std::to_string(i), 4501, false};
    group.processes.front().addresses = {address};
    cluster.database.coordinators.push_back({address, true});
    cluster.groups.push_back(std::move(group));
  }
  const std::vector<TraceStep> steps = {
      test::step(Action::DeletePod, {"storage-1"}), test::step(Action::CreatePod, {"storage-1"}),
      test::step(Action::DeletePod, {"storage-2"}), test::step(Action::CreatePod, {"storage-2"})};
  const auto lost = reachable_coordinators(cluster, steps);
  REQUIRE(lost.size() == 2);
  CHECK(lost[0].reachable == 2);
  CHECK(lost[1].reachable == 1);
  cluster.status.connection_string =
      "demo:x@demo-storage-1.demo:4501,demo-storage-2.demo:4501,demo-storage-3.demo:4501";
  const auto named = reachable_coordinators(cluster, steps);
  REQUIRE(named.size() == 2);
  CHECK(named[1].reachable == 2);
}

TEST_CASE("the maintenance of a zone spares its storage servers from replacement, and no others") {
  for (const std::string id : {"storage-1", "log-1"}) {
    CAPTURE(id);
    Case it = make_case(4, 0);
    it.snapshot.database.is_given = true;
    ProcessGroup& group = group_of(it, id);
    group.processes.clear();
    group.conditions.set(Condition::MissingProcesses, it.snapshot.now - 100'000);
    it.snapshot.database.maintenance_zone = group.fault_domain;
    const Simulation simulation = simulate(it.snapshot, it.desired, {});
    CHECK(has_step(simulation, Action::MarkForRemoval, id) == (id == "log-1"));
  }
}

TEST_CASE("the init container of a split pod counts as more resources than a unified pod has") {
  for (const bool is_replaced : {true, false}) {
    CAPTURE(is_replaced);
    Case it = make_case(3, 0);
    it.desired.image_type = ImageType::Split;
    it.desired.replace_on_resource_change = is_replaced;
    World world = make_world(it.snapshot, it.desired, {});
    const Member& group = *std::ranges::find(world.groups, "log-1", &Member::id);
    REQUIRE(group.pod->image_type == ImageType::Unified);
    const auto reasons = replacement_differences(world, group);
    CHECK(std::ranges::count(reasons, "resources-increased") == (is_replaced ? 1 : 0));
  }
}

TEST_CASE("a pod that is made again brings back the coordinator that the snapshot missed") {
  for (const bool is_remade : {true, false}) {
    CAPTURE(is_remade);
    Case it = make_case(3, 0);
    it.snapshot.database.is_given = true;
    World world = make_world(it.snapshot, it.desired, {});
    Member& group = *std::ranges::find(world.groups, "log-1", &Member::id);
    REQUIRE_FALSE(group.processes.empty());
    group.was_touched = is_remade;
    CoordinatorState missed{group.processes.front().addresses.front(), false};
    missed.address.host =
        dns_of(world, {&group.processes.front(), &group, &group.id, group.process_class});
    world.db.coordinators = {missed};
    follow_coordinators(world);
    CHECK(world.db.coordinators.front().is_reachable == is_remade);
    CHECK(world.db.coordinators.front().held_by == "log-1");
  }
}

TEST_CASE("a coordinator that has a name comes back with the pod that is just starting") {
  Case it = make_case(3, 0);
  it.snapshot.database.is_given = true;
  it.snapshot.status.is_configured = it.snapshot.status.required.non_tls = true;
  ProcessGroup& group = group_of(it, "log-1");
  group.processes.clear();
  group.pod->phase = Phase::Pending;
  group.pod->created = it.snapshot.now;
  group.pod->is_assumed = false;
  const World before = make_world(it.snapshot, it.desired, {});
  const std::string name = dns_of(before, *std::ranges::find(before.groups, "log-1", &Member::id));
  it.snapshot.database.coordinators = {{{name, plain_port(1), false}, false}};
  World world = make_world(it.snapshot, it.desired, {});
  CHECK(world.db.coordinators.front().held_by == "log-1");
  REQUIRE(world.find("log-1")->pod_created);
  settle(world);
  CHECK(world.db.coordinators.front().is_reachable);
}

TEST_CASE("no coordinators are chosen while a server lacks the wanted kind of address") {
  Case it = make_case(3, 0);
  it.snapshot.database.is_given = true;
  World world = make_world(it.snapshot, it.desired, {});
  world.spec.enable_tls = true;
  for (Member& group : world.groups) {
    for (Process& process : group.processes)
      process.addresses.push_back({process.addresses.front().host, tls_port(1), true});
  }
  REQUIRE(choose_coordinators(world));
  world.find("stateless-1")->processes.front().addresses.pop_back();
  CHECK_FALSE(choose_coordinators(world));
}

}  // namespace
}  // namespace ballast::fdb
