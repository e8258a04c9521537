// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/strings.hpp"

#include <array>

#include "ballast/core/utf8.hpp"

namespace ballast {
namespace {

constexpr std::array<std::string_view, 32> kControlNames{
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "a",   "b",   "t",   "n",
    "v",   "f",   "r",   "SO",  "SI",  "DLE", "DC1", "DC2", "DC3", "DC4", "NAK",
    "SYN", "ETB", "CAN", "EM",  "SUB", "ESC", "FS",  "GS",  "RS",  "US"};

struct Escape {
  std::string text;
  char ambiguous_before = 0;  ///< '0' for "any digit", 'H', or 0: what may not follow directly
};

Escape escaped(char32_t code) {
  if (code == '"' || code == '\\') return {std::string("\\") + static_cast<char>(code), 0};
  if (code < kControlNames.size()) {
    return {"\\" + std::string(kControlNames[code]), code == 14 ? 'H' : '\0'};
  }
  if (code == 127) return {"\\DEL", 0};
  if (code < 127) return {std::string(1, static_cast<char>(code)), 0};
  return {"\\" + std::to_string(static_cast<unsigned long>(code)), '0'};
}

bool must_separate(char ambiguous, char next) {
  if (ambiguous == '0') return next >= '0' && next <= '9';
  return ambiguous != 0 && ambiguous == next;
}

template <class Parts>
std::string shown_parts(const Parts& parts) {
  std::string result = "[";
  for (const auto& part : parts) {
    if (result.size() > 1) result += ',';
    result += shown_string(part);
  }
  return result + ']';
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  if (text.empty()) return parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string result;
  for (const std::string& part : parts) {
    if (&part != parts.data()) result += separator;
    result += part;
  }
  return result;
}

std::string shown_string(std::string_view text) {
  std::string result = "\"";
  char ambiguous = 0;
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    const char32_t code =
        length == 0 ? static_cast<unsigned char>(text.front()) : utf8_decode(text);
    const Escape piece = escaped(code);
    if (must_separate(ambiguous, piece.text.front())) result += "\\&";
    result += piece.text;
    ambiguous = piece.ambiguous_before;
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result + '"';
}

std::string shown_list(std::span<const std::string> parts) { return shown_parts(parts); }
std::string shown_list(std::span<const std::string_view> parts) { return shown_parts(parts); }

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t length = utf8_length(text);
  return std::string(width > length ? width - length : 0, ' ') + std::string(text);
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t length = utf8_length(text);
  return std::string(text) + std::string(width > length ? width - length : 0, ' ');
}

}  // namespace ballast
