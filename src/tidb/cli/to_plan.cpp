// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/cli/to_plan.hpp"

#include "ballast/core/version.hpp"
#include "ballast/kube/object.hpp"
#include "ballast/operators/plan/trace.hpp"
#include "ballast/plan/estimate.hpp"
#include "headline.hpp"

#include "plan_gates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ballast::tidb {

namespace {

std::string component_name(const Line& step) {
  if (step.component) return std::string(name_of(*step.component));
  return step.other.empty() ? "discovery" : step.other;
}

std::string group_of(const Line& step) {
  return fmt::format("{}/{}", component_name(step), step.set.empty() ? "-" : step.set);
}

std::string kind_of(Action action) {
  switch (action) {
    case Action::CreateDiscovery:
      return "deployment";
    case Action::CreateService:
    case Action::UpdateService:
    case Action::DeleteService:
      return "service";
    case Action::CreateConfigMap:
    case Action::UpdateConfigMap:
    case Action::DeleteConfigMap:
      return "configmap";
    case Action::CreateStatefulSet:
    case Action::DeleteStatefulSet:
    case Action::UpdateTemplate:
    case Action::LabelPods:
    case Action::FailoverClear:
      return "statefulset";
    case Action::ExpandVolume:
      return "claim";
    default:
      return "pod";
  }
}

Value system_facts(const Line& step) {
  Value facts = Value::map();
  facts.set("component", component_name(step));
  if (!step.set.empty()) facts.set("set", step.set);
  if (step.ordinal >= 0) facts.set("ordinal", step.ordinal);
  if (step.partition) facts.set("partition", *step.partition);
  if (step.store != 0) facts.set("store", fmt::format("{}", step.store));
  if (step.batch) facts.set("batch", *step.batch);
  if (!step.node.empty()) {
    Value placement = Value::map();
    placement.set("node", step.node);
    if (!step.volume.empty()) placement.set("volume", step.volume);
    facts.set("placement", std::move(placement));
  }
  if (!step.placements.empty()) {
    Value all = Value::list();
    for (const std::string& text : step.placements) all.push(text);
    facts.set("placements", std::move(all));
  }
  return facts;
}

plan::Step plan_step(const Line& step) {
  plan::Step result;
  result.action = name_of(step.action);
  result.subject = {kind_of(step.action), step.object, group_of(step)};
  result.reason.code = step.reason_code;
  result.reason.text = step.reason;
  if (step.detail != "-") result.detail = step.detail;
  if (step.action == Action::ScaleIn || step.action == Action::ScaleOut) {
    result.before = Value::map().set("replicas", step.replicas_before);
    result.after = Value::map().set("replicas", step.replicas_after);
  }
  result.changes = step.changes;
  result.waits_for = step.waits;
  result.commands = step.commands;
  result.cost.bytes = step.bytes;
  for (const std::string& text : step.placements) result.substeps.emplace_back(text);
  if (!step.node.empty() && step.action == Action::ScaleOut) {
    const std::string volume = step.volume.empty() ? "" : ", volume " + step.volume;
    result.substeps.emplace_back(fmt::format("{} on {}{}", step.object, step.node, volume));
  }
  for (const std::string& text : step.substeps) result.substeps.emplace_back(text);
  for (const std::string& text : step.risks) result.risks.push_back({step.reason_code, text});
  result.system = system_facts(step);
  return result;
}

operators::Block block_of(const Line& step) {
  operators::Block block{step.code, {"pod", step.object, group_of(step)}, step.gate};
  if (step.object == "-")
    block.subject = {"component", std::string(name_of(*step.component)), group_of(step)};
  if (!step.required.empty()) block.required = step.required;
  if (!step.observed.empty()) block.observed = step.observed;
  return block;
}

/// What has no spare while the step runs.
std::optional<plan::Unprotected> unprotected_by(const Line& step, int n) {
  if (!step.component || *step.component == Component::Tidb) return std::nullopt;
  const bool restarts = step.action == Action::RestartPod || step.action == Action::FailoverReplace;
  if (!restarts) return std::nullopt;
  return plan::Unprotected{
      *step.component == Component::Pd ? "PD member" : "one copy of its regions", step.object, n};
}

/// Numbers of the lines as steps of the plan: those that are blocked or deferred are none (0).
std::vector<int> numbers_of(const Outcome& outcome) {
  std::vector<int> numbers;
  int n = 0;
  for (const Line& step : outcome.steps) {
    numbers.push_back(is_step(step) ? ++n : 0);
  }
  return numbers;
}

Value sets_value(const Outcome& outcome, bool wished) {
  Value result = Value::map();
  for (const SetSummary& set : outcome.summary) {
    result.set(fmt::format("{}/{}", name_of(set.component), set.set),
               Value::map().set("replicas", wished ? set.wished : set.now));
  }
  return result;
}

/// What runs: pods with their set and node, stores with their pod and capacity.
Value objects_value(const Live& live) {
  Value pods = Value::map();
  for (const Component c : kComponents) {
    for (const LiveSet& set : live.of(c)) {
      for (const LivePod& pod : set.pods) {
        Value figures = Value::map().set("set", fmt::format("{}/{}", name_of(c), set.name));
        if (!pod.node.empty()) figures.set("node", pod.node);
        pods.set(pod.name, std::move(figures));
      }
    }
  }
  Value stores = Value::map();
  for (const Store& store : live.stores) {
    if (store.id == 0 || store.state == StoreState::Tombstone) continue;
    Value figures = Value::map().set("pod", store.pod);
    if (store.capacity_bytes) figures.set("capacity_bytes", *store.capacity_bytes);
    stores.set(std::to_string(store.id), std::move(figures));
  }
  return Value::map().set("pod", std::move(pods)).set("store", std::move(stores));
}

void fill_totals(plan::Plan& plan, const Counts& counts) {
  if (counts.bytes_known || counts.bytes > 0) plan.totals.bytes = counts.bytes;
  if (counts.seconds > 0) plan.totals.seconds_at_least = counts.seconds;
  plan.totals.added = counts.added;
  plan.totals.removed = counts.removed;
  plan.totals.restarted = counts.restarted;
}

/// Empty where the step is of no set.
std::string statefulset_of(const Input& input, const Line& step) {
  if (!step.component || step.set.empty()) return "";
  const LiveSet* live = input.live.find(*step.component, step.set);
  if (live != nullptr) return live->statefulset;
  const SetSpec* wished = input.desired.find(*step.component, step.set);
  return wished == nullptr ? "" : wished->statefulset;
}

/// What the lines say, each in its place.
void add_lines(const Input& input, const Outcome& outcome, plan::Plan& plan) {
  operators::Trace trace(plan);
  const Line* before = nullptr;
  for (const Line& line : outcome.steps) {
    if (line.action == Action::Deferred) {
      plan.deferred.push_back({line.code, fmt::format("{}: {}", group_of(line), line.reason)});
    } else if (line.action == Action::Blocked) {
      trace.block(block_of(line)).cycle = line.cycle;
    } else {
      plan::Step& step = trace.emit(plan_step(line), before != nullptr && is_beside(*before, line));
      before = &line;
      if (const std::string name = statefulset_of(input, line); !name.empty())
        step.system.set("statefulset", name);
      step.done_when = gates_of(input, line);
      if (auto unprotected = unprotected_by(line, step.n))
        step.unprotected.push_back(std::move(*unprotected));
    }
  }
  trace.finish();
  if (plan.blocked.empty()) return;
  for (const Remedy& remedy : outcome.remedies)
    plan.blocked.front().remedies.push_back(worded(remedy));
}

}  // namespace

