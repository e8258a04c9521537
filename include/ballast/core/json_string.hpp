// SPDX-License-Identifier: BSD-2-Clause
// A text as a JSON string. Which characters are escaped depends on who reads it: writers say that,
// and share the rest.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "ballast/core/utf8.hpp"

namespace ballast {

/// \uXXXX, in two halves beyond the first plane.
std::string json_escape(char32_t code);
/// \b, \f, \n, \r or \t; empty for any other character.
std::string_view json_short_escape(char32_t code);

/// In quotes, those in the text and backslashes escaped. All else is written by write(result, code,
/// bytes): a character, or a byte that is no UTF-8, whose code is U+FFFD.
template <class Write>
std::string json_string(std::string_view text, Write&& write) {
  constexpr char32_t kNone = 0xFFFD;
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    const std::string_view bytes = text.substr(0, std::max<std::size_t>(1, length));
    const char32_t code = length == 0 ? kNone : utf8_decode(text);
    if (code == U'"' || code == U'\\') {
      result += '\\';
      result += bytes;
    } else {
      write(result, code, bytes);
    }
    text.remove_prefix(bytes.size());
  }
  return result + '"';
}

}  // namespace ballast
