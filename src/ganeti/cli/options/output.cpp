// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/options/output.hpp"

#include "ballast/report/plan_json.hpp"

#include <fmt/format.h>

namespace ballast::ganeti::cli {
namespace {

std::string without_prefix(std::string_view lines) {
  constexpr std::string_view kPrefix = "Error: ";
  if (lines.starts_with(kPrefix)) lines.remove_prefix(kPrefix.size());
  while (lines.ends_with('\n')) lines.remove_suffix(1);
  return std::string(lines);
}

}  // namespace

void Output::say(std::string_view text) {
  if (is_text()) streams_.out(text);
}

void Output::note(std::string_view text) { streams_.err(text); }

void Output::document(std::string_view text) {
  if (!is_text()) streams_.out(text);
}

int Output::fail(std::string_view lines, int status) {
  note(lines);
  if (!json()) return status;
  document(report::error_to_json(Error{without_prefix(lines), {}, Fault::Input}, role_, status));
  return status;
}

int Output::fail_with(std::string_view message, std::string_view detail) {
  if (detail.empty()) return fail(fmt::format("Error: {}\n", message));
  note(fmt::format("Error: {}\n", message));
  const Error error{fmt::format("{}: {}", message, detail), {}, Fault::Input};
  document(report::error_to_json(error, role_, ballast::cli::kFailed));
  return ballast::cli::kFailed;
}

int Output::wrong_usage(std::string_view message) {
  return fail_at({std::string(message), {}, Fault::Usage});
}

int Output::fail_at(const Error& error) {
  const int status = error.fault == Fault::Usage ? usage_status_ : ballast::cli::kFailed;
  note(fmt::format("{}: {}\n", role_, to_string(error)));
  if (json()) document(report::error_to_json(error, role_, status));
  return status;
}

int Output::fail_on_file(const std::string& path, const FileError& error) {
  streams_.flush();  // the reference dies here, and what it said so far comes first
  return fail(fmt::format("{}: {}\n", program_, file_error_text(path, error)));
}

}  // namespace ballast::ganeti::cli
