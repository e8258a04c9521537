// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>

#include "ballast/core/strings.hpp"
#include "ballast/core/utf8.hpp"
#include "ballast/ganeti/backend/json/json.hpp"
#include "decimal.hpp"

namespace ballast::ganeti::json {
namespace {

void append_code_point(std::string& text, unsigned code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
    return;
  }
  if (code < 0x800) {
    text += static_cast<char>(0xC0U | (code >> 6U));
  } else {
    text += static_cast<char>(0xE0U | (code >> 12U));
    text += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
  }
  text += static_cast<char>(0x80U | (code & 0x3FU));
}

char escaped_character(char c) {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;
  }
}

std::string unescaped(std::string_view raw) {
  std::string text;
  text.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\') {
      text += raw[i];
    } else if (raw[++i] == 'u') {
      unsigned code = 0;
      std::from_chars(raw.data() + i + 1, raw.data() + i + 5, code, 16);
      append_code_point(text, code);
      i += 4;
    } else {
      text += escaped_character(raw[i]);
    }
  }
  return text;
}

std::uint64_t modulo_word(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char c : digits) value = value * 10 + static_cast<std::uint64_t>(c - '0');
  return value;
}

/// Does the fraction 0.DIGITS round `whole` up, half to even?
bool rounds_up(std::uint64_t whole, std::string_view fraction) {
  if (fraction.empty() || fraction[0] < '5') return false;
  if (fraction[0] > '5' || fraction.find_first_not_of('0', 1) != std::string_view::npos)
    return true;
  return (whole & 1U) != 0;
}

std::int64_t rounded_modulo(const Decimal& number) {
  const std::string_view digits = number.digits;
  std::uint64_t value = 0;
  if (number.exponent >= 0) {
    value = modulo_word(digits);
    // 10^64 is 0 modulo 2^64.
    for (std::int64_t i = std::min<std::int64_t>(number.exponent, 64); i > 0; --i) value *= 10;
  } else if (const auto whole = static_cast<std::int64_t>(digits.size()) + number.exponent;
             whole >= 0) {
    value = modulo_word(digits.substr(0, static_cast<std::size_t>(whole)));
    if (rounds_up(value, digits.substr(static_cast<std::size_t>(whole)))) ++value;
  }
  return static_cast<std::int64_t>(number.is_negative ? 0U - value : value);
}

bool is_one_character(Value value) {
  if (!value.is(Kind::String)) return false;
  const std::string text = value.text();
  return utf8_length(text) == 1 ||
         (text.size() == 3 && first_invalid_utf8(text) == 0);  // or a surrogate
}

}  // namespace

Kind Value::kind() const { return document_->tape_[at_].kind; }

std::uint32_t Value::size() const {
  const Entry& entry = document_->tape_[at_];
  return entry.kind == Kind::Array || entry.kind == Kind::Object ? entry.length : 0;
}

std::string_view Value::raw() const {
  const Entry& entry = document_->tape_[at_];
  if (entry.kind != Kind::Number && entry.kind != Kind::String) return {};
  return std::string_view(document_->text_).substr(entry.begin, entry.length);
}

std::string Value::text() const {
  return document_->tape_[at_].has_escapes ? unescaped(raw()) : std::string(raw());
}

bool Value::text_equals(std::string_view other) const {
  return document_->tape_[at_].has_escapes ? unescaped(raw()) == other : raw() == other;
}

Value Value::after() const { return {document_, document_->tape_[at_].next}; }

Value Value::member(std::string_view key) const {
  const std::vector<Entry>& tape = document_->tape_;
  std::uint32_t at = at_ + 1;
  for (std::uint32_t left = size(); left > 0; --left) {
    // The length tells most keys apart.
    const bool may_be = tape[at].length == key.size() || tape[at].has_escapes;
    if (may_be && Value(document_, at).text_equals(key)) return {document_, at + 1};
    at = tape[at + 1].next;
  }
  return {};
}

Result<std::int64_t> to_int(Value value) {
  if (!value.is(Kind::Number)) return fail("Unable to read Int");
  const std::string_view raw = value.raw();
  std::int64_t result = 0;
  const auto [end, problem] = std::from_chars(raw.data(), raw.data() + raw.size(), result);
  if (problem == std::errc{} && end == raw.data() + raw.size()) return result;
  return rounded_modulo(decimal_of(raw));
}

Result<double> to_double(Value value) {
  if (!value.is(Kind::Number)) return fail("Unable to read Double");
  const std::string_view raw = value.raw();
  double result = 0;
  if (std::from_chars(raw.data(), raw.data() + raw.size(), result).ec ==
      std::errc::result_out_of_range) {
    result =
        std::strtod(std::string(raw).c_str(), nullptr);  // infinite, or as near to 0 as it gets
  }
  return result == 0 ? 0 : result;  // an exact zero has no sign
}

Result<bool> to_bool(Value value) {
  if (value.is(Kind::True)) return true;
  if (value.is(Kind::False)) return false;
  return fail("Unable to read Bool");
}

Result<std::string> to_string(Value value) {
  if (value.is(Kind::String)) return value.text();
  if (!value.is(Kind::Array)) return fail("Unable to read String");
  std::string result;
  Value element = value.first();
  for (std::uint32_t left = value.size(); left > 0; --left, element = element.after()) {
    if (!is_one_character(element)) return fail("Unable to read Char");
    result += element.text();
  }
  return result;
}

Result<std::vector<std::string>> to_strings(Value value) {
  if (!value.is(Kind::Array)) return fail("Unable to read list");
  std::vector<std::string> result;
  result.reserve(value.size());
  Value element = value.first();
  for (std::uint32_t left = value.size(); left > 0; --left, element = element.after()) {
    auto text = to_string(element);
    if (!text) return fail(std::move(text.error()));
    result.push_back(std::move(*text));
  }
  return result;
}

Result<Value> to_object(Value value) {
  if (!value.is(Kind::Object)) return fail("Unable to read JSObject");
  return value;
}

Result<Value> to_list(Value value) {
  if (!value.is(Kind::Array)) return fail("Unable to read list");
  return value;
}

std::string shown_keys(Value object) {
  std::vector<std::string> keys;
  Value at = object.first();
  for (std::uint32_t left = object.size(); left > 0; --left, at = at.after().after())
    keys.push_back(at.text());
  return shown_list(keys);
}

Result<Value> required(Value object, std::string_view key) {
  const Value value = object.member(key);
  if (!value.is_missing()) return value;
  return fail("key '" + std::string(key) + "' not found, object contains only " +
              shown_keys(object));
}

Value optional(Value object, std::string_view key) {
  const Value value = object.member(key);
  return value.is_missing() || value.is(Kind::Null) ? Value() : value;
}

Error at_key(std::string_view key, Error error) {
  error.message = "key '" + std::string(key) + "': " + error.message;
  return error;
}

}  // namespace ballast::ganeti::json
