// SPDX-License-Identifier: BSD-2-Clause
// The first half of reading a command line: words -> which options with which values, and the
// syntax errors.
#pragma once

#include "ballast/cli/options.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::cli {

/// The table with the generic options, in the order of the help: the reference's, the generic ones,
/// ours.
std::vector<Option> complete_table(const std::vector<Option>& options);

/// Is it one of the options that every tool has?
bool is_generic(std::string_view name);

struct Found {
  const Option* option = nullptr;  ///< points into the table that was scanned with
  std::optional<std::string> value;
};

struct Scan {
  std::vector<Found> found;  ///< in the order of the command line
  std::vector<std::string> arguments;
  std::vector<std::string> errors;  ///< about values and ambiguity, in order; each may have several
                                    ///< lines, no final newline
  std::vector<std::string> unrecognized;  ///< in order
  std::vector<std::string> suggestions;   ///< for unrecognized ones, where a known one is near
};

Scan scan_words(const std::vector<Option>& table, const std::vector<std::string>& words);

enum class Headings { None, Shown };

/// One line per option, columns padded to the widest cell of this set; with headings, the name of
/// the group before each run of options of one group.
std::string option_lines(const std::vector<const Option*>& options,
                         Headings headings = Headings::None);

}  // namespace ballast::cli
