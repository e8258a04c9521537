// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/cli/option_makers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/cli/values.hpp"
#include "ballast/core/strings.hpp"

namespace ballast::cli {
namespace {

using Text = std::optional<std::string_view>;

/// An empty text is what a shell variable gives that is not set: it must not pass for "not given".
std::function<Status(std::string_view)> unless_empty(const std::string& value_name,
                                                     std::function<void(std::string_view)> set) {
  return [value_name, set = std::move(set)](std::string_view text) -> Status {
    if (text.empty()) return fail(fmt::format("{}: expected {}", quoted(text), value_name));
    set(text);
    return {};
  };
}

}  // namespace

Option flag_option(std::string name, std::string help, std::function<void()> set) {
  Option option;
  option.name = std::move(name);
  option.completion = "none";
  option.help = std::move(help);
  option.apply = [set = std::move(set)](Text) -> Status {
    set();
    return {};
  };
  return option;
}

Option value_option(std::string name, std::string value_name, std::string completion,
                    std::string help, std::function<Status(std::string_view)> set) {
  Option option;
  option.name = std::move(name);
  option.takes = Takes::Value;
  option.value_name = std::move(value_name);
  option.completion = std::move(completion);
  option.help = std::move(help);
  option.apply = [set = std::move(set)](Text text) { return set(text.value_or("")); };
  return option;
}

Option text_option(std::string name, std::string value_name, std::string completion,
                   std::string help, std::string& into) {
  auto set = unless_empty(value_name, [&into](std::string_view text) { into = text; });
  return value_option(std::move(name), std::move(value_name), std::move(completion),
                      std::move(help), std::move(set));
}

Option optional_text_option(std::string name, std::string value_name, std::string completion,
                            std::string help, std::optional<std::string>& into) {
  auto set = unless_empty(value_name, [&into](std::string_view text) { into.emplace(text); });
  return value_option(std::move(name), std::move(value_name), std::move(completion),
                      std::move(help), std::move(set));
}

Option list_option(std::string name, std::string value_name, std::string completion,
                   std::string help, std::vector<std::string>& into) {
  auto set = unless_empty(value_name, [&into](std::string_view text) { into.emplace_back(text); });
  return value_option(std::move(name), std::move(value_name), std::move(completion),
                      std::move(help), std::move(set));
}

Option choice_option(std::string name, std::vector<std::string> words, std::string help,
                     std::function<void(std::size_t)> set) {
  std::string shown = join(words, "|");
  std::string completion = "choices=" + join(words, ",");
  return value_option(
      std::move(name), shown, std::move(completion), std::move(help),
      [shown, words = std::move(words), set = std::move(set)](std::string_view text) -> Status {
        const auto found = std::ranges::find(words, text);
        if (found == words.end())
          return fail(fmt::format("{}: expected one of {}", quoted(text), shown));
        set(static_cast<std::size_t>(found - words.begin()));
        return {};
      });
}

Option integer_option(std::string name, std::string value_name, std::string help,
                      std::int64_t least, std::int64_t most,
                      std::function<void(std::int64_t)> set) {
  Option option =
      value_option(std::move(name), std::move(value_name), "integer", std::move(help),
                   [least, most, set = std::move(set)](std::string_view text) -> Status {
                     const auto parsed = parse_integer(text, least, most);
                     if (!parsed) return fail(parsed.error().message);
                     set(*parsed);
                     return {};
                   });
  option.range = Range{least, most};
  return option;
}

Option positive_option(std::string name, std::string value_name, std::string help,
                       std::optional<double>& into) {
  return value_option(std::move(name), std::move(value_name), "none", std::move(help),
                      [&into](std::string_view text) -> Status {
                        const auto parsed = parse_positive(text);
                        if (!parsed) return fail(parsed.error().message);
                        into = *parsed;
                        return {};
                      });
}

Option only_for(std::vector<std::string> commands, Option option) {
  option.commands = std::move(commands);
  return option;
}

Option needing(std::string other, Option option) {
  option.needs.push_back(std::move(other));
  return option;
}

Option excluding(std::string other, Option option) {
  option.excludes.push_back(std::move(other));
  return option;
}

std::vector<Option> option_groups(std::vector<OptionGroup> groups) {
  std::vector<Option> table;
  for (OptionGroup& group : groups) {
    for (Option& option : group.options) {
      option.group = group.heading;
      table.push_back(std::move(option));
    }
  }
  return table;
}

}  // namespace ballast::cli
