// SPDX-License-Identifier: BSD-2-Clause
// Random numbers that are the same everywhere: the standard distributions differ between libraries.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ballast {

/// splitmix64; the whole state is one number, so a seed is a full description of what follows.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();
  /// Uniform in [0, bound). Precondition: bound > 0.
  std::uint64_t below(std::uint64_t bound);
  /// Uniform in [low, high]. Precondition: low <= high.
  std::int64_t between(std::int64_t low, std::int64_t high);
  /// Uniform in [0, 1).
  double unit();
  /// True with probability `percent` / 100.
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

}  // namespace ballast
