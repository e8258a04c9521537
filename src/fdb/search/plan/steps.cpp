// SPDX-License-Identifier: BSD-2-Clause
// One step of the trace as a step of the plan.
#include <fmt/format.h>

#include <algorithm>

#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/remedy/remedy.hpp"
#include "ballast/fdb/search/world/layout.hpp"
#include "cycles.hpp"
#include "parts.hpp"

namespace ballast::fdb {
namespace {

std::string kind_of(const TraceStep& step) {
  switch (step.action) {
    case Action::CreateConfigMap:
    case Action::UpdateConfigMap:
      return "config_map";
    case Action::SetMaintenance:
    case Action::ResetMaintenance:
      return "zone";
    case Action::CreateService:
    case Action::DeleteService:
      return step.classes == 0 ? "service" : "process_group";
    default:
      return "process_group";
  }
}

Value facts(const TraceStep& step, int wave) {
  Value system = Value::map();
  system.set("pass", step.pass);
  system.set("wave", wave);
  system.set("reconciler", std::string(name(step.reconciler)));
  system.set("lock", step.needs_lock);
  system.set("requeue", step.ends_pass ? "ends-pass" : step.is_delayed ? "delayed" : "none");
  if (!step.moves.empty()) {
    Value moves = Value::list();
    for (const TraceStep::Move& of : step.moves) {
      Value move = Value::map();
      move.set("group", of.group);
      if (of.bytes) move.set("bytes", *of.bytes);
      if (of.most) move.set("bytes_at_most", *of.most);
      moves.push(std::move(move));
    }
    system.set("moves", std::move(moves));
  }
  return system;
}

/// How long the simulated operator really stood at step `i`.
std::optional<std::int64_t> seconds_waited(const std::vector<TraceStep>& steps, std::size_t i) {
  for (std::size_t k = i + 1; k < steps.size(); ++k) {
    if (steps[k].pass != steps[i].pass) return steps[k].at - steps[i].at;
  }
  return std::nullopt;
}

plan::Wait gate_of(const TraceStep& step, std::optional<std::int64_t> seconds) {
  plan::Wait wait;
  wait.gate = step.gate;
  wait.text = step.detail;
  if (step.required > 0) wait.required = step.required;
  if (!step.observed.empty()) wait.observed = step.observed;
  wait.ok = false;
  wait.seconds_at_least = seconds;
  return wait;
}

/// The pods that the step makes, with their servers; lines that belong to it.
void add_parts(const TraceStep& step, plan::Step& out) {
  for (const std::string& line : step.listing) out.substeps.emplace_back(line);
  for (const GroupLayout& layout : step.layouts) {
    if (out.after.is_null()) out.after = Value::map();
    out.after.set(layout.group, layout_value(layout));
  }
}

}  // namespace

std::string GroupClasses::of(const std::string& id) {
  const auto& groups = snapshot_.groups;
  const bool is_next = next_ < groups.size() && groups[next_].id == id;
  const ProcessGroup* group = is_next ? &groups[next_] : snapshot_.find(id);
  if (group != nullptr) {
    next_ = static_cast<std::size_t>(group - groups.data()) + 1;
    return std::string(name(group->process_class));
  }
  const auto parsed = parse_group_id(id);
  return parsed && parse_process_class(parsed->class_name) ? parsed->class_name : std::string();
}

plan::Step plan_step(const Cluster& snapshot, GroupClasses& classes,
                     const std::vector<TraceStep>& steps, std::size_t i, int wave) {
  const TraceStep& step = steps[i];
  plan::Step out;
  out.action = std::string(name(step.action));
  const std::string kind = kind_of(step);
  if (step.targets.empty()) {
    out.subject = {"cluster", snapshot.name, ""};
  } else {
    out.subject = {kind, step.targets.front(), classes.of(step.targets.front())};
  }
  out.targets.reserve(step.targets.size());
  for (std::size_t k = 1; k < step.targets.size(); ++k) {
    out.targets.push_back({kind, step.targets[k], classes.of(step.targets[k])});
  }
  out.reason.code = step.reason.empty() ? std::string(name(step.action)) : step.reason;
  out.reason.text = step.because;
  if (step.action == Action::Wait) {
    out.waits_for.push_back(gate_of(step, seconds_waited(steps, i)));
    out.reason.code = step.gate;
    out.reason.text = "the gate " + step.detail + " is not open yet";
  }
  if (step.needs_lock) {
    plan::Wait lock;
    lock.gate = "lock";
    lock.text = "waits for the lock if another operator holds it";
    out.waits_for.push_back(std::move(lock));
  }
  add_commands(snapshot, step, out);
  out.cost.bytes = step.bytes;
  if (step.action == Action::Wait) out.cost.seconds_at_least = seconds_waited(steps, i);
  out.detail = step.detail == step.reason ? std::string() : step.detail;
  for (const std::string& check : step.checks)
    out.detail += (out.detail.empty() ? "" : "; ") + check;
  out.changes = step.changes;
  out.system = facts(step, wave);
  if (step.at > snapshot.now) out.system.set("after_seconds", step.at - snapshot.now);
  add_parts(step, out);
  return out;
}

void add_exposures(const Cluster& snapshot, const CopiesDown& copies, plan::Plan& plan) {
  for (const Exposure& exposure : copies.exposures) {
    plan::Step& step = plan.steps.at(static_cast<std::size_t>(exposure.step) - 1);
    const ProcessGroup* group = snapshot.find(exposure.group);
    const bool is_storage = group != nullptr && group->process_class == ProcessClass::Storage;
    step.unprotected.push_back(
        {is_storage ? "a copy of its data" : "a copy of the log", exposure.group, exposure.until});
    if (!is_storage || !exposure.until || !step.risks.empty()) continue;
    step.risks.push_back(
        {"re-replication",
         "if the pods stay away for longer than the database's failure detection, it "
         "copies their data elsewhere; maintenanceModeOptions.UseMaintenanceModeChecker "
         "keeps it from that"});
  }
}

void add_dead_end(const Cluster& snapshot, const ClusterSpec& desired, const PlanOptions& options,
                  const Simulation& simulation, const TraceStep& step, operators::Trace& trace) {
  operators::Block block{step.gate, {"cluster", snapshot.name, ""}, step.gate};
  if (!step.targets.empty()) {
    block.subject = {"process_group", step.targets.front(),
                     GroupClasses(snapshot).of(step.targets.front())};
  }
  if (step.required > 0) block.required = step.required;
  plan::Blocked& blocked = trace.block(std::move(block));
  blocked.text = step.observed;
  blocked.cycle = find_cycle(simulation.world, step);
  blocked.remedies = find_remedies(snapshot, desired, options, simulation, step);
}

}  // namespace ballast::fdb
