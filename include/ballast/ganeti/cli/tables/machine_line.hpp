// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

namespace ballast::ganeti::cli {

/// "PREFIX_KEY=VALUE" and a newline, as a shell reads it: the value stands between single quotes
/// unless it has only letters, digits and points. Nothing inside is escaped, as in the reference.
/// Every code point beyond ASCII is taken as a letter.
std::string machine_line(std::string_view prefix, std::string_view key, std::string_view value);

}  // namespace ballast::ganeti::cli
