// SPDX-License-Identifier: BSD-2-Clause
#include "reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/utf8.hpp"

namespace ballast::doc {
namespace {

constexpr std::size_t kFewKeys = 16;
constexpr std::size_t kLongestLine = std::size_t{8} << 20;  ///< no object of Kubernetes is larger
constexpr std::string_view kTooDeep = "nested too deep";
constexpr std::string_view kTooLarge = "anchors and aliases expand too far";
constexpr std::string_view kTooMany = "too many values for a file of this size";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_forbidden(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f;
}

bool looks_like_json(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

/// A text that begins like JSON and is YAML: documents behind "---", or a first key or word without
/// quotes.
bool is_flow_yaml(std::string_view text) {
  if (text.starts_with("---") || text.find("\n---") != std::string_view::npos) return true;
  std::size_t at = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF[");
  if (at == std::string_view::npos) return false;
  if (text[at] == '{') {
    at = text.find_first_not_of(" \t\r\n", at + 1);
    return at != std::string_view::npos && text[at] != '"' && text[at] != '}' && text[at] != ',';
  }
  const std::string_view rest = text.substr(at);
  const bool is_word = (rest[0] >= 'a' && rest[0] <= 'z') || (rest[0] >= 'A' && rest[0] <= 'Z');
  return is_word && !rest.starts_with("true") && !rest.starts_with("false") &&
         !rest.starts_with("null");
}

}  // namespace

Source::Source(std::string_view text, const std::string& file)
    : text_(text), file_(std::make_shared<const std::string>(file)) {
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
}

Place Source::place_at(std::size_t offset) const {
  const std::string_view before = text_.substr(0, offset);
  const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
  const std::size_t newline = before.rfind('\n');
  return {*file_, line, newline == std::string_view::npos ? offset + 1 : offset - newline};
}

Error Source::error_at(std::size_t offset, std::string_view message) const {
  offset = std::min(offset, text_.size());
  const std::string_view rest = text_.substr(offset);
  const std::string_view line = rest.substr(0, rest.find_first_of("\r\n"));
  const std::string what = rest.empty()   ? "end of the file"
                           : line.empty() ? "end of the line"
                                          : quoted(line);
  return {fmt::format("{}: {}", what, message), place_at(offset), Fault::Input};
}

Status check_line_lengths(const Source& source) {
  const std::string_view text = source.text();
  std::size_t start = 0;
  while (text.size() - start > kLongestLine) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (end - start > kLongestLine) {
      return fail(fmt::format("{}...: a line of {} bytes: expected YAML, of lines up to {} bytes",
                              quoted(text.substr(start, 20)), end - start, kLongestLine),
                  source.place_at(start));
    }
    if (end == text.size()) break;
    start = end + 1;
  }
  return {};
}

Status check_characters(const Source& source) {
  const std::string_view text = source.text();
  const auto bad = std::ranges::find_if(text, is_forbidden);
  if (bad != text.end()) {
    const auto offset = static_cast<std::size_t>(bad - text.begin());
    return fail(fmt::format("control character {}: expected text", quoted(text.substr(offset, 1))),
                source.place_at(offset));
  }
  const std::size_t invalid = first_invalid_utf8(text);
  if (invalid != std::string_view::npos) {
    return fail(fmt::format("byte {}: expected UTF-8", quoted(text.substr(invalid, 1))),
                source.place_at(invalid));
  }
  return {};
}

bool KeySet::add(const std::vector<Tree::Entry>& entries, std::string_view key) {
  if (entries.size() < kFewKeys)
    return std::ranges::find(entries, key, &Tree::Entry::first) == entries.end();
  if (keys_.empty()) {
    for (const auto& entry : entries) keys_.insert(entry.first);
  }
  return keys_.emplace(key).second;
}

Error duplicate_key(const Source& source, std::string_view key, Position second,
                    const Tree& first) {
  return {fmt::format("key {} is given twice: it stands at line {} already", quoted(key),
                      first.key_place().line),
          source.place(second), Fault::Input};
}

Error too_deep(Place place) {
  return {fmt::format("{}: expected at most {} levels", kTooDeep, kMaxNesting), std::move(place),
          Fault::Input};
}

Error too_large(Place place, std::size_t most) {
  return {fmt::format("{}: expected at most {} nodes in a file of this size", kTooLarge, most),
          std::move(place), Fault::Input};
}

Error too_many(Place place) {
  return {fmt::format("{}: expected at least 16 bytes for each", kTooMany), std::move(place),
          Fault::Input};
}

bool is_limit_error(const Error& error) {
  return error.message.starts_with(kTooDeep) || error.message.starts_with(kTooLarge) ||
         error.message.starts_with(kTooMany);
}

Result<std::vector<Tree>> parse_documents(std::string_view text, const std::string& file) {
  return looks_like_json(text) && !is_flow_yaml(text) ? parse_json(text, file)
                                                      : parse_yaml(text, file);
}

}  // namespace ballast::doc
