// SPDX-License-Identifier: BSD-2-Clause
// Believable plans by hand, for the renderers.
#pragma once

#include "ballast/plan/plan.hpp"

#include <string>

namespace ballast::test {

inline constexpr std::int64_t kGib = std::int64_t{1} << 30;

inline plan::Step ganeti_step(int n, int phase, const std::string& action,
                              const std::string& instance) {
  plan::Step step;
  step.n = n;
  step.phase = phase;
  step.action = action;
  step.subject = {"instance", instance, ""};
  return step;
}

inline Value gauge(std::int64_t used, std::int64_t total) {
  return Value::map().set("used", used).set("total", total);
}

inline Value node_figures(std::int64_t memory_gib, std::int64_t disk_gib, int primaries) {
  Value figures = Value::map();
  figures.set("memory_bytes", gauge(memory_gib * kGib, 64 * kGib));
  figures.set("disk_bytes", gauge(disk_gib * kGib, 1000 * kGib));
  figures.set("storage_bytes", Value::map()
                                   .set("ssd", gauge(disk_gib * kGib / 4, 200 * kGib))
                                   .set("hdd", gauge(disk_gib * kGib * 3 / 4, 800 * kGib)));
  figures.set("primaries", primaries);
  return figures;
}

/// Two moves of two instances, the second with a new mirror.
inline plan::Plan ganeti_plan() {
  plan::Plan plan;
  plan.system = plan::System::Ganeti;
  plan.tool = "hbal";
  plan.tool_version = "0.1.0";
  plan.options = Value::map().set("min_gain", 0.01).set("max_length", -1);
  plan.cluster = Value::map().set("name", "office.example.com").set("group", "default");
  plan.now = "2024-05-01T10:00:00Z";
  plan.fingerprint = "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef";
  plan.result = plan::Outcome::Changes;

  plan::Step first = ganeti_step(1, 1, "migrate", "web1");
  first.from = Value::map().set("primary", "node1").set("secondary", "node2");
  first.to = Value::map().set("primary", "node2").set("secondary", "node1");
  first.reason = {"GAIN", "node1 holds more memory than the others", "", "free_mem_cv", 0.25};
  first.commands = {
      {plan::CommandUse::Check, "gnt-instance list --no-headers -o pnode web1 | grep -qx node1"},
      {plan::CommandUse::Hand, "gnt-instance migrate -f web1"},
      {plan::CommandUse::Watch, "gnt-job list"},
      {plan::CommandUse::Undo, "gnt-instance migrate -f web1"}};
  first.cost.bytes = 0;
  plan::Step second = ganeti_step(2, 2, "replace_secondary", "db1");
  second.from = Value::map().set("primary", "node1").set("secondary", "node2");
  second.to = Value::map().set("primary", "node1").set("secondary", "node3");
  second.reason = {"GAIN", "node3 has an empty disk", "", "free_disk_cv", 0.125};
  second.waits_for.push_back({1, "", "web1 must have left node1", {}, {}, {}, {}});
  second.commands = {{plan::CommandUse::Hand, "gnt-instance replace-disks -n node3 db1"}};
  second.cost.bytes = 40 * kGib;
  second.cost.links = {{"node1", "node3", 40 * kGib}};
  second.cost.seconds_at_least = 410;
  second.unprotected.push_back({"mirror", "db1", 2});
  second.risks.push_back(
      {"MIRROR", "until the new mirror is in sync, the loss of node1 loses db1"});
  plan.steps = {first, second};

  plan.warnings.push_back({"MIRROR_REBUILT",
                           plan::Severity::Warning,
                           "db1 has no mirror while it is copied",
                           {2},
                           {"instance", "db1", ""}});
  plan.score = plan::Score{1.5,
                           1.125,
                           {{"free_mem_cv", 0.5, 0.75, 0.25, {}},
                            {"free_disk_cv", 0.5, 0.5, 0.25, {{"ssd", 0, 0.5, 0.25, {}}}}},
                           0.0};
  plan.before = Value::map()
                    .set("node1", node_figures(60, 400, 6))
                    .set("node2", node_figures(20, 420, 2))
                    .set("node3", node_figures(24, 40, 2));
  plan.after = Value::map()
                   .set("node1", node_figures(52, 400, 5))
                   .set("node2", node_figures(28, 380, 3))
                   .set("node3", node_figures(24, 80, 2));
  plan.totals.steps = 2;
  plan.totals.phases = 2;
  plan.totals.bytes = 40 * kGib;
  plan.totals.seconds_at_least = 410;
  plan.totals.moved = 2;
  plan.weakest = {{1, "free memory", "node1", 4 * kGib, 2 * kGib}};
  plan.assumptions.push_back({"RATE", "100 MiB/s for one transfer, one transfer at a time"});
  return plan;
}

/// The same with a warning first and a danger behind it.
inline plan::Plan dangerous_plan() {
  plan::Plan plan = ganeti_plan();
  plan.warnings.front().severity = plan::Severity::Danger;
  plan.warnings.insert(plan.warnings.begin(),
                       {"RATE", plan::Severity::Warning, "the rate is a guess", {}, {}});
  return plan;
}

/// A scale-in that cannot be reached, with a cycle and remedies.
inline plan::Plan blocked_plan() {
  plan::Plan plan;
  plan.system = plan::System::Fdb;
  plan.tool = "hfdb";
  plan.tool_version = "0.1.0";
  plan.cluster =
      Value::map().set("name", "sample").set("namespace", "default").set("generation", 7);
  plan.profile = "v2.1";
  plan.fingerprint = "ab12cd34";
  plan.result = plan::Outcome::Blocked;
  plan::Blocked blocked;
  blocked.code = "NO_ROOM";
  blocked.text = "the new pods fit on no node";
  blocked.subject = {"process_class", "storage", ""};
  blocked.gate = "free nodes";
  blocked.required = 3;
  blocked.observed = 1;
  blocked.cycle = {"storage-1", "storage-2"};
  blocked.remedies.push_back(
      {"ask for fewer processes", {"spec.processCounts.storage=4"}, {"kubectl get nodes"}});
  plan.blocked.push_back(blocked);
  plan.deferred.push_back({"UPGRADE", "the version change is made after this"});
  plan.later.push_back({"IF_NODE", "if a node is added, 2 steps follow"});
  plan.queues.push_back({"replacements", 1, 1, {"storage-3"}});
  plan.notes.push_back({"PODS", "pods were read from pods.yaml"});
  return plan;
}

}  // namespace ballast::test
