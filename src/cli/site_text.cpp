// SPDX-License-Identifier: BSD-2-Clause
#include "site_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ballast::cli {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

/// "rate" and 'rate' are rate.
std::string_view unquoted(std::string_view key) {
  const bool is_quoted =
      key.size() > 1 && key.front() == key.back() && (key.front() == '"' || key.front() == '\'');
  return is_quoted ? key.substr(1, key.size() - 2) : key;
}

/// What a value lacks that begins in this line, as every value must end in it; empty: nothing.
std::string_view lack_of(std::string_view value) {
  const bool is_text = value.starts_with('"') || value.starts_with('\'');
  if (is_text && value.find(value.front(), 1) == std::string_view::npos)
    return "a second quotation mark";
  return value.starts_with('[') && value.find(']') == std::string_view::npos ? "] in the same line"
                                                                             : "";
}

}  // namespace

SiteText::SiteText(std::string_view text, std::string file) : file_(std::move(file)) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string section;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t first = std::min(row.find_first_not_of(kBlanks), row.size());
    const std::string_view words = trimmed(row);
    if (words.starts_with('[')) {
      read_section(words, {"", "", "", line, first + 1});
      section = rows_.back().section;
      text_ += fmt::format("[{}]\n", section);
    } else {
      if (!words.empty() && !words.starts_with('#'))
        read_setting(words, {section, "", "", line, first + 1});
      text_ += row;
      text_ += '\n';
    }
  }
}

void SiteText::read_section(std::string_view words, Row row) {
  words = trimmed(words.substr(0, words.find('#')));
  row.is_closed = words.ends_with(']');
  while (words.starts_with('[')) words.remove_prefix(1);
  while (words.ends_with(']')) words.remove_suffix(1);
  row.section = unquoted(trimmed(words));
  add(std::move(row));
}

void SiteText::read_setting(std::string_view words, Row row) {
  const std::size_t equals = std::min(words.find('='), words.size());
  std::string_view key = trimmed(words.substr(0, equals));
  if (const std::size_t dot = key.rfind('.'); dot != std::string_view::npos) {
    row.section += row.section.empty() ? "" : ".";
    row.section += key.substr(0, dot);
    key.remove_prefix(dot + 1);
  }
  row.key = unquoted(key);
  row.is_nameless = row.key.empty();
  if (equals < words.size()) row.value = trimmed(words.substr(equals + 1));
  add(std::move(row));
}

void SiteText::add(Row row) {
  first_.try_emplace({row.section, row.key}, rows_.size());
  rows_.push_back(std::move(row));
}

Status SiteText::check() const {
  for (const Row& row : rows_) {
    if (!row.is_closed)
      return fail(Error{fmt::format("[{}: expected ] behind it", row.section), at(row)});
    if (row.is_nameless) return fail(Error{"expected the name of an option before =", at(row)});
    if (const std::string_view lack = lack_of(row.value); !lack.empty()) {
      return fail(Error{
          fmt::format("{}: {}: expected {}", quoted(row.key), quoted(row.value), lack), at(row)});
    }
    const Place first = place_of(row.section, row.key);
    if (!row.key.empty() && !row.value.empty() && first.line != row.line) {
      return fail(Error{
          fmt::format("{}: stands twice, first in line {}", quoted(row.key), first.line), at(row)});
    }
  }
  return {};
}

Place SiteText::place_of(std::string_view section, std::string_view key) const {
  const auto found = first_.find({std::string(section), std::string(key)});
  return found == first_.end() ? Place{file_, 0, 0} : at(rows_[found->second]);
}

}  // namespace ballast::cli
