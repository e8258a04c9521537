// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/placement/capacity.hpp"
#include "ballast/tidb/search/replay/replay.hpp"

#include "support/tidb_cluster.hpp"

#include <doctest/doctest.h>

using namespace ballast::tidb;
using namespace ballast::tidb::test;

namespace {

std::string object(const std::string& spec, const std::string& status = "{}") {
  return "apiVersion: pingcap.com/v1alpha1\nkind: TidbCluster\nmetadata: {name: demo, namespace: "
         "db}\nspec: " +
         spec + "\nstatus: " + status + "\n";
}

}  // namespace

TEST_CASE("a removed set is drained before it is deleted") {
  const Outcome outcome = plan_cluster(
      input_from(request_for(values(3, "  extra: [{name: a, replicas: 1}]\n"), values(3))));
  CHECK(brief(outcome) ==
        "1\ttikv/a\tdemo-tikv-a-0\tscale-in\treplicas 1->0\n"
        "2\ttikv/a\tdemo-tikv-a\tdelete-statefulset\t-\n"
        "3\ttikv/a\tdemo-tikv-a\tdelete-configmap\t-\n");
  CHECK(warned(outcome, "W-REMOVE-UNDRAINED"));
  CHECK(warned(outcome, "W-CLAIM-LEFT"));
}

TEST_CASE("content that changes in place restarts nothing") {
  std::string now = values(3, "  config: a\n");
  now.replace(now.find("true"), 4, "false");
  std::string wish = values(3, "  config: b\n");
  wish.replace(wish.find("true"), 4, "false");
  const Outcome outcome = plan_cluster(input_from(request_for(now, wish)));
  CHECK(brief(outcome) == "1\ttikv/default\tdemo-tikv\tupdate-configmap\t-\n");
  CHECK(noted(outcome, "N-CONFIG-NEEDS-RESTART"));
}

TEST_CASE("a guard that blocks names the cycle and a way out that gets through") {
  const Outcome outcome = plan_cluster(input_from(request_for(values(3), values(2))));
  const Line* block = outcome.first_block();
  REQUIRE(block != nullptr);
  CHECK(block->code == "B-TIKV-MAXREPLICAS");
  CHECK(block->cycle.front() == "scale-in of " + block->object);
  CHECK(block->cycle.size() == 4);
  REQUIRE(!outcome.remedies.empty());
  CHECK(outcome.remedies.front().stuck_at.empty());
}

TEST_CASE("a sick member makes a smaller PD wait for its repair") {
  const std::string spec = "{pd: {replicas: 3}}";
  const std::string status =
      "{pd: {members: {demo-pd-0: {name: demo-pd-0, health: false}, demo-pd-1: {name: demo-pd-1, "
      "health: true}, "
      "demo-pd-2: {name: demo-pd-2, health: true}}}}";
  const Outcome outcome =
      plan_cluster(input_from(request_for(object(spec, status), object("{pd: {replicas: 2}}"))));
  REQUIRE(outcome.first_block() != nullptr);
  CHECK(outcome.first_block()->code == "U-PD-QUORUM");
  REQUIRE(outcome.remedies.size() == 3);
  CHECK(outcome.remedies.front().text == "the same edit after demo-pd-0 is repaired or replaced");
}

TEST_CASE("a lost quorum is a finding without any wished change") {
  const std::string status =
      "{pd: {members: {demo-pd-0: {health: false}, demo-pd-1: {health: false}, demo-pd-2: {health: "
      "true}}}}";
  const Outcome outcome =
      plan_cluster(input_from(request_for(object("{pd: {replicas: 3}}", status), "")));
  CHECK(brief(outcome) == "1\tpd/default\tdemo-pd-0\tblocked\tB-PD-NO-QUORUM\n");
}

TEST_CASE("PD that is stuck half-way lets later components scale, not upgrade") {
  const std::string now =
      "{version: v1, pd: {replicas: 3}, tikv: {replicas: 4}, tidb: {replicas: 2}}";
  const std::string wish =
      "{version: v2, pd: {replicas: 0, version: v1}, tikv: {replicas: 5}, tidb: {replicas: 2, "
      "version: v1}}";
  const Outcome outcome = plan_cluster(input_from(request_for(object(now), object(wish))));
  CHECK(brief(outcome) ==
        "1\tpd/default\tdemo-pd-2\tblocked\tB-PD-IN-USE\n"
        "2\ttikv/default\tdemo-tikv-4\tscale-out\treplicas 4->5\n"
        "3\ttikv/default\t-\tblocked\tB-GATE\n");
}

