// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace ballast::fdb {

/// A server version x.y.z.
struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;

  friend auto operator<=>(const Version&, const Version&) = default;
  /// 0.0.0 stands for "not known".
  [[nodiscard]] bool is_known() const { return major != 0 || minor != 0 || patch != 0; }
};

std::optional<Version> parse_version(std::string_view text);
std::string to_string(const Version& version);

/// Same major and minor: servers of both versions can talk to each other.
bool is_protocol_compatible(const Version& a, const Version& b);
/// The running servers understand `locality_instance_id:ID` as an exclusion: from 7.1.42 in the 7.1
/// line, from 7.3.26 otherwise.
bool supports_locality_exclusion(const Version& running);
/// From 7.1.22 the status tells the age of the last recovery reliably.
bool reports_recovery_age(const Version& running);

}  // namespace ballast::fdb
