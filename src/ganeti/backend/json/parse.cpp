// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "ballast/core/strings.hpp"
#include "ballast/core/utf8.hpp"
#include "ballast/ganeti/backend/json/json.hpp"

namespace ballast::ganeti::json {
namespace {

constexpr std::size_t kContext = 8;

/// By byte: stands for itself in a string.
constexpr auto kIsPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t byte = 0x20; byte < plain.size(); ++byte)
    plain[byte] = byte != '"' && byte != '\\';
  return plain;
}();

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_unicode_blank(char32_t code) {
  return code == 0x85 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
         code == 0x202F || code == 0x205F || code == 0x3000;
}

/// Beyond these, memory for what is read would be out of proportion to the text: how deep, how many
/// values any text may hold, and how many bytes each further one must have on the average.
constexpr std::size_t kDeepest = 1'000'000;
constexpr std::size_t kManyValues = 1'000'000;
constexpr std::size_t kLeastBytes = 8;

/// The first `count` characters (code points) of `text`.
std::string_view characters(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  while (count-- > 0 && end < text.size()) {
    const std::size_t length = utf8_sequence_length(text.substr(end));
    end += length == 0 ? 1 : length;
  }
  return text.substr(0, end);
}

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// As the reference shows one character: like in a string, but a double quote bare and a single one
/// escaped.
std::string shown_character(std::string_view character) {
  if (character == "'") return "'\\''";
  if (character == "\"") return "'\"'";
  const std::string in_quotes = shown_string(character);
  return "'" + in_quotes.substr(1, in_quotes.size() - 2) + "'";
}

class Parser {
 public:
  Parser(std::string_view text, std::vector<Entry>& tape) : text_(text), tape_(tape) {}

  bool run() {
    if (text_.empty() || (text_[0] != '{' && text_[0] != '[')) {
      return failed("Invalid JSON: a JSON text a serialized object or array at the top level.", 1);
    }
    bool needs_value = true;
    while (needs_value || !open_.empty()) {
      if (!(needs_value ? value(needs_value) : after_value(needs_value))) return false;
    }
    skip_blanks();
    if (at_ == text_.size()) return true;
    const std::string_view rest = characters(text_.substr(at_), 10);
    return failed("Invalid tokens at end of JSON string: " + shown_string(rest), at_ + rest.size());
  }

  [[nodiscard]] const std::string& message() const { return message_; }
  /// Up to where the text was looked at when the error was found.
  [[nodiscard]] std::size_t looked_at() const { return looked_at_; }

