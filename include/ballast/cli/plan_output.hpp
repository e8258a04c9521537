// SPDX-License-Identifier: BSD-2-Clause
// How a plan is printed: the options that tools with plans share, and the printing itself.
#pragma once

#include "ballast/cli/options.hpp"
#include "ballast/cli/run_main.hpp"
#include "ballast/plan/plan.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::cli {

enum class PlanFormat { Text, Json, Shell, Markdown, Html };

struct PlanOutput {
  PlanFormat format = PlanFormat::Text;
  std::optional<std::string> file;  ///< none: standard output
  std::optional<double> rate_mib;   ///< MiB/s of one transfer
  std::int64_t parallel = 1;
  bool detailed_exit_code = false;

  [[nodiscard]] bool is_json() const { return format == PlanFormat::Json; }
};

/// --text, --json, --shell, --markdown, --html, --output, --rate, --parallel, --detailed-exit-code.
/// `output` must outlive the parsing.
std::vector<Option> plan_output_options(PlanOutput& output);

/// Text to the wished place; kDone, or kFailed with the error told.
int write_output(std::string_view text, const PlanOutput& output, std::string_view tool,
                 Streams& streams);

/// Prints the plan, with times estimated again where a rate is given. kDone, kFailed, or
/// kHasChanges where that was asked for.
int print_plan(plan::Plan plan, const PlanOutput& output, std::string_view tool, Streams& streams);

}  // namespace ballast::cli
