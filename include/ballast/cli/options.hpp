// SPDX-License-Identifier: BSD-2-Clause
// Command lines of the whole suite. An option is declared once; parsing, --help, --help-completion,
// a site's file, the environment and the tests that hold the manual pages against them read the
// same table. The grammar is the reference's (which no general option library has): unique prefixes
// of long names, an optional value only attached (-pX, --name=X), -xyz as -x -yz, options and
// arguments mixed. What it reads goes through CLI11 (src/cli/option_set.cpp), which puts the site's
// file and the environment below it and says what does not go together.
#pragma once

#include "ballast/core/result.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::cli {

enum class Takes { Nothing, Value, OptionalValue };

/// Whole numbers from `least` to `most`.
struct Range {
  std::int64_t least = 0;
  std::int64_t most = 0;
};

struct Option {
  char letter = 0;   ///< 0: no short form
  std::string name;  ///< long form without dashes
  Takes takes = Takes::Nothing;
  std::string value_name;  ///< "FILE", "N"; empty where it takes nothing
  std::string completion;  ///< "none", "file", "integer", "choices=a,b", ...
  std::string help;        ///< one sentence
  /// False: an option that the reference lacks. Its prefixes count only where no option of the
  /// reference matches.
  bool is_reference = false;
  /// Called in the order of the command line once the syntax is right; the value is absent where
  /// none was given.
  std::function<Status(std::optional<std::string_view>)> apply;
  std::string group = {};                  ///< heading in --help; empty: under none
  std::vector<std::string> commands = {};  ///< subcommands that take it; empty: all
  std::vector<std::string> needs = {};     ///< long names of options that must be given with it
  std::vector<std::string> excludes = {};  ///< and of those that must not
  std::optional<Range> range = {};         ///< of its value; told in --help
};

struct Subcommand {
  std::string name;
  std::string help;  ///< one sentence
};

struct Usage {
  std::string tool;
  std::string synopsis;     ///< "hfdb plan --current FILE [OPTION...]"; empty: "TOOL [OPTION...]"
  std::string description;  ///< one paragraph; may be empty
  std::vector<std::string> footer;        ///< lines after the options, e.g. the examples
  std::vector<Subcommand> commands = {};  ///< the first argument is one of them; empty: none
};

struct ParsedLine {
  enum class Wish { Run, Help, Version, Completion };
  Wish wish = Wish::Run;
  std::vector<std::string> arguments;  ///< what is no option, in order; all after "--"
  std::string command;                 ///< the first argument where it is a subcommand
  /// What a person should know and no script needs to stop for: lines without the tool's name.
  std::vector<std::string> notes = {};
};

/// Syntax errors, and values that an option of ours refuses, have Fault::Usage (the tool exits 2);
/// values that one of the reference's refuses, and what a site's file or the environment says
/// wrong, Fault::Input (exit 1). Their messages have several lines, are complete and end in a
/// newline: the caller only prints them. A value error of an option that the reference lacks is one
/// line, "TOOL: option --NAME: MESSAGE".
/// --help (-h), --version (-V), --help-completion, --config are added to every table. For options
/// that the words do not give, the variables BALLAST_NAME count, then section [TOOL] of the site's
/// file (TOML): that of --config, of BALLAST_CONFIG, or /etc/ballast/ballast.toml where it is
/// there.
Result<ParsedLine> parse_command_line(const Usage& usage, const std::vector<Option>& options,
                                      const std::vector<std::string>& words);

/// What such a message complains of, for tools that tell it in a line of their own: its first line,
/// without what stands before, and what may have been meant.
std::string complaint_of(std::string_view message, std::string_view tool);

/// Does the command line hold the option, even if other words of it are wrong? For options that
/// decide how an error is told (--detailed-exit-code).
bool is_given(const std::vector<Option>& options, const std::vector<std::string>& words,
              std::string_view name);
/// Likewise: --json or --format json.
bool is_json_wanted(const std::vector<Option>& options, const std::vector<std::string>& words);

/// Head, synopsis, subcommands, then one line per option: the reference's in the order of the
/// table, the generic ones, ours by groups; the footer. With a subcommand: only what it takes.
std::string help_text(const Usage& usage, const std::vector<Option>& options,
                      std::string_view command = "");
/// "-p,--print-nodes none": one line per option in the order of help_text. `arguments` is the last
/// line for plain arguments ("file 1 1"); empty: none, or the subcommands.
std::string completion_text(const Usage& usage, const std::vector<Option>& options,
                            std::string_view arguments = "", std::string_view command = "");

}  // namespace ballast::cli