TEST_CASE("failover stops at the limit of the set") {
  const std::string spec = "{pd: {replicas: 3}, tikv: {replicas: 3, maxFailoverCount: 1}}";
  const std::string status =
      "{tikv: {stores: {\"1\": {id: \"1\", podName: demo-tikv-0, state: Down, lastTransitionTime: "
      "\"2024-01-01T00:00:00Z\"}, "
      "\"2\": {id: \"2\", podName: demo-tikv-1, state: Down, lastTransitionTime: "
      "\"2024-01-01T00:00:00Z\"}, "
      "\"3\": {id: \"3\", podName: demo-tikv-2, state: Up}}}}";
  PlanOptions options;
  options.now = 1704070800;
  const Outcome outcome = plan_cluster(input_from(request_for(object(spec, status), ""), options));
  CHECK(brief(outcome) ==
        "1\ttikv/default\tdemo-tikv-0\tfailover-mark\tstore 1\n"
        "2\ttikv/default\tdemo-tikv-3\tscale-out\treplicas 3->4\n");
  CHECK(warned(outcome, "W-FAILOVER-LIMIT"));
  CHECK(warned(outcome, "W-FAILOVER-PODS-KEPT"));
}

TEST_CASE("a failed TiDB pod that is well again gives its failover pod back") {
  const std::string spec = "{pd: {replicas: 3}, tikv: {replicas: 3}, tidb: {replicas: 2}}";
  const std::string status =
      "{tidb: {members: {demo-tidb-0: {health: true}, demo-tidb-1: {health: true}, demo-tidb-2: "
      "{health: true}}, "
      "failureMembers: {demo-tidb-0: {podName: demo-tidb-0}}}}";
  const Outcome outcome = plan_cluster(input_from(request_for(object(spec, status), "")));
  CHECK(brief(outcome) ==
        "1\ttidb/default\tdemo-tidb\tfailover-clear\trecords 1\n"
        "2\ttidb/default\tdemo-tidb-2\tscale-in\treplicas 3->2\n");
}

TEST_CASE("pods find the nodes that the scheduler would choose") {
  LoadRequest request = request_for(
      "",
      values(2,
             "  schedulerName: tidb-scheduler\n  resources: {requests: {cpu: 2, memory: 2Gi}}\n"));
  request.nodes = {{"nodes.yaml",
                    "nodes:\n- {name: small, allocatable: {cpu: 1, memory: 64Gi}}\n- {name: a, "
                    "allocatable: {cpu: 4, memory: 8Gi}}\n"
                    "- {name: b, allocatable: {cpu: 4, memory: 16Gi}}\n"}};
  const Input input = input_from(request);
  Capacity capacity(input);
  std::vector<Capacity::Placed> placed;
  const SetSpec& tikv = *input.desired.find(Component::Tikv, "default");
  CHECK(capacity.add(tikv, {"p0", "p1", "p2", "p3"}, 4, placed).has_value());
  placed.clear();
  CHECK_FALSE(capacity.add(tikv, {"p0", "p1"}, 2, placed).has_value());
  REQUIRE(placed.size() == 2);
  CHECK(placed[0].node == "b");
  CHECK(placed[1].node == "a");
}

TEST_CASE("the same input gives the same plan, and the plan holds on replay") {
  const Input input =
      input_from(request_for(values(4, "  extra: [{name: a, replicas: 3}]\n"),
                             values(3, "  extra: [{name: b, replicas: 2}]\n", "v2.2.0")));
  const Outcome outcome = plan_cluster(input);
  CHECK(brief(outcome) == brief(plan_cluster(input)));
  CHECK(replay(input, outcome).problems.empty());
}

TEST_CASE("replay finds a step that breaks a rule") {
  const Input input = input_from(request_for(values(4), values(5)));
  Outcome outcome = plan_cluster(input);
  REQUIRE(outcome.steps.size() == 1);
  outcome.steps.front().ordinal = 9;
  CHECK_FALSE(replay(input, outcome).problems.empty());
}

TEST_CASE("groups restart instance by instance, TiDB by replacement") {
  const auto cluster = [](const char* version) {
    return std::string(
               "kind: Cluster\nmetadata: {name: c}\nspec: {}\n---\nkind: TiKVGroup\nmetadata: "
               "{name: kv}\n"
               "spec: {cluster: {name: c}, replicas: 2, template: {spec: {version: ") +
           version +
           ", volumes: [{name: data, storage: 1Gi}]}}}\n---\nkind: TiDBGroup\nmetadata: {name: "
           "db}\n"
           "spec: {cluster: {name: c}, replicas: 1, template: {spec: {version: " +
           version + "}}}\n";
  };
  const Outcome outcome =
      plan_cluster(input_from(request_for(cluster("v8.5.1"), cluster("v8.5.2"))));
  CHECK(brief(outcome) ==
        "1\ttikv/kv\tkv-tikv\tupdate-template\tfields version\n"
        "2\ttikv/kv\tkv-tikv-??????\trestart-pod\t-\n"
        "3\ttikv/kv\tkv-tikv-??????\trestart-pod\t-\n"
        "4\ttidb/db\tdb-tidb\tupdate-template\tfields version\n"
        "5\ttidb/db\tdb-tidb-??????\tscale-out\treplicas 1->2\n"
        "6\ttidb/db\tdb-tidb-??????\tmark-instance\t-\n"
        "7\ttidb/db\tdb-tidb-??????\tscale-in\treplicas 2->1\n");
}
