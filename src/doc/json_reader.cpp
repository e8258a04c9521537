// SPDX-License-Identifier: BSD-2-Clause
// A strict reader of JSON (RFC 8259) that knows where each value stands; the usual library keeps no
// places.
#include <fmt/format.h>

#include "ballast/core/utf8.hpp"
#include "reader.hpp"

namespace ballast::doc {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_utf8(std::string& text, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) {
    text += static_cast<char>(static_cast<unsigned char>(byte));
  };
  const auto tail = [&](unsigned shift) { put(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | (code >> 6U));
    tail(0);
  } else if (code < 0x10000) {
    put(0xE0U | (code >> 12U));
    tail(6);
    tail(0);
  } else {
    put(0xF0U | (code >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

/// Each read_ function leaves the position behind what it read; on failure it sets error_ and
/// returns false.
class JsonReader {
 public:
  explicit JsonReader(const Source& source) : source_(source), text_(source.text()) {}

  Result<std::vector<Tree>> read() {
    std::vector<Tree> documents;
    for (skip_space(); at_ < text_.size(); skip_space()) {
      Tree node;
      if (!read_value(node, {}, 1)) return fail(error_);
      if (!node.is_null()) documents.push_back(std::move(node));
    }
    return documents;
  }

 private:
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[nodiscard]] Position here() const {
    return {line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)};
  }

  bool refuse(std::size_t offset, std::string_view message) {
    error_ = source_.error_at(offset, message);
    return false;
  }

  void skip_space() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return;
      }
    }
  }

  bool read_value(Tree& node, Position key, std::size_t depth) {
    const Position start = here();
    if (++values_ > max_values(text_.size())) {
      error_ = too_many(source_.place_at(at_));
      return false;
    }
    if (!read_content(node, depth)) return false;
    node.set_origin(source_.file(), start, key);
    return true;
  }

  bool read_content(Tree& node, std::size_t depth) {
    switch (peek()) {
      case '{':
        return enter(depth) && read_map(node, depth);
      case '[':
        return enter(depth) && read_list(node, depth);
      case '"': {
        std::string text;
        if (!read_string(text)) return false;
        node = Tree::string(std::move(text));
        return true;
      }
      default:
        return read_word(node);
    }
  }

  bool enter(std::size_t depth) {
    if (depth <= kMaxNesting) {
      ++at_;
      return true;
    }
    error_ = too_deep(source_.place_at(at_));
    return false;
  }

  bool read_map(Tree& node, std::size_t depth) {
    std::vector<Tree::Entry> entries;
    KeySet keys;
    for (skip_space(); peek() != '}' || !entries.empty(); skip_space()) {
      const Position position = here();
      std::string key;
      if (peek() != '"') return refuse(at_, "expected a key in double quotes");
      if (!read_string(key)) return false;
      if (!keys.add(entries, key)) {
        for (const auto& [name, first] : entries) {
          if (name == key) error_ = duplicate_key(source_, key, position, first);
        }
        return false;
      }
      skip_space();
      if (peek() != ':') return refuse(at_, "expected a colon");
      ++at_;
      skip_space();
      Tree value;
      if (!read_value(value, position, depth + 1)) return false;
      entries.emplace_back(std::move(key), std::move(value));
      skip_space();
      if (peek() != ',') break;
      ++at_;
    }
    if (peek() != '}') return refuse(at_, "expected a comma or a closing brace");
    ++at_;
    node = Tree::map(std::move(entries));
    return true;
  }

  bool read_list(Tree& node, std::size_t depth) {
    std::vector<Tree> items;
    for (skip_space(); peek() != ']' || !items.empty(); skip_space()) {
      if (!read_value(items.emplace_back(), {}, depth + 1)) return false;
      skip_space();
      if (peek() != ',') break;
      ++at_;
    }
    if (peek() != ']') return refuse(at_, "expected a comma or a closing bracket");
    ++at_;
    node = Tree::list(std::move(items));
    return true;
  }

  bool read_string(std::string& text) {
    const std::size_t quote = at_++;
    for (;;) {
      const std::size_t run = at_;
      while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' && text_[at_] != '\n')
        ++at_;
      text.append(text_, run, at_ - run);
      if (at_ >= text_.size()) return refuse(quote, "expected a closing quote");
      if (text_[at_] == '\n') return refuse(quote, "expected a closing quote on the same line");
      if (text_[at_++] == '"') return true;
      if (!read_escape(text)) return false;
    }
  }

  bool read_escape(std::string& text) {
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
    const char name = peek();
    if (name == 'u') return read_unicode(text);
    const std::size_t index = kNames.find(name);
    if (index == std::string_view::npos || at_ >= text_.size())
      return refuse(at_ - 1, "expected a known escape");
    text += kValues[index];
    ++at_;
    return true;
  }

  bool read_unicode(std::string& text) {
    const std::size_t start = at_ - 1;
    std::uint32_t code = 0;
    if (!read_hex(code)) return refuse(start, "expected four hexadecimal digits");
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
      ++at_;
      std::uint32_t low = 0;
      if (!read_hex(low)) return refuse(start, "expected four hexadecimal digits");
      if (low < 0xDC00 || low > 0xDFFF) return refuse(start, "expected a pair of surrogates");
      code = 0x10000U + ((code - 0xD800U) << 10U) + (low - 0xDC00U);
    }
    if (code >= 0xD800 && code <= 0xDFFF) return refuse(start, "expected a pair of surrogates");
    append_utf8(text, code);
    return true;
  }

  /// At the `u`.
  bool read_hex(std::uint32_t& code) {
    const std::string_view digits = text_.substr(at_ + 1, 4);
    if (digits.size() < 4) return false;
    for (const char c : digits) {
      const auto value =
          std::string_view("0123456789abcdef").find(is_digit(c) ? c : static_cast<char>(c | 0x20));
      if (value == std::string_view::npos) return false;
      code = code * 16 + static_cast<std::uint32_t>(value);
    }
    at_ += 5;
    return true;
  }

  bool read_word(Tree& node) {
    const std::size_t start = at_;
    std::size_t end = at_;
    while (end < text_.size() &&
           std::string_view(" \t\r\n,:{}[]\"").find(text_[end]) == std::string_view::npos)
      ++end;
    const std::string_view word = text_.substr(start, end - start);
    if (word == "true" || word == "false") {
      node = Tree::boolean(word == "true");
    } else if (word == "null") {
      node = Tree();
    } else if (!read_number(word, node)) {
      return refuse(start, word.empty() ? "expected a value"
                                        : "expected a value (a text stands in double quotes)");
    }
    at_ = end;
    return true;
  }

  static bool read_number(std::string_view word, Tree& node) {
    std::size_t i = word.starts_with('-') ? 1 : 0;
    const auto digits = [&] {
      const std::size_t first = i;
      while (i < word.size() && is_digit(word[i])) ++i;
      return i - first;
    };
    const std::size_t integer = i;
    const std::size_t count = digits();
    if (count == 0 || (count > 1 && word[integer] == '0')) return false;
    const bool whole = i == word.size();
    if (i < word.size() && word[i] == '.') {
      ++i;
      if (digits() == 0) return false;
    }
    if (i < word.size() && (word[i] == 'e' || word[i] == 'E')) {
      ++i;
      if (i < word.size() && (word[i] == '+' || word[i] == '-')) ++i;
      if (digits() == 0) return false;
    }
    if (i != word.size()) return false;
    node = whole ? Tree::integer(std::string(word == "-0" ? "0" : word))
                 : Tree::floating(std::string(word));
    return true;
  }

  const Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  std::size_t values_ = 0;
  Error error_;
};

}  // namespace

Result<std::vector<Tree>> parse_json(std::string_view text, const std::string& file) {
  const Source source(text, file);
  if (const Status status = check_characters(source); !status) return fail(status.error());
  return JsonReader(source).read();
}

}  // namespace ballast::doc
