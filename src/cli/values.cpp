// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/cli/values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace ballast::cli {

Result<std::int64_t> parse_integer(std::string_view text, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < least || value > most) {
    return fail(fmt::format("{}: expected a number from {} to {}", quoted(text), least, most));
  }
  return value;
}

Result<double> parse_positive(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value) || value <= 0) {
    return fail(fmt::format("{}: expected a number greater than 0", quoted(text)));
  }
  return value;
}

}  // namespace ballast::cli
