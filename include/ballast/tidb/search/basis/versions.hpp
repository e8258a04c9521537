// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ballast::tidb {

/// Major, minor, patch of "v7.5.1"; what follows a hyphen does not count.
std::optional<std::array<std::int64_t, 3>> parse_version(std::string_view text);

/// Whether TiDB pauses DDL when it is upgraded between the two: both at least v7.4.0, both in
/// v7.1.2-v7.1.x, or from there up.
bool smooth_upgrade(std::string_view from, std::string_view to);

}  // namespace ballast::tidb
