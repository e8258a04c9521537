// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/cli/plan_output.hpp"

#include "ballast/cli/values.hpp"
#include "ballast/core/file.hpp"
#include "ballast/plan/estimate.hpp"
#include "ballast/report/plan_json.hpp"
#include "ballast/report/render.hpp"

#include <limits>

namespace ballast::cli {
namespace {

using MaybeText = std::optional<std::string_view>;

Option flag(const char* name, const char* help, std::function<void()> effect) {
  return {0,
          name,
          Takes::Nothing,
          "",
          "none",
          help,
          false,
          [effect = std::move(effect)](MaybeText) -> Status {
            effect();
            return {};
          }};
}

std::string rendered(const plan::Plan& plan, const PlanOutput& output) {
  switch (output.format) {
    case PlanFormat::Text:
      return report::plan_to_text(plan, {!output.file && is_colour_wanted(), true, true});
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

}  // namespace

std::vector<Option> plan_output_options(PlanOutput& output) {
  const auto format = [&output](const char* name, PlanFormat value, const char* help) {
    return flag(name, help, [&output, value] { output.format = value; });
  };
  return {
      format("text", PlanFormat::Text, "print for people (the usual form)"),
      format("json", PlanFormat::Json, "print one JSON document in place of the text"),
      format("shell", PlanFormat::Shell, "print a shell script"),
      format("markdown", PlanFormat::Markdown, "print Markdown"),
      format("html", PlanFormat::Html, "print one self-contained HTML page"),
      {0, "output", Takes::Value, "FILE", "file", "write to FILE in place of standard output",
       false,
       [&output](MaybeText text) -> Status {
         output.file = std::string(text.value_or(""));
         return {};
       }},
      {0, "rate", Takes::Value, "MIB", "float", "estimate times with MIB MiB/s for one transfer",
       false,
       [&output](MaybeText text) -> Status {
         const auto rate = parse_positive(text.value_or(""));
         if (!rate) return fail(rate.error());
         output.rate_mib = *rate;
         return {};
       }},
      {0, "parallel", Takes::Value, "N", "integer", "with --rate: N transfers at a time (1)", false,
       [&output](MaybeText text) -> Status {
         const auto count = parse_integer(text.value_or(""), 1, std::numeric_limits<int>::max());
         if (!count) return fail(count.error());
         output.parallel = *count;
         return {};
       }},
      flag("detailed-exit-code", "exit with 2 where there is something to do, 1 on wrong usage",
           [&output] { output.detailed_exit_code = true; }),
  };
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
  const int status = write_output(rendered(plan, output), output, tool, streams);
  if (status != kDone) return status;
  return output.detailed_exit_code && !plan.steps.empty() ? kHasChanges : kDone;
}

}  // namespace ballast::cli
