// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/cli/plan_output.hpp"

#include "ballast/cli/option_makers.hpp"
#include "ballast/cli/values.hpp"
#include "ballast/core/file.hpp"
#include "ballast/plan/estimate.hpp"
#include "ballast/report/plan_json.hpp"
#include "ballast/report/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace ballast::cli {
namespace {

Option json_option(PlanFormat& into) {
  return excluding("format", flag_option("json", "the same as --format json",
                                         [&into] { into = PlanFormat::Json; }));
}

}  // namespace

PlanFormat format_of(std::string_view word) {
  return static_cast<PlanFormat>(std::ranges::find(kFormatWords, word) - kFormatWords.begin());
}

std::string_view word_of(PlanFormat format) {
  return kFormatWords.at(static_cast<std::size_t>(format));
}

std::vector<Option> format_options(PlanFormat& into) {
  return {choice_option("format", {kFormatWords.begin(), kFormatWords.end()},
                        "how the answer is printed (default text)",
                        [&into](std::size_t i) { into = static_cast<PlanFormat>(i); }),
          json_option(into)};
}

std::string render_plan(const plan::Plan& plan, PlanFormat format, bool colour) {
  switch (format) {
    case PlanFormat::Text:
      return report::plan_to_text(plan, {colour, true, true});
    case PlanFormat::Brief:
      return report::plan_to_text(plan, {colour, false, false});
    case PlanFormat::Json:
      return report::plan_to_json(plan);
    case PlanFormat::Shell:
      return report::plan_to_shell(plan);
    case PlanFormat::Markdown:
      return report::plan_to_markdown(plan);
    case PlanFormat::Html:
      return report::plan_to_html(plan);
  }
  return "";
}

std::string render_document(const report::Document& document, const report::DocumentPage& page,
                            PlanFormat format) {
  switch (format) {
    case PlanFormat::Brief:
      return report::document_to_brief(document, page);
    case PlanFormat::Json:
      return report::document_to_json(document);
    case PlanFormat::Markdown:
      return report::document_to_markdown(document, page);
    case PlanFormat::Html:
      return report::document_to_html(document, page);
    case PlanFormat::Text:
    case PlanFormat::Shell:
      break;
  }
  return "";
}

std::vector<Option> plan_output_options(PlanOutput& output) {
  std::vector<Option> options = format_options(output.format);
  for (const std::string_view word : {"text", "shell", "markdown", "html"}) {
    options.push_back(flag_option(std::string(word), fmt::format("the same as --format {}", word),
                                  [&output, format = format_of(word)] { output.format = format; }));
  }
  options.push_back(value_option("output", "FILE", "file",
                                 "write to FILE in place of standard output",
                                 [&output](std::string_view file) -> Status {
                                   output.file = std::string(file);
                                   return {};
                                 }));
  options.push_back(value_option("rate", "MIB", "float",
                                 "estimate times with MIB MiB/s for one transfer",
                                 [&output](std::string_view text) -> Status {
                                   const auto rate = parse_positive(text);
                                   if (!rate) return fail(rate.error());
                                   output.rate_mib = *rate;
                                   return {};
                                 }));
  options.push_back(integer_option("parallel", "N", "with --rate: N transfers at a time (1)", 1,
                                   std::numeric_limits<int>::max(),
                                   [&output](std::int64_t count) { output.parallel = count; }));
  options.push_back(flag_option(
      "detailed-exit-code",
      "exit with 2 where there is something to do, 3 where it is blocked, 1 on wrong usage",
      [&output] { output.detailed_exit_code = true; }));
  return options;
}

int write_output(std::string_view text, const PlanOutput& output, std::string_view tool,
                 Streams& streams) {
  if (!output.file) {
    streams.out(text);
    return kDone;
  }
  const auto written = write_file(*output.file, text);
  return written ? kDone : report_failure(streams, tool, written.error(), output.is_json());
}

int print_plan(plan::Plan plan, const PlanOutput& output, std::string_view tool, Streams& streams) {
  if (output.rate_mib) plan::estimate_time(plan, {output.rate_mib, output.parallel});
  const int status = write_output(
      render_plan(plan, output.format, !output.file && is_colour_wanted()), output, tool, streams);
  if (status != kDone || !output.detailed_exit_code) return status;
  if (plan.result == plan::Outcome::Blocked) return kBlocked;
  return plan.steps.empty() ? kDone : kHasChanges;
}

}  // namespace ballast::cli