 private:
  bool failed(std::string message, std::size_t looked_at) {
    message_ = std::move(message);
    looked_at_ = looked_at;
    return false;
  }
  bool failed_at(std::string_view message, std::size_t at) {
    const std::string_view context = characters(text_.substr(std::min(at, text_.size())), kContext);
    return failed(std::string(message) + std::string(context), at + context.size());
  }

  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[nodiscard]] bool is_at(char c) const { return at_ < text_.size() && text_[at_] == c; }

  void skip_blanks() {
    // Mostly there is none.
    if (at_ < text_.size() && text_[at_] > ' ') return;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || (c >= '\t' && c <= '\r')) {
        ++at_;
      } else if (static_cast<unsigned char>(c) < 0x80) {
        return;
      } else {
        const std::size_t length = utf8_sequence_length(text_.substr(at_));
        if (length == 0 || !is_unicode_blank(utf8_decode(text_.substr(at_)))) return;
        at_ += length;
      }
    }
  }

  void push(Kind kind, std::size_t begin, std::size_t length, bool has_escapes = false) {
    tape_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(length),
                     static_cast<std::uint32_t>(tape_.size() + 1), kind, has_escapes});
  }

  bool value(bool& needs_value) {
    constexpr std::string_view kNoBool = "Unable to parse JSON Bool: ";
    constexpr std::string_view kNoValue = "Malformed JSON: invalid token in this context ";
    needs_value = false;
    if (tape_.size() > kManyValues + text_.size() / kLeastBytes)
      return failed("too many values for a document of this size", at_);
    switch (peek()) {
      case '"':
        return string();
      case '[':
        return open(Kind::Array, ']', needs_value);
      case '{':
        return open(Kind::Object, '}', needs_value);
      case 't':
        return word("true", Kind::True, kNoBool);
      case 'f':
        return word("false", Kind::False, kNoBool);
      case 'n':
        return word("null", Kind::Null, kNoValue);
      default:
        break;
    }
    if (peek() == '-' || is_digit(peek())) return number();
    return failed_at(kNoValue, at_);
  }

  bool word(std::string_view word, Kind kind, std::string_view message) {
    if (text_.substr(at_, word.size()) != word) return failed_at(message, at_);
    push(kind, at_, word.size());
    at_ += word.size();
    return true;
  }

  bool open(Kind kind, char close, bool& needs_value) {
    if (open_.size() >= kDeepest)
      return failed(fmt::format("nested more than {} deep", kDeepest), at_);
    push(kind, at_, 0);
    ++at_;
    skip_blanks();
    if (is_at(close)) {
      ++at_;
      return true;
    }
    open_.push_back(static_cast<std::uint32_t>(tape_.size() - 1));
    needs_value = true;
    return kind == Kind::Array || key();
  }

  bool key() {
    if (!is_at('"')) return failed_at("Malformed JSON: expecting string: ", at_);
    if (!string()) return false;
    const std::size_t behind = at_;
    skip_blanks();
    if (!is_at(':')) return failed_at("Malformed JSON labelled field: ", behind);
    ++at_;
    skip_blanks();
    return true;
  }

  bool after_value(bool& needs_value) {
    const std::size_t behind = at_;
    skip_blanks();
    Entry& container = tape_[open_.back()];
    const bool is_array = container.kind == Kind::Array;
    if (is_at(',')) {
      ++container.length;
      ++at_;
      skip_blanks();
      needs_value = true;
      return is_array || key();
    }
    if (!is_at(is_array ? ']' : '}')) {
      return failed_at(is_array ? "Unable to parse JSON array: unterminated array: "
                                : "Unable to parse JSON object: unterminated sequence: ",
                       behind);
    }
    ++container.length;
    ++at_;
    container.next = static_cast<std::uint32_t>(tape_.size());
    open_.pop_back();
    return true;
  }

  bool string() {
    const std::size_t begin = ++at_;
    bool has_escapes = false;
    for (;;) {
      const std::string_view rest = text_.substr(at_);
      at_ += static_cast<std::size_t>(
          std::ranges::find_if(rest,
                               [](char c) { return !kIsPlain[static_cast<std::uint8_t>(c)]; }) -
          rest.begin());
      if (at_ >= text_.size()) {
        return failed_at("Unable to parse JSON String: unterminated String: ", at_);
      }
      if (text_[at_] == '"') break;
      if (text_[at_] != '\\') return failed_at("Illegal unescaped character in string: ", at_);
      has_escapes = true;
      if (!escape()) return false;
    }
    push(Kind::String, begin, at_ - begin, has_escapes);
    ++at_;
    return true;
  }

  bool escape() {
    if (at_ + 1 >= text_.size()) {
      return failed_at("Unable to parse JSON String: unterminated String: ", at_);
    }
    const char c = text_[at_ + 1];
    if (c == 'u') return hex_escape();
    if (c == '\0' || std::strchr("\"\\/bfnrt", c) == nullptr) {
      const std::string_view character = characters(text_.substr(at_ + 1), 1);
      return failed(
          "Unable to parse JSON String: invalid escape char: " + shown_character(character),
          at_ + 2);
    }
    at_ += 2;
    return true;
  }

  bool hex_escape() {
    constexpr std::string_view kMessage = "Unable to parse JSON String: invalid hex: ";
    const std::string_view four = characters(text_.substr(at_ + 2), 4);
    if (utf8_length(four) < 4) return failed_at(kMessage, at_ + 2);
    std::size_t good = 0;
    int code = 0;
    while (good < four.size() && hex_digit(four[good]) >= 0)
      code = code * 16 + hex_digit(four[good++]);
    if (good == 4) {
      at_ += 6;
      return true;
    }
    std::string shown = "[]";
    if (good > 0)
      shown = "[(" + std::to_string(code) + "," + shown_string(four.substr(good)) + ")]";
    return failed(std::string(kMessage) + std::string(characters(shown, kContext)),
                  at_ + 2 + four.size());
  }

  void skip_digits() {
    while (is_digit(peek())) ++at_;
  }

  bool number() {
    const std::size_t begin = at_;
    if (is_at('-')) ++at_;
    if (!is_digit(peek())) {
      return failed_at("Unable to parse JSON Rational: ", std::min(at_ + 1, text_.size()));
    }
    if (is_at('0')) {
      ++at_;
    } else {
      skip_digits();
    }
    bool ends_at_point = false;
    if (is_at('.')) {
      ++at_;
      ends_at_point = !is_digit(peek());
      skip_digits();
    }
    if (!ends_at_point && (is_at('e') || is_at('E'))) {
      ++at_;
      if (is_at('+') || is_at('-')) ++at_;
      if (!is_digit(peek())) return failed_at("Unable to parse JSON exponential: ", at_);
      skip_digits();
    }
    push(Kind::Number, begin, at_ - begin);
    return true;
  }

  std::string_view text_;
  std::vector<Entry>& tape_;
  std::vector<std::uint32_t> open_;
  std::size_t at_ = 0;
  std::string message_;
  std::size_t looked_at_ = 0;
};

std::size_t first_bad_byte(std::string_view text) {
  std::size_t at = 0;
  while (text.size() - at >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & 0x8080808080808080U) != 0) break;
    at += sizeof word;
  }
  const std::size_t bad = first_invalid_utf8(text.substr(at));
  return bad == std::string_view::npos ? bad : at + bad;
}

}  // namespace

Result<std::unique_ptr<Document>> Document::parse(std::string text) {
  if (text.size() >= 0xFFFFFFFFU) return fail("document of 4 GiB or more");
  auto document = std::make_unique<Document>();
  document->text_ = std::move(text);
  document->tape_.reserve(document->text_.size() / 12 + 16);
  Parser parser(document->text_, document->tape_);
  const bool is_good = parser.run();
  const std::size_t bad_byte = first_bad_byte(document->text_);
  if (bad_byte != std::string_view::npos && (is_good || bad_byte < parser.looked_at())) {
    return fail(std::string(kBadBytes));
  }
  if (!is_good) return fail(parser.message());
  return document;
}

}  // namespace ballast::ganeti::json
