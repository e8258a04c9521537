// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/visible.hpp"

#include "ballast/core/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ballast {
namespace {

/// First and last, in order.
constexpr std::array<std::pair<char32_t, char32_t>, 11> kHidden{{{0x00, 0x1F},
                                                                 {0x7F, 0x9F},
                                                                 {0xAD, 0xAD},
                                                                 {0x61C, 0x61C},
                                                                 {0x180E, 0x180E},
                                                                 {0x200B, 0x200F},
                                                                 {0x2028, 0x202E},
                                                                 {0x2060, 0x206F},
                                                                 {0xFEFF, 0xFEFF},
                                                                 {0xFFF9, 0xFFFB},
                                                                 {0xE0000, 0xE007F}}};

/// Calls `visit(piece, code)` for each code point, with none for a byte that is no UTF-8.
template <class Visit>
void for_each_piece(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    const std::size_t taken = std::max<std::size_t>(1, length);
    visit(text.substr(0, taken), length != 0, length == 0 ? char32_t{0} : utf8_decode(text));
    text.remove_prefix(taken);
  }
}

bool is_plain_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
}

}  // namespace

bool is_hidden(char32_t code) {
  return std::ranges::any_of(
      kHidden, [code](const auto& range) { return code >= range.first && code <= range.second; });
}

bool has_hidden(std::string_view text) {
  if (is_plain_ascii(text)) return false;
  bool found = false;
  for_each_piece(text, [&](std::string_view, bool is_text, char32_t code) {
    found = found || !is_text || is_hidden(code);
  });
  return found;
}

std::string visible(std::string_view text) {
  if (is_plain_ascii(text)) return std::string(text);
  std::string shown;
  for_each_piece(text, [&](std::string_view piece, bool is_text, char32_t code) {
    if (!is_text) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(piece.front()));
    } else if (is_hidden(code)) {
      shown += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code));
    } else {
      shown += piece;
    }
  });
  return shown;
}

}  // namespace ballast
