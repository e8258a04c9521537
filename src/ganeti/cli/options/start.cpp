// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/options/start.hpp"

#include "ballast/ganeti/cli/options/options.hpp"
#include "ballast/ganeti/cli/options/start_with.hpp"

namespace ballast::ganeti::cli {

OrExit<Started> start(const Frame& frame, const ballast::cli::Invocation& invocation,
                      ballast::cli::Streams& streams) {
  Started started;
  const auto options = options_of(frame.options, started.settings);
  auto opening = ballast::cli::open_command_line(frame.usage, options, invocation.words, streams,
                                                 frame.completion_of_arguments);
  if (opening.status) return tl::unexpected(*opening.status);
  started.arguments = std::move(opening.arguments);
  if (const auto& file = started.settings.output.output_file) streams.write_to(*file);
  return started;
}

OrExit<Started> start_without_arguments(const Frame& frame,
                                        const ballast::cli::Invocation& invocation,
                                        ballast::cli::Streams& streams) {
  return start_with(frame, {}, invocation, streams);
}

}  // namespace ballast::ganeti::cli
