// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballast/cli/options.hpp"
#include "ballast/cli/plan_files.hpp"
#include "ballast/cli/plan_output.hpp"
#include "ballast/fdb/backend/load.hpp"
#include "ballast/fdb/search/ask/drain.hpp"
#include "ballast/fdb/search/step/options.hpp"

namespace ballast::fdb {

using Format = cli::PlanFormat;

/// The command line of hfdb, read.
struct Settings {
  LoadRequest load;
  std::vector<std::string> nodes;      ///< files; joined to load.kube
  std::vector<std::string> volumes;    ///< files; joined to load.kube
  std::vector<std::string> peers;      ///< files of the other objects
  std::vector<std::string> peer_sets;  ///< PATH=VALUE for each of them
  PlanOptions plan;
  std::vector<std::string> operator_flags;  ///< as given; read into plan.flags
  Format format = Format::Text;
  std::string output;  ///< a file in place of standard output; empty: none
  std::string report;
  cli::PlanFiles files;
  std::optional<bool> colour;  ///< nothing: where the terminal can
  int verbosity = 0;
  bool detailed_exit_code = false;
  // Subcommands
  std::optional<std::int64_t> domains;  ///< spread
  bool by_class = false;                ///< spread: scope of the anti-affinity
  std::string write_status;             ///< groups
  DrainSelection drain;
  std::string write_state;        ///< plan: directory for the state after a step
  std::optional<int> stop_after;  ///< plan: number of that step; nothing: the last

  [[nodiscard]] bool is_json() const { return format == Format::Json; }
};

cli::Usage usage();
/// The option table; parsing fills `settings`, which must outlive the table.
std::vector<cli::Option> option_table(Settings& settings);

}  // namespace ballast::fdb
