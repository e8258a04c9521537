// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/cli/plan_output.hpp"
#include "ballast/cli/values.hpp"
#include "ballast/ganeti/cli/options/catalogue.hpp"
#include "ballast/ganeti/cli/tables/listing.hpp"

#include "ballast/ganeti/cli/options/values.hpp"

#include <algorithm>
#include <array>

namespace ballast::ganeti::cli {
namespace {

Status set_priority(Settings& settings, MaybeText value) {
  const std::string text = text_of_value(value);
  if (text != "low" && text != "normal" && text != "high")
    return fail(fmt::format("Unknown priority '{}'", text));
  settings.tool.priority = text;
  return {};
}

using ballast::cli::PlanFormat;

Status set_one_of(std::span<const std::string_view> words, Settings& settings, MaybeText value) {
  const std::string text = text_of_value(value);
  const auto found = std::ranges::find(words, text);
  if (found == words.end())
    return fail(fmt::format("{}: expected one of {}", quoted(text), fmt::join(words, "|")));
  settings.output.format = ballast::cli::format_of(*found);
  return {};
}

Status set_format(Settings& settings, MaybeText value) {
  return set_one_of(ballast::cli::kFormatWords, settings, value);
}

Status set_document_format(Settings& settings, MaybeText value) {
  constexpr std::array<std::string_view, 5> kWords{"text", "brief", "json", "markdown", "html"};
  return set_one_of(kWords, settings, value);
}

Status set_answer_format(Settings& settings, MaybeText value) {
  constexpr std::array<std::string_view, 1> kWords{"json"};
  return set_one_of(kWords, settings, value);
}

constexpr bool kReference = true;
constexpr bool kOurs = false;
constexpr ballast::cli::Range kTransfers{1, 1'000'000};

const auto kOutput = std::to_array<CatalogueRow>({
    {'p', "print-nodes", Takes::OptionalValue, "FIELDS", "none",
     "list the nodes before and after; FIELDS is a comma list, after a + in addition to the usual ones", kReference,
     [](Settings& s, MaybeText v) -> Status { s.output.node_fields = node_fields_of(v); return {}; }},
    {0, "print-instances", Takes::Nothing, "", "none", "list the instances before and after", kReference,
     [](Settings& s, MaybeText) -> Status { s.output.print_instances = true; return {}; }},
    {'C', "print-commands", Takes::OptionalValue, "FILE", "none", "print the commands of the plan, or write them to FILE",
     kReference, [](Settings& s, MaybeText v) -> Status { s.output.commands_file = text_of_value(v); return {}; }},
    {'v', "verbose", Takes::Nothing, "", "none", "say more; repeatable", kReference,
     [](Settings& s, MaybeText) -> Status { ++s.output.verbosity; return {}; }},
    {'q', "quiet", Takes::Nothing, "", "none", "say less; repeatable", kReference,
     [](Settings& s, MaybeText) -> Status { --s.output.verbosity; return {}; }},
    {'S', "save", Takes::Value, "FILE", "none", "save the snapshot to files whose names begin with FILE", kReference,
     [](Settings& s, MaybeText v) -> Status { s.output.save_file = text_of_value(v); return {}; }},
    {0, "machine-readable", Takes::OptionalValue, "CHOICE", "choices=yes,no", "print KEY=VALUE lines for programs (yes or no)",
     kReference, [](Settings& s, MaybeText v) { return set_choice(s.output.machine_readable, v); }},
    {0, "no-headers", Takes::Nothing, "", "none", "print no header line", kReference,
     [](Settings& s, MaybeText) -> Status { s.output.no_headers = true; return {}; }},
    {'d', "output-dir", Takes::Value, "PATH", "dir", "write the files into the folder PATH", kReference,
     [](Settings& s, MaybeText v) -> Status { s.tool.output_folder = text_of_value(v); return {}; }},
    {'X', "exec", Takes::Nothing, "", "none", "refused with -L and -m: this suite plans only", kReference,
     [](Settings& s, MaybeText) -> Status { s.tool.execute = true; return {}; }},
    {0, "first-job-group", Takes::Nothing, "", "none", "print the commands of the first set of jobs only", kReference,
     [](Settings& s, MaybeText) -> Status { s.tool.first_job_group = true; return {}; }},
    {0, "reason", Takes::Value, "REASON", "none", "reason text of submitted jobs; without effect here", kReference,
     [](Settings& s, MaybeText v) -> Status { s.tool.reason = text_of_value(v); return {}; }},
    {0, "priority", Takes::Value, "PRIO", "choices=low,normal,high", "priority of submitted jobs; without effect here",
     kReference, set_priority},
    {'G', "group", Takes::Value, "ID", "onegroup", "work on this node group (name or UUID)", kReference,
     [](Settings& s, MaybeText v) -> Status { s.tool.group = text_of_value(v); return {}; }},
    {0, "json", Takes::Nothing, "", "none", "print one JSON document in place of the text", kOurs,
     [](Settings& s, MaybeText) -> Status { s.output.format = PlanFormat::Json; return {}; }},
    {0, "format", Takes::Value, "WORD", "choices=text,brief,json,shell,markdown,html", "print the plan as text, brief, json, shell, markdown or html", kOurs, set_format},
    {0, "format@document", Takes::Value, "WORD", "choices=text,brief,json,markdown,html", "print the answer as text, brief, json, markdown or html", kOurs, set_document_format},
    {0, "format@answer", Takes::Value, "WORD", "choices=json", "print the answer as json, which is what Ganeti reads; --plan and --report have the other forms", kOurs, set_answer_format},
    {0, "format@health", Takes::Value, "WORD", "choices=text,brief,json,shell,markdown,html", "print the answer as text, brief, json, markdown or html; the plan of --what-if tier= also as shell", kOurs, set_format},
    {0, "output", Takes::Value, "FILE", "file", "write to FILE in place of standard output", kOurs,
     [](Settings& s, MaybeText v) -> Status { s.output.output_file = text_of_value(v); return {}; }},
    {0, "detailed-exit-code", Takes::Nothing, "", "none", "exit with 2 where there is something to do, 3 where it is blocked, 1 on wrong usage",
     kOurs, [](Settings& s, MaybeText) -> Status { s.output.detailed_exit_code = true; return {}; }},
    {0, "report", Takes::Value, "FILE", "file", "write the plan as an HTML page to FILE", kOurs,
     [](Settings& s, MaybeText v) -> Status { s.output.report_file = text_of_value(v); return {}; }},
    {0, "report@document", Takes::Value, "FILE", "file", "write the answer as an HTML page to FILE", kOurs,
     [](Settings& s, MaybeText v) -> Status { s.output.report_file = text_of_value(v); return {}; }},
    {0, "save-plan", Takes::Value, "FILE", "file", "write the plan in JSON to FILE, whatever is printed", kOurs,
     [](Settings& s, MaybeText v) -> Status { s.output.plan_file = text_of_value(v); return {}; }},
    {0, "metrics", Takes::Value, "FILE", "file", "write figures for Prometheus to FILE", kOurs,
     [](Settings& s, MaybeText v) -> Status { s.output.metrics_file = text_of_value(v); return {}; }},
    {0, "quiet-if-nothing", Takes::Nothing, "", "none", "say nothing at all where there is nothing to do", kOurs,
     [](Settings& s, MaybeText) -> Status { s.output.quiet_if_nothing = true; return {}; }},
    {0, "rate", Takes::Value, "MIB", "float", "estimate times in --json and --report with MIB MiB/s for one transfer", kOurs,
     [](Settings& s, MaybeText v) -> Status {
       const auto rate = ballast::cli::parse_positive(v.value_or(""));
       if (!rate) return fail(rate.error());
       s.output.rate_mib = *rate;
       return {};
     }},
    {0, "parallel", Takes::Value, "N", "integer", "with --rate: N transfers at a time (1)", kOurs,
     [](Settings& s, MaybeText v) -> Status {
       const auto count = ballast::cli::parse_integer(v.value_or(""), kTransfers.least, kTransfers.most);
       if (!count) return fail(count.error());
       s.output.parallel = *count;
       return {};
     },
     kTransfers},
    {0, "explain", Takes::Value, "NAME", "oneinstance", "say why this instance goes, stays, or cannot go elsewhere, why this node (or node=NAME) cannot be emptied, or what bars a better balance (group)", kOurs,
     [](Settings& s, MaybeText v) -> Status { s.tool.explained_instance = text_of_value(v); return {}; }},
});

}  // namespace

std::span<const CatalogueRow> output_rows() { return kOutput; }

}  // namespace ballast::ganeti::cli
