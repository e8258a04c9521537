// SPDX-License-Identifier: BSD-2-Clause
// PROGRAM [SEEDS [FIRST]]: a rule is held against one random case after the other.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

namespace ballast::test {

struct Seeds {
  std::uint64_t count;
  std::uint64_t first = 1;
};

inline Seeds seeds_of(int argc, char** argv, std::uint64_t fallback) {
  return {argc > 1 ? std::strtoull(argv[1], nullptr, 10) : fallback,
          argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1};
}

/// `check` says what is wrong with the case of a seed, nothing where all holds. The first seed that
/// fails is told and ends it.
template <std::invocable<std::uint64_t> Check>
bool holds_for_each(const Seeds& seeds, const Check& check) {
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    const std::string wrong = check(seed);
    if (wrong.empty()) continue;
    std::cerr << "seed " << seed << ": " << wrong << "\n";
    return false;
  }
  return true;
}

}  // namespace ballast::test
