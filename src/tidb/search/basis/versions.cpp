// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/basis/versions.hpp"

#include <charconv>

namespace ballast::tidb {

std::optional<std::array<std::int64_t, 3>> parse_version(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::array<std::int64_t, 3> parts{};
  const char* at = text.data();
  const char* end = text.data() + text.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto [stop, error] = std::from_chars(at, end, parts[i]);
    if (error != std::errc{}) return std::nullopt;
    at = stop;
    if (i + 1 == parts.size()) break;
    if (at == end || *at != '.') return std::nullopt;
    ++at;
  }
  if (at != end && *at != '-' && *at != '+') return std::nullopt;
  return parts;
}

bool smooth_upgrade(std::string_view from, std::string_view to) {
  const auto old_version = parse_version(from);
  const auto new_version = parse_version(to);
  if (!old_version || !new_version) return false;
  const std::array<std::int64_t, 3> first{7, 4, 0};
  const auto in_71 = [](const auto& v) { return v[0] == 7 && v[1] == 1 && v[2] >= 2; };
  if (*old_version >= first) return *new_version >= first;
  return in_71(*old_version) && (in_71(*new_version) || *new_version >= first);
}

}  // namespace ballast::tidb
