// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string_view>

#include "ballast/core/result.hpp"

namespace ballast::ganeti {

/// A size in MiB: an integer as in the text format, blanks, a unit. No unit, m, MiB: 1; g, GiB:
/// 1024; t, TiB: 1024^2; M, MB: (1000/1024)^2; G, GB: that times 1000; T, TB: times 1000000; only
/// the single letters are case-sensitive. Truncated toward zero, computed exactly. Errors in the
/// reference's words: "Can't parse string 'x'", "Unknown unit 'x'".
Result<std::int64_t> parse_size(std::string_view text);

}  // namespace ballast::ganeti
