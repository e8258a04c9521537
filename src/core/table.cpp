// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/table.hpp"

#include <algorithm>

#include "ballast/core/strings.hpp"
#include "ballast/core/utf8.hpp"

namespace ballast {

std::string TextTable::render(std::string_view prefix) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::size_t width = utf8_length(columns[c].header);
    for (const auto& row : rows) width = std::max(width, utf8_length(row[c]));
    widths.push_back(width);
  }
  std::string text;
  const auto add_line = [&](auto&& cell) {
    text += prefix;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      text += ' ';
      text += columns[c].align == Align::Right ? pad_left(cell(c), widths[c])
                                               : pad_right(cell(c), widths[c]);
    }
    text += '\n';
  };
  add_line([&](std::size_t c) -> const std::string& { return columns[c].header; });
  for (const auto& row : rows) {
    add_line([&](std::size_t c) -> const std::string& { return row[c]; });
  }
  return text;
}

std::string without_trailing_blanks(std::string_view lines) {
  std::string result;
  for (const char c : lines) {
    if (c == '\n') result.erase(result.find_last_not_of(' ') + 1);
    result += c;
  }
  return result;
}

}  // namespace ballast
