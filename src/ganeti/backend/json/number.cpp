// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/json/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>

#include "ballast/core/utf8.hpp"

namespace ballast::ganeti {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_octal(char c) { return c >= '0' && c <= '7'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_name_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '\'' ||
         static_cast<unsigned char>(c) >= 0x80;
}
/// Characters that make one operator together with a minus sign.
bool is_symbol(char c) {
  return std::string_view("!@#$%&*+./<=>?\\^|:-~").find(c) != std::string_view::npos;
}

bool is_space(char32_t code) {
  return code == ' ' || (code >= '\t' && code <= '\r') || code == 0xA0 || code == 0x1680 ||
         (code >= 0x2000 && code <= 0x200A) || code == 0x202F || code == 0x205F || code == 0x3000;
}

std::string_view skip_spaces(std::string_view text) {
  for (;;) {
    const std::size_t length = utf8_sequence_length(text);
    if (length == 0 || !is_space(utf8_decode(text))) return text;
    text.remove_prefix(length);
  }
}

template <class Predicate>
std::size_t run_length(std::string_view text, Predicate predicate) {
  const auto end = std::find_if_not(text.begin(), text.end(), predicate);
  return static_cast<std::size_t>(end - text.begin());
}

/// One number at the start of a text: its digits, how to read them, and what follows.
struct Token {
  enum class Kind { Integer, Hex, Octal, Real, NotANumber, Infinity };
  Kind kind = Kind::Integer;
  std::string_view digits;  ///< for Real with point and exponent
  std::string_view rest;
  bool is_negative = false;
};

std::optional<Token> based_token(std::string_view text) {
  if (text.size() < 3 || text[0] != '0') return std::nullopt;
  const char base = text[1];
  const bool hex = base == 'x' || base == 'X';
  if (!hex && base != 'o' && base != 'O') return std::nullopt;
  const std::string_view tail = text.substr(2);
  const std::size_t length = hex ? run_length(tail, is_hex) : run_length(tail, is_octal);
  if (length == 0) return std::nullopt;
  return Token{hex ? Token::Kind::Hex : Token::Kind::Octal, tail.substr(0, length),
               tail.substr(length), false};
}

std::optional<Token> decimal_token(std::string_view text) {
  std::size_t length = run_length(text, is_digit);
  if (length == 0) return std::nullopt;
  bool is_real = false;
  if (length + 1 < text.size() && text[length] == '.' && is_digit(text[length + 1])) {
    is_real = true;
    length += 1 + run_length(text.substr(length + 1), is_digit);
  }
  if (length < text.size() && (text[length] == 'e' || text[length] == 'E')) {
    std::size_t start = length + 1;
    if (start < text.size() && (text[start] == '-' || text[start] == '+')) ++start;
    const std::size_t digits = run_length(text.substr(std::min(start, text.size())), is_digit);
    if (digits > 0) {
      is_real = true;
      length = start + digits;
    }
  }
  return Token{is_real ? Token::Kind::Real : Token::Kind::Integer, text.substr(0, length),
               text.substr(length), false};
}

std::optional<Token> unsigned_token(std::string_view text) {
  text = skip_spaces(text);
  if (auto token = based_token(text)) return token;
  if (auto token = decimal_token(text)) return token;
  const std::size_t length = run_length(text, is_name_char);
  const std::string_view name = text.substr(0, length);
  if (name == "NaN") return Token{Token::Kind::NotANumber, {}, text.substr(length), false};
  if (name == "Infinity") return Token{Token::Kind::Infinity, {}, text.substr(length), false};
  return std::nullopt;
}

std::optional<Token> signed_token(std::string_view text) {
  text = skip_spaces(text);
  if (text.empty() || text.front() != '-') return unsigned_token(text);
  text.remove_prefix(1);
  if (!text.empty() && is_symbol(text.front())) return std::nullopt;
  auto token = unsigned_token(text);
  if (token) token->is_negative = true;
  return token;
}

/// Any number of parentheses around a signed number.
std::optional<Token> token_of(std::string_view text) {
  std::size_t depth = 0;
  text = skip_spaces(text);
  while (!text.empty() && text.front() == '(') {
    ++depth;
    text = skip_spaces(text.substr(1));
  }
  auto token = signed_token(text);
  for (; token && depth > 0; --depth) {
    const std::string_view rest = skip_spaces(token->rest);
    if (rest.empty() || rest.front() != ')') return std::nullopt;
    token->rest = rest.substr(1);
  }
  return token;
}

tl::unexpected<Error> unreadable(std::string_view label, std::string_view text) {
  return fail(fmt::format("{}: cannot parse string '{}'", label, text));
}

tl::unexpected<Error> leftover(std::string_view label, std::string_view text,
                               std::string_view rest) {
  return fail(fmt::format("{}: leftover characters when parsing '{}': '{}'", label, text, rest));
}

unsigned digit_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  return static_cast<unsigned>((c | 0x20) - 'a') + 10;
}

