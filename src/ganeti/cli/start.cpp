// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/start.hpp"

#include "ballast/ganeti/cli/options.hpp"

namespace ballast::ganeti::cli {

OrExit<Started> start(const Frame& frame, const ballast::cli::Invocation& invocation,
                      ballast::cli::Streams& streams) {
  Started started;
  const auto options = options_of(frame.options, started.settings);
  auto opening = ballast::cli::open_command_line(frame.usage, options, invocation.words, streams,
                                                 frame.completion_of_arguments);
  if (opening.status) return tl::unexpected(*opening.status);
  started.arguments = std::move(opening.arguments);
  return started;
}

OrExit<Started> start_without_arguments(const Frame& frame,
                                        const ballast::cli::Invocation& invocation,
                                        ballast::cli::Streams& streams) {
  auto started = start(frame, invocation, streams);
  if (started && !started->arguments.empty()) {
    Output output(streams, frame.usage.tool, invocation.program, started->settings.output.json);
    return tl::unexpected(output.fail_with("This program doesn't take any arguments."));
  }
  return started;
}

}  // namespace ballast::ganeti::cli
