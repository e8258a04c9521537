// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

#include "ballast/core/result.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::report {

/// The JSON form (format "ballast-plan", version 1; keys in the documented order; seal filled in),
/// indented by two blanks, with a final newline. `kind` is "plan".
std::string plan_to_json(const plan::Plan& plan);

struct ReadPlan {
  plan::Plan plan;
  bool seal_holds = true;  ///< false: edited since it was written
};

/// Reads what plan_to_json wrote. Errors name file, line and column, the offending text and what
/// was expected.
Result<ReadPlan> plan_from_json(std::string_view text, const std::string& file);

/// {"kind":"error","format":...,"message":...,"place":...,"exit":N}: what a tool prints with --json
/// when it fails.
std::string error_to_json(const Error& error, std::string_view tool, int exit_status);

/// One of several things that are wrong with an input.
struct ListedError {
  std::string code;     // of the tool; may be empty
  std::string path;     // in the document; may be empty
  std::string message;  // without code, path and place
  Place place;          // may be empty
};
/// The same with each of them in the list `errors`; `message` has all of them, one a line, and
/// `place` is that of the first. Precondition: there is one.
std::string errors_to_json(std::string_view message, const std::vector<ListedError>& errors,
                           std::string_view tool, int exit_status);

/// A plain value as JSON (for kinds "explain" and "report"), indented, final newline.
std::string value_to_json(const Value& value);

}  // namespace ballast::report
