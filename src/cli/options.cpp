// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/cli/options.hpp"

#include "ballast/cli/run_main.hpp"

#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"

#include "option_set.hpp"
#include "scan.hpp"
#include "site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

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

/// Syntax errors in the reference's words, what may have been meant, and the help.
std::string syntax_error(const Usage& usage, const std::vector<Option>& options, const Scan& scan) {
  std::string message = "Command line error: ";
  for (const auto* errors : {&scan.errors, &scan.unrecognized}) {
    for (const std::string& error : *errors) message += error + "\n";
  }
  for (const std::string& suggestion : scan.suggestions) message += suggestion + "\n";
  return message + "\n" + help_text(usage, options);
}

bool takes(const Option& option, std::string_view command) {
  return command.empty() || option.commands.empty() ||
         std::ranges::find(option.commands, command) != option.commands.end();
}

/// The first argument where it is a subcommand.
std::string command_of(const Usage& usage, const Scan& scan) {
  if (scan.arguments.empty()) return "";
  const bool is_known = std::ranges::any_of(usage.commands, [&](const Subcommand& command) {
    return command.name == scan.arguments.front();
  });
  return is_known ? scan.arguments.front() : "";
}

/// What the tool or its subcommand does, and which subcommands there are.
std::string description_lines(const Usage& usage, std::string_view command) {
  std::string text;
  if (command.empty() && !usage.description.empty()) text += usage.description + "\n";
  std::size_t width = 0;
  for (const Subcommand& one : usage.commands) width = std::max(width, one.name.size());
  if (command.empty() && !usage.commands.empty()) text += "Subcommands:\n";
  for (const Subcommand& one : usage.commands) {
    if (command == one.name) text += one.help + "\n";
    if (command.empty()) text += fmt::format("  {}  {}\n", pad_right(one.name, width), one.help);
  }
  return text;
}

std::optional<std::string> config_file_of(const Scan& scan) {
  std::optional<std::string> file;
  for (const Found& found : scan.found) {
    if (found.option->name == "config") file = found.value;
  }
  return file;
}

Status apply_value(const Usage& usage, const Found& found) {
  if (!found.option->apply) return {};
  std::optional<std::string_view> value;
  if (found.value) value = *found.value;
  const Status applied = found.option->apply(value);
  if (applied) return {};
  // The reference exits with 1 on values that it refuses; ours are wrong usage like any other.
  const Fault fault = found.option->is_reference ? Fault::Input : Fault::Usage;
  return fail(Error{value_error(usage, *found.option, applied.error()), {}, fault});
}

/// A value that a site gives; a flag is either set or as if it were not there.
Status apply_setting(const Usage& usage, const Option& option, const Setting& setting) {
  for (const std::string& value : setting.values) {
    const bool is_plain =
        option.takes == Takes::Nothing || (option.takes == Takes::OptionalValue && value == "true");
    if (option.takes == Takes::Nothing && value != "true" && value != "false") {
      return fail(Error{fmt::format("{}: {}: {}: expected true or false\n", usage.tool,
                                    setting.origin, quoted(value)),
                        {},
                        Fault::Input});
    }
    if (value == "false" && option.takes != Takes::Value) continue;
    if (!option.apply) continue;
    const Status applied =
        option.apply(is_plain ? std::nullopt : std::optional<std::string_view>(value));
    if (!applied) {
      return fail(
          Error{fmt::format("{}: {}: {}\n", usage.tool, setting.origin, applied.error().message),
                {},
                Fault::Input});
    }
  }
  return {};
}

/// One setting for each option that the words give.
std::vector<Setting> line_settings(const Scan& scan) {
  std::vector<Setting> settings;
  for (const Found& found : scan.found) {
    settings.push_back({key_of(*found.option), {found.value.value_or("true")}, ""});
  }
  return settings;
}

/// What the site says of options that the words do not give, and whether all of it goes together.
Status apply_site(const Usage& usage, const std::vector<Option>& table, const Scan& scan,
                  std::string_view command) {
  const auto told = [&](const Error& error) {
    return fail(Error{fmt::format("{}: {}\n", usage.tool, to_string(error)), {}, error.fault});
  };
  std::vector<Setting> settings = line_settings(scan);
  const auto site = site_settings(usage.tool, table, config_file_of(scan));
  if (!site) return told(site.error());
  const auto option_of = [&](const Setting& setting) {
    return std::ranges::find(table, setting.name, key_of);
  };
  std::ranges::copy_if(*site, std::back_inserter(settings),
                       [&](const Setting& setting) { return takes(*option_of(setting), command); });
  const auto chosen = chosen_settings(table, settings);
  if (!chosen) return told(chosen.error());
  for (const Setting& setting : *chosen) {
    if (setting.origin.empty()) continue;
    if (Status applied = apply_setting(usage, *option_of(setting), setting); !applied)
      return applied;
  }
  return {};
}

}  // namespace

