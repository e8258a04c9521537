// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/simulate/size.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

#include "ballast/ganeti/backend/json/number.hpp"

namespace ballast::ganeti {
namespace {

struct Unit {
  std::string_view letter;  ///< exact case
  std::string_view word;    ///< any case, written here in lower case
  std::int64_t numerator;
  std::int64_t denominator;
};

// (1000/1024)^2 = 15625/16384
constexpr std::array<Unit, 6> kUnits{{{"m", "mib", 1, 1},
                                      {"g", "gib", 1024, 1},
                                      {"t", "tib", 1024 * 1024, 1},
                                      {"M", "mb", 15625, 16384},
                                      {"G", "gb", 15625LL * 1000, 16384},
                                      {"T", "tb", 15625LL * 1000000, 16384}}};

std::optional<Unit> find_unit(std::string_view text) {
  if (text.empty()) return kUnits.front();
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto unit = std::ranges::find_if(
      kUnits, [&](const Unit& u) { return text == u.letter || lower == u.word; });
  if (unit == kUnits.end()) return std::nullopt;
  return *unit;
}

}  // namespace

Result<std::int64_t> parse_size(std::string_view text) {
  const auto number = parse_int_prefix(text);
  if (!number) return fail("Can't parse string '" + std::string(text) + "'");
  std::string_view rest = number->rest;
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const auto unit = find_unit(rest);
  if (!unit) return fail("Unknown unit '" + std::string(rest) + "'");
  __extension__ using Wide = __int128;  // the product of any 64-bit number and a unit fits
  return static_cast<std::int64_t>(static_cast<Wide>(number->value) * unit->numerator /
                                   unit->denominator);
}

}  // namespace ballast::ganeti
