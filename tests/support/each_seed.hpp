// SPDX-License-Identifier: BSD-2-Clause
// PROGRAM [SEEDS [FIRST]]: a rule is held against one random case after the other.
#pragma once

#include <concepts>
#include <cstddef>
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

/// The main program of a property that counts what it looked at: check(seed, count). Cases in which
/// there was nothing to look at hold nothing.
template <std::invocable<std::uint64_t, std::size_t&> Check>
int holds_for_some(int argc, char** argv, std::uint64_t fallback, const char* what,
                   const Check& check) {
  const Seeds seeds = seeds_of(argc, argv, fallback);
  std::size_t count = 0;
  if (!holds_for_each(seeds, [&](std::uint64_t seed) { return check(seed, count); })) return 1;
  std::cout << seeds.count << " clusters, " << count << " " << what << "\n";
  return count > 0 || seeds.count < 20 ? 0 : 1;
}

}  // namespace ballast::test
