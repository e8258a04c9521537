// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/html_text.hpp"

#include "ballast/core/utf8.hpp"
#include "ballast/core/visible.hpp"

#include <algorithm>

namespace ballast::report {

std::string html_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    const char first = text.front();
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (first == '\n' || first == '\t') {
      out += ' ';
    } else if (is_hidden(utf8_decode(text))) {
      out += visible(text.substr(0, length));
    } else if (length > 1) {
      out += text.substr(0, length);
    } else if (first == '&') {
      out += "&amp;";
    } else if (first == '<') {
      out += "&lt;";
    } else if (first == '>') {
      out += "&gt;";
    } else if (first == '"') {
      out += "&quot;";
    } else {
      out += first;
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

}  // namespace ballast::report
