// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/cli/run_main.hpp"
#include "ballast/core/file.hpp"

#include "ballast/core/version.hpp"
#include "ballast/report/plan_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <new>
#include <unistd.h>

namespace ballast::cli {
namespace {

/// 0, or errno of the write that failed.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

/// A file opened later must not become standard output. The stand-in refuses what the closed
/// descriptor would have refused.
void occupy_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) == -1) {
      static_cast<void>(::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
    }
  }
}

bool is_ganeti_tool(std::string_view tool) {
  constexpr std::array<std::string_view, 10> kTools = {"hail",     "harep",   "hbal",  "hcheck",
                                                       "hinfo",    "hroller", "hscan", "hspace",
                                                       "hsqueeze", "htools"};
  return std::ranges::find(kTools, tool) != kTools.end();
}

}  // namespace

void Streams::out(std::string_view text) { buffer_ += text; }

void Streams::err(std::string_view text) {
  if (is_held_) {
    held_errors_ += text;
  } else {
    static_cast<void>(write_all(err_descriptor_, text));
  }
}

void Streams::release() {
  is_held_ = false;
  err(held_errors_);
  held_errors_.clear();
}

void Streams::forget() {
  is_held_ = false;
  held_errors_.clear();
  buffer_.clear();
}

void Streams::flush() {
  if (is_held_ || file_) return;
  if (!is_closed_ && output_error_ == 0) {
    const int error = write_all(out_descriptor_, buffer_);
    is_closed_ = error == EPIPE;
    if (!is_closed_) output_error_ = error;
  }
  buffer_.clear();
}

int run_tool(const Invocation& invocation, Streams& streams, const Tool& tool) {
  int status = kFailed;
  try {
    status = tool(invocation, streams);
  } catch (const std::bad_alloc&) {
    streams.release();
    streams.err(invocation.program + ": out of memory\n");
    return kFailed;
  } catch (const std::exception& exception) {
    streams.release();
    streams.err(fmt::format("{}: internal error: {}\n", invocation.program, exception.what()));
    return kFailed;
  }
  streams.release();
  if (streams.file()) {
    const std::string text = streams.take();
    // A run that fails without an answer leaves the file as it is.
    if (status == kFailed && text.empty()) return status;
    const auto written = write_file(*streams.file(), text);
    return written ? status : report_failure(streams, invocation.program, written.error(), false);
  }
  streams.flush();
  if (streams.output_error() != 0) {
    streams.err(fmt::format("{}: standard output: {}\n", invocation.program,
                            std::strerror(streams.output_error())));
    return kFailed;
  }
  return status;
}

int run_main(int argc, char** argv, const Tool& tool) {
  std::signal(SIGPIPE, SIG_IGN);
  guard_inputs();
  occupy_standard_descriptors();
  Invocation invocation;
  if (argc > 0) {
    const std::string_view path = argv[0];
    invocation.program = path.substr(path.rfind('/') + 1);
    invocation.words.assign(argv + 1, argv + argc);
  }
  Streams streams;
  return run_tool(invocation, streams, tool);
}

Opening open_command_line(const Usage& usage, const std::vector<Option>& options,
                          const std::vector<std::string>& words, Streams& streams,
                          std::string_view completion_of_arguments) {
  auto parsed = parse_command_line(usage, options, words);
  if (!parsed) {
    const bool is_usage = parsed.error().fault == Fault::Usage;
    const int status =
        is_usage && !is_given(options, words, "detailed-exit-code") ? kWrongUsage : kFailed;
    streams.err(parsed.error().message);
    if (is_json_wanted(options, words)) {
      Error told = parsed.error();
      // The document tells what is wrong; the help that follows it on standard error is for people.
      told.message = told.message.substr(0, told.message.find("\n\n"));
      while (told.message.ends_with('\n')) told.message.pop_back();
      streams.out(report::error_to_json(told, usage.tool, status));
    }
    return {status, {}};
  }
  switch (parsed->wish) {
    case ParsedLine::Wish::Help:
      streams.out(help_text(usage, options, parsed->command));
      return {kDone, {}};
    case ParsedLine::Wish::Version:
      streams.out(version_text(usage.tool));
      return {kDone, {}};
    case ParsedLine::Wish::Completion:
      streams.out(completion_text(usage, options, completion_of_arguments, parsed->command));
      return {kDone, {}};
    case ParsedLine::Wish::Run:
      break;
  }
  for (const std::string& note : parsed->notes)
    streams.err(fmt::format("{}: {}\n", usage.tool, note));
  return {std::nullopt, std::move(parsed->arguments)};
}

int report_failure(Streams& streams, std::string_view tool, const Error& error, bool is_json) {
  const std::string_view kind = error.fault == Fault::Internal ? "internal error: " : "";
  streams.err(fmt::format("{}: {}{}\n", tool, kind, to_string(error)));
  if (is_json) streams.out(report::error_to_json(error, tool, kFailed));
  return kFailed;
}

std::string version_text(std::string_view tool) {
  const std::string head =
      is_ganeti_tool(tool)
          ? fmt::format("{} (ganeti) version {}, Ballast {}", tool, kReferenceVersion, kVersion)
          : fmt::format("{} (Ballast) version {}", tool, kVersion);
  return fmt::format("{}\ncompiled with {}\nrunning on linux {}\n", head, BALLAST_COMPILER,
                     BALLAST_PROCESSOR);
}

bool is_colour_wanted() {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return ::isatty(STDOUT_FILENO) == 1 && !is_set("NO_COLOR") && !is_dumb;
}

}  // namespace ballast::cli
