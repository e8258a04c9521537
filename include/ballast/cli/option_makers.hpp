// SPDX-License-Identifier: BSD-2-Clause
// Short ways to write entries of an option table for options that the reference lacks. What a maker
// is given by reference must outlive the table. Wrong values, empty texts among them, are refused
// with the text that was given and what was expected.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/cli/options.hpp"

namespace ballast::cli {

Option flag_option(std::string name, std::string help, std::function<void()> set);
Option value_option(std::string name, std::string value_name, std::string completion,
                    std::string help, std::function<Status(std::string_view)> set);
Option text_option(std::string name, std::string value_name, std::string completion,
                   std::string help, std::string& into);
Option optional_text_option(std::string name, std::string value_name, std::string completion,
                            std::string help, std::optional<std::string>& into);
/// Repeatable.
Option list_option(std::string name, std::string value_name, std::string completion,
                   std::string help, std::vector<std::string>& into);
/// One of `words`; `set` gets its index.
Option choice_option(std::string name, std::vector<std::string> words, std::string help,
                     std::function<void(std::size_t)> set);
Option integer_option(std::string name, std::string value_name, std::string help,
                      std::int64_t least, std::int64_t most, std::function<void(std::int64_t)> set);
/// A finite number above 0.
Option positive_option(std::string name, std::string value_name, std::string help,
                       std::optional<double>& into);

/// The option for these subcommands alone.
Option only_for(std::vector<std::string> commands, Option option);
Option needing(std::string other, Option option);
Option excluding(std::string other, Option option);

struct OptionGroup {
  std::string_view heading;  ///< in --help
  std::vector<Option> options;
};
/// All of them in order, each under its heading.
std::vector<Option> option_groups(std::vector<OptionGroup> groups);

}  // namespace ballast::cli
