// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "ballast/core/file.hpp"
#include "ballast/core/version.hpp"
#include "ballast/operators/cli/planner.hpp"
#include "ballast/plan/estimate.hpp"
#include "ballast/report/plan_json.hpp"
#include "ballast/report/render.hpp"

namespace ballast::operators {
namespace {

using cli::PlanFormat;

void tell_dangers(std::string_view tool, bool is_verbose, const plan::Plan& plan,
                  cli::Streams& streams) {
  for (const plan::Blocked& blocked : plan.blocked) {
    streams.err(fmt::format("{}: blocked: {}: {}\n", tool, blocked.code, blocked.text));
    for (const plan::Remedy& remedy : blocked.remedies) {
      std::string line = fmt::format("{}: remedy: {}", tool, remedy.text);
      for (const std::string& set : remedy.set) line += " (--set '" + set + "')";
      for (const std::string& command : remedy.commands) line += " (" + command + ")";
      streams.err(line + "\n");
    }
  }
  for (const plan::Warning& warning : plan.warnings) {
    if (warning.severity == plan::Severity::Note && !is_verbose) continue;
    streams.err(fmt::format("{}: {}: {}: {}\n", tool, to_string(warning.severity), warning.code,
                            warning.text));
  }
}

std::string rendered(const CommonSettings& settings, const plan::Plan& plan, const OwnForms& own) {
  if (settings.format == PlanFormat::Brief && own.brief) return own.brief();
  const bool is_file = !settings.output.empty();
  std::string text = cli::render_plan(
      plan, settings.format, settings.colour.value_or(!is_file && cli::is_colour_wanted()));
  if (settings.format != PlanFormat::Text) return text;
  const std::size_t below_headline = text.find('\n', text.find('\n') + 1) + 1;
  text.insert(below_headline, own.below_headline);
  return own.opening + text + own.ending;
}

}  // namespace

Answer present(const Program& program, const CommonSettings& settings, const plan::Plan& plan,
               const OwnForms& own, cli::Streams& streams) {
  const std::string code(program.file_code);
  if (!settings.report.empty()) {
    if (const Status written = write_file(settings.report, report::plan_to_html(plan)); !written)
      return refusal({code, "--report", written.error().message, written.error().place});
  }
  if (const Status written = cli::write_plan_files(plan, settings.files); !written)
    return refusal({code, "-", written.error().message, written.error().place});
  if (settings.files.quiet_if_nothing && cli::is_nothing(plan)) return cli::kDone;
  streams.out(rendered(settings, plan, own));
  if (settings.format == PlanFormat::Brief && own.tells_dangers)
    tell_dangers(program.tool, settings.verbosity > 0, plan, streams);
  if (plan.result == plan::Outcome::Blocked || own.is_blocked) return cli::kBlocked;
  return settings.detailed_exit_code && !plan.steps.empty() ? cli::kHasChanges : cli::kDone;
}

Answer replay_and_present(const Program& program, const CommonSettings& settings, plan::Plan plan,
                          plan::ReplayState& state, cli::Streams& streams) {
  plan::ReplayReport report = plan::replay(plan, state);
  const std::vector<std::string> problems = plan::lines_of(report);
  if (!problems.empty()) return refuse_broken(program, settings, problems, streams);
  plan.weakest = plan::weakest_moments(plan, std::move(report.weakest));
  plan.tool = program.tool;
  plan.tool_version = kVersion;
  if (settings.rate_mib) plan::estimate_time(plan, {settings.rate_mib, settings.parallel});
  return present(program, settings, plan, {}, streams);
}

std::vector<std::string> broken_lines(std::vector<std::string> problems) {
  for (std::string& problem : problems)
    problem = "internal error: the plan breaks a rule, please report: " + problem;
  return problems;
}

int refuse_broken(const Program& program, const CommonSettings& settings,
                  const std::vector<std::string>& problems, cli::Streams& streams) {
  std::string all;
  for (const std::string& line : broken_lines(problems)) {
    streams.err(fmt::format("{}: {}\n", program.tool, line));
    all += (all.empty() ? "" : "\n") + line;
  }
  if (settings.is_json()) {
    streams.out(report::error_to_json(Error{all, {}, Fault::Internal}, program.tool, cli::kFailed));
  }
  return cli::kFailed;
}

Status write_folder(const std::string& folder, const Files& files) {
  std::error_code failed;
  std::filesystem::create_directory(folder, failed);
  if (failed) return fail("cannot be made a directory: " + failed.message(), {folder, 0, 0});
  for (const auto& [name, content] : files) {
    const std::string path = (std::filesystem::path(folder) / name).string();
    if (Status written = write_file(path, content); !written) return written;
  }
  return {};
}

}  // namespace ballast::operators
