// SPDX-License-Identifier: BSD-2-Clause
#include "decimal.hpp"

#include <algorithm>

namespace ballast::ganeti::json {

constexpr std::int64_t kHugeExponent = 1'000'000'000'000;

Decimal decimal_of(std::string_view raw) {
  Decimal result;
  result.is_negative = raw.front() == '-';
  if (result.is_negative) raw.remove_prefix(1);
  const std::size_t e = raw.find_first_of("eE");
  std::string_view power = e == std::string_view::npos ? std::string_view() : raw.substr(e + 1);
  bool is_behind_point = false;
  for (const char c : raw.substr(0, e)) {
    if (c == '.') {
      is_behind_point = true;
      continue;
    }
    if (is_behind_point) --result.exponent;
    if (!result.digits.empty() || c != '0') result.digits += c;
  }
  if (power.empty()) return result;
  const bool is_small = power.front() == '-';
  if (is_small || power.front() == '+') power.remove_prefix(1);
  std::int64_t exponent = 0;
  for (const char c : power) exponent = std::min(kHugeExponent, exponent * 10 + (c - '0'));
  result.exponent += is_small ? -exponent : exponent;
  return result;
}

}  // namespace ballast::ganeti::json
