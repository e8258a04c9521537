// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/units.hpp"

#include <fmt/format.h>

#include <array>

#include "ballast/core/decimal.hpp"

namespace ballast {

std::string size_text(std::int64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1024.0 * 1024.0);
  const bool is_large = mib >= 1024 || mib <= -1024;
  return is_large ? fixed(mib / 1024, 1) + " GiB" : fixed(mib, 1) + " MiB";
}

std::string duration_text(std::int64_t seconds) {
  struct Unit {
    std::int64_t seconds;
    const char* name;
  };
  constexpr std::array<Unit, 4> kUnits{{{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}}};
  for (std::size_t i = 0; i + 1 < kUnits.size(); ++i) {
    if (seconds < kUnits[i].seconds) continue;
    const std::int64_t rest = seconds % kUnits[i].seconds / kUnits[i + 1].seconds;
    std::string text = fmt::format("{} {}", seconds / kUnits[i].seconds, kUnits[i].name);
    if (rest != 0) text += fmt::format(" {} {}", rest, kUnits[i + 1].name);
    return text;
  }
  return fmt::format("{} s", seconds);
}

}  // namespace ballast
