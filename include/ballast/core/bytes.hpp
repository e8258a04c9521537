// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "ballast/core/value.hpp"

namespace ballast {

inline constexpr std::int64_t kBytesPerMib = std::int64_t{1} << 20U;

/// MiB as a whole number of bytes; where that is too large for one, a decimal.
Value bytes_of(std::int64_t mib);
Value bytes_of(double mib);

}  // namespace ballast
