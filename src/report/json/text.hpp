// SPDX-License-Identifier: BSD-2-Clause
// A tree of values as JSON text (RFC 8259). Always valid UTF-8: a byte that is none becomes U+FFFD.
// Integers beyond 2^53 are written as strings (most readers hold numbers as doubles), and so are
// NaN, Infinity and -Infinity, for which JSON has no number.
#pragma once

#include "ballast/core/value.hpp"

#include <string>

namespace ballast::report {

/// Indented by two blanks, no final newline.
std::string json_indented(const Value& value);

/// One line without blanks, keys sorted by their bytes: equal for equal content, whatever its
/// layout was.
std::string json_canonical(const Value& value);

}  // namespace ballast::report
