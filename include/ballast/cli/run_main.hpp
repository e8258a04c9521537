// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/core/error.hpp"

namespace ballast::cli {

/// Exit statuses of the suite.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;       ///< bad input or any other error
inline constexpr int kWrongUsage = 2;   ///< wrong command line
inline constexpr int kHasChanges = 2;   ///< only with --detailed-exit-code: done, and the plan has steps
inline constexpr int kBlocked = 3;      ///< a wanted change cannot be reached

/// Standard output and standard error of a tool. Output is buffered; flush() writes it. A closed pipe ends the program quietly
/// (status as if all had been written), a full disk is an error with exit status 1.
class Streams {
 public:
  void out(std::string_view text);
  void err(std::string_view text);  ///< unbuffered; does not flush standard output first
  void flush();

 private:
  std::string buffer_;
};

/// The program's name without folders, and its words.
struct Invocation {
  std::string program;
  std::vector<std::string> words;
};

/// Runs `tool`, flushes, turns exceptions into one line on standard error ("TOOL: internal error: ...", exit 1) and returns the status.
int run_main(int argc, char** argv, const std::function<int(const Invocation&, Streams&)>& tool);

/// First line names this suite and the reference version that the Ganeti tools equal.
std::string version_text(std::string_view tool);

/// May standard output be coloured: a terminal, and NO_COLOR not set.
bool is_colour_wanted();

}  // namespace ballast::cli
