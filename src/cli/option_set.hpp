// SPDX-License-Identifier: BSD-2-Clause
// Where the values of options come from, and what does not go together.
#pragma once

#include "ballast/cli/options.hpp"
#include "ballast/core/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ballast::cli {

/// What an option is called in settings: its long name, or the letter of one that has none.
std::string key_of(const Option& option);

/// An option with its values, from one source.
struct Setting {
  std::string name;                 ///< see key_of
  std::vector<std::string> values;  ///< of a flag: "true" or "false"
  std::string origin;  ///< "BALLAST_MAX_CPU", "ballast.toml:3:1"; empty: the command line
};

/// Section [`tool`] of a file in TOML. Errors have a place: a section that is no tool's, a line
/// outside of any section, what is no option of the table.
Result<std::vector<Setting>> read_site_settings(std::string_view text, const std::string& file,
                                                std::string_view tool,
                                                const std::vector<Option>& table);

/// For each option the first of `settings` that names it; those that are not from the command line
/// and contradict it are left out. An error where one needs an option that is not among them, or
/// excludes one that is.
Result<std::vector<Setting>> chosen_settings(const std::vector<Option>& table,
                                             const std::vector<Setting>& settings);

}  // namespace ballast::cli
