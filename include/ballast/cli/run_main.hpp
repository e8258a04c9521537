// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/cli/options.hpp"
#include "ballast/core/error.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ballast::cli {

/// Exit statuses of the suite.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;      ///< bad input or any other error
inline constexpr int kWrongUsage = 2;  ///< wrong command line
inline constexpr int kHasChanges =
    2;  ///< only with --detailed-exit-code: done, and the plan has steps
inline constexpr int kBlocked = 3;  ///< a wanted change cannot be reached

/// Where 2 means that there is something to do, wrong usage is an error like any other.
constexpr int usage_status(bool detailed_exit_code) {
  return detailed_exit_code ? kFailed : kWrongUsage;
}

/// Standard output and standard error of a tool. Output is buffered; flush() writes it. A closed
/// pipe is quiet: what is still written goes nowhere and the status stays what it would have been.
/// Any other failure (a full disk) is kept for run_main, which names it and exits 1.
class Streams {
 public:
  explicit Streams(int out_descriptor = 1, int err_descriptor = 2)
      : out_descriptor_(out_descriptor), err_descriptor_(err_descriptor) {}

  void out(std::string_view text);
  void err(std::string_view text);  ///< unbuffered; does not flush standard output first
  void flush();
  /// From now on both wait, until release() or the end of the run; forget() drops what waits.
  void hold() { is_held_ = true; }
  void release();
  void forget();
  /// From now on standard output goes into a file, written as a whole at the end of the run.
  void write_to(std::string file) { file_ = std::move(file); }
  [[nodiscard]] const std::optional<std::string>& file() const { return file_; }
  /// What is still buffered, taken out.
  std::string take() { return std::exchange(buffer_, {}); }
  /// errno of the first write to standard output that failed, other than on a closed pipe; 0: none.
  [[nodiscard]] int output_error() const { return output_error_; }

 private:
  int out_descriptor_;
  int err_descriptor_;
  std::string buffer_;
  std::string held_errors_;
  bool is_held_ = false;
  bool is_closed_ = false;
  int output_error_ = 0;
  std::optional<std::string> file_;
};

/// The program's name without folders, and its words.
struct Invocation {
  std::string program;
  std::vector<std::string> words;
};

using Tool = std::function<int(const Invocation&, Streams&)>;

/// Runs `tool`, flushes, turns exceptions into one line on standard error ("TOOL: internal error:
/// ...", exit 1) and returns the status.
int run_main(int argc, char** argv, const Tool& tool);
/// The same on given streams.
int run_tool(const Invocation& invocation, Streams& streams, const Tool& tool);

/// What is left to do after the command line was read: `status` is set where nothing is (help,
/// version or an error was printed).
struct Opening {
  std::optional<int> status;
  std::vector<std::string> arguments;
};

/// Parses the command line and serves --help, --version, --help-completion and errors. With --json
/// an error is told on standard output as a document too; with --detailed-exit-code wrong usage is
/// exit status 1.
Opening open_command_line(const Usage& usage, const std::vector<Option>& options,
                          const std::vector<std::string>& words, Streams& streams,
                          std::string_view completion_of_arguments = "");

/// "TOOL: MESSAGE" as one line on standard error and, where is_json, the error document on standard
/// output; returns kFailed.
int report_failure(Streams& streams, std::string_view tool, const Error& error, bool is_json);

/// First line names the reference version that the Ganeti tools equal (in the reference's own form)
/// and this suite.
std::string version_text(std::string_view tool);

/// May standard output be coloured: a terminal that can, and NO_COLOR not set.
bool is_colour_wanted();

}  // namespace ballast::cli
