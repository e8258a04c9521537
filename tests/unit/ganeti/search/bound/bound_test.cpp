// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>

#include <doctest/doctest.h>

#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/bound/bound.hpp"
#include "support/ganeti_text.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

/// Four nodes of 32 GiB and 20 GiB of disk in a ring: on each the primary of one instance of 4 GiB
/// and 8 GiB of disk, and the secondary of its neighbour.
test::ClusterText ring(const std::string& free_disk) {
  test::ClusterText text;
  for (int n = 0; n < 4; ++n) {
    const std::string name = "n" + std::to_string(n);
    text.nodes += name + "|32768|0|28672|20480|" + free_disk + "|8|N|uuid-g\n";
    text.instances += "i" + std::to_string(n) + "|4096|8192|1|running|Y|" + name + "|n" +
                      std::to_string((n + 1) % 4) + "|drbd|\n";
  }
  return text;
}

Bound whole_bound_of(const Snapshot& snapshot, const BoundOptions& options = {}) {
  const auto parts = parts_of(snapshot.cluster, snapshot.state);
  return least_possible_score(snapshot.cluster, snapshot.state, parts.front(), options);
}

/// By the reserve and even numbers alone.
double bound_of(const Snapshot& snapshot) { return whole_bound_of(snapshot, {.work = 0}).score; }

/// Without loads of 1 the numbers of instances do not count.
Snapshot with_other_loads(Snapshot snapshot) {
  for (Instance& instance : snapshot.cluster.instances) instance.load.cpu = 2;
  return snapshot;
}

double reserve_bound(double nodes_that_reserve) {
  const double share = 4096.0 / 32768;
  const double fraction = nodes_that_reserve / 4;
  const double deviation = share * std::sqrt(fraction * (1 - fraction));
  return 0.25 * nodes_that_reserve * share + 0.25 * 4 / std::sqrt(3.0) * deviation;
}

}  // namespace

TEST_CASE("As many nodes reserve as it takes to hold the disks of all secondaries") {
  // Two secondaries to a node, and four, and as many as there are.
  const auto bound_at = [](const std::string& free_disk) {
    return bound_of(with_other_loads(test::load(ring(free_disk))));
  };
  CHECK(bound_at("4096") == doctest::Approx(reserve_bound(2)));
  CHECK(bound_at("16384") == doctest::Approx(reserve_bound(1)));
  CHECK(bound_at("0") == doctest::Approx(reserve_bound(2)));
}

TEST_CASE("Secondaries that are spread evenly make each node reserve") {
  CHECK(bound_of(test::load(ring("16384"))) == doctest::Approx(0.25 * 4 * 4096 / 32768));
}

TEST_CASE("Large secondaries gather on few nodes only as far as the numbers stay even") {
  // Four instances of 4 GiB and four of 1 GiB: two nodes could hold the large ones.
  test::ClusterText text;
  for (int n = 0; n < 4; ++n) {
    const std::string name = "n" + std::to_string(n);
    const std::string next = "n" + std::to_string((n + 1) % 4);
    text.nodes += name + "|32768|0|27648|20480|10000|8|N|uuid-g\n";
    text.instances += "i" + std::to_string(n) + "|4096|1024|1|running|Y|" + name + "|" + next +
                      "|drbd|\n" + "j" + std::to_string(n) + "|1024|1024|1|running|Y|" + name +
                      "|" + next + "|drbd|\n";
  }
  const double even = 0.25 * (2 * 4096 + 2 * 1024) / 32768;
  const double bound = bound_of(test::load(text));
  CHECK(bound >= even);
  CHECK(bound <= even + 0.25 * 4 / std::sqrt(3.0) * 1536 / 32768 + 1e-9);
}

TEST_CASE("What cannot leave an offline node counts, and the rest may be even") {
  test::ClusterText text = ring("4096");
  text.nodes += "n4|32768|0|28672|20480|4096|8|Y|uuid-g\n";
  text.instances += "p|4096|1024|1|running|Y|n4||plain|\n";
  CHECK(bound_of(test::load(text)) == doctest::Approx(16 + 4 + 0.25 * 4 * 4096 / 32768));
}

TEST_CASE("The bound is not above the score that a cluster has") {
  const Snapshot snapshot = test::load(ring("4096"));
  const auto parts = parts_of(snapshot.cluster, snapshot.state);
  const double score = full_score(snapshot.cluster, snapshot.state, parts.front().nodes);
  CHECK(score == doctest::Approx(0.125));
  CHECK(bound_of(snapshot) <= score);
  // Nothing is better: the joined bound shows it.
  CHECK(whole_bound_of(snapshot).score == doctest::Approx(score));
}

TEST_CASE("What one metric wants, another pays: large secondaries on few nodes fill their disks") {
  // Three nodes could hold all large secondaries, and would then hold most of the disk, too.
  const Snapshot snapshot = with_other_loads(test::load(ring("16384")));
  const Bound joined = whole_bound_of(snapshot);
  CHECK(bound_of(snapshot) == doctest::Approx(reserve_bound(1)));
  CHECK(joined.score > 1.9 * reserve_bound(1));
  CHECK(joined.largest_need_mib == 4096);
  double sum = 0;
  for (const double part : joined.parts) sum += part;
  CHECK(sum == doctest::Approx(joined.score).epsilon(1e-3));
}

TEST_CASE("A node that is filled by what cannot move is named") {
  test::ClusterText text = ring("8192");
  text.nodes += "n4|32768|0|2048|20480|20480|8|N|uuid-g\n";
  text.instances += "p|30720|0|1|running|Y|n4||diskless|\n";
  const Snapshot snapshot = test::load(text);
  const Bound bound = whole_bound_of(snapshot);
  CHECK(bound.immovable == 1);
  REQUIRE(bound.fullest);
  CHECK(snapshot.cluster[bound.fullest->node].name == "n4");
  CHECK(bound.fullest->held == doctest::Approx(30720.0 / 32768));
  CHECK(bound.fullest->mean == doctest::Approx((30720.0 + 4 * 4096) / (5 * 32768)));
}

TEST_CASE("Storage units leave only what every node reserves in the mean") {
  test::ClusterText text;
  for (int n = 0; n < 3; ++n) {
    const std::string name = "n" + std::to_string(n);
    text.nodes += name + "|32768|0|28672|20480|4096|8|N|uuid-g|1||N|0|1|1.0|4096,20480,drbd8,vg\n";
    text.instances += "i" + std::to_string(n) + "|4096|8192|1|running|Y|" + name + "|n" +
                      std::to_string((n + 1) % 3) + "|drbd||1|-|N|8192,drbd8,vg\n";
  }
  CHECK(bound_of(with_other_loads(test::load(text))) ==
        doctest::Approx(0.25 * 3 * 4096 / 2 / 32768));
  // All three secondaries are as even as can be: each node reserves for one.
  CHECK(bound_of(test::load(text)) == doctest::Approx(0.25 * 3 * 4096 / 32768));
}
