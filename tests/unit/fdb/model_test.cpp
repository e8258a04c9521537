// SPDX-License-Identifier: BSD-2-Clause
#include <doctest/doctest.h>

#include "ballast/fdb/backend/canonical.hpp"
#include "ballast/fdb/model/address.hpp"
#include "ballast/fdb/model/condition.hpp"
#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/model/version.hpp"
#include "ballast/fdb/search/spread/choose.hpp"
#include "ballast/kube/quantity.hpp"

namespace {

using namespace ballast::fdb;

struct Pods {
  int storage;
  int log;
  int stateless;
  friend bool operator==(const Pods&, const Pods&) = default;
};

Pods pods(const ClusterSpec& spec) {
  const auto counts = wanted_pods(spec);
  return {counts[index(ProcessClass::Storage)], counts[index(ProcessClass::Log)],
          counts[index(ProcessClass::Stateless)]};
}

ClusterSpec with_mode(const char* mode) {
  ClusterSpec spec;
  spec.database.redundancy_mode = mode;
  return spec;
}

ClusterSpec with_roles() {
  ClusterSpec spec;
  spec.database.storage = 5;
  spec.database.logs = 3;
  spec.database.proxies = 5;
  return spec;
}

Region region(const char* main, std::vector<const char*> satellites, int logs) {
  Region result;
  result.data_centers.push_back({main, 1, false});
  for (const char* id : satellites) result.data_centers.push_back({id, 1, true});
  result.satellite_logs = logs;
  return result;
}

}  // namespace

TEST_CASE("process counts follow the redundancy mode") {
  CHECK(pods(with_mode("double")) == Pods{3, 4, 9});
  CHECK(pods(with_mode("single")) == Pods{1, 3, 8});
  CHECK(pods(with_mode("triple")) == Pods{5, 5, 10});
  CHECK(pods(with_mode("three_data_hall")) == Pods{5, 6, 10});
}

TEST_CASE("process counts leave out roles that have pods of their own") {
  ClusterSpec spec = with_mode("double");
  spec.counts[index(ProcessClass::ClusterController)] = 1;
  spec.counts[index(ProcessClass::Storage)] = 4;
  CHECK(pods(spec) == Pods{4, 4, 8});
}

TEST_CASE("process counts follow role counts") {
  ClusterSpec spec = with_roles();
  spec.database.proxies = 0;
  spec.database.grv_proxies = 4;
  spec.database.commit_proxies = 12;
  spec.database.resolvers = 1;
  CHECK(pods(spec) == Pods{5, 4, 22});
  spec.database.remote_logs = 4;
  spec.database.log_routers = 8;
  CHECK(pods(spec) == Pods{5, 5, 22});
}

TEST_CASE("process counts are shared between Kubernetes clusters") {
  ClusterSpec spec = with_roles();
  spec.fault_domain.key = "foundationdb.org/kubernetes-cluster";
  CHECK(pods(spec) == Pods{2, 2, 4});
  spec.fault_domain.zone_index = 2;
  CHECK(pods(spec) == Pods{1, 1, 3});
  spec.fault_domain.zone_index = 1;
  spec.fault_domain.zone_count = 5;
  CHECK(pods(spec) == Pods{1, 1, 2});
}

TEST_CASE("process counts of satellites hold only logs") {
  ClusterSpec spec = with_roles();
  spec.database.regions = {region("dc1", {"dc2"}, 2), region("dc3", {"dc4"}, 2)};
  spec.data_center = "dc1";
  CHECK(pods(spec) == Pods{5, 4, 11});
  spec.data_center = "dc2";
  CHECK(pods(spec) == Pods{0, 3, 0});
}

TEST_CASE("process counts of a data center that is main and satellite") {
  ClusterSpec spec = with_roles();
  spec.database.regions = {region("dc1", {"dc2", "dc3"}, 4), region("dc3", {"dc2", "dc1"}, 3)};
  for (const auto& [id, wanted] : std::vector<std::pair<const char*, Pods>>{
           {"dc1", {5, 7, 11}}, {"dc2", {0, 5, 0}}, {"dc3", {5, 8, 11}}}) {
    spec.data_center = id;
    CHECK(pods(spec) == wanted);
  }
}

