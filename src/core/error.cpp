// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/error.hpp"

#include <fmt/format.h>

#include "ballast/core/utf8.hpp"

namespace ballast {

std::string to_string(const Place& place) {
  std::string text = place.file;
  if (place.line == 0) return text;
  text += fmt::format("{}{}", text.empty() ? "" : ":", place.line);
  if (place.column != 0) text += fmt::format(":{}", place.column);
  return text;
}

std::string to_string(const Error& error) {
  const std::string place = to_string(error.place);
  return place.empty() ? error.message : place + ": " + error.message;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kMostCharacters = 60;
  std::string result = "\"";
  std::size_t characters = 0;
  while (!text.empty()) {
    if (characters++ == kMostCharacters) return result + "...\"";
    const std::size_t length = utf8_sequence_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    const auto first = static_cast<unsigned char>(character.front());
    if (length == 0 || first < 0x20 || first == 0x7f) {
      result += fmt::format("\\x{:02x}", first);
    } else if (first == '"' || first == '\\') {
      result += '\\';
      result += character;
    } else {
      result += character;
    }
    text.remove_prefix(character.size());
  }
  return result + '"';
}

}  // namespace ballast
