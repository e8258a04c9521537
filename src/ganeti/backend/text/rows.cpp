// SPDX-License-Identifier: BSD-2-Clause
#include "rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/backend/json/number.hpp"

namespace ballast::ganeti {
namespace {

std::vector<std::string_view> split_lines(std::string_view content) {
  std::vector<std::string_view> lines;
  while (!content.empty()) {
    const std::size_t end = content.find('\n');
    lines.push_back(content.substr(0, end));
    if (end == std::string_view::npos) break;
    content.remove_prefix(end + 1);
  }
  return lines;
}

}  // namespace

Result<Sections> split_sections(std::string_view content) {
  constexpr std::size_t kNeeded = 4;
  Sections sections;
  sections.lines = split_lines(content);
  const Lines all(sections.lines);
  std::size_t count = all.empty() ? 0 : 1;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < all.size() && count <= sections.at.size(); ++i) {
    if (!all[i].empty()) continue;
    sections.at[count - 1] = all.subspan(begin, i - begin);
    begin = i + 1;
    ++count;
  }
  if (count < kNeeded) {
    return fail(
        fmt::format("Invalid format of the input file: {} sections instead of 4 or more", count));
  }
  if (count <= sections.at.size()) sections.at[count - 1] = all.subspan(begin);
  return sections;
}

Fields split_fields(std::string_view line, std::size_t most) {
  Fields fields;
  const char* begin = line.data();
  const char* const end = begin + line.size();
  while (fields.count < most) {
    const auto left = static_cast<std::size_t>(end - begin);
    const void* bar = left == 0 ? nullptr : std::memchr(begin, '|', left);
    if (bar == nullptr) {
      fields.at[fields.count++] = {begin, left};
      return fields;
    }
    const char* const stop = static_cast<const char*>(bar);
    fields.at[fields.count++] = {begin, static_cast<std::size_t>(stop - begin)};
    begin = stop + 1;
  }
  fields.has_rest = true;
  fields.rest = {begin, static_cast<std::size_t>(end - begin)};
  return fields;
}

std::vector<std::string> comma_list(std::string_view text) {
  if (text.empty()) return {};
  const std::vector<std::string_view> parts = split(text, ',');
  return {parts.begin(), parts.end()};
}

std::int64_t RowReader::integer(std::string_view label, std::string_view text) {
  if (failed()) return 0;
  Result<std::int64_t> value = parse_int(label, text);
  if (value) return *value;
  fail_with(std::move(value.error()));
  return 0;
}

double RowReader::real(std::string_view label, std::string_view text) {
  if (failed()) return 0;
  Result<double> value = parse_double(label, text);
  if (value) return *value;
  fail_with(std::move(value.error()));
  return 0;
}

}  // namespace ballast::ganeti
