// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/decimal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace ballast {
namespace {

/// |value| = 0.d1 d2 ... dk * 10^exponent with d1 and dk not 0; zero has the digits "0" and
/// exponent 0.
struct Digits {
  std::string digits;
  int exponent = 0;
};

std::string digits_of(std::string_view scientific) {
  std::string digits;
  for (const char c : scientific.substr(0, scientific.find('e'))) {
    if (c != '.') digits += c;
  }
  return digits;
}

/// Two texts that are equally near (the value ends in a 5 behind them): to_chars takes the even
/// one, the reference the upper one.
void take_upper(double magnitude, std::string& digits) {
  constexpr std::size_t kFewestOfTie = 15;  // below, neighbours of a double are further away
  if (digits.size() < kFewestOfTie) return;
  std::array<char, 80> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude,
                                 std::chars_format::scientific, 40)
                       .ptr;
  const std::string exact =
      digits_of({buffer.data(), static_cast<std::size_t>(end - buffer.data())});
  const std::size_t count = digits.size();
  const bool is_tie = exact.starts_with(digits) && exact[count] == '5' &&
                      exact.find_first_not_of('0', count + 1) == std::string::npos;
  if (is_tie) ++digits.back();  // it is even: no carry
}

Digits shortest_digits(double magnitude) {
  if (magnitude == 0) return {"0", 0};
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude,
                                 std::chars_format::scientific)
                       .ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t e = text.find('e');
  Digits result{digits_of(text), 0};
  while (result.digits.size() > 1 && result.digits.back() == '0') result.digits.pop_back();
  take_upper(magnitude, result.digits);
  const std::size_t number = e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(text.data() + number, text.data() + text.size(), result.exponent);
  ++result.exponent;
  return result;
}

bool rounds_up(std::string_view kept, std::string_view dropped) {
  if (dropped.empty() || dropped.front() < '5') return false;
  if (dropped.front() > '5' || dropped.find_first_not_of('0', 1) != std::string_view::npos)
    return true;
  return !kept.empty() && (kept.back() - '0') % 2 == 1;
}

/// The first `count` digits, padded with zeros, rounded half to even; one digit longer where the
/// carry ran out of them.
std::string round_digits(std::string_view digits, std::size_t count) {
  std::string kept(digits.substr(0, std::min(count, digits.size())));
  kept.resize(count, '0');
  const std::string_view dropped = digits.substr(std::min(count, digits.size()));
  if (!rounds_up(kept, dropped)) return kept;
  for (std::size_t i = kept.size(); i-- > 0;) {
    if (kept[i] != '9') {
      ++kept[i];
      return kept;
    }
    kept[i] = '0';
  }
  return "1" + kept;
}

std::string join(std::string integer, const std::string& fraction) {
  if (integer.empty()) integer = "0";
  return fraction.empty() ? integer : integer + "." + fraction;
}

std::string fixed_magnitude(const Digits& number, int decimals) {
  const auto places = static_cast<std::size_t>(decimals);
  if (number.exponent >= 0) {
    const auto whole = static_cast<std::size_t>(number.exponent);
    const std::string rounded = round_digits(number.digits, whole + places);
    const std::size_t integer = whole + (rounded.size() - whole - places);
    return join(rounded.substr(0, integer), rounded.substr(integer));
  }
  const std::string padded =
      std::string(static_cast<std::size_t>(-number.exponent), '0') + number.digits;
  const std::string rounded = round_digits(padded, places);
  const std::size_t integer = rounded.size() - places;
  return join(rounded.substr(0, integer), rounded.substr(integer));
}

std::string plain_magnitude(const Digits& number) {
  std::string digits = number.digits;
  if (number.exponent <= 0) {
    return "0." + std::string(static_cast<std::size_t>(-number.exponent), '0') + digits;
  }
  const auto whole = static_cast<std::size_t>(number.exponent);
  if (digits.size() <= whole) return digits + std::string(whole - digits.size(), '0') + ".0";
  return digits.substr(0, whole) + "." + digits.substr(whole);
}

bool is_fixed_range(const Digits& number) { return number.exponent >= 0 && number.exponent <= 7; }

template <class Format>
std::string with_sign(double value, Format format) {
  if (std::isnan(value)) return "NaN";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return sign + "Infinity";
  return sign + format(shortest_digits(std::abs(value)));
}

}  // namespace

std::string fixed(double value, int decimals) {
  return with_sign(value, [&](const Digits& number) { return fixed_magnitude(number, decimals); });
}

std::string plain(double value) { return with_sign(value, plain_magnitude); }

std::string general6(double value) {
  return with_sign(value, [](const Digits& number) {
    constexpr int kDecimals = 6;
    if (is_fixed_range(number)) return fixed_magnitude(number, kDecimals);
    std::string rounded = round_digits(number.digits, kDecimals + 1);
    int exponent = number.exponent - 1;
    if (rounded.size() > kDecimals + 1) {
      ++exponent;
      rounded.pop_back();
    }
    return rounded.substr(0, 1) + "." + rounded.substr(1) + "e" + std::to_string(exponent);
  });
}

std::string shown(double value) {
  return with_sign(value, [](const Digits& number) {
    if (is_fixed_range(number)) return plain_magnitude(number);
    const std::string rest = number.digits.size() > 1 ? number.digits.substr(1) : "0";
    return number.digits.substr(0, 1) + "." + rest + "e" + std::to_string(number.exponent - 1);
  });
}

}  // namespace ballast
