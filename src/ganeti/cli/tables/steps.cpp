// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/tables/steps.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/core/utf8.hpp"
#include "ballast/ganeti/moves/move.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::ganeti::cli {
namespace {

std::string place_text(const Cluster& cluster, const Placement& placement) {
  std::string text = cluster[placement.primary].alias;
  if (!placement.secondary.is_none()) text += ":" + cluster[placement.secondary].alias;
  return text;
}

constexpr std::string_view kCheckLine = "  check";

constexpr std::string_view kScriptHead =
    "#!/bin/sh\n\n"
    "# Auto-generated script for executing cluster rebalancing\n\n"
    "# To stop, touch the file /tmp/stop-htools\n\n"
    "set -e\n\n"
    "check() {\n"
    "  if [ -f /tmp/stop-htools ]; then\n"
    "    echo 'Stop requested, exiting'\n"
    "    exit 0\n"
    "  fi\n"
    "}\n\n";

}  // namespace

StepLines::StepLines(const Cluster& cluster, const Part& part) : cluster_(cluster) {
  for (const InstanceId id : part.instances)
    instance_width_ = std::max(instance_width_, utf8_length(cluster[id].alias));
  for (const NodeId id : part.nodes)
    node_width_ = std::max(node_width_, utf8_length(cluster[id].alias));
}

std::string StepLines::line(const BalanceStep& step, std::size_t number) const {
  const std::size_t place_width = 2 * node_width_ + 1;
  return fmt::format("  {}. {} {} => {} {} a={}", pad_left(std::to_string(number), 3),
                     pad_right(cluster_[step.instance].alias, instance_width_),
                     pad_right(place_text(cluster_, step.before), place_width),
                     pad_right(place_text(cluster_, step.after), place_width),
                     pad_left(fixed(step.score, 8), 12),
                     moves_text(cluster_, step.move, step.after));
}

std::vector<std::string> command_lines(const Cluster& cluster,
                                       const std::vector<BalanceStep>& steps,
                                       const std::vector<std::vector<std::size_t>>& job_sets) {
  std::vector<std::string> lines;
  for (std::size_t set = 0; set < job_sets.size(); ++set) {
    lines.emplace_back();
    lines.push_back(fmt::format("echo jobset {}, {} jobs", set + 1, job_sets[set].size()));
    for (std::size_t job = 0; job < job_sets[set].size(); ++job) {
      const BalanceStep& step = steps[job_sets[set][job]];
      lines.push_back(fmt::format("  echo job {}/{}", set + 1, job + 1));
      lines.emplace_back(kCheckLine);
      for (const std::string& command :
           commands_of(cluster, step.instance, step.move, step.after)) {
        lines.push_back("  gnt-instance " + command);
      }
    }
  }
  return lines;
}

std::string commands_for_people(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    if (line != kCheckLine) text += "  " + line + "\n";
  }
  return text;
}

std::string commands_script(const std::vector<std::string>& lines) {
  std::string text(kScriptHead);
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace ballast::ganeti::cli
