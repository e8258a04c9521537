// SPDX-License-Identifier: BSD-2-Clause
#include "yaml_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "ballast/core/utf8.hpp"

namespace ballast::doc {
namespace {

constexpr std::string_view kCoreTag = "tag:yaml.org,2002:";
constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kNoTabs = "expected blanks for indentation, not a tab";

std::size_t line_start(std::string_view text, std::size_t offset) {
  const std::size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

/// Offset of a tab among the white space that the line of `offset` starts with, if nothing else
/// stands before `offset`.
std::size_t tab_before(std::string_view text, std::size_t offset) {
  const std::size_t start = line_start(text, offset);
  const std::string_view indentation = text.substr(start, offset - start);
  if (indentation.find_first_not_of(kBlanks) != std::string_view::npos)
    return std::string_view::npos;
  const std::size_t tab = indentation.find('\t');
  return tab == std::string_view::npos ? tab : start + tab;
}

/// Skips anchor and tag in front of a scalar.
std::size_t skip_properties(std::string_view text, std::size_t offset) {
  while (offset < text.size() && (text[offset] == '&' || text[offset] == '!')) {
    offset = text.find_first_of(" \t\r\n", offset);
    offset =
        offset == std::string_view::npos ? text.size() : text.find_first_not_of(" \t\r\n", offset);
  }
  return std::min(offset, text.size());
}

bool is_closed(std::string_view text, std::size_t quote) {
  const char mark = text[quote];
  for (std::size_t i = quote + 1; i < text.size(); ++i) {
    if (mark == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == mark) {
      if (mark == '"' || i + 1 >= text.size() || text[i + 1] != mark) return true;
      ++i;
    }
  }
  return false;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t count_digits(std::string_view text, std::size_t from) {
  std::size_t end = from;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - from;
}

bool is_float(std::string_view text) {
  std::size_t i = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const std::string_view rest = text.substr(i);
  for (const std::string_view name : {".inf", ".Inf", ".INF"}) {
    if (rest == name) return true;
  }
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return true;
  const std::size_t whole = count_digits(text, i);
  std::size_t fraction = 0;
  i += whole;
  if (i < text.size() && text[i] == '.') {
    fraction = count_digits(text, i + 1);
    i += 1 + fraction;
  }
  if (whole + fraction == 0) return false;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    const std::size_t digits = count_digits(text, i);
    if (digits == 0) return false;
    i += digits;
  }
  return i == text.size();
}

/// The decimal digits of an integer; empty where it is none (or a hexadecimal or octal one beyond
/// 64 bits).
std::string integer_digits(std::string_view text) {
  const bool is_prefixed = text.starts_with("0x") || text.starts_with("0o");
  if (is_prefixed) {
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(text.data() + 2, text.data() + text.size(), value, text[1] == 'x' ? 16 : 8);
    const bool is_whole =
        error == std::errc{} && end == text.data() + text.size() && text.size() > 2;
    return is_whole ? fmt::format("{}", value) : "";
  }
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || count_digits(text, 0) != text.size()) return "";
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size() - 1));
  return (is_negative && text != "0" ? "-" : "") + std::string(text);
}

bool is_null_word(std::string_view text) {
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}
bool is_true_word(std::string_view text) {
  return text == "true" || text == "True" || text == "TRUE";
}
bool is_false_word(std::string_view text) {
  return text == "false" || text == "False" || text == "FALSE";
}

}  // namespace

Tree resolve_plain(std::string text) {
  if (is_null_word(text)) return {};
  if (is_true_word(text) || is_false_word(text)) return Tree::boolean(is_true_word(text));
  const bool may_be_number =
      is_digit(text.front()) || text.front() == '-' || text.front() == '+' || text.front() == '.';
  if (!may_be_number) return Tree::string(std::move(text));
  if (std::string digits = integer_digits(text); !digits.empty())
    return Tree::integer(std::move(digits));
  return is_float(text) ? Tree::floating(std::move(text)) : Tree::string(std::move(text));
}

