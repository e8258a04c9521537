// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballast/fdb/backend/load.hpp"
#include "ballast/fdb/search/ask/drain.hpp"
#include "ballast/fdb/search/step/options.hpp"
#include "ballast/operators/cli/planner.hpp"

namespace ballast::fdb {

using Format = cli::PlanFormat;

/// The command line of hfdb, read.
struct Settings : operators::CommonSettings {
  LoadRequest load;                         ///< what is not common; settle() adds the rest
  std::vector<std::string> peers;           ///< files of the other objects
  std::vector<std::string> peer_sets;       ///< PATH=VALUE for each of them
  PlanOptions plan;                         ///< what is not common; settle() adds the rest
  std::vector<std::string> operator_flags;  ///< as given; read into plan.flags
  // Subcommands
  std::optional<std::int64_t> domains;  ///< spread
  bool by_class = false;                ///< spread: scope of the anti-affinity
  std::string write_status;             ///< groups
  DrainSelection drain;
  std::string write_state;        ///< plan: directory for the state after a step
  std::optional<int> stop_after;  ///< plan: number of that step; nothing: the last
};

inline constexpr operators::Program kProgram{"hfdb", "F018", "F001"};

/// What is common goes into `load` and `plan`, too.
void settle(Settings& settings);

cli::Usage usage();
/// The option table; parsing fills `settings`, which must outlive the table.
std::vector<cli::Option> option_table(Settings& settings);

}  // namespace ballast::fdb
