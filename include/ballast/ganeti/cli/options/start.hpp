// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/cli/options.hpp"
#include "ballast/cli/run_main.hpp"
#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"

#include <tl/expected.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::ganeti::cli {

/// An exit status; everything is printed already.
using Exit = int;
template <class T>
using OrExit = tl::expected<T, Exit>;

/// A tool's command line: the texts of --help (`usage.tool` is the role) and names from the
/// catalogue in the order of the usage text.
struct Frame {
  ballast::cli::Usage usage;
  std::vector<std::string_view> options;
  std::string completion_of_arguments;  ///< last line of --help-completion: "file 1 1"; empty: none
};

struct Started {
  Settings settings;
  std::vector<std::string> arguments;
};

/// Parses the command line. An exit status where nothing is left to do: help, version, completion,
/// or an error.
OrExit<Started> start(const Frame& frame, const ballast::cli::Invocation& invocation,
                      ballast::cli::Streams& streams);

/// For tools that take options only: the reference's message where there are arguments.
OrExit<Started> start_without_arguments(const Frame& frame,
                                        const ballast::cli::Invocation& invocation,
                                        ballast::cli::Streams& streams);

}  // namespace ballast::ganeti::cli
