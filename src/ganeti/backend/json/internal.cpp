// SPDX-License-Identifier: BSD-2-Clause
// A value as the reference's own error messages show it.
#include <algorithm>

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/backend/json/json.hpp"
#include "decimal.hpp"

namespace ballast::ganeti::json {
namespace {

/// Beyond this exponent the number is shown as it was written.
constexpr std::int64_t kMostDigits = 1000;

/// digits / divisor where that leaves no rest; one digit at a time.
bool divide(std::string& digits, int divisor) {
  std::string quotient;
  int rest = 0;
  for (const char c : digits) {
    rest = rest * 10 + (c - '0');
    quotient += static_cast<char>('0' + rest / divisor);
    rest %= divisor;
  }
  if (rest != 0) return false;
  quotient.erase(0, std::min(quotient.find_first_not_of('0'), quotient.size() - 1));
  digits = std::move(quotient);
  return true;
}

void multiply(std::string& digits, int factor) {
  int carry = 0;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    const int value = (*digit - '0') * factor + carry;
    *digit = static_cast<char>('0' + value % 10);
    carry = value / 10;
  }
  if (carry > 0) digits.insert(digits.begin(), static_cast<char>('0' + carry));
}

/// "3 % 2" for 1.5
std::string fraction(std::string_view raw) {
  Decimal number = decimal_of(raw);
  if (number.digits.empty()) return "0 % 1";
  if (std::abs(number.exponent) > kMostDigits) return std::string(raw);
  std::string denominator = "1";
  if (number.exponent >= 0) {
    number.digits.append(static_cast<std::size_t>(number.exponent), '0');
  } else {
    for (const int prime : {2, 5}) {
      std::int64_t power = -number.exponent;
      while (power > 0 && divide(number.digits, prime)) --power;
      for (; power > 0; --power) multiply(denominator, prime);
    }
  }
  const std::string numerator = number.is_negative ? "(-" + number.digits + ")" : number.digits;
  return numerator + " % " + denominator;
}

std::string opening_of(Value container) {
  return container.is(Kind::Array) ? "JSArray [" : "JSObject (JSONObject {fromJSObject = [";
}

std::string scalar(Value value) {
  switch (value.kind()) {
    case Kind::True:
      return "JSBool True";
    case Kind::False:
      return "JSBool False";
    case Kind::Number:
      return "JSRational False (" + fraction(value.raw()) + ")";
    case Kind::String:
      return "JSString (JSONString {fromJSString = " + shown_string(value.text()) + "})";
    default:
      return "JSNull";
  }
}

/// An open container and what is still to be written of it.
struct Frame {
  Value at;
  std::uint32_t left;
  bool is_object;
};

}  // namespace

std::optional<std::string> shown_fraction(Value number) {
  if (decimal_of(number.raw()).exponent >= 0) return std::nullopt;
  std::string shown = fraction(number.raw());
  if (shown.ends_with(" % 1")) return std::nullopt;
  return shown;
}

std::string internal(Value value) {
  std::string result;
  std::vector<Frame> open;
  const auto write = [&](Value one) {
    if (!one.is(Kind::Array) && !one.is(Kind::Object)) {
      result += scalar(one);
      return;
    }
    result += opening_of(one);
    open.push_back({one.first(), one.size(), one.is(Kind::Object)});
  };
  write(value);
  while (!open.empty()) {
    Frame& frame = open.back();
    if (frame.left == 0) {
      result += frame.is_object ? "]})" : "]";
      open.pop_back();
      if (!open.empty() && open.back().is_object) result += ')';
      continue;
    }
    if (result.back() != '[') result += ',';
    --frame.left;
    Value item = frame.at;
    const bool is_member = frame.is_object;
    if (is_member) {
      result += '(' + shown_string(item.text()) + ',';
      item = item.after();
    }
    frame.at = item.after();
    const std::size_t depth = open.size();
    write(item);
    if (is_member && open.size() == depth) result += ')';
  }
  return result;
}

}  // namespace ballast::ganeti::json
