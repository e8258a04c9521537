// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/utf8.hpp"

#include <array>

namespace ballast {
namespace {

unsigned byte_at(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

bool is_continuation(unsigned byte) { return (byte & 0xC0U) == 0x80U; }

// The second byte decides about overlong forms, surrogates and values past U+10FFFF.
bool is_valid_second(unsigned first, unsigned second) {
  switch (first) {
    case 0xE0:
      return second >= 0xA0;
    case 0xED:
      return second < 0xA0;
    case 0xF0:
      return second >= 0x90;
    case 0xF4:
      return second < 0x90;
    default:
      return true;
  }
}

}  // namespace

std::size_t utf8_sequence_length(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned first = byte_at(text, 0);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(byte_at(text, i))) return 0;
  }
  return is_valid_second(first, byte_at(text, 1)) ? length : 0;
}

char32_t utf8_decode(std::string_view text) {
  constexpr std::array<unsigned, 5> kFirstMask{0, 0x7F, 0x1F, 0x0F, 0x07};
  const std::size_t length = utf8_sequence_length(text);
  char32_t value = byte_at(text, 0) & kFirstMask[length];
  for (std::size_t i = 1; i < length; ++i) value = (value << 6U) | (byte_at(text, i) & 0x3FU);
  return value;
}

std::size_t first_invalid_utf8(std::string_view text) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    if (byte_at(text, offset) < 0x80) {
      ++offset;
      continue;
    }
    const std::size_t length = utf8_sequence_length(text.substr(offset));
    if (length == 0) return offset;
    offset += length;
  }
  return std::string_view::npos;
}

std::size_t utf8_length(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    text.remove_prefix(length == 0 ? 1 : length);
    ++count;
  }
  return count;
}

}  // namespace ballast
