// SPDX-License-Identifier: BSD-2-Clause
// One smallest case for each warning and note.
#include "support/tidb_cluster.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace ballast::tidb;
using namespace ballast::tidb::test;

namespace {

std::set<std::string> said_of(const Outcome& outcome) {
  std::set<std::string> codes;
  for (const ballast::plan::Warning& warning : outcome.warnings) codes.insert(warning.code);
  for (const auto& note : outcome.notes) codes.insert(note.code);
  for (const auto& assumption : outcome.assumptions) codes.insert(assumption.code);
  return codes;
}

std::set<std::string> said(const LoadRequest& request, const PlanOptions& options = {}) {
  CHECK(errors_of(request).empty());
  return said_of(plan_cluster(input_from(request, options)));
}

std::set<std::string> said(const std::string& current, const std::string& desired,
                           const PlanOptions& options = {}) {
  return said(request_for(current, desired), options);
}

/// A TidbCluster in single form with these lines of its spec, beside PD 3, TiKV 3 and TiDB 2.
std::string object(const std::string& spec, const std::string& metadata = "") {
  return "kind: TidbCluster\nmetadata: {name: demo, namespace: db" + metadata +
         "}\nspec:\n  version: v7.1.0\n" + spec;
}

const std::string kPd = "  pd: {replicas: 3, requests: {storage: 1Gi}}\n";
const std::string kTikv = "  tikv: {replicas: 3, requests: {storage: 10Gi}}\n";
const std::string kTidb = "  tidb: {replicas: 2}\n";
const std::string kAll = kPd + kTikv + kTidb;

std::string with(std::string text, const std::string& old, const std::string& fresh) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), fresh);
}

}  // namespace

TEST_CASE("warnings about what the files say") {
  CHECK(said("", values(3) + "  maxFailoverCount: 0\n").contains("W-MAXFAILOVER-ZERO"));
  CHECK(said("", values(3, "  replica: 3\n")).contains("W-UNKNOWN-KEY"));
  CHECK(said("", values(3, "  extra: [{name: a}]\n")).contains("A-INHERITED-REPLICAS"));
  CHECK(said("",
             "kind: TidbCluster\nmetadata: {name: demo}\nspec:\n  tikv: [{name: a, replicas: 1, "
             "image: \"i:v1\"}]\n")
            .contains("W-NO-DEFAULT"));
  CHECK(said(object(kAll), object(kAll + "  paused: true\n")).contains("W-PAUSED"));
  CHECK(said(object(kAll), object(kAll + "  tiflash: {replicas: 1}\n")).contains("W-NOT-PLANNED"));
  const std::string suspended =
      with(kAll, "{replicas: 2", "{suspendAction: {suspendStatefulSet: true}, replicas: 2");
  CHECK(said(object(kAll), object(suspended)).contains("W-SUSPEND"));
  const std::string slots = ", annotations: {tikv.tidb.pingcap.com/delete-slots: \"[1]\"}";
  CHECK(said(object(kAll), object(kAll, slots)).contains("W-SLOTS-IGNORED"));
  CHECK(
      said("kind: TidbCluster\nmetadata: {name: demo}\nspec: {tikv: [{name: default, replicas: 3, "
           "image: \"i:v1\"}, {name: a, replicas: 1, image: \"i:v1\"}]}\nstatus: {tikv: "
           "{statefulSet: "
           "[{replicas: 3}]}}\n",
           "")
          .contains("W-STATUS-IGNORED"));
  CHECK(said(object(kAll), object(kAll) + "---\nkind: TidbCluster\nmetadata: {name: b, namespace: "
                                          "db}\nspec:\n  version: v7.1.0\n  cluster: {name: demo}\n"
                                          "  tikv: {replicas: 1, requests: {storage: 1Gi}}\n")
            .contains("N-HETERO"));
}

TEST_CASE("warnings about names") {
  PlanOptions short_names;
  LoadRequest request = request_for("", values(3));
  request.config_map = ConfigMapName::Short;
  CHECK(said(request).contains("W-CM-SHORT"));
  LoadRequest renamed = request_for(values(3), values(3));
  renamed.kube = {{"kube.yaml",
                   "kind: StatefulSet\nmetadata: {name: demo-tikv-default}\nspec: "
                   "{replicas: 3}\n"}};
  renamed.default_name = DefaultName::Plain;
  CHECK(said(renamed).contains("W-DEFAULT-RENAMED"));
  CHECK(said(values(3, "  extra: [{name: a, replicas: 2}]\n"),
             values(3, "  extra: [{name: b, replicas: 2}]\n"))
            .contains("W-RENAME"));
}

