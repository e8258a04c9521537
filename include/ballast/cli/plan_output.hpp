// SPDX-License-Identifier: BSD-2-Clause
// How a plan is printed: the options that tools with plans share, and the printing itself.
#pragma once

#include "ballast/cli/options.hpp"
#include "ballast/cli/run_main.hpp"
#include "ballast/plan/plan.hpp"
#include "ballast/report/document_page.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::cli {

enum class PlanFormat : std::uint8_t { Text, Brief, Json, Shell, Markdown, Html };

/// The words of --format, in the order of PlanFormat.
inline constexpr std::array<std::string_view, 6> kFormatWords{"text",  "brief",    "json",
                                                              "shell", "markdown", "html"};
/// Precondition: one of kFormatWords.
PlanFormat format_of(std::string_view word);
std::string_view word_of(PlanFormat format);

/// --format, the words that all tools share, and --json, the older word for one of them.
std::vector<Option> format_options(PlanFormat& into);

std::string render_plan(const plan::Plan& plan, PlanFormat format, bool colour);

/// An answer that is no plan. It has no shell form; its text is the tool's own: both are empty.
std::string render_document(const report::Document& document, const report::DocumentPage& page,
                            PlanFormat format);

struct PlanOutput {
  PlanFormat format = PlanFormat::Text;
  std::optional<std::string> file;  ///< none: standard output
  std::optional<double> rate_mib;   ///< MiB/s of one transfer
  std::int64_t parallel = 1;
  bool detailed_exit_code = false;

  [[nodiscard]] bool is_json() const { return format == PlanFormat::Json; }
};

/// --format and its older words --text, --json, --shell, --markdown, --html; --output, --rate,
/// --parallel, --detailed-exit-code.
/// `output` must outlive the parsing.
std::vector<Option> plan_output_options(PlanOutput& output);

/// Text to the wished place; kDone, or kFailed with the error told.
int write_output(std::string_view text, const PlanOutput& output, std::string_view tool,
                 Streams& streams);

/// Prints the plan, with times estimated again where a rate is given. kDone, kFailed, or
/// kHasChanges or kBlocked where that was asked for.
int print_plan(plan::Plan plan, const PlanOutput& output, std::string_view tool, Streams& streams);

}  // namespace ballast::cli
