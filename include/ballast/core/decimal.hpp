// SPDX-License-Identifier: BSD-2-Clause
// Decimals as the reference prints them: rounded half to even on the shortest decimal digits that
// read back as the same double, not on the binary value. printf would differ (fixed(0.1245, 3) is
// "0.124").
#pragma once

#include <string>

namespace ballast {

/// Exactly `decimals` digits after the point (none and no point for 0). NaN, Infinity, -Infinity
/// are written so.
std::string fixed(double value, int decimals);

/// Fixed notation with all shortest digits and at least one on each side of the point: "1.0",
/// "0.05".
std::string plain(double value);

/// Six decimals; scientific ("2.500000e-2") unless 0 or 0.1 <= |value| < 10^7.
std::string general6(double value);

/// All digits; scientific ("5.0e-2", "1.0e8") unless 0 or 0.1 <= |value| < 10^7.
std::string shown(double value);

}  // namespace ballast
