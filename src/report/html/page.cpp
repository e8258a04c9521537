// SPDX-License-Identifier: BSD-2-Clause
#include "page.hpp"

#include "ballast/core/sha256.hpp"

#include "script.hpp"
#include "style.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace ballast::report {
namespace {

unsigned digit_of(char hex) {
  return static_cast<unsigned>(hex <= '9' ? hex - '0' : hex - 'a' + 10);
}

/// The hash source of a Content-Security-Policy for an element with that content: nothing else is
/// applied or run on the page.
std::string hash_source(std::string_view content) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string hex = sha256_hex(content);
  std::string text = "'sha256-";
  // 32 bytes: three at a time become four digits, the last two become three and a filler.
  for (std::size_t i = 0; i < hex.size(); i += 6) {
    std::uint32_t bits = 0;
    const std::size_t count = std::min<std::size_t>(6, hex.size() - i);
    for (std::size_t k = 0; k < 6; ++k) bits = bits << 4U | (k < count ? digit_of(hex[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count / 2 ? kDigits[bits >> (18 - 6 * k) & 63U] : '=';
  }
  return text + "'";
}

}  // namespace

std::string html_head(std::string_view title, std::string_view main_part,
                      std::string_view skip_words) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; "
      "script-src {}; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>",
      hash_source(html_style()), hash_source(html_script()));
  page += html_text(title);
  page += "</title>\n<style>";
  page += html_style();
  page += fmt::format("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#{}\">{}</a>\n<main>\n",
                      main_part, skip_words);
  return page;
}

std::string html_foot() {
  std::string page = "</main>\n<script>";
  page += html_script();
  return page + "</script>\n</body>\n</html>\n";
}

}  // namespace ballast::report
