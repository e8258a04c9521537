// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/cli/options.hpp"

#include "ballast/cli/run_main.hpp"

#include "scan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::cli {
namespace {

ParsedLine::Wish wish_of(const Scan& scan) {
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(scan.found,
                               [&](const Found& found) { return found.option->name == name; });
  };
  if (has("help")) return ParsedLine::Wish::Help;
  if (has("version")) return ParsedLine::Wish::Version;
  if (has("help-completion")) return ParsedLine::Wish::Completion;
  return ParsedLine::Wish::Run;
}

std::string value_error(const Usage& usage, const Option& option, const Error& error) {
  if (option.is_reference) {
    return fmt::format("Error while parsing command line arguments:\n{}\n", error.message);
  }
  return fmt::format("{}: option --{}: {}\n", usage.tool, option.name, error.message);
}

}  // namespace

Result<ParsedLine> parse_command_line(const Usage& usage, const std::vector<Option>& options,
                                      const std::vector<std::string>& words) {
  const std::vector<Option> table = complete_table(options);
  Scan scan = scan_words(table, words);
  if (!scan.errors.empty() || !scan.unrecognized.empty()) {
    std::string message = "Command line error: ";
    for (const auto* errors : {&scan.errors, &scan.unrecognized}) {
      for (const std::string& error : *errors) message += error + "\n";
    }
    return fail(Error{message + "\n" + help_text(usage, options), {}, Fault::Usage});
  }
  for (const Found& found : scan.found) {
    if (!found.option->apply) continue;
    std::optional<std::string_view> value;
    if (found.value) value = *found.value;
    if (const Status applied = found.option->apply(value); !applied) {
      return fail(Error{value_error(usage, *found.option, applied.error()), {}, Fault::Input});
    }
  }
  return ParsedLine{wish_of(scan), std::move(scan.arguments)};
}

std::string complaint_of(std::string_view message, std::string_view tool) {
  message = message.substr(0, message.find('\n'));
  for (const std::string& head : {std::string("Command line error: "), fmt::format("{}: ", tool)}) {
    if (message.starts_with(head)) message.remove_prefix(head.size());
  }
  return std::string(message);
}

bool is_given(const std::vector<Option>& options, const std::vector<std::string>& words,
              std::string_view name) {
  const std::vector<Option> table = complete_table(options);
  return std::ranges::any_of(scan_words(table, words).found,
                             [&](const Found& found) { return found.option->name == name; });
}

std::string help_text(const Usage& usage, const std::vector<Option>& options) {
  const std::vector<Option> table = complete_table(options);
  std::vector<const Option*> lines;
  lines.reserve(table.size());
  for (const Option& option : table) lines.push_back(&option);
  const std::string version = version_text(usage.tool);
  std::string text = version.substr(0, version.find('\n') + 1);
  text +=
      "Usage: " + (usage.synopsis.empty() ? usage.tool + " [OPTION...]" : usage.synopsis) + "\n";
  if (!usage.description.empty()) text += usage.description + "\n";
  text += option_lines(lines);
  for (const std::string& line : usage.footer) text += line + "\n";
  return text;
}

std::string completion_text(const std::vector<Option>& options, std::string_view arguments) {
  std::string text;
  for (const Option& option : complete_table(options)) {
    if (option.letter != 0) text += fmt::format("-{}", option.letter);
    if (option.letter != 0 && !option.name.empty()) text += ',';
    if (!option.name.empty()) text += "--" + option.name;
    text += ' ' + option.completion + '\n';
  }
  if (!arguments.empty()) text += fmt::format("{}\n", arguments);
  return text;
}

}  // namespace ballast::cli
