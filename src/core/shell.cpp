// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/shell.hpp"

#include <algorithm>
#include <cctype>

namespace ballast {

std::string shell_quoted(std::string_view text) {
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kHarmless = "._-:";
  const bool is_plain = !text.empty() && std::ranges::all_of(text, [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           kHarmless.find(c) != std::string_view::npos;
  });
  return is_plain ? std::string(text) : shell_quoted(text);
}

}  // namespace ballast
