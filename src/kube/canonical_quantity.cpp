// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/kube/quantity.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace ballast::kube {
namespace {

__extension__ using Wide = __int128;

constexpr std::array<std::string_view, 6> kBinary = {"Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
constexpr std::array<std::string_view, 10> kDecimal = {"n", "u", "m", "",  "k",
                                                       "M", "G", "T", "P", "E"};

std::string digits(Wide value) {
  if (value == 0) return "0";
  std::string text;
  for (const bool negative = value < 0; value != 0 || (negative && text.empty()); value /= 10) {
    const auto digit = static_cast<int>(value % 10);
    text += static_cast<char>('0' + (digit < 0 ? -digit : digit));
  }
  std::reverse(text.begin(), text.end());
  return text;
}

std::string with_suffix(Wide value, Wide factor, std::size_t first, std::size_t last,
                        const std::string_view* names) {
  std::size_t i = first;
  while (i < last && value % factor == 0) {
    value /= factor;
    ++i;
  }
  return digits(value) + std::string(names[i]);
}

/// Value in 10^-9; nothing where the number is too long for that.
std::optional<Wide> nano(std::string_view number) {
  Wide value = 0;
  int scale = 9;
  bool behind = false;
  for (const char c : number) {
    if (c == '.') {
      behind = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    if (behind && scale == 0) return std::nullopt;
    value = value * 10 + (c - '0');
    if (behind) --scale;
    if (value > (Wide{1} << 90)) return std::nullopt;
  }
  for (; scale > 0; --scale) value *= 10;
  return value;
}

}  // namespace

std::string canonical_quantity(std::string_view text) {
  if (!parse_quantity(text)) return std::string(text);
  const bool negative = !text.empty() && text.front() == '-';
  std::string_view rest = text;
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) rest.remove_prefix(1);
  const auto end = std::min(rest.find_first_not_of("0123456789."), rest.size());
  const std::string_view suffix = rest.substr(end);
  auto value = nano(rest.substr(0, end));
  if (!value || (!suffix.empty() && (suffix.front() == 'e' ||
                                     (suffix.front() == 'E' && suffix != "E" && suffix != "Ei")))) {
    return std::string(text);
  }
  std::string result;
  const auto binary = std::find(kBinary.begin(), kBinary.end(), suffix);
  if (binary != kBinary.end()) {
    for (auto i = kBinary.begin(); i <= binary; ++i) *value *= 1024;
    const Wide whole = *value / 1'000'000'000 + (*value % 1'000'000'000 != 0 ? 1 : 0);
    if (whole >= 1024 && whole % 1024 == 0) {
      result = with_suffix(whole / 1024, 1024, 0, kBinary.size() - 1, kBinary.data());
    } else {
      result = digits(whole);
    }
  } else {
    const auto decimal = std::find(kDecimal.begin(), kDecimal.end(), suffix);
    const auto power = decimal - (kDecimal.begin() + 3);
    for (auto i = power; i > 0; --i) *value *= 1000;
    for (auto i = power; i < 0; ++i) *value /= 1000;
    result = *value == 0 ? "0" : with_suffix(*value, 1000, 0, kDecimal.size() - 1, kDecimal.data());
  }
  return negative ? "-" + result : result;
}

}  // namespace ballast::kube