std::int64_t wrapped_integer(const Token& token) {
  const unsigned base = token.kind == Token::Kind::Hex     ? 16
                        : token.kind == Token::Kind::Octal ? 8
                                                           : 10;
  std::uint64_t value = 0;
  for (const char c : token.digits) value = value * base + digit_value(c);
  return static_cast<std::int64_t>(token.is_negative ? 0 - value : value);
}

/// Beyond the range of from_chars: Infinity or zero, by strtod, which rounds as well.
double far_value(std::string_view digits) {
  return std::strtod(std::string(digits).c_str(), nullptr);
}

double octal_value(std::string_view digits) {
  std::string bits;
  for (const char c : digits) {
    for (unsigned mask = 4; mask != 0; mask >>= 1U)
      bits += (digit_value(c) & mask) != 0 ? '1' : '0';
  }
  bits.insert(0, (4 - bits.size() % 4) % 4, '0');
  std::string hex = "0x";
  for (std::size_t i = 0; i < bits.size(); i += 4) {
    hex += "0123456789abcdef"[std::strtoul(bits.substr(i, 4).c_str(), nullptr, 2)];
  }
  return far_value(hex);
}

double real_value(const Token& token) {
  switch (token.kind) {
    case Token::Kind::NotANumber:
      return std::numeric_limits<double>::quiet_NaN();
    case Token::Kind::Infinity:
      return std::numeric_limits<double>::infinity();
    case Token::Kind::Hex:
      return far_value("0x" + std::string(token.digits));
    case Token::Kind::Octal:
      return octal_value(token.digits);
    case Token::Kind::Integer:
    case Token::Kind::Real:
      break;
  }
  double value = 0;
  const auto [end, error] =
      std::from_chars(token.digits.data(), token.digits.data() + token.digits.size(), value);
  return error == std::errc() ? value : far_value(token.digits);
}

/// Plain decimal digits, few enough not to wrap: nearly every field.
std::optional<std::int64_t> short_integer(std::string_view text) {
  constexpr std::size_t kSafeDigits = 18;
  if (text.empty() || text.size() > kSafeDigits) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

}  // namespace

Result<std::int64_t> parse_int(std::string_view label, std::string_view text) {
  if (const auto value = short_integer(text)) return *value;
  const auto number = parse_int_prefix(text);
  if (!number) return unreadable(label, text);
  if (!number->rest.empty()) return leftover(label, text, number->rest);
  return number->value;
}

std::optional<IntPrefix> parse_int_prefix(std::string_view text) {
  const std::optional<Token> token = token_of(text);
  if (!token || token->kind == Token::Kind::Real || token->kind == Token::Kind::NotANumber ||
      token->kind == Token::Kind::Infinity) {
    return std::nullopt;
  }
  return IntPrefix{wrapped_integer(*token), token->rest};
}

Result<double> parse_double(std::string_view label, std::string_view text) {
  constexpr std::int64_t kExact = 1LL << 53U;
  if (const auto value = short_integer(text); value && *value <= kExact)
    return static_cast<double>(*value);
  const std::optional<Token> token = token_of(text);
  if (!token) return unreadable(label, text);
  if (!token->rest.empty()) return leftover(label, text, token->rest);
  const double value = real_value(*token);
  return token->is_negative ? -value : value;
}

}  // namespace ballast::ganeti
