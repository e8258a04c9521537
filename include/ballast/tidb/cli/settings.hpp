// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/operators/cli/planner.hpp"
#include "ballast/tidb/backend/load.hpp"
#include "ballast/tidb/search/basis/input.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ballast::tidb {

/// The command line of htidb, read.
struct Settings : operators::CommonSettings {
  std::vector<std::string> pd;  ///< files
  LoadRequest load;             ///< what is not common, and no texts; read_files() adds the rest
  PlanOptions plan;  ///< what is not common, without profile, order and names, which load() settles
  bool convert_to_list = false;
  std::string stages;
  std::string write_state;
  std::optional<std::int64_t> stop_after;  ///< steps; nothing: all
};

inline constexpr operators::Program kProgram{"htidb", "E020", "E015"};

cli::Usage usage();
/// The option table; parsing fills `settings`, which must outlive the table.
std::vector<cli::Option> option_table(Settings& settings);

}  // namespace ballast::tidb
