// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/json_string.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace ballast {

std::string json_escape(char32_t code) {
  const auto unit = [](std::uint32_t value) { return fmt::format("\\u{:04x}", value); };
  if (code < 0x10000) return unit(code);
  const std::uint32_t rest = code - 0x10000;
  return unit(0xD800 + (rest >> 10U)) + unit(0xDC00 + (rest & 0x3FFU));
}

std::string_view json_short_escape(char32_t code) {
  switch (code) {
    case U'\b':
      return "\\b";
    case U'\f':
      return "\\f";
    case U'\n':
      return "\\n";
    case U'\r':
      return "\\r";
    case U'\t':
      return "\\t";
    default:
      return {};
  }
}

}  // namespace ballast
