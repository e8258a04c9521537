// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/model/version.hpp"

#include <array>
#include <charconv>
#include <cstddef>

namespace ballast::fdb {

std::optional<Version> parse_version(std::string_view text) {
  std::array<int, 3> parts{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto dot = i < 2 ? text.find('.') : text.size();
    if (dot == std::string_view::npos || dot == 0) return std::nullopt;
    const char* const stop = text.data() + dot;
    const auto [end, error] = std::from_chars(text.data(), stop, parts[i]);
    if (error != std::errc() || end != stop || parts[i] < 0) return std::nullopt;
    text.remove_prefix(i < 2 ? dot + 1 : dot);
  }
  return Version{parts[0], parts[1], parts[2]};
}

std::string to_string(const Version& version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
         std::to_string(version.patch);
}

bool is_protocol_compatible(const Version& a, const Version& b) {
  return a.major == b.major && a.minor == b.minor;
}

bool supports_locality_exclusion(const Version& running) {
  const bool is_71 = running.major == 7 && running.minor == 1;
  return running >= (is_71 ? Version{7, 1, 42} : Version{7, 3, 26});
}

bool reports_recovery_age(const Version& running) { return running >= Version{7, 1, 22}; }

}  // namespace ballast::fdb
