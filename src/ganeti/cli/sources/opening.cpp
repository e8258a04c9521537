// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/sources/opening.hpp"

#include <utility>

namespace ballast::ganeti::cli {

OrExit<LoadedRun> open_run(const Frame& frame, const ballast::cli::Invocation& invocation,
                           ballast::cli::Streams& streams) {
  auto started = start_without_arguments(frame, invocation, streams);
  if (!started) return tl::unexpected(started.error());
  Output output(streams, frame.usage.tool, invocation.program, started->settings.output.format,
                started->settings.output.detailed_exit_code);
  auto snapshot = load_snapshot(started->settings, output);
  if (!snapshot) return tl::unexpected(snapshot.error());
  return LoadedRun{std::move(started->settings), std::move(output), std::move(*snapshot)};
}

}  // namespace ballast::ganeti::cli
