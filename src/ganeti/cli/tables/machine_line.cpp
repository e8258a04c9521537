// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/tables/machine_line.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::ganeti::cli {
namespace {

bool is_plain(char letter) {
  constexpr unsigned char kFirstBeyondAscii = 0x80;
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
         (letter >= 'A' && letter <= 'Z') || letter == '.' ||
         static_cast<unsigned char>(letter) >= kFirstBeyondAscii;
}

}  // namespace

std::string machine_line(std::string_view prefix, std::string_view key, std::string_view value) {
  const bool is_bare = std::all_of(value.begin(), value.end(), is_plain);
  return is_bare ? fmt::format("{}_{}={}\n", prefix, key, value)
                 : fmt::format("{}_{}='{}'\n", prefix, key, value);
}

}  // namespace ballast::ganeti::cli
