// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/random.hpp"

namespace ballast {

std::uint64_t Random::next() {
  state_ += 0x9E3779B97F4A7C15ULL;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31U);
}

std::uint64_t Random::below(std::uint64_t bound) {
  // Values past the largest multiple of the bound would favour small results: drawn again.
  const std::uint64_t limit = bound * (~std::uint64_t{0} / bound);
  for (;;) {
    const std::uint64_t value = next();
    if (value < limit) return value % bound;
  }
}

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
  const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const std::uint64_t offset = span == ~std::uint64_t{0} ? next() : below(span + 1);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

double Random::unit() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

}  // namespace ballast
