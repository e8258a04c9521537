// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/planning/node_step.hpp"

#include "ballast/core/shell.hpp"
#include "ballast/ganeti/search/planning/move_step.hpp"
#include "ballast/ganeti/search/planning/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ballast::ganeti {
namespace {

using plan::CommandUse;

constexpr std::string_view kStandbyTag = "htools:standby:auto";
/// Gone after a reboot, since /run is not on a disk.
constexpr std::string_view kRebootMark = "/run/reboot-pending";

plan::Step step_on(std::string_view kind, const std::string& name, int n, std::string_view action) {
  plan::Step step;
  step.n = n;
  step.action = action;
  step.subject = {std::string(kind), name, ""};
  return step;
}

void add_command(plan::Step& step, CommandUse use, std::string text) {
  step.commands.push_back({use, std::move(text)});
}

std::string holds_check(const std::string& node, std::size_t primaries, std::size_t secondaries) {
  return fmt::format(
      "test \"$(gnt-node list --no-headers --separator=: -o pinst_cnt,sinst_cnt {})\" = {}:{}",
      shell_operand(node), primaries, secondaries);
}

void done_when(plan::Step& step, std::string text, std::string command) {
  step.done_when.push_back({std::move(text), std::move(command)});
}

/// `field` of a node, or of an instance, as the gnt commands list it.
std::string field_is(std::string_view tool, std::string_view field, std::string_view value,
                     const std::string& name) {
  return fmt::format("test \"$({} list --no-headers -o {} {})\" = {}", tool, field,
                     shell_operand(name), value);
}

/// All that is known of a node by its name: a plan's step is turned around without a cluster.
plan::Step power_off(int n, const std::string& name, const std::string& shown) {
  plan::Step step = step_on("node", name, n, kPowerOff);
  const std::string word = shell_operand(shown);
  add_command(step, CommandUse::Check, holds_check(name, 0, 0));
  add_command(step, CommandUse::Hand, fmt::format("gnt-node add-tags {} {}", word, kStandbyTag));
  add_command(step, CommandUse::Hand, fmt::format("gnt-node modify --offline=yes {}", word));
  add_command(step, CommandUse::Hand, fmt::format("gnt-node power -f off {}", word));
  done_when(step, name + " is offline", field_is("gnt-node", "offline", "Y", name));
  return step;
}

plan::Step power_on(int n, const std::string& name, const std::string& shown) {
  plan::Step step = step_on("node", name, n, kPowerOn);
  const std::string word = shell_operand(shown);
  add_command(step, CommandUse::Hand, fmt::format("gnt-node power -f on {}", word));
  add_command(step, CommandUse::Hand, fmt::format("gnt-node modify --offline=no {}", word));
  done_when(step, name + " is online", field_is("gnt-node", "offline", "N", name));
  return step;
}

}  // namespace

plan::Step power_off_step(const Cluster& cluster, int n, NodeId node) {
  return power_off(n, cluster[node].name, cluster[node].alias);
}

plan::Step power_on_step(const Cluster& cluster, int n, NodeId node) {
  return power_on(n, cluster[node].name, cluster[node].alias);
}

plan::Step power_step_back(const plan::Step& step) {
  const std::string& name = step.subject.name;
  if (step.action == kPowerOn) return power_off(step.n, name, name);
  plan::Step back = power_on(step.n, name, name);
  add_command(back, CommandUse::Hand,
              fmt::format("gnt-node remove-tags {} {}", shell_operand(name), kStandbyTag));
  return back;
}

plan::Step reboot_step(const Cluster& cluster, const State& state, int n, NodeId node) {
  const std::string& name = cluster[node].name;
  const NodeState& now = state[node];
  plan::Step step = step_on("node", name, n, kReboot);
  add_command(step, CommandUse::Check,
              holds_check(name, now.primaries.size(), now.secondaries.size()));
  add_command(step, CommandUse::Hand,
              fmt::format("ssh -n {} 'touch {} && shutdown -r +1'", shell_operand(name), kRebootMark));
  for (const auto* held : {&now.primaries, &now.secondaries}) {
    for (const InstanceId i : *held) {
      if (has_secondary(cluster[i].disk_template))
        step.unprotected.push_back({"mirror of the disks", cluster[i].name, n});
    }
  }
  return step;
}

void count_reboots(plan::Plan& plan) {
  const auto count = std::ranges::count_if(
      plan.steps, [](const plan::Step& step) { return step.action == kReboot; });
  if (count > 0) plan.totals.restarted = count;
}

plan::Gate node_is_up(const Cluster& cluster, NodeId node) {
  const std::string& name = cluster[node].name;
  return {name + " is up again, its node daemon runs",
          fmt::format(
              "ssh -n -o ConnectTimeout=5 {} 'test ! -e {} && pgrep -f ganeti-noded >/dev/null'",
              shell_operand(name), kRebootMark)};
}

plan::Gate mirrors_in_sync(const Cluster& cluster, const std::vector<InstanceId>& instances) {
  std::string names;
  for (const InstanceId i : instances) {
    const std::string& name = cluster[i].name;
    names += " " + (names.empty() ? shell_operand(name) : shell_word(name));
  }
  // Without an answer nothing is known to be in sync.
  return {"the mirrors that the last reboots interrupted are in sync again",
          fmt::format("told=$(gnt-instance info{}) && ! echo \"$told\" | grep -qE "
                      "'RECOVERING|DEGRADED|MISSING DISK'",
                      names)};
}

plan::Step stop_step(const Cluster& cluster, const State& state, int n, InstanceId instance) {
  plan::Step step = step_on("instance", cluster[instance].name, n, kStop);
  add_command(step, CommandUse::Check, placement_check(cluster, instance, state[instance]));
  add_command(step, CommandUse::Hand,
              "gnt-instance shutdown " + shell_operand(cluster[instance].alias));
  done_when(step, cluster[instance].name + " is stopped",
            field_is("gnt-instance", "status", "ADMIN_down", cluster[instance].name));
  return step;
}

plan::Step start_step(const Cluster& cluster, int n, InstanceId instance) {
  plan::Step step = step_on("instance", cluster[instance].name, n, kStart);
  add_command(step, CommandUse::Hand,
              "gnt-instance startup " + shell_operand(cluster[instance].alias));
  done_when(step, cluster[instance].name + " is running",
            field_is("gnt-instance", "status", "running", cluster[instance].name));
  return step;
}

}  // namespace ballast::ganeti
