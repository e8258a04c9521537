// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/remedy/remedies.hpp"

#include "support/tidb_cluster.hpp"

#include <doctest/doctest.h>

using namespace ballast::tidb;
using namespace ballast::tidb::test;

namespace {

/// The code of the first block, and the remedies that get through, the least harmful first:
/// "CODE: text; text".
std::string way_out(const Outcome& outcome) {
  const Line* block = outcome.first_block();
  if (block == nullptr) return "not blocked";
  std::string text;
  for (const Remedy& remedy : outcome.remedies) {
    if (remedy.stuck_at.empty()) text += (text.empty() ? ": " : "; ") + remedy.text;
  }
  return block->code + (text.empty() ? ": none gets through" : text);
}

Input scaled(int from, int to) { return input_from(request_for(values(from), values(to))); }

LiveSet& tikv_of(Input& input) { return input.live.of(Component::Tikv).front(); }

std::string groups(const char* pd, const char* tikv) {
  return std::string(
             "kind: Cluster\nmetadata: {name: c}\nspec: {}\n---\nkind: PDGroup\nmetadata: "
             "{name: pd}\nspec: {cluster: {name: c}, replicas: 3, template: {spec: {version: ") +
         pd +
         ", volumes: [{name: data, storage: 1Gi}]}}}\n---\nkind: TiKVGroup\nmetadata: {name: kv}\n"
         "spec: {cluster: {name: c}, replicas: 3, template: {spec: {version: " +
         tikv + ", volumes: [{name: data, storage: 1Gi}]}}}\n";
}

}  // namespace

TEST_CASE("too few stores: one more set, or slots that name what is down") {
  const Outcome all_up = plan_cluster(scaled(3, 2));
  CHECK(way_out(all_up) ==
        "B-TIKV-MAXREPLICAS: more stores first: a set tikv-2 with 1 replica beside it; stay at 3 "
        "replicas; fewer copies of each region, max-replicas 2");
  CHECK(all_up.remedies.back().cost == "2 copies: the loss of no store can be survived");
  CHECK(all_up.remedies.front().set ==
        std::vector<std::string>{"tikv.extra=[{name: tikv-2, replicas: 1}]"});
  Input input = scaled(4, 3);
  input.live.stores[1].state = StoreState::Down;
  input.live.stores_known = true;
  CHECK(way_out(plan_cluster(input)).starts_with("B-TIKV-MAXREPLICAS: take out the pods"));
}

TEST_CASE("fewer copies: as many as possible, and never one alone") {
  const auto candidates = [](const Input& input) {
    const Outcome outcome = plan_steps(input);
    return candidates_for(input, *outcome.first_block());
  };
  CHECK(candidates(scaled(5, 1)).back().remedy.text == "stay at 3 replicas");
  Input five = scaled(5, 3);
  five.max_replicas = 5;
  CHECK(candidates(five).back().remedy.text == "fewer copies of each region, max-replicas 3");
}

TEST_CASE("PD without a majority: bring the members back, or the right template") {
  Input input = input_from(request_for(values(3), values(4)));
  input.live.members_known = true;
  for (Member& member : input.live.members) member.healthy = member.name == "demo-pd-0";
  const Outcome outcome = plan_cluster(input);
  CHECK(way_out(outcome) ==
        "B-PD-NO-QUORUM: no edit helps: bring back demo-pd-1, demo-pd-2; where their data is lost: "
        "rebuild PD with pd-recover");
  Input changed = input_from(request_for(values(3), values(3, "", "v2.2.0")));
  changed.live.members_known = true;
  for (Member& member : changed.live.members) member.healthy = false;
  changed.live.of(Component::Pd).front().pods[2].waiting_reason = "CrashLoopBackOff";
  CHECK(way_out(plan_cluster(changed)) ==
        "B-PD-NO-QUORUM: bring back demo-pd-0, demo-pd-1, demo-pd-2; where the template is the "
        "cause: the corrected template with the force-upgrade annotation; where their data is "
        "lost: rebuild PD with pd-recover");
}

TEST_CASE("PD in use cannot go, and emptying TiKV is no way out") {
  LoadRequest request = request_for(values(3), "");
  request.sets = {"pd.replicas=0"};
  const Outcome outcome = plan_cluster(input_from(request));
  REQUIRE(outcome.first_block() != nullptr);
  CHECK(outcome.first_block()->code == "B-PD-IN-USE");
  REQUIRE(outcome.remedies.size() == 1);
  CHECK(outcome.remedies.front().text == "stay at 3 replicas");
  CHECK(outcome.first_block()->cycle.empty());
}

TEST_CASE("a pod without a store: wait until that is known") {
  Input input = scaled(5, 4);
  std::erase_if(input.live.stores, [](const Store& s) { return s.pod == "demo-tikv-4"; });
  input.live.stores_known = true;
  CHECK(way_out(plan_cluster(input)).starts_with("B-STORE-UNKNOWN: wait until"));
  input.options.profile = Profile::V10;
  CHECK(way_out(plan_cluster(input)) ==
        "B-STORE-UNKNOWN: find the store of the pod by its address, and delete it by hand");
}