TEST_CASE("warnings about storage") {
  const auto sized = [](const char* size, const char* storage_class) {
    return object(kPd + "  tikv: {replicas: 3, storageClassName: " + storage_class +
                  ", requests: {storage: " + size + "}}\n" + kTidb);
  };
  CHECK(said(sized("10Gi", "a"), sized("5Gi", "a")).contains("W-STORAGE-SHRINK"));
  CHECK(said(sized("10Gi", "a"), sized("10Gi", "b")).contains("W-CLASS-IGNORED"));
  CHECK(said(sized("10Gi", "a"), sized("20Gi", "a")).contains("A-EXPANSION"));
  PlanOptions old;
  LoadRequest request = request_for(sized("10Gi", "a"), sized("20Gi", "a"));
  request.profile = Profile::V10;
  CHECK(said(request).contains("W-STORAGE-IGNORED"));
  request = request_for(values(2), values(3));
  request.kube = {
      {"kube.yaml", "kind: PersistentVolumeClaim\nmetadata: {name: pd-demo-pd-3}\nspec: {}\n"}};
  request.sets = {"pd.replicas=4"};
  const auto codes = said(request);
  CHECK(codes.contains("W-CLAIM-REUSED"));
  CHECK(codes.contains("W-EVEN-PD"));
}

TEST_CASE("warnings about upgrades") {
  CHECK(said(values(1), values(1, "", "v2.2.0")).contains("W-SINGLE-TIKV"));
  CHECK(said(values(3), values(4, "", "v2.2.0")).contains("W-SCALE-OLD-TEMPLATE"));
  const std::string newer = with(object(kAll), "v7.1.0", "v7.2.0");
  CHECK(said(object(kPd + kTikv + "  tidb: {replicas: 1}\n"),
             with(object(kPd + kTikv + "  tidb: {replicas: 1}\n"), "v7.1.0", "v7.2.0"))
            .contains("W-TIDB-SINGLE"));
  CHECK(said(object(kAll),
             with(object(kAll + "  statefulSetUpdateStrategy: OnDelete\n"), "v7.1.0", "v7.2.0"))
            .contains("W-ONDELETE"));
  Input down = input_from(request_for(object(kAll), newer));
  down.live.stores[0].state = StoreState::Down;
  const auto codes = said_of(plan_cluster(down));
  CHECK(codes.contains("W-DOWN-STORE-UPGRADE"));
  CHECK(codes.contains("W-RESTART-WITH-DOWN"));
  Input alone = input_from(request_for(values(3), values(3, "", "v2.2.0")));
  alone.live.leader = "demo-pd-2";
  alone.live.members_known = true;
  alone.options.allow_unsafe = true;
  for (Member& member : alone.live.members) member.healthy = member.name == "demo-pd-2";
  alone.live.members.push_back({0, "elsewhere", true, true, {}});
  alone.live.members.push_back({0, "elsewhere-2", true, true, {}});
  CHECK(said_of(plan_cluster(alone)).contains("W-NO-TRANSFER"));
  Input forced = input_from(request_for(
      object(kAll), with(object(kAll, ", annotations: {tidb.pingcap.com/force-upgrade: \"true\"}"),
                         "v7.1.0", "v7.2.0")));
  forced.live.synced[0] = false;
  CHECK(said_of(plan_cluster(forced)).contains("W-FORCE-UPGRADE"));
}

