// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/cli/plan_output.hpp"
#include "ballast/cli/run_main.hpp"
#include "ballast/core/error.hpp"
#include "ballast/core/file.hpp"
#include "ballast/ganeti/backend/transport/system_error.hpp"

#include <string>
#include <string_view>

namespace ballast::ganeti::cli {

/// What one run of a tool prints. With --json standard output is one document, whatever happens;
/// text for people is dropped there, standard error stays as it is.
class Output {
 public:
  /// `role` is the tool ("hbal"), `program` the file name it was started by: the reference uses the
  /// one or the other.
  Output(ballast::cli::Streams& streams, std::string role, std::string program,
         ballast::cli::PlanFormat format, bool detailed_exit_code = false)
      : streams_(streams),
        role_(std::move(role)),
        program_(std::move(program)),
        format_(format),
        usage_status_(ballast::cli::usage_status(detailed_exit_code)) {}

  void say(std::string_view text);       ///< standard output, in the text form
  void note(std::string_view text);      ///< standard error
  void document(std::string_view text);  ///< standard output, in all other forms
  void flush() { streams_.flush(); }
  /// With --quiet-if-nothing: there is nothing to do, so nothing is said.
  void forget() { streams_.forget(); }

  /// Each writes to standard error and, with --json, an error document to standard output; each
  /// returns the exit status. `lines` are complete (the reference's words), final newline included.
  [[nodiscard]] int fail(std::string_view lines, int status = ballast::cli::kFailed);
  /// "ROLE: MESSAGE": what the command line says does not go together.
  [[nodiscard]] int wrong_usage(std::string_view message);
  /// "Error: MESSAGE"; the document has `detail` behind it, which the reference does not say.
  [[nodiscard]] int fail_with(std::string_view message, std::string_view detail = "");
  /// "ROLE: PLACE: MESSAGE": what is ours. The status is the fault's.
  [[nodiscard]] int fail_at(const Error& error);
  /// "PROGRAM: PATH: openFile: does not exist (...)": a file that cannot be opened, outside the
  /// loading of the snapshot.
  [[nodiscard]] int fail_on_file(const std::string& path, const FileError& error);

  [[nodiscard]] bool is_text() const { return format_ == ballast::cli::PlanFormat::Text; }
  [[nodiscard]] bool json() const { return format_ == ballast::cli::PlanFormat::Json; }
  [[nodiscard]] const std::string& role() const { return role_; }
  [[nodiscard]] const std::string& program() const { return program_; }

 private:
  ballast::cli::Streams& streams_;
  std::string role_;
  std::string program_;
  ballast::cli::PlanFormat format_;
  int usage_status_;
};

}  // namespace ballast::ganeti::cli
