// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ballast::ganeti::json {

/// value = digits * 10^exponent, sign apart; digits without leading zeros ("" is 0).
struct Decimal {
  bool is_negative = false;
  std::string digits;
  std::int64_t exponent = 0;
};

/// Of a number as a document spells it.
Decimal decimal_of(std::string_view raw);

}  // namespace ballast::ganeti::json
