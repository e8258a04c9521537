// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/cli/options.hpp"
#include "ballast/cli/plan_files.hpp"
#include "ballast/cli/plan_output.hpp"
#include "ballast/tidb/backend/load.hpp"
#include "ballast/tidb/search/basis/input.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ballast::tidb {

/// The command line of htidb, read.
struct Settings {
  std::vector<std::string> current;
  std::vector<std::string> desired;
  std::vector<std::string> kube;
  std::vector<std::string> pd;
  std::vector<std::string> nodes;
  std::vector<std::string> volumes;
  LoadRequest load;  // everything but the texts
  PlanOptions plan;  // everything but profile, order and names, which load() settles
  std::optional<Time> now;
  cli::PlanFormat format = cli::PlanFormat::Text;
  std::string output;  ///< a file in place of standard output; empty: none
  bool convert_to_list = false;
  std::string report;
  cli::PlanFiles files;
  std::string stages;
  std::string write_state;
  std::optional<std::int64_t> stop_after;  // steps; none: all
  std::optional<bool> colour;              // none: where the terminal can
  int verbosity = 0;
  bool detailed_exit_code = false;

  [[nodiscard]] bool is_json() const { return format == cli::PlanFormat::Json; }
};

cli::Usage usage();
/// The option table; parsing fills `settings`, which must outlive the table.
std::vector<cli::Option> option_table(Settings& settings);

}  // namespace ballast::tidb
