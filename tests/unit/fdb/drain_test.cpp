// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/ask/drain.hpp"

#include <doctest/doctest.h>

#include "ballast/fdb/cli/drain_report.hpp"
#include "support/fdb_steps.hpp"

using namespace ballast::fdb;
using ballast::fdb::test::step;

namespace {

Cluster three_groups() {
  Cluster cluster;
  for (int i = 1; i <= 3; ++i) {
    cluster.groups.push_back(test::storage_group(i, "zone-" + std::to_string((i + 1) / 2)));
  }
  return cluster;
}

}  // namespace

TEST_CASE("drain: data that leaves first keeps the fault tolerance") {
  const Cluster cluster = three_groups();
  const std::vector<TraceStep> steps = {step(Action::MarkForRemoval, {"storage-1", "storage-2"}),
                                        step(Action::Exclude, {"storage-1", "storage-2"}),
                                        step(Action::DeleteResources, {"storage-2"}),
                                        step(Action::DeleteResources, {"storage-1"})};
  const Drain drain = follow_drain(cluster, ClusterSpec{}, {"storage-1", "storage-2"}, steps);
  REQUIRE(drain.groups.size() == 2);
  CHECK(drain.groups[0].id == "storage-2");
  CHECK(drain.groups[0].excluded_at == 2);
  CHECK(drain.groups[0].removed_at == 3);
  CHECK(drain.groups[1].removed_at == 4);
  CHECK(drain.weak_moments.empty());
  CHECK(drain.fault_tolerance == 1);
}

TEST_CASE(
    "drain: a removal without exclusion and a recreation are weak moments, a new pod ends the "
    "latter") {
  const Cluster cluster = three_groups();
  const std::vector<TraceStep> steps = {
      step(Action::DeletePod, {"storage-3"}), step(Action::CreatePod, {"storage-3"}),
      step(Action::DeleteResources, {"storage-1"}), step(Action::DeletePod, {"storage-3"})};
  const Drain drain = follow_drain(cluster, ClusterSpec{}, {"storage-1"}, steps);
  REQUIRE(drain.weak_moments.size() == 3);
  CHECK(drain.weak_moments[0].groups == std::vector<std::string>{"storage-3"});
  CHECK(drain.weak_moments[0].more_may_fail == 0);
  CHECK(drain.weak_moments[1].groups == std::vector<std::string>{"storage-1"});
  CHECK(drain.weak_moments[2].zones == 2);
  CHECK(drain.weak_moments[2].more_may_fail == -1);
  CHECK(drain_to_text(drain) ==
        "  group     class   zone   data excluded removed\n"
        "  storage-1 storage zone-1    ? never    step 3\n"
        "  after step 1: storage-3 down with data, 1 zone: 0 more may fail\n"
        "  after step 3: storage-1 down with data, 1 zone: 0 more may fail\n"
        "  after step 4: storage-1, storage-3 down with data, 2 zones: the fault tolerance is "
        "exceeded\n");
}
