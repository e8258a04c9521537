// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/start.hpp"

#include <algorithm>

#include "ballast/ganeti/cli/options.hpp"

namespace ballast::ganeti::cli {
namespace {

namespace base = ballast::cli;

bool is_there(const base::Invocation& invocation, std::string_view word) {
  const auto end = std::find(invocation.words.begin(), invocation.words.end(), "--");
  return std::find(invocation.words.begin(), end, word) != end;
}

Exit report_wrong_line(const Frame& frame, const base::Invocation& invocation, base::Streams& streams,
                       const Error& error) {
  // The settings are not known, since the line is wrong: what was spelt out counts.
  Output output(streams, frame.role, invocation.program, is_there(invocation, "--json"));
  const bool detailed = is_there(invocation, "--detailed-exit-code");
  const int status = error.fault == Fault::Usage && !detailed ? base::kWrongUsage : base::kFailed;
  std::string lines = error.message;
  if (!lines.ends_with('\n')) lines += '\n';
  return output.fail(lines, status);
}

}  // namespace

OrExit<Started> start(const Frame& frame, const base::Invocation& invocation, base::Streams& streams) {
  Started started;
  const auto options = options_of(frame.options, started.settings);
  auto line = base::parse_command_line(frame.usage, options, invocation.words);
  if (!line) return tl::unexpected(report_wrong_line(frame, invocation, streams, line.error()));
  switch (line->wish) {
    case base::ParsedLine::Wish::Help:
      streams.out(base::help_text(frame.usage, options));
      return tl::unexpected(base::kDone);
    case base::ParsedLine::Wish::Version:
      streams.out(base::version_text(frame.role));
      return tl::unexpected(base::kDone);
    case base::ParsedLine::Wish::Completion:
      streams.out(base::completion_text(options) + frame.completion_footer);
      return tl::unexpected(base::kDone);
    case base::ParsedLine::Wish::Run:
      break;
  }
  started.arguments = std::move(line->arguments);
  return started;
}

OrExit<Started> start_without_arguments(const Frame& frame, const base::Invocation& invocation, base::Streams& streams) {
  auto started = start(frame, invocation, streams);
  if (started && !started->arguments.empty()) {
    Output output(streams, frame.role, invocation.program, started->settings.output.json);
    return tl::unexpected(output.fail_with("This program doesn't take any arguments."));
  }
  return started;
}

}  // namespace ballast::ganeti::cli
