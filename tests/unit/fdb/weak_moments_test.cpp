// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/moments/weak_moments.hpp"

#include <doctest/doctest.h>

#include "support/fdb_steps.hpp"

using namespace ballast::fdb;
using ballast::fdb::test::step;
using ballast::plan::Weakest;

namespace {

/// Three storage groups in three zones, all of them coordinators.
Cluster three_zones() {
  Cluster cluster;
  for (int i = 1; i <= 3; ++i) {
    ProcessGroup group = test::storage_group(i, "zone-" + std::to_string(i));
    group.addresses = {"10.0.0." + std::to_string(i)};
    group.processes.front().is_coordinator = true;
    cluster.groups.push_back(group);
  }
  return cluster;
}

std::vector<Weakest> weakest(const Cluster& cluster, const std::vector<TraceStep>& steps) {
  return weakest_moments(cluster, follow_copies(cluster, 1, steps), steps);
}

}  // namespace

TEST_CASE("weak moments: none while data and coordinators leave before their pods") {
  const auto moments =
      weakest(three_zones(),
              {step(Action::Exclude, {"storage-1"}),
               step(Action::ChangeCoordinators, {"storage-2", "storage-3", "storage-4"}),
               step(Action::DeleteResources, {"storage-1"}), step(Action::Include, {"storage-1"})});
  CHECK(moments.empty());
  CHECK(worst_moment_text(moments).empty());
}

TEST_CASE("weak moments: a pod that is made anew costs a zone, and its coordinator for good") {
  const auto moments =
      weakest(three_zones(),
              {step(Action::DeletePod, {"storage-1"}), step(Action::CreatePod, {"storage-1"}),
               step(Action::DeletePod, {"storage-2"}), step(Action::CreatePod, {"storage-2"})});
  REQUIRE(moments.size() == 2);
  CHECK(moments[0] == Weakest{1, "redundancy", "storage-1", 0, 0});
  CHECK(moments[1] == Weakest{3, "quorum", "3 coordinators", 1, 2});
  CHECK(worst_moment_text(moments) == "storage-1 down, 0 more zones may fail (step 1)");
}

TEST_CASE("weak moments: the worst of several is told, beyond the tolerance before a pause") {
  std::vector<TraceStep> steps = {
      step(Action::KillProcesses, {"storage-1", "storage-2", "storage-3"}),
      step(Action::DeletePod, {"storage-1"})};
  auto moments = weakest(three_zones(), steps);
  REQUIRE(moments.size() == 3);
  CHECK(
      moments[2] ==
      Weakest{1, "availability", "servers of 3 groups restart at once", "a pause of seconds", {}});
  CHECK(worst_moment_text(moments) == "servers of 3 groups restart at once (step 1)");
  steps.push_back(step(Action::DeletePod, {"storage-2"}));
  moments = weakest(three_zones(), steps);
  CHECK(moments[0] == Weakest{3, "redundancy", "storage-1, storage-2", -1, 0});
  CHECK(moments[1] == Weakest{3, "quorum", "3 coordinators", 1, 2});
  CHECK(worst_moment_text(moments) == "storage-1, storage-2 down, more than may fail (step 3)");
}

TEST_CASE("weak moments: what is down from the start is told even if no step takes more away") {
  Cluster cluster = three_zones();
  cluster.groups[1].processes.clear();
  const auto moments = weakest(cluster, {step(Action::SetStatus, {})});
  REQUIRE(moments.size() == 1);
  CHECK(moments[0] == Weakest{std::nullopt, "redundancy", "storage-2", 0, 0});
  CHECK(worst_moment_text(moments) == "storage-2 down, 0 more zones may fail (from the start)");
  CHECK(weakest(cluster, {}).empty());
  cluster.groups[1].addresses.clear();  // it never ran, so it never held a copy
  CHECK(weakest(cluster, {step(Action::SetStatus, {})}).empty());
}

TEST_CASE("weak moments: the least free space in bytes") {
  std::vector<TraceStep> steps = {step(Action::Exclude, {"storage-1"}),
                                  step(Action::Exclude, {"storage-2"})};
  steps[0].free_share = 0.5;
  steps[0].free_bytes = std::int64_t{50} << 30;
  steps[0].free_bytes_required = std::int64_t{10} << 30;
  steps[1].free_share = 0.3;
  steps[1].free_bytes = std::int64_t{30} << 30;
  steps[1].free_bytes_required = std::int64_t{10} << 30;
  const auto moments = weakest(three_zones(), steps);
  REQUIRE(moments.size() == 1);
  CHECK(moments[0] ==
        Weakest{2, "free space", "storage disks", std::int64_t{30} << 30, std::int64_t{10} << 30});
  CHECK(worst_moment_text(moments) == "30.0 GiB free on storage disks (step 2)");
}

TEST_CASE("exposures: from the step that takes a pod away until it is made again") {
  const std::vector<TraceStep> steps = {
      step(Action::DeletePod, {"storage-1", "storage-3"}), step(Action::CreatePod, {"storage-1"}),
      step(Action::Exclude, {"storage-2"}), step(Action::DeleteResources, {"storage-2"}),
      step(Action::DeleteResources, {"storage-1"})};
  const auto exposures = follow_copies(three_zones(), 1, steps).exposures;
  REQUIRE(exposures.size() == 3);
  CHECK(exposures[0].group == "storage-1");
  CHECK(exposures[0].until == 2);
  CHECK(exposures[1].group == "storage-3");
  CHECK_FALSE(exposures[1].until);
  CHECK(exposures[2].step == 5);
  CHECK_FALSE(exposures[2].until);
}
