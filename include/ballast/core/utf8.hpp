// SPDX-License-Identifier: BSD-2-Clause
// Text is bytes, read as UTF-8 whatever the locale.
#pragma once

#include <cstddef>
#include <string_view>

namespace ballast {

/// Length in bytes (1 to 4) of the well-formed UTF-8 sequence at the start of `text`; 0 where there
/// is none. Overlong forms, surrogates and values above U+10FFFF are not well formed (RFC 3629).
std::size_t utf8_sequence_length(std::string_view text);

/// Code point of the well-formed sequence at the start of `text`. Precondition:
/// utf8_sequence_length(text) != 0.
char32_t utf8_decode(std::string_view text);

/// Offset of the first byte that is not part of a well-formed sequence; npos where all is well.
std::size_t first_invalid_utf8(std::string_view text);

/// Number of code points; an invalid byte counts as one.
std::size_t utf8_length(std::string_view text);

}  // namespace ballast
