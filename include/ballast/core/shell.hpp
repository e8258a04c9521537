// SPDX-License-Identifier: BSD-2-Clause
// Words of a POSIX shell.
#pragma once

#include <string>
#include <string_view>

namespace ballast {

/// In single quotes.
std::string shell_quoted(std::string_view text);
/// In single quotes unless it is plainly harmless.
std::string shell_word(std::string_view text);

}  // namespace ballast
