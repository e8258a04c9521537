// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/cli/run.hpp"

#include "ballast/tidb/cli/settings.hpp"
#include "ballast/tidb/cli/to_plan.hpp"
#include "ballast/tidb/cli/write_state.hpp"
#include "ballast/tidb/search/answer/search.hpp"
#include "ballast/tidb/search/replay/after_steps.hpp"
#include "ballast/tidb/search/replay/replay.hpp"
#include "convert.hpp"
#include "headline.hpp"
#include "inputs.hpp"
#include "shaping_options.hpp"
#include "show.hpp"
#include "stages.hpp"
#include "text_head.hpp"

#include <fmt/format.h>

#include <utility>

namespace ballast::tidb {

namespace {

using operators::Answer;

/// Fault of a file of the answer.
tl::unexpected<std::vector<Diagnostic>> refuse(const Error& error) {
  return operators::refusal({"E015", "-", error.message, error.place});
}

tl::unexpected<std::vector<Diagnostic>> wrong_usage(std::string message) {
  return operators::wrong_usage({"E020", "-", std::move(message)});
}

/// How many lines of the outcome hold the steps to stop after.
std::size_t line_of_step(const Outcome& outcome, std::optional<std::int64_t> stop_after) {
  if (!stop_after) return outcome.steps.size();
  std::int64_t steps = 0;
  for (std::size_t i = 0; i < outcome.steps.size(); ++i) {
    if (is_step(outcome.steps[i]) && steps++ == *stop_after) return i;
  }
  return outcome.steps.size();
}

operators::OwnForms own_forms(const plan::Plan& plan, const Outcome& outcome, bool is_verbose) {
  operators::OwnForms own;
  own.brief = [&outcome] { return brief(outcome); };
  own.below_headline = text_head(outcome.summary, plan);
  own.is_blocked = !never_reached(outcome).empty();
  if (!outcome.snippet.empty()) own.ending += "\nThe way round, as values:\n" + outcome.snippet;
  if (is_verbose && !outcome.leftovers.empty()) {
    own.ending += "\nLeft on the nodes at the end:\n";
    for (const std::string& line : outcome.leftovers) own.ending += "  " + line + "\n";
  }
  return own;
}

/// --stages and --write-state.
tl::expected<void, std::vector<Diagnostic>> write_folders(const Settings& settings,
                                                          const Loaded& loaded, const Input& input,
                                                          const Outcome& outcome) {
  const Documents& current = loaded.current_documents;
  const Documents& desired = loaded.desired_documents;
  if (!settings.stages.empty()) {
    auto written = write_stages(settings.stages, outcome, current, desired, settings.load);
    if (!written) return written;
  }
  if (settings.write_state.empty()) return {};
  const Input after = after_steps(input, outcome, line_of_step(outcome, settings.stop_after));
  const auto files = state_files(after, current, desired, settings.load);
  if (!files) return tl::unexpected(files.error());
  return write_files("--write-state", settings.write_state, *files);
}

Answer answer_plan(const Settings& settings, const Loaded& loaded, cli::Streams& streams) {
  const Input input = input_of(loaded, settings);
  const Outcome outcome = plan_cluster(input);
  plan::ReplayReport report = replay(input, outcome);
  if (!report.problems.empty())
    return operators::refuse_broken(kProgram, settings, lines_of(report), streams);
  const plan::Plan plan =
      to_plan(input, outcome, std::move(report.weakest), shaping_options(settings));
  if (auto written = write_folders(settings, loaded, input, outcome); !written)
    return tl::unexpected(written.error());
  return operators::present(kProgram, settings, plan,
                            own_forms(plan, outcome, settings.verbosity > 0), streams);
}

Answer convert(const Settings& settings, const Loaded& loaded, cli::Streams& streams) {
  const auto object = to_list_form(loaded.desired_documents, settings.load);
  if (!object) return tl::unexpected(object.error());
  streams.out(settings.is_json() ? report::document_to_json(converted(*object))
                                 : doc::emit_yaml(*object));
  return cli::kDone;
}

Answer answer_to(const std::string& command, Settings& settings, cli::Streams& streams) {
  if (settings.current.empty() && settings.desired.empty())
    return wrong_usage("--current or --desired is needed");
  const bool is_document = settings.format == cli::PlanFormat::Text || settings.is_json();
  if (command != "plan" && !is_document) {
    return wrong_usage(
        fmt::format("contradicting options: {} has no other --format than text and json", command));
  }
  if (command == "convert" && !settings.convert_to_list)
    return wrong_usage("convert needs --to list");
  if (const auto error = read_files(settings)) return refuse(*error);
  const auto loaded = load(settings.load);
  if (!loaded) return tl::unexpected(loaded.error());
  if (command == "convert") return convert(settings, *loaded, streams);
  if (command == "plan") return answer_plan(settings, *loaded, streams);
  const Input input = input_of(*loaded, settings);
  streams.out(settings.is_json() ? report::document_to_json(show(input)) : show_text(input));
  return cli::kDone;
}

}  // namespace

int run(const cli::Invocation& invocation, cli::Streams& streams) {
  Settings settings;
  const operators::Planner planner{kProgram, usage(), option_table(settings), &settings,
                                   [&](const std::string& command, cli::Streams& to) {
                                     return answer_to(command, settings, to);
                                   }};
  return operators::run(planner, invocation, streams);
}

}  // namespace ballast::tidb
