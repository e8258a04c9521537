// SPDX-License-Identifier: BSD-2-Clause
// Sizes and durations as all texts for people write them.
#pragma once

#include <cstdint>
#include <string>

namespace ballast {

/// "1.5 GiB" from 1 GiB on, else "512.0 MiB".
std::string size_text(std::int64_t bytes);

/// "2 d 3 h", "1 h 5 min", "4 min 20 s", "7 s": the two largest units.
std::string duration_text(std::int64_t seconds);

}  // namespace ballast