TEST_CASE("warnings about new sets") {
  const std::string two = with(values(3), "pingcap/pd:v2.1.0\n",
                               "pingcap/pd:v2.1.0\n  extra: [{name: b, replicas: 2}]\n");
  CHECK(said(values(3), two).contains("W-PD-JOIN-MANY"));
  CHECK(said("", two).contains("N-PD-BOOTSTRAP"));
  CHECK(said("", with(two, "replicas: 3", "replicas: 0")).contains("W-PD-BOOTSTRAP-EXTRA"));
  CHECK(
      said(values(3), values(0, "  extra: [{name: b, replicas: 4}]\n")).contains("N-DEFAULT-ZERO"));
  CHECK(said("", values(3) + "  service: {type: NodePort}\n  extra: [{name: b, replicas: 1}]\n")
            .contains("N-SERVICE-COUNT"));
  CHECK(said(values(3),
             with(with(values(4), "replicas: 3", "replicas: 5"), "replicas: 2", "replicas: 3"))
            .contains("N-OVERLAP"));
}

TEST_CASE("warnings about data and zones") {
  LoadRequest request = request_for(values(4), values(3));
  std::string stores;
  for (int i = 0; i < 4; ++i) {
    stores +=
        std::string(i == 0 ? "" : ",") + "{\"store\": {\"id\": " + std::to_string(i + 1) +
        ", \"address\": \"demo-tikv-" + std::to_string(i) +
        ".x:1\", \"state_name\": \"Up\"}, \"status\": {\"capacity\": \"100GiB\", \"available\": "
        "\"21GiB\", \"used_size\": \"79GiB\"}}";
  }
  request.pd = {{"store.json", "{\"stores\": [" + stores + "]}"}};
  CHECK(said(request).contains("W-DRAIN-NO-ROOM"));
  LoadRequest zoned = request_for("", values(3, "  nodeSelector: {zone: a}\n"));
  zoned.pd = {
      {"config.json", R"({"replication": {"max-replicas": 3, "location-labels": "rack"}})"}};
  CHECK(said(zoned).contains("W-NO-LOCATION-LABEL"));
  zoned.pd = {
      {"config.json", R"({"replication": {"max-replicas": 3, "location-labels": "zone"}})"}};
  zoned.nodes = {{"nodes.yaml", "nodes: [{name: n, allocatable: {cpu: 9, memory: 9Gi}}]\n"}};
  CHECK(said(zoned).contains("W-NODE-UNLABELLED"));
}

TEST_CASE("what failover does not do") {
  Input input = input_from(request_for(values(3), values(3)));
  LivePod& pod = input.live.of(Component::Tidb).front().pods[0];
  pod.healthy = false;
  pod.scheduled = false;
  pod.unhealthy_since = 0;
  input.options.now = 10000;
  CHECK(said_of(plan_cluster(input)).contains("N-NOT-SCHEDULED"));
  LoadRequest joins = request_for(values(3), values(3));
  joins.profile = Profile::V10;
  joins.sets = {"pd.replicas=4"};
  Input old = input_from(joins);
  old.live.members[0].healthy = false;
  old.live.members_known = true;
  const Outcome outcome = plan_cluster(old);
  REQUIRE(outcome.first_block() != nullptr);
  CHECK(outcome.first_block()->code == "B-PD-UNHEALTHY");
  CHECK(outcome.remedies.front().stuck_at.empty());
}

TEST_CASE("errors of objects and options") {
  CHECK(
      errors_of(request_for("", object(kPd + "  tikv: {replicas: 1, extra: [{name: a}]}\n  tikvs: "
                                             "[{name: b, replicas: 1}]\n"))) == "E013 spec.tikvs");
  CHECK(errors_of(request_for(object(kAll), with(object(kAll), "name: demo", "name: other"))) ==
        "E014 -");
  CHECK(errors_of(request_for("", object(kAll,
                                         ", annotations: {tikv.tidb.pingcap.com/delete-slots: "
                                         "\"1\"}")))
            .starts_with("E018"));
  CHECK(errors_of(request_for("", object(kAll) +
                                      "---\nkind: TidbCluster\nmetadata: {name: other}\n"
                                      "spec:\n" +
                                      kAll)) == "E010 -");
  CHECK(errors_of(
            request_for(
                "",
                object(kPd + "  tikv: {replicas: 1, extra: [{name: a-tikv}]}\n" + kTidb) +
                    "---\nkind: TidbCluster\nmetadata: {name: demo-tikv-a, namespace: db}\nspec:\n"
                    "  version: v7.1.0\n  cluster: {name: demo}\n  tikv: {replicas: 1}\n"))
            .starts_with("E016"));
}
