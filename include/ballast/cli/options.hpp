// SPDX-License-Identifier: BSD-2-Clause
// Command lines of the whole suite. An option is declared once; parsing, --help, --help-completion and the tests that hold the
// manual pages against them read the same table. The grammar is the reference's (which no general option library has):
// unique prefixes of long names, an optional value only attached (-pX, --name=X), -xyz as -x -yz, options and arguments mixed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/core/result.hpp"

namespace ballast::cli {

enum class Takes { Nothing, Value, OptionalValue };

struct Option {
  char letter = 0;           ///< 0: no short form
  std::string name;          ///< long form without dashes
  Takes takes = Takes::Nothing;
  std::string value_name;    ///< "FILE", "N"; empty where it takes nothing
  std::string completion;    ///< "none", "file", "integer", "choices=a,b", ...
  std::string help;          ///< one sentence
  /// False: an option that the reference lacks. Its prefixes count only where no option of the reference matches.
  bool is_reference = false;
  /// Called in the order of the command line once the syntax is right; the value is absent where none was given.
  std::function<Status(std::optional<std::string_view>)> apply;
};

struct Usage {
  std::string tool;
  std::string synopsis;             ///< "hfdb plan --current FILE [OPTION...]"
  std::string description;          ///< one paragraph
  std::vector<std::string> footer;  ///< lines after the options, e.g. the examples
};

struct ParsedLine {
  enum class Wish { Run, Help, Version, Completion };
  Wish wish = Wish::Run;
  std::vector<std::string> arguments;  ///< what is no option, in order; all after "--"
};

/// Syntax errors have Fault::Usage (the tool exits 2), value errors Fault::Input (exit 1); the messages may have several lines
/// and are complete (the caller only prints them). --help (-h), --version (-V), --help-completion are added to every table.
Result<ParsedLine> parse_command_line(const Usage& usage, const std::vector<Option>& options,
                                      const std::vector<std::string>& words);

/// Options in the order of the table, the reference's first, then the three generic ones; one line each.
std::string help_text(const Usage& usage, const std::vector<Option>& options);
/// "-p,--print-nodes none": one line per option, the reference's lines first.
std::string completion_text(const std::vector<Option>& options);

}  // namespace ballast::cli
