// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/plan/gate.hpp"

#include "ballast/core/shell.hpp"

#include <fmt/format.h>

namespace ballast::plan {

Gate json_gate(std::string text, std::string_view source, std::string_view filter) {
  // Of an empty input, jq -e alone says yes.
  return {std::move(text),
          fmt::format("{} | jq -en {}", source, shell_quoted(fmt::format("input | {}", filter)))};
}

Gate gone_gate(std::string text, std::string_view source) {
  return {std::move(text), fmt::format("left=$({}) && test -z \"$left\"", source)};
}

std::string jq_text(std::string_view text) {
  std::string word = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') word += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      word += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      word += c;
    }
  }
  return word + "\"";
}

std::string jq_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + jq_text(text);
  return "[" + list + "]";
}

}  // namespace ballast::plan
