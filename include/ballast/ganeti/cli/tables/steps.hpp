// SPDX-License-Identifier: BSD-2-Clause
// Step lines and command lists, as the reference prints them.
#pragma once

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"

#include <span>
#include <string>
#include <vector>

namespace ballast::ganeti::cli {

/// "    1. inst1 node1:node2 => node3:node2   7.45831047 a=f r:node3 f", no newline; columns as
/// wide as the group's longest aliases.
class StepLines {
 public:
  StepLines(const Cluster& cluster, const Part& part);
  /// `number` counts from 1.
  [[nodiscard]] std::string line(const BalanceStep& step, std::size_t number) const;

 private:
  const Cluster& cluster_;
  std::size_t instance_width_ = 0;
  std::size_t node_width_ = 0;
};

/// The lines "echo jobset 1, ..." with their empty lines, `check` lines included.
std::vector<std::string> command_lines(const Cluster& cluster,
                                       const std::vector<BalanceStep>& steps,
                                       const std::vector<std::vector<std::size_t>>& job_sets);

/// For the terminal: each line indented by two blanks, without the checks.
std::string commands_for_people(const std::vector<std::string>& lines);
/// A shell script that stops where the file /tmp/stop-htools exists.
std::string commands_script(const std::vector<std::string>& lines);

}  // namespace ballast::ganeti::cli
