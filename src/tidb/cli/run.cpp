// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/cli/run.hpp"

#include "ballast/core/file.hpp"
#include "ballast/report/plan_json.hpp"
#include "ballast/report/render.hpp"
#include "ballast/tidb/cli/convert.hpp"
#include "ballast/tidb/cli/headline.hpp"
#include "ballast/tidb/cli/inputs.hpp"
#include "ballast/tidb/cli/settings.hpp"
#include "ballast/tidb/cli/shaping_options.hpp"
#include "ballast/tidb/cli/show.hpp"
#include "ballast/tidb/cli/stages.hpp"
#include "ballast/tidb/cli/text_head.hpp"
#include "ballast/tidb/cli/to_plan.hpp"
#include "ballast/tidb/cli/write_state.hpp"
#include "ballast/tidb/search/replay/after_steps.hpp"
#include "ballast/tidb/search/replay/replay.hpp"
#include "ballast/tidb/search/answer/search.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

using cli::kBlocked;
using cli::kDone;
using cli::kFailed;
using cli::kHasChanges;

class Run {
 public:
  Run(const cli::Invocation& invocation, cli::Streams& streams)
      : words_(invocation.words), streams_(streams) {}

  int run() {
    const auto table = option_table(settings_);
    const auto parsed = cli::parse_command_line(usage(), table, words_);
    if (!parsed) {
      if (cli::is_given(table, words_, "json")) settings_.format = cli::PlanFormat::Json;
      return refuse({wrong_usage(cli::complaint_of(parsed.error().message, "htidb"))});
    }
    switch (parsed->wish) {
      case cli::ParsedLine::Wish::Help:
        streams_.out(cli::help_text(usage(), table, parsed->command));
        return kDone;
      case cli::ParsedLine::Wish::Version:
        streams_.out(cli::version_text("htidb"));
        return kDone;
      case cli::ParsedLine::Wish::Completion:
        streams_.out(cli::completion_text(usage(), table, "", parsed->command));
        return kDone;
      case cli::ParsedLine::Wish::Run:
        break;
    }
    if (parsed->arguments.empty())
      return refuse({wrong_usage("one of the words plan, show, convert was expected")});
    if (parsed->arguments.size() > 1) {
      return refuse({wrong_usage(fmt::format(
          "{} was not expected: files are given by --current and --desired, one word is the "
          "subcommand",
          quoted(parsed->arguments[1])))});
    }
    return command(parsed->arguments.front());
  }

 private:
  static Diagnostic wrong_usage(std::string message) {
    return {"E020", "-", std::move(message), {}, 0};
  }

  int refuse(const std::vector<Diagnostic>& diagnostics) {
    std::string all;
    for (const Diagnostic& diagnostic : diagnostics) {
      const std::string line = to_string(diagnostic);
      streams_.err(fmt::format("htidb: {}\n", line));
      all += all.empty() ? line : "\n" + line;
    }
    if (!settings_.is_json()) return kFailed;
    std::vector<report::ListedError> errors;
    for (const Diagnostic& one : diagnostics)
      errors.push_back({one.code, one.path, one.message, one.place});
    streams_.out(report::errors_to_json(all, errors, "htidb", kFailed));
    return kFailed;
  }

  int refuse(const Error& error) {
    return refuse({Diagnostic{"E015", "-", error.message, error.place, 0}});
  }

  int command(const std::string& word) {
    if (word != "plan" && word != "show" && word != "convert") {
      return refuse({wrong_usage(
          fmt::format("unknown subcommand {}: plan, show or convert was expected", quoted(word)))});
    }
    if (settings_.current.empty() && settings_.desired.empty())
      return refuse({wrong_usage("--current or --desired is needed")});
    const bool is_document = settings_.format == cli::PlanFormat::Text || settings_.is_json();
    if (!settings_.output.empty()) streams_.write_to(settings_.output);
    if (word != "plan" && !is_document) {
      return refuse({wrong_usage(fmt::format(
          "contradicting options: {} has no other --format than text and json", word))});
    }
    if (word == "convert" && !settings_.convert_to_list)
      return refuse({wrong_usage("convert needs --to list")});
    if (const auto error = read_files(settings_)) return refuse(*error);
    auto loaded = load(settings_.load);
    if (!loaded) return refuse(loaded.error());
    if (word == "convert") return convert(*loaded);
    const Input input = input_of(*loaded, settings_);
    documents_current_ = std::move(loaded->current_documents);
    documents_desired_ = std::move(loaded->desired_documents);
    if (word == "show") {
      streams_.out(settings_.is_json() ? report::document_to_json(show(input)) : show_text(input));
      return kDone;
    }
    return plan(input);
  }

