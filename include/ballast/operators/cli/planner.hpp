// SPDX-License-Identifier: BSD-2-Clause
// The frame of a planner's program: command line, refusals, renderings, exit statuses.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "ballast/cli/run_main.hpp"
#include "ballast/operators/cli/common_settings.hpp"
#include "ballast/operators/input/diagnostics.hpp"
#include "ballast/plan/plan.hpp"
#include "ballast/plan/replay.hpp"

namespace ballast::operators {

/// An exit status, or what is wrong with the question.
using Answer = tl::expected<int, std::vector<Diagnostic>>;

inline tl::unexpected<std::vector<Diagnostic>> refusal(Diagnostic diagnostic) {
  return tl::unexpected(std::vector<Diagnostic>{std::move(diagnostic)});
}

/// What the command line alone says wrong.
inline tl::unexpected<std::vector<Diagnostic>> wrong_usage(Diagnostic diagnostic) {
  diagnostic.fault = Fault::Usage;
  return refusal(std::move(diagnostic));
}

/// The last line of --help.
inline constexpr std::string_view kExitStatuses =
    "Exit status: 0 done, 1 bad input, 2 with --detailed-exit-code: there are steps, 3 something "
    "is "
    "blocked.";

/// The name of a program and its codes of what is wrong on the outside.
struct Program {
  std::string_view tool;
  std::string_view usage_code;  ///< of a wrong command line: "F018"
  std::string_view file_code;   ///< of files that cannot be written: "F001"
};

/// What a program tells the frame of itself.
struct Planner {
  Program program;
  cli::Usage usage;  ///< with its subcommands: the first word is one of them
  std::vector<cli::Option> options;
  CommonSettings* settings = nullptr;  ///< filled by the options
  /// The answer of a subcommand, printed to the streams.
  std::function<Answer(const std::string& command, cli::Streams& streams)> answer;
};

/// Serves --help, --version and --help-completion, finds the subcommand, tells refusals (with
/// --format json as a document too). The exit status.
int run(const Planner& planner, const cli::Invocation& invocation, cli::Streams& streams);

/// Reads the words of a planner that is asked from inside another program. The error: what is
/// wrong, one line each.
tl::expected<void, std::vector<std::string>> read_words(const Planner& planner,
                                                        const std::vector<std::string>& words);

/// What a planner has besides the forms that all of them share.
struct OwnForms {
  std::string opening;                      ///< before the text form
  std::string below_headline;               ///< in the text form, behind its second line
  std::string ending;                       ///< behind the text form
  std::function<std::string()> brief = {};  ///< in place of the common brief form
  bool tells_dangers = false;  ///< brief has no room for blocks and warnings: to standard error
  bool is_blocked = false;     ///< even if the plan's result does not say so
};

/// Writes the files that were asked for, prints the plan in the form that was asked for. The exit
/// status; kDone without a word where --quiet-if-nothing has nothing to say.
Answer present(const Program& program, const CommonSettings& settings, const plan::Plan& plan,
               const OwnForms& own, cli::Streams& streams);

/// Applies the plan's steps to `state`, from where the plan begins. A plan that holds gets its
/// weakest moments and is presented; one that does not is refused.
Answer replay_and_present(const Program& program, const CommonSettings& settings, plan::Plan plan,
                          plan::ReplayState& state, cli::Streams& streams);

/// A plan that its own check refutes is never shown.
int refuse_broken(const Program& program, const CommonSettings& settings,
                  const std::vector<std::string>& problems, cli::Streams& streams);
/// Such problems, each in a line of its own.
std::vector<std::string> broken_lines(std::vector<std::string> problems);

/// Files of a folder: name, content. Makes the folder itself, nothing above it: a path that was
/// mistyped must not grow a tree.
using Files = std::vector<std::pair<std::string, std::string>>;
Status write_folder(const std::string& folder, const Files& files);

}  // namespace ballast::operators
