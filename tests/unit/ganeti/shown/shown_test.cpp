// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/shown/shown.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "ballast/ganeti/loading/request_tags.hpp"
#include "support/ganeti_text.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

constexpr std::int64_t kNow = 1'700'000'000;

std::string repair(const std::vector<std::string>& wishes) {
  std::vector<std::string> tags;
  for (const std::string& wish : wishes) tags.push_back("ganeti:watcher:autorepair:" + wish);
  return shown_auto_repair({&tags}, kNow);
}

}  // namespace

TEST_CASE("automatic repair: the least intrusive wish counts, a suspension before any wish") {
  CHECK(repair({}) == "ArNotEnabled");
  CHECK(repair({"reinstall", "fix-storage"}) == "ArEnabled ArFixStorage");
  CHECK(repair({"failover", "reinstall"}) == "ArEnabled ArFailover");
  CHECK(repair({"migrate", "suspend"}) == "ArSuspended Forever");
  CHECK(repair({"suspend:"}) == "ArSuspended Forever");
  CHECK(repair({"migrate:x", "suspend:x", "suspend:5:6", "pending"}) == "ArNotEnabled");
}

TEST_CASE("automatic repair: a suspension that is over does not count, of others the latest") {
  CHECK(repair({"suspend:1699999999", "migrate"}) == "ArEnabled ArMigrate");
  CHECK(repair({"suspend:1700000000"}) == "ArNotEnabled");
  CHECK(repair({"suspend:1700000001"}) == "ArSuspended (Until Tue Nov 14 22:13:21 UTC 2023)");
  CHECK(repair({"suspend:1709251199", "suspend: 1709164800"}) ==
        "ArSuspended (Until Thu Feb 29 23:59:59 UTC 2024)");
  CHECK(repair({"suspend:253402300800"}) == "ArSuspended (Until Sat Jan  1 00:00:00 UTC 10000)");
}

TEST_CASE("automatic repair: the first list of tags that says something decides") {
  const std::vector<std::string> nothing{"other"};
  const std::vector<std::string> migrate{"ganeti:watcher:autorepair:migrate"};
  const std::vector<std::string> suspended{"ganeti:watcher:autorepair:suspend"};
  CHECK(shown_auto_repair({&nothing, &migrate, &suspended}, kNow) == "ArEnabled ArMigrate");
  CHECK(shown_auto_repair({&suspended, &migrate}, kNow) == "ArSuspended Forever");
}

TEST_CASE("requests are shown with their indices; negative numbers as arguments in parentheses") {
  CHECK(shown_of(Request(RelocateRequest{InstanceId(3), -1, {NodeId(0), NodeId(2)}}), {}) ==
        "Relocate 3 (-1) [0,2]");
  CHECK(shown_of(Request(NodeEvacuateRequest{{InstanceId(1)}, EvacuateMode::Secondary}), {}) ==
        "NodeEvacuate [1] ChangeSecondary");
  CHECK(shown_of(Request(ChangeGroupRequest{{InstanceId(0)}, {}}), {}) == "ChangeGroup [0] []");
  CHECK(shown_of(Request(AllocateSecondaryRequest{InstanceId(0)}), {}) == "AllocateSecondary 0");
}

TEST_CASE("tags of a request keep their texts in another cluster") {
  test::ClusterText text;
  text.nodes = "n1|1000|100|900|1000|1000|4|N|uuid-g|2|b:1\n";
  text.instances = "a|1|1|1|running|Y|n1||ext|m|1|-|N\n";
  text.tags = "htools:iextags:m\nhtools:nlocation:b\n";
  Snapshot snapshot = test::load(text);
  const std::vector<std::string> symbols{"a", "b:1", "z"};
  AllocateRequest allocate;
  allocate.wanted.instance.exclusion_tags = {TagId(2), TagId(0)};
  allocate.wanted.instance.desired_locations = {TagId(1)};
  Request request = allocate;
  adopt_request_tags(snapshot, request, symbols);
  const Cluster& cluster = snapshot.cluster;
  CHECK(std::is_sorted(cluster.symbols.begin(), cluster.symbols.end()));
  const auto text_of_tag = [&](TagId id) { return cluster.symbols[id.index()]; };
  const Instance& wanted = std::get<AllocateRequest>(request).wanted.instance;
  REQUIRE(wanted.exclusion_tags.size() == 2);
  CHECK(text_of_tag(wanted.exclusion_tags[0]) == "z");
  CHECK(text_of_tag(wanted.exclusion_tags[1]) == "a");
  CHECK(text_of_tag(wanted.desired_locations.at(0)) == "b:1");
  CHECK(wanted.desired_locations == cluster.nodes[0].location_tags);
  CHECK(text_of_tag(cluster.instances[0].exclusion_tags.at(0)) == "m");
  CHECK(text_of_tag(snapshot.state.nodes[0].primary_tags.at(0).first) == "m");
}