TEST_CASE("choose spreads over zones, then raises the limit") {
  const std::vector<Candidate> candidates = {
      {"p1", "z1", "", "", 0, 0}, {"p2", "z1", "", "", 0, 1}, {"p3", "z2", "", "", 0, 2},
      {"p4", "z3", "", "", 0, 3}, {"p5", "z2", "", "", 0, 4}, {"p6", "z4", "", "", 0, 5}};
  const auto chosen = choose(candidates, 5, {});
  REQUIRE(chosen);
  CHECK(*chosen == std::vector<std::size_t>{0, 2, 3, 5, 1});
  ChooseRules strict;
  strict.limits.zone = 1;
  const auto refused = choose(candidates, 5, strict);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "Could only select 4 processes, but 5 are required");
}

TEST_CASE("volume_hash fills in the defaults") {
  const std::string known = "f0c8a45ea6c3dd26c2dc2b5f3c699f38d613dab273d0f8a6eae6abd9a9569063";
  CHECK(volume_hash(nullptr) == known);
  const auto written =
      ballast::doc::parse_documents("resources:\n  requests:\n    storage: 128G\n", "x");
  REQUIRE(written);
  CHECK(volume_hash(&written->front()) == known);
  const auto larger =
      ballast::doc::parse_documents("resources:\n  requests:\n    storage: 256G\n", "x");
  REQUIRE(larger);
  CHECK(volume_hash(&larger->front()) != known);
}

TEST_CASE("canonical_quantity prints as Kubernetes does") {
  for (const auto& [text, wanted] :
       std::vector<std::pair<const char*, const char*>>{{"1024Mi", "1Gi"},
                                                        {"128G", "128G"},
                                                        {"0.5", "500m"},
                                                        {"1000", "1k"},
                                                        {"1", "1"},
                                                        {"1000m", "1"},
                                                        {"1.5Gi", "1536Mi"},
                                                        {"0", "0"}}) {
    CHECK(ballast::kube::canonical_quantity(text) == wanted);
  }
}

TEST_CASE("parse_address reads ports and flags from the right") {
  CHECK(*parse_address("10.0.0.1:4500:tls") == Address{"10.0.0.1", 4500, true});
  CHECK(*parse_address("[::1]:4501") == Address{"::1", 4501, false});
  CHECK(*parse_address("pod.svc:4501(fromHostname)") == Address{"pod.svc", 4501, false});
  CHECK(*parse_address("10.0.0.1") == Address{"10.0.0.1", 0, false});
  CHECK_FALSE(parse_address(""));
  CHECK(to_string(Address{"::1", 4500, true}) == "[::1]:4500:tls");
}

TEST_CASE("versions decide what may be excluded by locality") {
  CHECK(supports_locality_exclusion({7, 1, 42}));
  CHECK_FALSE(supports_locality_exclusion({7, 1, 41}));
  CHECK_FALSE(supports_locality_exclusion({7, 3, 25}));
  CHECK(supports_locality_exclusion({7, 3, 26}));
  CHECK(reports_recovery_age({7, 1, 22}));
  CHECK_FALSE(parse_version("7.1"));
  CHECK_FALSE(parse_version("7.1.x"));
}

TEST_CASE("identity takes names apart") {
  CHECK(group_of_process_id("dc1-storage-1-2") == "dc1-storage-1");
  CHECK(group_of_process_id("storage-2") == "storage-2");
  CHECK(pod_name("demo", ProcessClass::ClusterController, 1) == "demo-cluster-controller-1");
  CHECK(parse_group_id("dc1-cluster_controller-12")->prefix == "dc1");
  CHECK_FALSE(parse_group_id("storage"));
}

TEST_CASE("conditions are known by older spellings and keep their time") {
  CHECK(parse_condition("missingPvc") == Condition::MissingPvc);
  CHECK(parse_condition("NotConnecting") == Condition::MissingProcesses);
  CHECK_FALSE(parse_condition("Missing"));
  Conditions conditions;
  conditions.set(Condition::PodPending, 5);
  conditions.set(Condition::PodPending, 9);
  CHECK(conditions.since(Condition::PodPending) == 5);
  conditions.clear(Condition::PodPending);
  CHECK_FALSE(conditions.any());
}
