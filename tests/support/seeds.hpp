// SPDX-License-Identifier: BSD-2-Clause
// Runs a property over seeds: PROGRAM [SEEDS [FIRST]]. A failure prints its seed and the smallest
// cluster for which that seed fails, too.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

namespace ballast::tidb::test {

/// What is wrong with the cluster of a seed and a size, empty where all holds; writes the cluster.
using Property = std::function<std::string(std::uint64_t, std::int64_t, std::string&)>;

inline int for_seeds(int argc, char** argv, std::uint64_t fallback, const Property& property) {
  constexpr std::int64_t kSize = 4;
  const std::uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : fallback;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    std::string cluster;
    std::string problem = property(seed, kSize, cluster);
    if (problem.empty()) continue;
    for (std::int64_t size = 1; size < kSize; ++size) {
      std::string smaller_cluster;
      std::string smaller = property(seed, size, smaller_cluster);
      if (smaller.empty()) continue;
      problem = std::move(smaller);
      cluster = std::move(smaller_cluster);
      break;
    }
    std::printf("seed %llu: %s\n%s\n", static_cast<unsigned long long>(seed), problem.c_str(),
                cluster.c_str());
    return 1;
  }
  std::printf("%llu pairs hold\n", static_cast<unsigned long long>(seeds));
  return 0;
}

}  // namespace ballast::tidb::test
