// SPDX-License-Identifier: BSD-2-Clause

#include <algorithm>
#include <array>
#include <cmath>

#include "ballast/core/decimal.hpp"
#include "ballast/core/json_string.hpp"
#include "ballast/core/visible.hpp"
#include "reader.hpp"

namespace ballast::doc {
namespace {

/// Words that readers of YAML 1.1 take for something else than a text.
constexpr std::array<std::string_view, 10> kOldWords{"y",   "n",    "yes",   "no",   "on",
                                                     "off", "true", "false", "null", "~"};

std::string in_quotes(std::string_view text) {
  return json_string(text, [](std::string& out, char32_t code, std::string_view bytes) {
    if (code == U'\n' || code == U'\t' || code == U'\r') {
      out += json_short_escape(code);
    } else if (is_hidden(code) && code < 0x10000) {
      out += json_escape(code);
    } else {
      out += bytes;
    }
  });
}

bool is_old_word(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return std::ranges::find(kOldWords, lower) != kOldWords.end();
}

/// A text that every reader takes for that text. Digits, signs and dots in front could be numbers,
/// dates or times to some.
bool is_plain_safe(std::string_view text) {
  if (text.empty() || is_old_word(text) || has_hidden(text)) return false;
  const char first = text.front();
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  const bool starts_number =
      first == '-' || first == '+' || first == '.' || (first >= '0' && first <= '9');
  if (!is_word(first) && !starts_number) return false;
  const bool is_dotted = std::ranges::count(text, '.') > 1 &&
                         text.find_first_not_of("0123456789.") == std::string_view::npos;
  if (starts_number && !is_dotted && std::ranges::none_of(text, is_word)) return false;
  if (starts_number && resolve_plain(std::string(text)).kind() != Tree::Kind::String) return false;
  if (starts_number && text.find_first_of("_: ") != std::string_view::npos) return false;
  if (first == '-' || first == '+' || first == '.' || text.starts_with("0b")) return false;
  if (text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos)
    return false;
  return text.back() != ' ' && text.back() != ':';
}

/// Lines that a literal block gives back unchanged.
bool is_block_safe(std::string_view text) {
  const std::size_t content = text.find_first_not_of('\n');
  if (text.find('\n') == std::string_view::npos || content == std::string_view::npos) return false;
  if (content != 0 || text.front() == ' ' || text.front() == '\t') return false;
  std::string lines(text);
  std::erase(lines, '\n');
  return !has_hidden(lines) && text.find(" \n") == std::string_view::npos && text.back() != ' ';
}

std::string scalar_text(const Tree& node) {
  if (node.is_null()) return "null";
  if (node.kind() != Tree::Kind::String) return node.text();
  return is_plain_safe(node.text()) ? node.text() : in_quotes(node.text());
}

class YamlEmitter {
 public:
  std::string run(const Tree& node) {
    if (is_block(node)) {
      emit_children(node, 0);
    } else {
      emit_value(node, 2);
    }
    return std::move(out_);
  }

 private:
  static bool is_block(const Tree& node) {
    return (node.is_map() && !node.entries().empty()) || (node.is_list() && !node.items().empty());
  }

  void emit_children(const Tree& node, std::size_t indent) {
    for (const auto& [key, value] : node.entries()) {
      out_.append(indent, ' ');
      out_ += is_plain_safe(key) ? key : in_quotes(key);
      out_ += ':';
      if (is_block(value)) {
        out_ += '\n';
        emit_children(value, value.is_list() ? indent : indent + 2);
      } else {
        out_ += ' ';
        emit_value(value, indent + 2);
      }
    }
    for (const Tree& item : node.items()) {
      out_.append(indent, ' ');
      out_ += "- ";
      if (is_block(item)) {
        const std::size_t start = out_.size();
        emit_children(item, indent + 2);
        out_.erase(start, indent + 2);
      } else {
        emit_value(item, indent + 2);
      }
    }
  }

  void emit_value(const Tree& node, std::size_t indent) {
    if (node.is_map()) {
      out_ += "{}";
    } else if (node.is_list()) {
      out_ += "[]";
    } else if (node.kind() == Tree::Kind::String && is_block_safe(node.text())) {
      emit_literal(node.text(), indent);
      return;
    } else {
      out_ += scalar_text(node);
    }
    out_ += '\n';
  }

  void emit_literal(std::string_view text, std::size_t indent) {
    const bool ends = text.ends_with('\n');
    out_ += !ends ? "|-\n" : text.ends_with("\n\n") ? "|+\n" : "|\n";
    if (ends) text.remove_suffix(1);
    for (;;) {
      const std::size_t newline = text.find('\n');
      const std::string_view line = text.substr(0, newline);
      if (!line.empty()) out_.append(indent, ' ');
      out_ += line;
      out_ += '\n';
      if (newline == std::string_view::npos) return;
      text.remove_prefix(newline + 1);
    }
  }

  std::string out_;
};

std::string json_number(const Tree& node) {
  if (node.kind() == Tree::Kind::Integer) return node.text();
  const auto parsed = parse_json(node.text(), "");
  if (parsed && parsed->size() == 1) return node.text();
  const auto value = node.as_double();
  return value && std::isfinite(*value) ? plain(*value) : in_quotes(node.text());
}

void append_json(std::string& out, const Tree& node) {
  const auto separate = [&out](bool& first) {
    if (!first) out += ',';
    first = false;
  };
  bool first = true;
  switch (node.kind()) {
    case Tree::Kind::Null:
      out += "null";
      return;
    case Tree::Kind::Bool:
      out += node.text();
      return;
    case Tree::Kind::Integer:
    case Tree::Kind::Float:
      out += json_number(node);
      return;
    case Tree::Kind::String:
      out += in_quotes(node.text());
      return;
    case Tree::Kind::List:
      out += '[';
      for (const Tree& item : node.items()) {
        separate(first);
        append_json(out, item);
      }
      out += ']';
      return;
    case Tree::Kind::Map:
      out += '{';
      for (const auto& [key, value] : node.entries()) {
        separate(first);
        out += in_quotes(key);
        out += ':';
        append_json(out, value);
      }
      out += '}';
      return;
  }
}

}  // namespace

std::string emit_yaml(const Tree& node) { return YamlEmitter().run(node); }

std::string emit_json(const Tree& node) {
  std::string out;
  append_json(out, node);
  return out;
}

}  // namespace ballast::doc
