// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/capacity/capacity.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "../../../../../src/ganeti/search/capacity/filler.hpp"
#include "../../../../../src/ganeti/search/capacity/finder.hpp"
#include "ballast/core/random.hpp"

using namespace ballast::ganeti;
namespace alloc = ballast::ganeti::alloc;

TEST_CASE("a size shrinks by the step of the reason, down to one step") {
  const InstanceSize size{128, 512, 2, 2};
  CHECK(alloc::shrunk(size, FailReason::Mem) == InstanceSize{64, 512, 2, 2});
  CHECK(alloc::shrunk(size, FailReason::Disk) == InstanceSize{128, 256, 2, 2});
  CHECK(alloc::shrunk(size, FailReason::Cpu) == InstanceSize{128, 512, 1, 2});
  CHECK(alloc::shrunk(size, FailReason::Spindles) == InstanceSize{128, 512, 2, 1});
  CHECK_FALSE(alloc::shrunk({64, 256, 1, 1}, FailReason::Mem));
  CHECK_FALSE(alloc::shrunk({64, 256, 1, 1}, FailReason::Disk));
  CHECK_FALSE(alloc::shrunk({64, 256, 1, 1}, FailReason::Cpu));
  CHECK_FALSE(alloc::shrunk({64, 256, 1, 1}, FailReason::Spindles));
}

TEST_CASE("no size answers a redundancy test or a tag") {
  const InstanceSize size{1024, 1024, 4, 4};
  for (const FailReason reason :
       {FailReason::N1, FailReason::Tags, FailReason::Mig, FailReason::DiskCount})
    CHECK_FALSE(alloc::shrunk(size, reason));
}

TEST_CASE("of equally frequent reasons the later one comes last") {
  ReasonCounts counts{};
  counts[static_cast<std::size_t>(FailReason::Mem)] = 3;
  counts[static_cast<std::size_t>(FailReason::Cpu)] = 3;
  CHECK(alloc::by_frequency(counts).back() == FailReason::Cpu);
  CHECK(alloc::by_frequency(ReasonCounts{}).back() == FailReason::Internal);
}

TEST_CASE("deviations with one value replaced are those of a sum from left to right") {
  ballast::Random random(17);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> column;
    // Sevenths, or halves that fall between two sums, over many binades and with either sign.
    const auto value = [&] {
      const auto whole = static_cast<double>(random.between(round % 3 == 2 ? -4 : 1, 4));
      if (round % 3 == 0) return whole / 7.0;
      return std::ldexp(whole, static_cast<int>(random.below(110)) - 55);
    };
    for (int i = 0; i < 60; ++i) column.push_back(value());
    std::vector<std::pair<std::size_t, double>> changes;
    for (std::size_t i = 0; i < column.size(); i += 1 + random.below(3))
      changes.emplace_back(i, column[i] - 0.1);
    const std::vector<double> deviations = alloc::deviations_with(column, changes);
    REQUIRE(deviations.size() == changes.size());
    for (std::size_t c = 0; c < changes.size(); ++c) {
      std::vector<double> changed = column;
      changed[changes[c].first] = changes[c].second;
      double sum = 0;
      for (const double x : changed) sum += x;
      const double mean = sum / 60.0;
      double squares = 0;
      for (const double x : changed) squares += (x - mean) * (x - mean);
      CHECK(deviations[c] == std::sqrt(squares / 60.0));
    }
  }
}
