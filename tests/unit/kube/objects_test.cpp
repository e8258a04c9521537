// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/kube/objects.hpp"

#include <doctest/doctest.h>

using namespace ballast;

namespace {

std::vector<doc::Tree> documents(std::string_view text) {
  auto read = doc::parse_yaml(text, "f");
  REQUIRE(read.has_value());
  return std::move(*read);
}

}  // namespace

TEST_CASE("objects are read by kind, and amounts that are none are told with their place") {
  std::vector<std::string> told;
  const kube::Objects objects = kube::read_objects(
      documents(
          "kind: Pod\nmetadata: {name: a-0, deletionTimestamp: x, ownerReferences: [{kind: "
          "StatefulSet, name: a}]}\nspec:\n  nodeName: n1\n  containers:\n  - resources: "
          "{requests: {cpu: 500m, memory: much}}\nstatus: {conditions: [{type: Ready, status: "
          "\"False\", reason: Why}]}\n---\nkind: Node\nmetadata: {name: n1, labels: {zone: "
          "z}}\nspec: {unschedulable: true, taints: [{key: k, effect: NoSchedule}]}\nstatus: "
          "{allocatable: {cpu: 2, pods: 10}}\n---\nkind: ConfigMap\n"),
      [&](const kube::Unreadable& part) {
        told.push_back(part.name + " " + part.path + " " + to_string(part.value.place()));
      });
  REQUIRE(objects.pods.size() == 1);
  const kube::Pod& pod = objects.pods.front();
  CHECK(pod.owner == "a");
  CHECK(pod.machine == "n1");
  CHECK(pod.cpu_milli == 500);
  CHECK(pod.is_leaving());
  CHECK(pod.is_ready() == false);
  CHECK(told == std::vector<std::string>{"a-0 resources.requests.memory f:6:47"});
  REQUIRE(objects.machines.size() == 1);
  CHECK(objects.machines.front().unschedulable);
  CHECK(objects.machines.front().cpu_milli == 2000);
  CHECK(objects.machines.front().max_pods == 10);
  CHECK(objects.machines.front().taints.front().effect == "NoSchedule");
  CHECK(objects.others.size() == 1);
}

TEST_CASE("a budget of a share rounds up, and covers pods by all of its labels") {
  const kube::Budget budget = kube::read_budget(
      documents("spec: {minAvailable: 51%, selector: {matchLabels: {app: a, tier: b}}}").front());
  CHECK(budget.least_of(3) == 2);
  CHECK(budget.covers({{"app", "a"}, {"tier", "b"}, {"x", "y"}}));
  CHECK_FALSE(budget.covers({{"app", "a"}}));
  const kube::Budget away = kube::read_budget(documents("spec: {maxUnavailable: 1}").front());
  CHECK(away.least_of(3) == 2);
  CHECK(away.least_of(0) == 0);
  CHECK(kube::ordinal_of("web-12") == 12);
  CHECK_FALSE(kube::ordinal_of("web-x").has_value());
}
