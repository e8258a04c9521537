// SPDX-License-Identifier: BSD-2-Clause
// What the second opinion lets pass, each beside its neighbour that it finds.
#include "ballast/fdb/search/check/second_opinion.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/fdb_steps.hpp"

namespace ballast::fdb {
namespace {

using test::step;

TraceStep step_of(Reconciler reconciler, Action action, std::vector<std::string> targets) {
  TraceStep result = step(action, std::move(targets));
  result.reconciler = reconciler;
  return result;
}

/// Storage groups, each in a zone of its own, that two copies are wanted of.
struct Scene {
  Cluster cluster;
  ClusterSpec wish;
  PlanOptions options;
  std::vector<TraceStep> steps;

  explicit Scene(int groups) {
    for (int i = 1; i <= groups; ++i) {
      ProcessGroup group = test::storage_group(i, "zone-" + std::to_string(i));
      group.addresses = {"10.0.0." + std::to_string(i)};
      cluster.groups.push_back(std::move(group));
    }
    wish.counts.fill(-1);
    wish.counts[index(ProcessClass::Storage)] = groups;
    wish.database.redundancy_mode = "double";
  }

  ProcessGroup& group(int i) { return cluster.groups[static_cast<std::size_t>(i - 1)]; }

  using Problems = std::vector<std::string>;
  [[nodiscard]] Problems found_by(void (*check)(const Evidence&, Problems&)) const {
    Problems problems;
    check({cluster, wish, options, steps}, problems);
    return problems;
  }
};

}  // namespace

TEST_CASE("a pod that a finalizer holds does not go, so the next zone may have its turn") {
  Scene scene(3);
  scene.steps = {step_of(Reconciler::UpdatePods, Action::DeletePod, {"storage-1"}),
                 step(Action::MarkForRemoval, {"storage-1"}),
                 step_of(Reconciler::UpdatePods, Action::DeletePod, {"storage-2"})};
  CHECK(scene.found_by(check_copies) ==
        std::vector<std::string>{"step 3: pods with data are down in 2 zones"});
  scene.group(1).pod->is_held = true;
  CHECK(scene.found_by(check_copies).empty());
}

TEST_CASE("a group whose pod goes by itself is included and dropped once nothing is left there") {
  Scene scene(3);
  TraceStep last = step(Action::DropProcessGroup, {"storage-1"});
  last.pass = 2;
  last.at = scene.options.flags.recovery_for_exclusion;
  scene.steps = {step(Action::MarkForRemoval, {"storage-1"}), step(Action::Exclude, {"storage-1"}),
                 last};
  const std::vector<std::string> early = {"step 3: storage-1 is dropped while its resources exist"};
  CHECK(scene.found_by(check_lives) == early);
  scene.group(1).pod->terminating_since = 0;
  CHECK(scene.found_by(check_lives).empty());
  scene.steps.back().at = 1;
  CHECK(scene.found_by(check_lives) == early);
  scene.wish.groups_to_remove_without_exclusion = {"storage-1"};
  CHECK(scene.found_by(check_lives).empty());
  scene.steps = {last};
  CHECK(scene.found_by(check_lives) ==
        std::vector<std::string>{"step 1: storage-1 is dropped while its resources exist"});
}

TEST_CASE("a group that was excluded before it is marked is in no budget of replacements") {
  Scene scene(3);
  scene.wish.automation.max_concurrent_replacements = 1;
  const auto mark = [](const std::string& id) {
    return step_of(Reconciler::ReplaceMisconfiguredProcessGroups, Action::MarkForRemoval, {id});
  };
  scene.steps = {mark("storage-1"), mark("storage-2")};
  CHECK(scene.found_by(check_budgets) ==
        std::vector<std::string>{"step 2: 2 groups are replaced at once, 1 may be"});
  scene.group(1).processes.front().is_excluded = true;
  CHECK(scene.found_by(check_budgets).empty());
  // Of two servers one still serves.
  scene.group(1).processes.emplace_back();
  CHECK(scene.found_by(check_budgets).size() == 1);
}

TEST_CASE("a pod that hangs while it terminates counts for the budget of exclusions") {
  Scene scene(3);
  scene.cluster.now = 10'000;
  scene.steps = {step_of(Reconciler::ExcludeProcesses, Action::Exclude, {"storage-1"})};
  scene.group(2).processes.clear();
  const std::vector<std::string> too_few = {
      "step 1: 1 groups of class storage are left, 3 are wanted"};
  CHECK(scene.found_by(check_budgets) == too_few);
  scene.group(2).pod->terminating_since = 0;
  CHECK(scene.found_by(check_budgets).empty());
  scene.group(2).conditions.set(Condition::MissingProcesses, 0);
  CHECK(scene.found_by(check_budgets) == too_few);
}

TEST_CASE(
    "a coordinator that is chosen by the address of its service comes back with its next pod") {
  Scene scene(3);
  TraceStep choice = step(Action::ChangeCoordinators, {"storage-1", "storage-2", "storage-3"});
  choice.commands = {"coordinators 10.0.0.1:4501 10.0.0.2:4501 10.0.0.3:4501"};
  const auto taken = [](const std::string& id) {
    return step_of(Reconciler::UpdatePods, Action::DeletePod, {id});
  };
  scene.steps = {choice, taken("storage-1"), step(Action::CreatePod, {"storage-1"}),
                 taken("storage-2")};
  CHECK(scene.found_by(check_quorum) ==
        std::vector<std::string>{"step 4: 1 of 3 coordinators are left, 2 are needed"});
  scene.group(1).pod->public_ip_source = IpSource::Service;
  CHECK(scene.found_by(check_quorum).empty());
  scene.group(1).pod->public_ip_source = IpSource::Pod;
  scene.steps.insert(scene.steps.begin(), step(Action::CreateService, {"storage-1"}));
  CHECK(scene.found_by(check_quorum).empty());
}

TEST_CASE("servers of other objects in the same data centre take copies") {
  Scene scene(2);
  scene.wish.data_center = "here";
  scene.steps = {step_of(Reconciler::ExcludeProcesses, Action::Exclude, {"storage-1"})};
  const std::vector<std::string> short_of_zones = {"step 1: 1 zones are left for 2 copies"};
  CHECK(scene.found_by(check_copies) == short_of_zones);
  ForeignProcess other;
  other.group = "peer-storage-1";
  other.process.process_class = ProcessClass::Storage;
  other.process.zone = "zone-3";
  other.process.data_center = "elsewhere";
  scene.cluster.database.foreign = {other};
  CHECK(scene.found_by(check_copies) == short_of_zones);
  scene.cluster.database.foreign.front().process.data_center = "here";
  CHECK(scene.found_by(check_copies).empty());
  // In the zone of a group that stays it makes no further place.
  scene.cluster.database.foreign.front().process.zone = "zone-2";
  CHECK(scene.found_by(check_copies) == short_of_zones);
}

}  // namespace ballast::fdb
