// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/maintenance/squeeze_report.hpp"

#include <fmt/format.h>

#include "ballast/core/file.hpp"
#include "ballast/core/shell.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/ganeti/cli/tables/steps.hpp"
#include "ballast/ganeti/search/squeeze/steps.hpp"

namespace ballast::ganeti::cli {
namespace {

std::string comma_names(const Cluster& cluster, const std::vector<NodeId>& nodes) {
  std::vector<std::string> names;
  for (const NodeId node : nodes) names.push_back(cluster[node].name);
  return join(names, ",");
}

/// Unlike hbal, these commands name instances in full and nodes without the common suffix.
std::vector<std::string> move_lines(const SqueezePlan& plan) {
  const Cluster full_names = with_full_instance_names(plan.cluster);
  return command_lines(full_names, plan.balance.steps, job_sets(full_names, plan.balance.steps));
}

void add_node_lines(std::vector<std::string>& lines, const SqueezePlan& plan,
                    std::string_view before, std::string_view after) {
  for (const NodeId node : plan.nodes)
    lines.push_back(
        fmt::format("  gnt-node {}{}{}", before, shell_operand(plan.cluster[node].alias), after));
}

std::vector<std::string> all_lines(const SqueezePlan& plan) {
  std::vector<std::string> lines;
  if (plan.action == SqueezeAction::Expand) {
    lines.emplace_back("echo Power Commands");
    add_node_lines(lines, plan, "power -f on ", "");
    const std::vector<std::string> moves = move_lines(plan);
    lines.insert(lines.end(), moves.begin(), moves.end());
  } else {
    lines = move_lines(plan);
    lines.insert(lines.end(), {"", "echo Tagging Commands"});
    add_node_lines(lines, plan, "add-tags ", " htools:standby:auto");
    lines.insert(lines.end(), {"", "echo Power Commands"});
    add_node_lines(lines, plan, "power -f off ", "");
  }
  return lines;
}

}  // namespace

std::string squeeze_candidates(const Cluster& cluster, const SqueezePlan& plan) {
  return fmt::format("Offline candidates: {}\nOnline candidates: {}\n",
                     comma_names(cluster, plan.offline_candidates),
                     comma_names(cluster, plan.online_candidates));
}

std::string squeeze_nodes(const Cluster& cluster, const SqueezePlan& plan, bool with_heading) {
  std::string text;
  if (with_heading) {
    text = plan.action == SqueezeAction::Nothing  ? "'No action'\n"
           : plan.action == SqueezeAction::Expand ? "'Nodes to online'\n"
                                                  : "'Nodes to offline'\n";
  }
  for (const NodeId node : plan.nodes) text += cluster[node].name + "\n";
  return text;
}

OrExit<void> give_squeeze_commands(const SqueezePlan& plan, const std::string& file,
                                   Output& output) {
  const bool is_nothing = plan.action == SqueezeAction::Nothing;
  const std::vector<std::string> lines =
      is_nothing ? std::vector<std::string>{"echo Nothing to do"} : all_lines(plan);
  if (file.empty() || file == "-") {
    output.say("\nCommands to run:\n" + commands_for_people(lines));
    return {};
  }
  std::string script = commands_script(lines);
  if (is_nothing) script.pop_back();  // the reference ends this one file without a newline
  if (const auto written = write_file_raw(file, script); !written) {
    return tl::unexpected(output.fail_on_file(file, written.error()));
  }
  output.say(fmt::format("The commands have been written to file '{}'\n", file));
  return {};
}

}  // namespace ballast::ganeti::cli
