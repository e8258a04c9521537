// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/shell.hpp"

#include "ballast/core/visible.hpp"

#include <fmt/format.h>

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

namespace {

/// printf with everything in octal that is no letter or digit.
std::string shell_escaped(std::string_view text) {
  std::string word = "\"$(printf '";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::isalnum(byte) != 0) {
      word += c;
    } else {
      word += fmt::format("\\{:03o}", byte);
    }
  }
  return word + "')\"";
}

}  // namespace

std::string shell_operand(std::string_view text) {
  return (text.starts_with('-') ? "-- " : "") + shell_word(text);
}

std::string shell_word(std::string_view text) {
  if (has_hidden(text)) return shell_escaped(text);
  constexpr std::string_view kHarmless = "._-:";
  const bool is_plain = !text.empty() && std::ranges::all_of(text, [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           kHarmless.find(c) != std::string_view::npos;
  });
  return is_plain ? std::string(text) : shell_quoted(text);
}

}  // namespace ballast
