// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/redundancy/group_health.hpp"

#include <doctest/doctest.h>

#include "support/ganeti_text.hpp"

using namespace ballast::ganeti;
using ballast::ganeti::test::ClusterText;

namespace {

std::int64_t count(const GroupHealth& health, HealthCheck check) {
  return health.counts.at(static_cast<std::size_t>(check));
}

ClusterText three_nodes(const std::string& instances) {
  ClusterText text;
  text.nodes =
      "a|1000|0|1000|1000|1000|4|N|uuid-g|1\nb|1000|0|1000|1000|1000|4|N|uuid-g|1\n"
      "c|1000|0|1000|1000|1000|4|Y|uuid-g|1\n";
  text.instances = instances;
  return text;
}

}  // namespace

TEST_CASE("offline nodes count once each, their primaries one by one") {
  const Snapshot s =
      test::load(three_nodes("p|10|10|1|running|Y|c|a|drbd||1\nq|10|10|1|running|Y|c|a|drbd||1\n"));
  const GroupHealth health =
      check_groups(s.cluster, s.state, parts_of(s.cluster, s.state), true).at(0);
  CHECK(count(health, HealthCheck::OfflinePrimaries) == 2);
  CHECK(count(health, HealthCheck::OfflineSecondaries) == 1);
  CHECK(count(health, HealthCheck::NotEvacuable) == 0);
  CHECK(needs_rebalancing({&health, 1}));
}

TEST_CASE("without capacity checks the last count is absent") {
  const Snapshot s = test::load(three_nodes("p|2000|10|1|running|Y|a|b|drbd||1\n"));
  const std::vector<Part> parts = parts_of(s.cluster, s.state);
  CHECK(count(check_group(s.cluster, s.state, parts.at(0), true), HealthCheck::NotEvacuable) == 1);
  CHECK(check_group(s.cluster, s.state, parts.at(0), false).counts.size() == kHealthChecks - 1);
}

TEST_CASE("a drbd instance without secondary makes the group incomplete") {
  const Snapshot s = test::load(three_nodes("p|10|10|1|running|Y|a||drbd||1\n"));
  const std::vector<Part> parts = parts_of(s.cluster, s.state);
  CHECK(check_group(s.cluster, s.state, parts.at(0), true).is_incomplete);
  CHECK_FALSE(check_group(s.cluster, s.state, parts.at(0), false).is_incomplete);
}

TEST_CASE("sums over no groups are no sums") {
  CHECK(total_counts({}).empty());
  CHECK_FALSE(needs_rebalancing({}));
}

TEST_CASE("each group is balanced on its own") {
  ClusterText text;
  text.groups = "g|uuid-g|preferred||\nh|uuid-h|preferred||\n";
  for (const char* group : {"g", "h"}) {
    for (const char* node : {"1", "2"})
      text.nodes += std::string(group) + node + "|1000|0|1000|1000|1000|4|N|uuid-" + group + "|1\n";
    for (const char* name : {"p", "q"})
      text.instances +=
          std::string(group) + name + "|100|10|1|running|Y|" + group + "1|" + group + "2|drbd||1\n";
  }
  const Snapshot s = test::load(text);
  const Rebalancing done = rebalance(s.cluster, s.state, parts_of(s.cluster, s.state), {});
  CHECK(done.parts_done == 2);
  REQUIRE(done.steps.size() == 2);
  CHECK(done.steps[0].size() == 1);
  CHECK(done.steps[1].size() == 1);
  CHECK(done.state[test::instance(s, "hp")].primary != done.state[test::instance(s, "hq")].primary);
}
