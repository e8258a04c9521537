// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/options/start_with.hpp"

#include "ballast/ganeti/cli/options/options.hpp"

#include <iterator>

namespace ballast::ganeti::cli {

OrExit<Started> start_with(const Frame& frame, std::vector<ballast::cli::Option> more,
                           const ballast::cli::Invocation& invocation,
                           ballast::cli::Streams& streams) {
  Started started;
  auto options = options_of(frame.options, started.settings);
  std::move(more.begin(), more.end(), std::back_inserter(options));
  auto opening = ballast::cli::open_command_line(frame.usage, options, invocation.words, streams,
                                                 frame.completion_of_arguments);
  if (opening.status) return tl::unexpected(*opening.status);
  started.arguments = std::move(opening.arguments);
  if (const auto& file = started.settings.output.output_file) streams.write_to(*file);
  if (started.settings.output.quiet_if_nothing) streams.hold();
  if (!started.arguments.empty() && frame.completion_of_arguments.empty()) {
    Output output(streams, frame.usage.tool, invocation.program, started.settings.output.format,
                  started.settings.output.detailed_exit_code);
    return tl::unexpected(output.fail_with("This program doesn't take any arguments."));
  }
  return started;
}

}  // namespace ballast::ganeti::cli