TEST_CASE("a restarted pod that is not well: the old values, else a corrected template") {
  Input input = input_from(request_for(values(3), values(3, "", "v2.2.0")));
  LiveSet& live = tikv_of(input);
  live.spec = *input.desired.find(Component::Tikv, "default");
  live.current_revision = "a";
  live.update_revision = "b";
  for (LivePod& pod : live.pods) pod.updated = pod.ordinal == 2;
  live.pods[2].ready = false;
  live.pods[2].waiting_reason = "ImagePullBackOff";
  input.live.of(Component::Pd).front().spec = *input.desired.find(Component::Pd, "default");
  const Outcome outcome = plan_cluster(input);
  const std::string corrected =
      "B-UPGRADED-NOT-WELL: a template that works: the pod is then an outdated one, and is "
      "restarted "
      "in its turn";
  CHECK(way_out(outcome) == corrected + "; the old value of what changed last (image)");
  CHECK(outcome.remedies.back().set == std::vector<std::string>{"tikv.image=pingcap/tikv:v2.1.0"});
  input.current = input.desired;
  CHECK(way_out(plan_cluster(input)) == corrected);
}

TEST_CASE("a claim that may be a store's is passed over, and never deleted") {
  Input input = scaled(3, 4);
  Claim left;
  left.name = "tikv-demo-tikv-3";
  input.live.claims = {left};
  const std::string kept =
      "B-STALE-CLAIM: pass over the claim, another pod comes in its place: annotation "
      "tikv.tidb.pingcap.com/delete-slots='[3]' with replicas 4 (feature AdvancedStatefulSet); the "
      "new pods as a set of their own, tikv-2 with 1 replica; default stays at 3; stay at 3 "
      "replicas";
  CHECK(way_out(plan_cluster(input)) == kept);
  input.live.stores_known = true;
  CHECK(way_out(plan_cluster(input)).starts_with(kept + "; PD knows no store there any more"));
  Store store;
  store.id = 9;
  store.pod = "demo-tikv-3";
  store.state = StoreState::Down;
  input.live.stores.push_back(store);
  CHECK(way_out(plan_cluster(input)) == kept);
}

TEST_CASE("another directory: as it was") {
  Input input = scaled(3, 3);
  input.desired.of(Component::Tikv).front().data_sub_dir = "new";
  const Outcome outcome = plan_cluster(input);
  CHECK(way_out(outcome) == "U-DATA-SUBDIR: dataSubDir as it was");
  CHECK(outcome.remedies.front().set == std::vector<std::string>{"tikv.dataSubDir=null"});
}

TEST_CASE("what passes by itself or is asked for by an annotation") {
  LoadRequest request = request_for(values(3), "");
  request.sets = {"pd.replicas=5"};
  Input unsynced = input_from(request);
  unsynced.live.synced[index_of(Component::Pd)] = false;
  CHECK(way_out(plan_cluster(unsynced)).starts_with("B-NOT-SYNCED: give fresh data"));

  Input stores = input_from(request_for(values(3), values(3, "", "v2.2.0")));
  stores.desired.check_stores_up = true;
  stores.live.stores[0].state = StoreState::Down;
  CHECK(way_out(plan_cluster(stores)) ==
        "B-STORES-NOT-UP: repair the store; take the check annotation off");

  Input members = input_from(request_for(values(3), values(3, "", "v2.2.0")));
  members.desired.check_pd_quorum = true;
  members.live.members[0].healthy = false;
  members.live.members_known = true;
  // Without the annotation the planner itself would refuse the restart.
  CHECK(way_out(plan_cluster(members)) == "B-PD-CHECK: repair the member");
}

TEST_CASE("a component that is down must come back first") {
  Input input = scaled(3, 4);
  for (LivePod& pod : input.live.of(Component::Pd).front().pods) pod.ready = false;
  CHECK(way_out(plan_cluster(input)).starts_with("B-COMPONENT-DOWN: wait until"));
}

TEST_CASE("no room: nodes, and what asks for less with what is given up") {
  const auto wished = [](int replicas) {
    return values(replicas, "  resources: {requests: {cpu: 2, memory: 2Gi}}\n");
  };
  LoadRequest request = request_for("", wished(3));
  request.nodes = {{"nodes.yaml", "nodes: [{name: a, allocatable: {cpu: 4, memory: 8Gi}}]\n"}};
  const Outcome fewer = plan_cluster(input_from(request));
  CHECK(way_out(fewer) ==
        "U-CAPACITY: 1 more node with 2 cpu, 2Gi memory; 2 replicas of default fit");
  CHECK(fewer.remedies.back().set == std::vector<std::string>{"tikv.replicas=2"});

  request = request_for(values(1), values(1, "  resources: {requests: {cpu: 6, memory: 2Gi}}\n"));
  request.nodes = {{"nodes.yaml", "nodes: [{name: a, allocatable: {cpu: 4, memory: 8Gi}}]\n"}};
  request.kube = {{"pods.yaml",
                   "kind: Pod\nmetadata: {name: demo-tikv-0, ownerReferences: [{kind: StatefulSet, "
                   "name: demo-tikv}]}\nspec: {nodeName: a}\nstatus: {phase: Running, conditions: "
                   "[{type: Ready, status: \"True\"}]}\n"}};
  const Outcome bigger = plan_cluster(input_from(request));
  CHECK(way_out(bigger) ==
        "U-CAPACITY: 1 more node with 6 cpu, 2Gi memory; requests that fit the smallest node, a");
  CHECK(bigger.remedies.back().set.front() == "tikv.resources.requests.cpu=4");
}

TEST_CASE("groups: an older component before keeps a newer version back") {
  const Outcome outcome =
      plan_cluster(input_from(request_for(groups("v8.5.1", "v8.5.1"), groups("v8.5.1", "v8.5.2"))));
  CHECK(way_out(outcome) ==
        "B-GATE: the same version for the components before it; Cluster spec.upgradePolicy: "
        "NoConstraints, which drops the order");
  CHECK(outcome.remedies.front().set ==
        std::vector<std::string>{"pd.template.spec.version=v8.5.2"});
}
