// SPDX-License-Identifier: BSD-2-Clause
// Words of a POSIX shell.
#pragma once

#include <string>
#include <string_view>

namespace ballast {

/// In single quotes.
std::string shell_quoted(std::string_view text);
/// One word whatever the text holds: as it is where it is plainly harmless, else in single quotes;
/// with hidden characters (core/visible.hpp) in octal, so that the line shows them. The one way for
/// every command of every tool. A line end at the very end of a hidden text is lost.
std::string shell_word(std::string_view text);
/// A word that no command takes for an option: behind `--` where it begins with a hyphen. Only for
/// commands that know `--`, and only for the first of their operands.
std::string shell_operand(std::string_view text);

}  // namespace ballast