  int convert(const Loaded& loaded) {
    const auto object = to_list_form(loaded.desired_documents, settings_.load);
    if (!object) return refuse(object.error());
    streams_.out(settings_.is_json() ? report::document_to_json(converted(*object))
                                     : kube::emit_yaml(*object));
    return kDone;
  }

  int plan(const Input& input) {
    const Outcome outcome = plan_cluster(input);
    if (const auto broken = replay(input, outcome)) {
      const Error error{fmt::format("the plan does not hold on replay, please report: {}", *broken),
                        {},
                        Fault::Internal};
      return cli::report_failure(streams_, "htidb", error, settings_.is_json());
    }
    const plan::Plan plan = to_plan(input, outcome, shaping_options(settings_));
    if (!settings_.stages.empty()) {
      if (const auto written = write_stages(settings_.stages, input, outcome, documents_current_,
                                            documents_desired_, settings_.load);
          !written) {
        return refuse(written.error());
      }
    }
    if (!settings_.write_state.empty()) {
      const Input after = after_steps(input, outcome, line_of_step(outcome));
      const auto files = state_files(after, documents_current_, documents_desired_, settings_.load);
      if (!files) return refuse(files.error());
      if (const auto written = write_state(settings_.write_state, *files); !written)
        return refuse(written.error());
    }
    if (!settings_.report.empty()) {
      if (const auto written = write_file(settings_.report, report::plan_to_html(plan)); !written)
        return refuse(written.error());
    }
    if (const auto written = cli::write_plan_files(plan, settings_.files); !written)
      return refuse(written.error());
    if (settings_.files.quiet_if_nothing && cli::is_nothing(plan)) return kDone;
    streams_.out(rendered(plan, outcome));
    if (!plan.blocked.empty() || !never_reached(outcome).empty()) return kBlocked;
    return settings_.detailed_exit_code && !plan.steps.empty() ? kHasChanges : kDone;
  }

  /// How many lines of the outcome hold the steps to stop after.
  std::size_t line_of_step(const Outcome& outcome) const {
    if (!settings_.stop_after) return outcome.steps.size();
    std::int64_t steps = 0;
    for (std::size_t i = 0; i < outcome.steps.size(); ++i) {
      const Action action = outcome.steps[i].action;
      if (action == Action::Blocked || action == Action::Deferred) continue;
      if (steps++ == *settings_.stop_after) return i;
    }
    return outcome.steps.size();
  }

  std::string rendered(const plan::Plan& plan, const Outcome& outcome) const {
    if (settings_.format == cli::PlanFormat::Brief) return brief(outcome);
    const bool is_file = !settings_.output.empty();
    std::string text = cli::render_plan(
        plan, settings_.format, settings_.colour.value_or(!is_file && cli::is_colour_wanted()));
    if (settings_.format != cli::PlanFormat::Text) return text;
    const std::size_t below_headline = text.find('\n', text.find('\n') + 1) + 1;
    text.insert(below_headline, text_head(plan));
    if (!outcome.snippet.empty()) text += "\nThe way round, as values:\n" + outcome.snippet;
    if (settings_.verbosity > 0 && !outcome.leftovers.empty()) {
      text += "\nLeft on the nodes at the end:\n";
      for (const std::string& line : outcome.leftovers) text += "  " + line + "\n";
    }
    return text;
  }

  const std::vector<std::string>& words_;
  cli::Streams& streams_;
  Settings settings_;
  Documents documents_current_;
  Documents documents_desired_;
};

}  // namespace

int run(const cli::Invocation& invocation, cli::Streams& streams) {
  return Run(invocation, streams).run();
}

}  // namespace ballast::tidb
