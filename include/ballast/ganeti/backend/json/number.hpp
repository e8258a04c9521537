// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ballast/core/result.hpp"

namespace ballast::ganeti {

/// Numbers as the reference's text format and options read them: leading blanks, parentheses, 0x
/// and 0o, values modulo 2^64. Errors: "LABEL: cannot parse string 'TEXT'", "LABEL: leftover
/// characters when parsing 'TEXT': 'REST'".
Result<std::int64_t> parse_int(std::string_view label, std::string_view text);
Result<double> parse_double(std::string_view label, std::string_view text);

struct IntPrefix {
  std::int64_t value;
  std::string_view rest;
};
/// The integer at the start of a text; none where the longest number there is none or no integer.
std::optional<IntPrefix> parse_int_prefix(std::string_view text);

}  // namespace ballast::ganeti