plan::Plan to_plan(const Input& input, const Outcome& outcome, std::vector<plan::Weakest> weakest,
                   Value options) {
  plan::Plan plan;
  plan.system = plan::System::Tidb;
  plan.tool = "htidb";
  plan.tool_version = kVersion;
  plan.options = std::move(options);
  plan.cluster = Value::map();
  plan.cluster.set("name", input.desired.name);
  const std::string& ns = input.desired.ns.empty() ? input.live.ns : input.desired.ns;
  if (!ns.empty()) plan.cluster.set("namespace", ns);
  plan.profile = name_of(input.options.profile);
  plan.now = kube::format_time(input.options.now);
  plan.fingerprint = fingerprint(input);
  plan.assumptions = outcome.assumptions;
  plan.notes = outcome.notes;
  plan.later = outcome.later;
  add_lines(input, outcome, plan);
  const std::vector<int> numbers = numbers_of(outcome);
  for (plan::Warning warning : outcome.warnings) {
    for (int& line : warning.steps) {
      const auto i = static_cast<std::size_t>(line) - 1;
      line = i < numbers.size() ? numbers[i] : 0;
    }
    std::erase(warning.steps, 0);
    plan.warnings.push_back(std::move(warning));
  }
  const Counts counts = count(outcome);
  plan.headline = headline(input, counts, outcome);
  plan.weakest = std::move(weakest);
  plan.before = sets_value(outcome, false);
  plan.after = sets_value(outcome, true);
  if (input.live.exists) plan.objects = objects_value(input.live);
  fill_totals(plan, counts);
  if (input.options.rate_mib)
    plan::estimate_time(plan, {input.options.rate_mib, input.options.parallel});
  return plan;
}

}  // namespace ballast::tidb
