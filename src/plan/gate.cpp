// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/plan/gate.hpp"

#include "ballast/core/json_string.hpp"
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
  return json_string(text, [](std::string& out, char32_t code, std::string_view bytes) {
    if (code < 0x20) {
      out += json_escape(code);
    } else {
      out += bytes;
    }
  });
}

std::string jq_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + jq_text(text);
  return "[" + list + "]";
}

}  // namespace ballast::plan
