// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/operators/cli/planner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/words.hpp"
#include "ballast/report/plan_json.hpp"

namespace ballast::operators {
namespace {

using Wish = cli::ParsedLine::Wish;

/// "plan, groups and drain", with the word before the last one given.
std::string names_of(const std::vector<cli::Subcommand>& commands, std::string_view last_word) {
  std::string names;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const bool is_last = i + 1 == commands.size();
    names += i == 0 ? "" : is_last ? last_word : ", ";
    names += commands[i].name;
  }
  return names;
}

class Run {
 public:
  Run(const Planner& planner, cli::Streams& streams)
      : planner_(planner), settings_(*planner.settings), streams_(streams) {}

  int run(const std::vector<std::string>& words) {
    const auto parsed = cli::parse_command_line(planner_.usage, planner_.options, words);
    if (!parsed) {
      if (cli::is_json_wanted(planner_.options, words)) settings_.format = cli::PlanFormat::Json;
      if (cli::is_given(planner_.options, words, "detailed-exit-code"))
        settings_.detailed_exit_code = true;
      const bool is_syntax = parsed.error().fault == Fault::Usage;
      return refuse(usage_problem(cli::complaint_of(parsed.error().message, planner_.program.tool)),
                    is_syntax ? usage_status() : cli::kFailed);
    }
    if (parsed->wish != Wish::Run) return tell_of_itself(*parsed);
    for (const std::string& note : parsed->notes)
      streams_.err(fmt::format("{}: {}\n", planner_.program.tool, note));
    if (!settings_.output.empty()) streams_.write_to(settings_.output);
    return command(parsed->arguments);
  }

 private:
  int tell_of_itself(const cli::ParsedLine& parsed) {
    if (parsed.wish == Wish::Help)
      streams_.out(cli::help_text(planner_.usage, planner_.options, parsed.command));
    if (parsed.wish == Wish::Version) streams_.out(cli::version_text(planner_.program.tool));
    if (parsed.wish == Wish::Completion)
      streams_.out(cli::completion_text(planner_.usage, planner_.options, "", parsed.command));
    return cli::kDone;
  }

  int command(const std::vector<std::string>& arguments) {
    const auto& known = planner_.usage.commands;
    if (arguments.empty())
      return wrong_usage("one of the words " + names_of(known, ", ") + " was expected");
    const std::string& word = arguments.front();
    if (std::ranges::find(known, word, &cli::Subcommand::name) == known.end()) {
      std::vector<std::string_view> names;
      for (const cli::Subcommand& command : known) names.emplace_back(command.name);
      return wrong_usage(fmt::format("unknown subcommand {}: {} was expected{}", quoted(word),
                                     names_of(known, " or "), did_you_mean(word, names)));
    }
    if (arguments.size() > 1) {
      return wrong_usage(fmt::format(
          "{} was not expected: files are given by --current and --desired, one word is the "
          "subcommand",
          quoted(arguments[1])));
    }
    const Answer answer = planner_.answer(word, streams_);
    if (answer) return *answer;
    const bool is_usage = answer.error().front().fault == Fault::Usage;
    return refuse(answer.error(), is_usage ? usage_status() : cli::kFailed);
  }

  std::vector<Diagnostic> usage_problem(std::string message) const {
    return {{std::string(planner_.program.usage_code), "-", std::move(message)}};
  }

  int wrong_usage(std::string message) {
    return refuse(usage_problem(std::move(message)), usage_status());
  }

  [[nodiscard]] int usage_status() const { return cli::usage_status(settings_.detailed_exit_code); }

  int refuse(const std::vector<Diagnostic>& diagnostics, int status) {
    const std::string_view tool = planner_.program.tool;
    const std::vector<std::string> lines = lines_of(diagnostics);
    for (const std::string& line : lines) streams_.err(fmt::format("{}: {}\n", tool, line));
    if (!settings_.is_json()) return status;
    std::vector<report::ListedError> errors;
    for (const Diagnostic& one : diagnostics)
      errors.push_back({one.code, one.path, one.message, one.place});
    streams_.out(
        report::errors_to_json(fmt::format("{}", fmt::join(lines, "\n")), errors, tool, status));
    return status;
  }

  const Planner& planner_;
  CommonSettings& settings_;
  cli::Streams& streams_;
};

}  // namespace

int run(const Planner& planner, const cli::Invocation& invocation, cli::Streams& streams) {
  return Run(planner, streams).run(invocation.words);
}

tl::expected<void, std::vector<std::string>> read_words(const Planner& planner,
                                                        const std::vector<std::string>& words) {
  const auto parsed = cli::parse_command_line(planner.usage, planner.options, words);
  if (parsed) return {};
  const std::string tool(planner.program.tool);
  return tl::unexpected(
      std::vector<std::string>{tool + ": " + cli::complaint_of(parsed.error().message, tool)});
}

}  // namespace ballast::operators