Result<ParsedLine> parse_command_line(const Usage& usage, const std::vector<Option>& options,
                                      const std::vector<std::string>& words) {
  const std::vector<Option> table = complete_table(options);
  Scan scan = scan_words(table, words);
  if (!scan.errors.empty() || !scan.unrecognized.empty())
    return fail(Error{syntax_error(usage, options, scan), {}, Fault::Usage});
  const ParsedLine::Wish wish = wish_of(scan);
  std::string command = command_of(usage, scan);
  if (wish == ParsedLine::Wish::Run) {
    for (const Found& found : scan.found) {
      if (takes(*found.option, command)) continue;
      return fail(Error{fmt::format("{}: --{} belongs to {} {}\n", usage.tool, found.option->name,
                                    usage.tool, fmt::join(found.option->commands, " and ")),
                        {},
                        Fault::Usage});
    }
    if (const Status applied = apply_site(usage, table, scan, command); !applied)
      return fail(applied.error());
  }
  for (const Found& found : scan.found) {
    if (const Status applied = apply_value(usage, found); !applied) return fail(applied.error());
  }
  ParsedLine line{wish, std::move(scan.arguments), std::move(command)};
  if (wish == ParsedLine::Wish::Run) line.notes = misspelt_variables(table);
  return line;
}

std::string complaint_of(std::string_view message, std::string_view tool) {
  const std::string_view errors = message.substr(0, message.find("\n\n"));
  const std::size_t meant = std::min(errors.find("\ndid you mean"), errors.size());
  std::string suggestion(errors.substr(meant));
  suggestion.resize(std::min(suggestion.find('\n', 1), suggestion.size()));
  if (!suggestion.empty()) suggestion.replace(0, 1, "; ");
  message = message.substr(0, message.find('\n'));
  for (const std::string& head : {std::string("Command line error: "), fmt::format("{}: ", tool)}) {
    if (message.starts_with(head)) message.remove_prefix(head.size());
  }
  return std::string(message) + suggestion;
}

bool is_given(const std::vector<Option>& options, const std::vector<std::string>& words,
              std::string_view name) {
  const std::vector<Option> table = complete_table(options);
  return std::ranges::any_of(scan_words(table, words).found,
                             [&](const Found& found) { return found.option->name == name; });
}

bool is_json_wanted(const std::vector<Option>& options, const std::vector<std::string>& words) {
  const std::vector<Option> table = complete_table(options);
  return std::ranges::any_of(scan_words(table, words).found, [](const Found& found) {
    return found.option->name == "json" ||
           (found.option->name == "format" && found.value == "json");
  });
}

namespace {

/// Ends that no answer can need are none.
std::string range_text(const Range& range) {
  constexpr std::int64_t kAny = std::numeric_limits<std::int32_t>::max();
  return range.most < kAny ? fmt::format(", from {} to {}", range.least, range.most)
                           : fmt::format(", at least {}", range.least);
}

}  // namespace

std::string help_text(const Usage& usage, const std::vector<Option>& options,
                      std::string_view command) {
  std::vector<Option> table = complete_table(options);
  std::vector<const Option*> lines;
  lines.reserve(table.size());
  for (Option& option : table) {
    if (!takes(option, command)) continue;
    if (command.empty() && !option.commands.empty())
      option.help = fmt::format("{}: {}", fmt::join(option.commands, ", "), option.help);
    if (option.range) option.help += range_text(*option.range);
    lines.push_back(&option);
  }
  const auto group_rank = [&](const Option* option) {
    return std::ranges::find(table, option->group, &Option::group) - table.begin();
  };
  std::ranges::stable_sort(lines, [&](const Option* a, const Option* b) {
    if (a->group.empty() || b->group.empty()) return a->group.empty() && !b->group.empty();
    return group_rank(a) < group_rank(b);
  });
  const std::string version = version_text(usage.tool);
  std::string text = version.substr(0, version.find('\n') + 1);
  text += "Usage: " +
          (!command.empty()         ? fmt::format("{} {} [OPTION...]", usage.tool, command)
           : usage.synopsis.empty() ? usage.tool + " [OPTION...]"
                                    : usage.synopsis) +
          "\n";
  text += description_lines(usage, command) + option_lines(lines, Headings::Shown);
  for (const std::string& line : usage.footer) text += line + "\n";
  return text;
}

std::string completion_text(const Usage& usage, const std::vector<Option>& options,
                            std::string_view arguments, std::string_view command) {
  std::string text;
  for (const Option& option : complete_table(options)) {
    if (!takes(option, command)) continue;
    if (option.letter != 0) text += fmt::format("-{}", option.letter);
    if (option.letter != 0 && !option.name.empty()) text += ',';
    if (!option.name.empty()) text += "--" + option.name;
    text += ' ' + option.completion + '\n';
  }
  if (!usage.commands.empty() && command.empty()) {
    std::vector<std::string> names;
    std::ranges::transform(usage.commands, std::back_inserter(names), &Subcommand::name);
    text += fmt::format("choices={} 1 1\n", fmt::join(names, ","));
  }
  if (!arguments.empty()) text += fmt::format("{}\n", arguments);
  return text;
}

}  // namespace ballast::cli