Result<Tree> resolve_tagged(const std::string& tag, const std::string& text) {
  if (tag == "?") return resolve_plain(text);
  if (tag == "!") return Tree::string(text);
  std::string_view name = tag;
  if (name.starts_with(kCoreTag)) name.remove_prefix(kCoreTag.size());
  if (name == "str") return Tree::string(text);
  Tree node = resolve_plain(text);
  using Kind = Tree::Kind;
  if (name == "float" && node.kind() == Kind::Integer) return Tree::floating(node.text());
  const bool fits = (name == "null" && node.is_null()) ||
                    (name == "bool" && node.kind() == Kind::Bool) ||
                    (name == "int" && node.kind() == Kind::Integer) ||
                    (name == "float" && node.kind() == Kind::Float);
  if (!fits) return fail("expected no tag, or one of the core schema that fits");
  return node;
}

Status check_document_start(const Source& source, std::size_t offset, bool is_first) {
  const std::string_view text = source.text();
  if (is_first || text.substr(offset).starts_with("---")) return {};
  std::size_t line = line_start(text, offset);
  if (text.substr(line, offset - line).find_first_not_of(kBlanks) != std::string_view::npos) {
    return fail(source.error_at(offset, "expected the end of the document"));
  }
  while (line > 0) {
    const std::size_t previous = line_start(text, line - 1);
    const std::string_view content = text.substr(previous, line - previous);
    if (content.starts_with("...")) return {};
    const std::size_t first = content.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && content[first] != '#' && content[first] != '%') break;
    line = previous;
  }
  return fail(
      source.error_at(offset, "expected the end of the document, or --- before the next one"));
}

Status check_scalar(const Source& source, std::size_t offset, bool is_plain, bool is_block) {
  const std::string_view text = source.text();
  if (is_block) {
    const std::size_t tab = tab_before(text, offset);
    if (tab != std::string_view::npos) return fail(source.error_at(tab, kNoTabs));
  }
  if (is_plain) return {};
  const std::size_t quote = skip_properties(text, offset);
  const bool is_quoted = quote < text.size() && (text[quote] == '"' || text[quote] == '\'');
  if (is_quoted && !is_closed(text, quote))
    return fail(source.error_at(quote, "expected a closing quote"));
  return {};
}

std::string with_whole_escapes(std::string_view text) {
  std::string whole;
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    if (length == 0) whole += '\xC2';
    const std::size_t taken = std::max<std::size_t>(1, length);
    whole += text.substr(0, taken);
    text.remove_prefix(taken);
  }
  return whole;
}

Error foreign_error(const Source& source, std::size_t offset, std::string_view message) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kWords{{
      {"illegal map value",
       "expected no mapping here (wrong indentation, or a text that needs quotes?)"},
      {"illegal tab", kNoTabs},
      {"end of sequence flow", "expected a comma or a closing bracket"},
      {"end of map flow", "expected a comma or a closing brace"},
      {"end of map not found", "expected a key at this indentation, or the end of the mapping"},
      {"end of sequence not found", "expected \"- \" at this indentation, or the end of the list"},
      {"anchor is not defined", "expected an alias to an anchor that stands before it"},
      {"unknown token", "expected a value (this character starts none: put the text in quotes)"},
  }};
  const std::string_view text = source.text();
  offset = std::min(offset, text.size());
  const std::size_t tab = tab_before(text, offset);
  if (tab != std::string_view::npos) return source.error_at(tab, kNoTabs);
  if (message == "bad file")
    return too_deep(source.place_at(offset));  // what its own limit of nesting says
  for (const auto& [theirs, ours] : kWords) {
    if (message.find(theirs) != std::string_view::npos) return source.error_at(offset, ours);
  }
  return source.error_at(offset, fmt::format("expected YAML ({})", message));
}

}  // namespace ballast::doc
