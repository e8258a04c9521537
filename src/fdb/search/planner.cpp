// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "ballast/core/sha256.hpp"
#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/reconcilers.hpp"
#include "ballast/kube/object.hpp"

namespace ballast::fdb {
namespace {

std::string kind_of(const Step& step) {
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

std::string class_of(const Cluster& snapshot, const std::string& id) {
  if (const ProcessGroup* group = snapshot.find(id)) return std::string(name(group->process_class));
  return {};
}

std::string shell_quoted(const std::string& text) { return "'" + text + "'"; }

void add_commands(const Cluster& snapshot, const Step& step, plan::Step& out) {
  const std::string kubectl = "kubectl -n " + snapshot.name_space + " ";
  for (const std::string& command : step.commands) {
    const std::string text =
        step.action == Action::ConfigureDatabase ? "configure " + command : command;
    out.commands.push_back({plan::CommandUse::Hand, "fdbcli --exec " + shell_quoted(text)});
  }
  switch (step.action) {
    case Action::MarkForRemoval:
    case Action::AddProcessGroup:
    case Action::SetStatus:
      out.commands.push_back({plan::CommandUse::Watch,
                              kubectl + "get foundationdbcluster " + snapshot.name + " -o yaml"});
      break;
    case Action::CreatePvc:
      out.commands.push_back(
          {plan::CommandUse::Watch,
           kubectl + "get pvc -l foundationdb.org/fdb-cluster-name=" + snapshot.name});
      break;
    case Action::CreatePod:
    case Action::DeletePod:
    case Action::DeleteResources:
      out.commands.push_back(
          {plan::CommandUse::Watch,
           kubectl + "get pods -l foundationdb.org/fdb-cluster-name=" + snapshot.name});
      break;
    case Action::UpdateConfigMap:
    case Action::CreateConfigMap:
      out.commands.push_back({plan::CommandUse::Watch,
                              kubectl + "get configmap " + step.targets.front() + " -o yaml"});
      break;
    case Action::Exclude:
    case Action::KillProcesses:
    case Action::ConfigureDatabase:
      out.commands.push_back({plan::CommandUse::Watch, "fdbcli --exec 'status details'"});
      break;
    default:
      break;
  }
}

Value facts(const Step& step) {
  Value system = Value::map();
  system.set("pass", step.pass);
  system.set("reconciler", std::string(name(step.reconciler)));
  system.set("lock", step.needs_lock);
  system.set("requeue", step.ends_pass ? "ends-pass" : step.is_delayed ? "delayed" : "none");
  if (!step.moves.empty()) {
    Value moves = Value::list();
    for (const auto& [group, bytes] : step.moves) {
      Value move = Value::map();
      move.set("group", group);
      if (bytes) move.set("bytes", *bytes);
      moves.push(std::move(move));
    }
    system.set("moves", std::move(moves));
  }
  return system;
}

/// How long the simulated operator really stood at step `i`.
std::optional<std::int64_t> seconds_waited(const std::vector<Step>& steps, std::size_t i) {
  for (std::size_t k = i + 1; k < steps.size(); ++k) {
    if (steps[k].pass != steps[i].pass) return steps[k].at - steps[i].at;
  }
  return std::nullopt;
}

plan::Wait gate_of(const Step& step, std::optional<std::int64_t> seconds) {
  plan::Wait wait;
  wait.gate = step.gate;
  wait.text = step.detail;
  if (step.required > 0) wait.required = step.required;
  if (!step.observed.empty()) wait.observed = step.observed;
  wait.ok = false;
  wait.seconds_at_least = seconds;
  return wait;
}

plan::Step convert(const Cluster& snapshot, const PlanOptions& options,
                   const std::vector<Step>& steps, std::size_t i, int n) {
  const Step& step = steps[i];
  plan::Step out;
  out.n = n;
  out.phase = step.pass;
  out.action = std::string(name(step.action));
  const std::string kind = kind_of(step);
  if (step.targets.empty()) {
    out.subject = {"cluster", snapshot.name, ""};
  } else {
    out.subject = {kind, step.targets.front(), class_of(snapshot, step.targets.front())};
  }
  for (std::size_t k = 1; k < step.targets.size(); ++k) {
    out.targets.push_back({kind, step.targets[k], class_of(snapshot, step.targets[k])});
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
  if (step.bytes && *step.bytes > 0 && options.rate_mib) {
    const double seconds = static_cast<double>(*step.bytes) /
                           (*options.rate_mib * 1048576.0 * std::max(1, options.parallel));
    out.cost.seconds_at_least = static_cast<std::int64_t>(seconds + 0.5);
  }
  if (step.action == Action::Wait) out.cost.seconds_at_least = seconds_waited(steps, i);
  out.detail = step.detail == step.reason ? std::string() : step.detail;
  for (const std::string& check : step.checks)
    out.detail += (out.detail.empty() ? "" : "; ") + check;
  out.system = facts(step);
  return out;
}

void add_blocked(const Cluster& snapshot, const ClusterSpec& desired, const PlanOptions& options,
                 const Step& step, plan::Plan& plan) {
  plan::Blocked blocked;
  blocked.code = step.gate;
  blocked.gate = step.gate;
  blocked.text = step.observed;
  if (!step.targets.empty()) {
    blocked.subject = {"process_group", step.targets.front(),
                       class_of(snapshot, step.targets.front())};
  } else {
    blocked.subject = {"cluster", snapshot.name, ""};
  }
  if (step.required > 0) blocked.required = step.required;
  if (!step.observed.empty()) blocked.observed = step.observed;
  for (const std::string& id : step.targets)
    blocked.cycle.push_back(id + " waits for " + step.gate);
  if (blocked.cycle.empty()) blocked.cycle.push_back(snapshot.name + " waits for " + step.gate);
  blocked.remedies = find_remedies(snapshot, desired, options, step);
  plan.blocked.push_back(std::move(blocked));
}

plan::Totals totals_of(const Cluster& snapshot, const ClusterSpec& desired,
                       const PlanOptions& options, const Simulation& simulation) {
  plan::Totals totals;
  std::set<std::string> added;
  std::set<std::string> removed;
  std::set<std::string> replaced;
  std::set<std::string> restarted;
  std::set<std::string> recreated;
  plan::Peak peak;
  int peak_pass = 0;
  int n = 0;
  for (const Step& step : simulation.steps) {
    if (step.action == Action::Blocked) continue;
    ++n;
    const auto into = [&](std::set<std::string>& set) {
      set.insert(step.targets.begin(), step.targets.end());
    };
    if (step.action == Action::AddProcessGroup) into(added);
    if (step.action == Action::DeleteResources) into(removed);
    if (step.action == Action::MarkForRemoval && step.reason != "shrink") into(replaced);
    if (step.action == Action::KillProcesses) into(restarted);
    if (step.action == Action::DeletePod) into(recreated);
    // All steps of a pass share its footprint; the pods are what fills it.
    const bool is_higher = step.footprint.pods > peak.pods.value_or(0);
    const bool is_cause = step.footprint.pods == peak.pods.value_or(0) && step.pass == peak_pass &&
                          step.action == Action::CreatePod;
    if (is_higher) peak_pass = step.pass;
    if (is_higher || is_cause) {
      peak = {step.footprint.pods, step.footprint.cpu_milli, step.footprint.memory_bytes,
              step.footprint.volume_bytes, n};
    }
  }
  totals.steps = n;
  totals.phases = simulation.passes;
  totals.bytes = total_bytes(simulation, rebalance_bytes(snapshot, desired));
  std::int64_t seconds = simulation.world.now - snapshot.now;
  if (totals.bytes && options.rate_mib) {
    seconds +=
        static_cast<std::int64_t>(static_cast<double>(*totals.bytes) /
                                  (*options.rate_mib * 1048576.0 * std::max(1, options.parallel)));
  }
  totals.seconds_at_least = seconds;
  const auto count = [](const std::set<std::string>& set) {
    return static_cast<std::int64_t>(set.size());
  };
  totals.added = count(added);
  totals.removed = count(removed);
  totals.replaced = count(replaced);
  totals.restarted = count(restarted);
  totals.recreated = count(recreated);
  if (peak.pods) totals.peak = peak;
  return totals;
}

void add_queues(const ClusterSpec& desired, const Simulation& simulation, plan::Plan& plan) {
  plan::Queue replacements;
  replacements.name = "replacements";
  if (const auto& limit = desired.automation.max_concurrent_replacements)
    replacements.limit = *limit;
  plan::Queue deletions;
  deletions.name = "deletions";
  int first_mark = 0;
  bool has_deleted = false;
  for (const Step& step : simulation.steps) {
    if (step.action == Action::MarkForRemoval &&
        step.reconciler == Reconciler::ReplaceMisconfiguredProcessGroups) {
      if (first_mark == 0) first_mark = step.pass;
      if (step.pass == first_mark) {
        replacements.running += static_cast<std::int64_t>(step.targets.size());
      } else {
        replacements.waiting.insert(replacements.waiting.end(), step.targets.begin(),
                                    step.targets.end());
      }
    }
    if (step.action == Action::DeleteResources) {
      if (!has_deleted) {
        deletions.running = static_cast<std::int64_t>(step.targets.size());
      } else {
        deletions.waiting.insert(deletions.waiting.end(), step.targets.begin(), step.targets.end());
      }
      has_deleted = true;
    }
  }
  if (!replacements.waiting.empty()) {
    std::string list;
    for (const std::string& id : replacements.waiting) list += (list.empty() ? "" : ", ") + id;
    plan.notes.push_back(
        {"replacement-queue",
         fmt::format("{}: waiting, need replacement, {} of {} replacements in flight", list,
                     replacements.running, replacements.limit.value_or(replacements.running))});
    plan.notes.push_back({"bytes-lower-bound",
                          "data moves at least once: what an earlier wave drains may land on a "
                          "group that is replaced later and move again"});
  }
  if (first_mark != 0 || replacements.limit) plan.queues.push_back(std::move(replacements));
  if (has_deleted) plan.queues.push_back(std::move(deletions));
}

Value summary(const PerClass<int>& pods, const PerClass<int>& processes,
              const std::vector<CoordinatorState>& coordinators, const ClusterStatus& status) {
  Value map = Value::map();
  for (std::size_t i = 0; i < kClassCount; ++i) {
    if (pods[i] == 0) continue;
    Value row = Value::map();
    row.set("pods", pods[i]);
    row.set("processes", processes[i]);
    map.set(name(class_at(i)), std::move(row));
  }
  Value list = Value::list();
  for (const CoordinatorState& coordinator : coordinators)
    list.push(to_string(coordinator.address));
  map.set("coordinators", std::move(list));
  Value storage = Value::list();
  for (const int density : status.storage_densities) storage.push(density);
  map.set("storage_servers_per_disk", std::move(storage));
  Value required = Value::list();
  if (status.required.tls) required.push("tls");
  if (status.required.non_tls) required.push("nonTLS");
  map.set("required_addresses", std::move(required));
  return map;
}

template <class Groups>
Value summary_of(const Groups& groups, const std::vector<CoordinatorState>& coordinators,
                 const ClusterStatus& status) {
  PerClass<int> pods{};
  PerClass<int> processes{};
  for (const auto& group : groups) {
    if (group.is_leaving() && !group.pod) continue;
    ++pods[index(group.process_class)];
    processes[index(group.process_class)] += group.pod ? group.pod->servers : 0;
  }
  return summary(pods, processes, coordinators, status);
}

void find_weakest(const Simulation& simulation, plan::Plan& plan) {
  int n = 0;
  for (const Step& step : simulation.steps) {
    if (step.action == Action::Blocked) continue;
    ++n;
    if (step.action == Action::KillProcesses) {
      plan.weakest = {n, "availability", class_names(step.classes), "all servers restart at once",
                      "a pause of seconds"};
      return;
    }
    if (step.action == Action::DeletePod && plan.weakest.what.empty()) {
      plan.weakest = {n, "redundancy", step.targets.front(), "one zone less while its pods restart",
                      "the other replicas"};
    }
    if (step.action == Action::Exclude && !step.checks.empty() && plan.weakest.what.empty()) {
      const auto at = step.checks.back().find("= ");
      const std::string ratio =
          at == std::string::npos ? std::string() : step.checks.back().substr(at + 2, 6);
      plan.weakest = {n, "free space", "storage",
                      ratio.substr(0, ratio.find(',')) + " of the disks", "more than 0.1"};
    }
  }
}

}  // namespace

std::optional<std::int64_t> total_bytes(const Simulation& simulation,
                                        std::optional<std::int64_t> rebalance) {
  std::int64_t sum = rebalance.value_or(0);
  for (const Step& step : simulation.steps) {
    if (!step.moves_data) continue;
    if (!step.bytes) return std::nullopt;
    sum += *step.bytes;
  }
  return sum;
}

std::optional<std::int64_t> rebalance_bytes(const Cluster& snapshot, const ClusterSpec& desired) {
  std::int64_t stored = 0;
  int groups = 0;
  int servers = 0;
  for (const ProcessGroup& group : snapshot.groups) {
    if (group.process_class != ProcessClass::Storage || group.is_marked()) continue;
    ++groups;
    servers += group.pod ? group.pod->servers : 1;
    stored += group.stored_bytes().value_or(0);
  }
  const int grown = wanted_pods(desired)[index(ProcessClass::Storage)] - groups;
  if (grown <= 0 || servers == 0 || stored == 0) return std::nullopt;
  const int extra = grown * desired.density(ProcessClass::Storage);
  return static_cast<std::int64_t>(static_cast<double>(stored) * extra / (servers + extra));
}

std::string fingerprint(const Cluster& snapshot, const ClusterSpec& desired) {
  std::string text = snapshot.name + "\n" + snapshot.name_space + "\n";
  const auto put_spec = [&text](const ClusterSpec& spec) {
    for (std::size_t i = 0; i < kClassCount; ++i) {
      text += std::to_string(spec.counts[i]) + " " + spec.processes[i].volume.hash + "\n" +
              pod_shape(spec, class_at(i));
      for (const std::string& parameter : spec.processes[i].custom_parameters)
        text += parameter + "\n";
    }
    text += configure_text(normalised_configuration(spec), false) + "\n";
    text += fmt::format("{} {} {} {}\n", static_cast<int>(spec.automation.removal_mode),
                        static_cast<int>(spec.automation.deletion_mode),
                        spec.automation.max_concurrent_replacements.value_or(-1),
                        spec.fault_domain.distribution.domains);
    for (const auto* list : {&spec.groups_to_remove, &spec.groups_to_remove_without_exclusion}) {
      for (const std::string& id : *list) text += id + "\n";
    }
  };
  put_spec(snapshot.spec);
  put_spec(desired);
  for (const ProcessGroup& group : snapshot.groups) {
    text += fmt::format("{} {} {} {} {} {}\n", group.id, name(group.process_class),
                        group.fault_domain, group.marked.value_or(-1), group.excluded.value_or(-1),
                        group.exclusion_skipped);
    for (const std::string& address : group.addresses) text += address + "\n";
    for (std::size_t i = 0; i < kConditionCount; ++i) {
      const auto c = static_cast<Condition>(i);
      if (group.conditions.has(c))
        text += fmt::format("{} {}\n", name(c), group.conditions.since(c));
    }
    if (group.pod)
      text += fmt::format("{} {} {} {}\n", group.pod->name, group.pod->node, group.pod->servers,
                          static_cast<int>(group.pod->phase));
    if (group.volume)
      text += fmt::format("{} {}\n", group.volume->spec_hash, group.volume->request_bytes);
    for (const Process& process : group.processes) {
      text += fmt::format("{} {} {} {} {}\n", process.number, process.zone, process.is_excluded,
                          process.stored_bytes.value_or(-1), process.command_line);
    }
  }
  text += snapshot.status.connection_string;
  return sha256_hex(text);
}

Planned make_plan(const Cluster& snapshot, const ClusterSpec& desired, const PlanOptions& options,
                  std::int64_t desired_generation) {
  Planned result;
  result.simulation = simulate(snapshot, desired, options);
  const Simulation& simulation = result.simulation;
  plan::Plan& plan = result.plan;
  plan.system = plan::System::Fdb;
  plan.tool = "hfdb";
  plan.cluster = Value::map();
  plan.cluster.set("name", snapshot.name);
  plan.cluster.set("namespace", snapshot.name_space);
  plan.cluster.set("generation", desired_generation);
  plan.profile = options.profile == Profile::Seed ? "seed" : "today";
  plan.now = kube::format_time(snapshot.now);
  plan.fingerprint = fingerprint(snapshot, desired);
  int n = 0;
  for (std::size_t i = 0; i < simulation.steps.size(); ++i) {
    if (simulation.steps[i].action == Action::Blocked) {
      add_blocked(snapshot, desired, options, simulation.steps[i], plan);
    } else {
      plan.steps.push_back(convert(snapshot, options, simulation.steps, i, ++n));
    }
  }
  plan.assumptions = list_assumptions(snapshot, options, simulation);
  for (const Remark& note : snapshot.notes) plan.notes.push_back({note.code, note.text});
  plan.warnings = find_warnings(snapshot, desired, options, simulation);
  plan.totals = totals_of(snapshot, desired, options, simulation);
  add_queues(desired, simulation, plan);
  plan.before = summary_of(snapshot.groups, snapshot.database.coordinators, snapshot.status);
  plan.after = summary_of(simulation.world.groups, simulation.world.db.coordinators,
                          simulation.world.status);
  find_weakest(simulation, plan);
  switch (simulation.ending) {
    case Ending::Skipped:
      plan.result = plan::Outcome::Skipped;
      break;
    case Ending::Blocked:
      plan.result = plan::Outcome::Blocked;
      break;
    case Ending::Reconciled:
      plan.result = plan.steps.empty() ? plan::Outcome::NoChange : plan::Outcome::Changes;
      break;
  }
  plan.headline = headline(snapshot, desired, simulation, plan.totals);
  return result;
}

}  // namespace ballast::fdb
