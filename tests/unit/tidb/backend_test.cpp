// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/doc/merge.hpp"
#include "ballast/tidb/backend/canonical.hpp"
#include "ballast/tidb/backend/pd_config.hpp"
#include "ballast/tidb/backend/pd_dump.hpp"
#include "ballast/tidb/backend/stages.hpp"

#include "support/tidb_cluster.hpp"

#include <doctest/doctest.h>

using namespace ballast::tidb;
using namespace ballast::tidb::test;

TEST_CASE("duration_seconds reads Go durations") {
  CHECK(duration_seconds("90s") == 90);
  CHECK(duration_seconds("1h30m") == 5400);
  CHECK(duration_seconds("1.5h") == 5400);
  CHECK(duration_seconds("0") == 0);
  CHECK_FALSE(duration_seconds("").has_value());
  CHECK_FALSE(duration_seconds("5").has_value());
  CHECK_FALSE(duration_seconds("5x").has_value());
  CHECK_FALSE(duration_seconds("-5s").has_value());
}

TEST_CASE("pd_size reads sizes with and without a blank") {
  CHECK(pd_size("200GiB") == 200LL << 30);
  CHECK(pd_size("9.5 GiB") == 19LL << 29);
  CHECK(pd_size("17B") == 17);
  CHECK_FALSE(pd_size("many").has_value());
  CHECK_FALSE(pd_size("5 parsecs").has_value());
}

TEST_CASE("read_slots") {
  const auto slots = [](const char* text) { return read_slots(ballast::doc::Tree::string(text)); };
  CHECK(slots("[1,3]") == std::vector<std::int64_t>{1, 3});
  CHECK(slots("[ 3, 1, 3 ]") == std::vector<std::int64_t>{1, 3});
  CHECK(slots("[]") == std::vector<std::int64_t>{});
  CHECK_FALSE(slots("1,3").has_value());
  CHECK_FALSE(slots("[a]").has_value());
  CHECK_FALSE(slots("[-1]").has_value());
}

TEST_CASE("an extra set inherits what it does not say, and says what it overrides") {
  const auto loaded = load(request_for("", values(3,
                                                  "  resources: {requests: {cpu: 4, memory: 8Gi}}\n"
                                                  "  nodeSelector: {zone: a, disk: ssd}\n"
                                                  "  extra:\n"
                                                  "  - name: b\n"
                                                  "    nodeSelector: {zone: b, disk: null}\n"
                                                  "  - name: c\n"
                                                  "    replicas: 1\n"
                                                  "    resources: {requests: {cpu: 2000m}}\n")));
  REQUIRE(loaded.has_value());
  const SetSpec& b = *loaded->desired.find(Component::Tikv, "b");
  CHECK(b.replicas == 3);
  CHECK(b.image == "pingcap/tikv:v2.1.0");
  CHECK(b.placement.node_selector == std::map<std::string, std::string>{{"zone", "b"}});
  const SetSpec& c = *loaded->desired.find(Component::Tikv, "c");
  CHECK(c.replicas == 1);
  CHECK(c.placement.cpu_milli == 2000);
  CHECK(c.placement.memory_bytes == 8LL << 30);
}

TEST_CASE("everything that is wrong is reported, what is inherited once") {
  CHECK(errors_of(request_for(
            "", values(3, "  extra:\n  - name: a\n  - name: a\n  - name: default\n  - {}\n"))) ==
        "E001 tikv.extra[1]; E003 tikv.extra[2]; E002 tikv.extra[3]");
  CHECK(errors_of(request_for(
            "",
            values(3, "  resources: {requests: {cpu: 4x}}\n  extra: [{name: a}, {name: b}]\n"))) ==
        "E009 tikv.resources.requests.cpu");
  CHECK(errors_of(
            request_for("", values(3, "  extra: [{name: a, replicas: 1.5}, {name: \"\"}]\n"))) ==
        "E007 tikv.extra[0].replicas; E004 tikv.extra[1]");
  CHECK(errors_of(request_for("", values(30000))) == "E007 tikv.replicas");
  CHECK(errors_of(request_for("", "pd: [1]\nclusterName: x\n")) == "E011 pd");
  CHECK(errors_of(request_for("", "[]")) == "E015 -");
  CHECK(errors_of(request_for("", "kind: Deployment\n")) == "E015 -");
}

TEST_CASE("two sides of different clusters do not fit") {
  CHECK(errors_of(request_for(values(3), "clusterName: other\npd: {replicas: 1, image: x}\n")) ==
        "E014 -");
}

TEST_CASE("--order and --set name what there is") {
  LoadRequest request = request_for(values(3), values(3, "  extra: [{name: a}]\n"));
  request.orders = {"tikv=a,default"};
  CHECK(errors_of(request).empty());
  request.orders = {"tikv=a,a", "tiflash=a", "tikv=b"};
  CHECK(errors_of(request) == "E017 -; E017 -; E017 -");
  request.orders.clear();
  request.sets = {"tikv.extra[a].replicas=7", "tikv.replicas=1"};
  const auto loaded = load(request);
  REQUIRE(loaded.has_value());
  CHECK(loaded->desired.find(Component::Tikv, "a")->replicas == 7);
  CHECK(loaded->desired.find(Component::Tikv, "default")->replicas == 1);
  request.sets = {"tikv.bogus=1"};
  CHECK(errors_of(request) == "E019 -");
  request.sets = {"tikv.extra[9].replicas=1"};
  CHECK(errors_of(request) == "E019 -");
}

TEST_CASE("a file with spec and without kind is laid over the current object") {
  const std::string object =
      "apiVersion: pingcap.com/v1alpha1\nkind: TidbCluster\nmetadata: {name: demo}\n"
      "spec: {version: v7.5.0, tikv: {replicas: 3, limits: {cpu: 2}}}\n";
  const auto loaded = load(request_for(object, "spec: {tikv: {replicas: 4, limits: null}}\n"));
  REQUIRE(loaded.has_value());
  const SetSpec& tikv = *loaded->desired.find(Component::Tikv, "default");
  CHECK(tikv.replicas == 4);
  CHECK(tikv.image == "pingcap/tikv:v7.5.0");
  CHECK_FALSE(tikv.pod_template.contains("limits"));
}

TEST_CASE("store and member ids do not go through a double") {
  LoadRequest request = request_for(values(3), "");
  request.pd = {
      {"health.json", R"([{"name":"demo-pd-0","member_id":13195394291058371180,"health":true}])"}};
  const auto loaded = load(request);
  REQUIRE(loaded.has_value());
  CHECK(loaded->live.members.front().id == 13195394291058371180ULL);
}

TEST_CASE("overlay is what makes one mapping of another") {
  const auto parse = [](const char* text) { return ballast::doc::parse_yaml(text, "t")->front(); };
  const auto base = parse("{a: 1, b: {c: 2, d: 3}, e: [1]}");
  const auto wanted = parse("{a: 1, b: {c: 4}, f: x}");
  CHECK(ballast::doc::merged(base, overlay(base, wanted)) == parse("{a: 1, b: {c: 4}, f: x}"));
}
