// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/bytes.hpp"

#include <cmath>
#include <limits>

namespace ballast {
Value bytes_of(std::int64_t mib) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / kBytesPerMib;
  if (mib > kMost || mib < -kMost)
    return static_cast<double>(mib) * static_cast<double>(kBytesPerMib);
  return mib * kBytesPerMib;
}

Value bytes_of(double mib) {
  constexpr double kMost = 0x1p42;
  if (!(std::fabs(mib) < kMost)) return mib * static_cast<double>(kBytesPerMib);
  return std::llround(mib * static_cast<double>(kBytesPerMib));
}

}  // namespace ballast
