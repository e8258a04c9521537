// SPDX-License-Identifier: BSD-2-Clause
// hfdb: command line to answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballast/cli/run_main.hpp"
#include "ballast/fdb/backend/load.hpp"
#include "ballast/fdb/search/options.hpp"
#include "ballast/fdb/search/planner.hpp"

namespace ballast::fdb {

enum class Subcommand { Plan, Groups, Spread, Drain };
enum class Format { Text, Brief, Json, Shell, Markdown, Html };

struct Command {
  Subcommand subcommand = Subcommand::Plan;
  Format format = Format::Text;
  LoadRequest load;
  PlanOptions plan;
  std::optional<std::string> report;
  std::optional<std::string> write_status;
  std::optional<int> domains;
  std::string node;
  std::string zone;
  std::string colour = "auto";
  bool by_class = false;
  bool detailed_exit_code = false;
  bool is_verbose = false;
};

/// Exit status of the tool.
int run_hfdb(const cli::Invocation& invocation, cli::Streams& streams);

/// The process-group table and what is inconsistent, as text and as a value.
std::string groups_to_text(const Cluster& cluster);
Value groups_to_value(const Cluster& cluster);
/// The status that tracking would write: list form, or the map keyed by ID.
kube::Node tracked_status(const Cluster& cluster, bool as_map);

}  // namespace ballast::fdb
