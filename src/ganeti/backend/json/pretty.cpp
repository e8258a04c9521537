// SPDX-License-Identifier: BSD-2-Clause

#include "ballast/core/decimal.hpp"
#include "ballast/core/json_string.hpp"
#include "ballast/ganeti/backend/json/json.hpp"
#include "decimal.hpp"

namespace ballast::ganeti::json {
namespace {

std::string pretty_string(std::string_view text) {
  return json_string(text, [](std::string& out, char32_t code, std::string_view bytes) {
    if (code < 0x20 || (code >= 0x7F && code < 0xA0)) {
      out += json_escape(code);
    } else {
      out += bytes;
    }
  });
}

/// Beyond this many digits a whole number is shown like a fraction.
constexpr std::int64_t kMostDigits = 1000;

std::string pretty_number(Value number) {
  Decimal decimal = decimal_of(number.raw());
  while (decimal.exponent < 0 && decimal.digits.ends_with('0')) {
    decimal.digits.pop_back();
    ++decimal.exponent;
  }
  if (decimal.digits.empty()) return "0";
  if (decimal.exponent < 0 || decimal.exponent > kMostDigits) return shown(*to_double(number));
  decimal.digits.append(static_cast<std::size_t>(decimal.exponent), '0');
  return (decimal.is_negative ? "-" : "") + decimal.digits;
}

/// An open container and what is still to be written of it.
struct Frame {
  Value at;
  std::uint32_t left;
  bool is_object;
};

}  // namespace

std::string pretty(Value value) {
  std::string result;
  std::vector<Frame> open;
  const auto write = [&](Value one) {
    switch (one.kind()) {
      case Kind::Null:
        result += "null";
        return;
      case Kind::True:
        result += "true";
        return;
      case Kind::False:
        result += "false";
        return;
      case Kind::Number:
        result += pretty_number(one);
        return;
      case Kind::String:
        result += pretty_string(one.text());
        return;
      case Kind::Array:
      case Kind::Object:
        break;
    }
    result += one.is(Kind::Object) ? '{' : '[';
    open.push_back({one.first(), one.size(), one.is(Kind::Object)});
  };
  write(value);
  while (!open.empty()) {
    Frame& frame = open.back();
    if (frame.left == 0) {
      result += frame.is_object ? '}' : ']';
      open.pop_back();
      continue;
    }
    if (result.back() != '[' && result.back() != '{') result += ", ";
    --frame.left;
    Value item = frame.at;
    if (frame.is_object) {
      result += pretty_string(item.text()) + ": ";
      item = item.after();
    }
    frame.at = item.after();
    write(item);
  }
  return result;
}

}  // namespace ballast::ganeti::json
